//! A folder of generated files that is always whole: it has the files of one run, never of two, never half of one.
//!
//! The new folder is written aside and renamed into place. A folder is only ever replaced if everything in it was
//! written here: its manifest says so, and lists every file.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{json, Value};

use super::MANIFEST;

/// Texts by their path in the folder, with `/` between the parts.
pub type Files = BTreeMap<String, String>;

/// Why a folder was not written. What was there before is there still.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} is not a folder that fantree wrote ({reason}): choose another, or remove it", dir.display())]
    NotOurs { dir: PathBuf, reason: String },
    #[error("cannot {action} {}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

/// What says that a folder is a generated one, in its manifest.
const GENERATOR: &str = "fantree";

/// The part of a manifest that tells whose the folder is.
#[derive(Deserialize)]
struct Ownership {
    generator: String,
    files: Vec<String>,
}

/// Adds the manifest, which lists the files and says what `about` says of them.
pub fn with_manifest(mut files: Files, about: Value) -> Files {
    let names: Vec<&String> = files.keys().collect();
    let mut manifest = json!({
        "generator": GENERATOR,
        "version": env!("CARGO_PKG_VERSION"),
        "files": names,
    });
    for (name, value) in about.as_object().into_iter().flatten() {
        manifest[name] = value.clone();
    }
    files.insert(MANIFEST.into(), format!("{manifest:#}\n"));
    files
}

/// Makes `dir` hold exactly `files`, one of which is the manifest that lists the others.
pub fn replace(dir: &Path, files: &Files) -> Result<(), Error> {
    // A link to a folder stays a link, and `.` gets a parent.
    let dir = &match dir.canonicalize() {
        Ok(existing) => existing,
        Err(_) => std::path::absolute(dir).map_err(|source| io_error("find", dir, source))?,
    };
    let (Some(parent), Some(name)) = (dir.parent(), dir.file_name()) else {
        return Err(not_ours(dir, "it is the root of the file system".into()));
    };
    check(dir)?;

    create_folder(parent)?;
    let aside = write_aside(parent, name, files)?;
    let (new, old) = (aside.path().join("new"), aside.path().join("old"));
    let rename = |from: &Path, to: &Path| {
        std::fs::rename(from, to).map_err(|source| io_error("put in place", dir, source))
    };
    let replaces = dir.exists();
    if replaces {
        rename(dir, &old)?;
    }
    rename(&new, dir).inspect_err(|_| {
        if replaces {
            // Best effort: the error of the first rename is the one worth telling.
            let _ = std::fs::rename(&old, dir);
        }
    })
}

fn write_aside(parent: &Path, name: &OsStr, files: &Files) -> Result<tempfile::TempDir, Error> {
    let prefix = format!(".{}.", name.to_string_lossy());
    let aside = tempfile::Builder::new()
        .prefix(&prefix)
        .tempdir_in(parent)
        .map_err(|source| io_error("write in", parent, source))?;
    for (file, text) in files {
        let path = aside.path().join("new").join(file);
        create_folder(path.parent().expect("a file is in a folder"))?;
        std::fs::write(&path, text).map_err(|source| io_error("write", &path, source))?;
    }
    Ok(aside)
}

/// Refuses a folder that [`replace`] would: an absent or empty one may be filled, a generated one replaced; anything else is
/// somebody's.
pub fn check(dir: &Path) -> Result<(), Error> {
    if !dir.exists() {
        return Ok(());
    }
    if !dir.is_dir() {
        return Err(not_ours(dir, "it is a file".into()));
    }
    let present = list(dir, "")?;
    if present.is_empty() {
        return Ok(());
    }
    let Ok(manifest) = std::fs::read_to_string(dir.join(MANIFEST)) else {
        return Err(not_ours(dir, format!("it has no {MANIFEST}")));
    };
    let listed = match serde_json::from_str::<Ownership>(&manifest) {
        Ok(ownership) if ownership.generator == GENERATOR => ownership.files,
        _ => {
            return Err(not_ours(
                dir,
                format!("its {MANIFEST} is another program's"),
            ))
        }
    };
    match present
        .iter()
        .find(|file| *file != MANIFEST && !listed.contains(file))
    {
        Some(foreign) => Err(not_ours(
            dir,
            format!("its {MANIFEST} does not list {foreign}"),
        )),
        None => Ok(()),
    }
}

/// The files below a folder, by their path in it.
fn list(dir: &Path, prefix: &str) -> Result<Vec<String>, Error> {
    let mut files = Vec::new();
    let entries = std::fs::read_dir(dir).map_err(|source| io_error("list", dir, source))?;
    for entry in entries {
        let entry = entry.map_err(|source| io_error("list", dir, source))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files.extend(list(&entry.path(), &format!("{name}/"))?);
        } else {
            files.push(name);
        }
    }
    files.sort();
    Ok(files)
}

fn create_folder(path: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(path).map_err(|source| io_error("create", path, source))
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> Error {
    Error::Io {
        action,
        path: path.into(),
        source,
    }
}

fn not_ours(dir: &Path, reason: String) -> Error {
    Error::NotOurs {
        dir: dir.into(),
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files with a manifest that lists them.
    fn run(names: &[&str]) -> Files {
        let manifest = serde_json::json!({ "generator": GENERATOR, "files": names }).to_string();
        let mut files: Files = names
            .iter()
            .map(|name| (name.to_string(), format!("text of {name}")))
            .collect();
        files.insert(MANIFEST.into(), manifest);
        files
    }

    fn assert_holds(dir: &Path, files: &Files) {
        let names: Vec<&String> = files.keys().collect();
        assert_eq!(list(dir, "").unwrap().iter().collect::<Vec<_>>(), names);
        for (name, text) in files {
            assert_eq!(&std::fs::read_to_string(dir.join(name)).unwrap(), text);
        }
    }

    /// Nothing but `dir` is left in its parent.
    fn assert_alone(dir: &Path) {
        let parent = std::fs::read_dir(dir.parent().unwrap()).unwrap();
        assert_eq!(parent.count(), 1);
    }

    fn reason(dir: &Path) -> String {
        match replace(dir, &run(&["rtl/new.v"])).unwrap_err() {
            Error::NotOurs { reason, .. } => reason,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_second_run_leaves_nothing_of_the_first() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = scratch.path().join("deep/chip");
        for names in [&["rtl/a.v", "rtl/b.v"][..], &["rtl/b.v", "files.f"]] {
            replace(&dir, &run(names)).unwrap();
            assert_holds(&dir, &run(names));
        }
        assert_alone(&dir);
    }

    #[test]
    fn an_empty_folder_is_filled() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = scratch.path().join("chip");
        std::fs::create_dir(&dir).unwrap();
        replace(&dir, &run(&["files.f"])).unwrap();
        assert_holds(&dir, &run(&["files.f"]));
    }

    #[test]
    fn what_is_not_ours_is_refused_and_untouched() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = scratch.path().join("chip");

        std::fs::write(&dir, "a file").unwrap();
        assert_eq!(reason(&dir), "it is a file");
        std::fs::remove_file(&dir).unwrap();

        let mut files = run(&["rtl/a.v"]);
        replace(&dir, &files).unwrap();
        std::fs::write(dir.join("rtl/notes.txt"), "mine").unwrap();
        assert_eq!(
            reason(&dir),
            "its manifest.json does not list rtl/notes.txt"
        );
        files.insert("rtl/notes.txt".into(), "mine".into());
        assert_holds(&dir, &files);

        std::fs::write(dir.join(MANIFEST), "{}").unwrap();
        assert_eq!(reason(&dir), "its manifest.json is another program's");
        std::fs::remove_file(dir.join(MANIFEST)).unwrap();
        assert_eq!(reason(&dir), "it has no manifest.json");
        assert_alone(&dir);
    }

    #[test]
    fn a_failed_write_leaves_the_old_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = scratch.path().join("chip");
        replace(&dir, &run(&["rtl/a.v"])).unwrap();
        // `rtl` cannot be a file and a folder.
        assert!(replace(&dir, &run(&["rtl", "rtl/a.v"])).is_err());
        assert_holds(&dir, &run(&["rtl/a.v"]));
        assert_alone(&dir);
    }
}
