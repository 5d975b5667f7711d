//! The coverage of one run as a folder, which is whole or absent:
//!
//! ```text
//! functional.json   counts of the bench's points
//! design.v          the Verilog that ran
//! verilator.dat     Verilator's counts of its lines, for `verilator_coverage` too
//! manifest.json     the configuration
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use fantree_gen::output::{self, Files, MANIFEST};
use serde::Deserialize;
use serde_json::json;

use super::{Functional, Lines};

const FUNCTIONAL: &str = "functional.json";
const VERILOG: &str = "design.v";
const DATA: &str = "verilator.dat";

/// The coverage of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// Name of the configuration.
    pub config: String,
    pub functional: Functional,
    pub lines: Lines,
}

/// What Verilator counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineData {
    /// The Verilog as compiled.
    pub verilog: String,
    /// The module around the design, which is not part of it.
    pub top: &'static str,
    /// In Verilator's format.
    pub data: String,
}

/// A folder that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no coverage in {}: `fantree sim --coverage DIR` writes it", .0.display())]
    None(PathBuf),
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: {reason}", path.display())]
    Malformed { path: PathBuf, reason: String },
}

/// The part of a manifest that says what ran.
#[derive(Deserialize)]
struct About {
    config: String,
    top: String,
}

/// Writes the coverage of a run. A folder that was not written here is left alone.
pub fn write(
    dir: &Path,
    config: &str,
    functional: &Functional,
    lines: &LineData,
) -> Result<(), output::Error> {
    let text = serde_json::to_string(functional).expect("counts are plain data");
    let files = Files::from([
        (FUNCTIONAL.into(), text),
        (VERILOG.into(), lines.verilog.clone()),
        (DATA.into(), lines.data.clone()),
    ]);
    let about = json!({ "config": config, "top": lines.top });
    output::replace(dir, &output::with_manifest(files, about))
}

impl Run {
    /// Whether a folder has the coverage of a run.
    pub fn is_in(dir: &Path) -> bool {
        dir.join(FUNCTIONAL).is_file()
    }

    pub fn read(dir: &Path) -> Result<Self, Error> {
        let (About { config, top }, _) = parsed(dir, MANIFEST)?;
        let (functional, path): (Functional, _) = parsed(dir, FUNCTIONAL)?;
        if let Some(group) = functional.damaged_group() {
            let reason = format!("group `{group}` has samples of no bin");
            return Err(Error::Malformed { path, reason });
        }
        let (verilog, _) = text(dir, VERILOG)?;
        let (data, path) = text(dir, DATA)?;
        let lines = Lines::read(&config, &verilog, &data, &|module| module != top).map_err(
            |malformed| Error::Malformed {
                path,
                reason: malformed.to_string(),
            },
        )?;
        Ok(Self {
            config,
            functional,
            lines,
        })
    }
}

/// The folders with the coverage of a run, in these and below them.
pub fn folders(dirs: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for dir in dirs {
        let before = found.len();
        find(dir, &mut found)?;
        if found.len() == before {
            return Err(Error::None(dir.clone()));
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn find(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let error = |source| Error::Read {
        path: dir.into(),
        source,
    };
    if Run::is_in(dir) {
        found.push(dir.canonicalize().map_err(error)?);
        return Ok(());
    }
    for entry in fs::read_dir(dir).map_err(error)? {
        let path = entry.map_err(error)?.path();
        // A name with a dot is a folder that is being written.
        let hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden {
            find(&path, found)?;
        }
    }
    Ok(())
}

fn text(dir: &Path, file: &str) -> Result<(String, PathBuf), Error> {
    let path = dir.join(file);
    match fs::read_to_string(&path) {
        Ok(text) => Ok((text, path)),
        Err(source) => Err(Error::Read { path, source }),
    }
}

fn parsed<T: for<'a> Deserialize<'a>>(dir: &Path, file: &str) -> Result<(T, PathBuf), Error> {
    let (text, path) = text(dir, file)?;
    match serde_json::from_str(&text) {
        Ok(value) => Ok((value, path)),
        Err(error) => Err(Error::Malformed {
            path,
            reason: error.to_string(),
        }),
    }
}
