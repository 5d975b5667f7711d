//! Starting GTKWave.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use fantree_gen::tool::{self, Tool};

/// GTKWave and the Debian package that has it.
pub const GTKWAVE: Tool = Tool {
    program: "gtkwave",
    package: "gtkwave",
};

/// Whether a window can be opened.
pub fn has_screen() -> bool {
    ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Opens a save file and does not wait for the window to be closed.
pub fn open(save_file: &Path) -> Result<(), tool::Error> {
    let mut command = Command::new(GTKWAVE.program);
    command
        .arg(save_file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
        .spawn()
        .map(drop)
        .map_err(|source| GTKWAVE.not_run(source))
}

/// The link to a program whose own path GTKWave cannot take.
const LINK: &str = "wave-decoder";

/// The path by which GTKWave can start the program as a filter. It passes the path through a shell and cuts it at
/// spaces, so a program with an unusual path gets a link in `folder`. `None` if that has an unusual path, too.
pub fn startable(program: &Path, folder: &Path) -> io::Result<Option<PathBuf>> {
    if is_plain(program) {
        return Ok(Some(program.into()));
    }
    let link = std::path::absolute(folder)?.join(LINK);
    if !is_plain(&link) {
        return Ok(None);
    }
    match fs::remove_file(&link) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => std::os::unix::fs::symlink(program, &link)?,
    }
    Ok(Some(link))
}

fn is_plain(path: &Path) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || "/._-+@:,=".contains(it);
    path.to_str().is_some_and(|path| path.chars().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_unusual_paths_get_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let plain = Path::new("/usr/bin/fantree-1.0");
        assert_eq!(
            startable(plain, folder.path()).unwrap().as_deref(),
            Some(plain)
        );
        for path in [
            "/my tools/fantree",
            "/tmp/$x/fantree",
            "/a;b/fantree",
            "/a'b/fantree",
        ] {
            let link = startable(Path::new(path), folder.path()).unwrap().unwrap();
            assert!(is_plain(&link), "{}", link.display());
            assert_eq!(fs::read_link(link).unwrap(), Path::new(path));

            let unusual = folder.path().join("my waves");
            assert_eq!(startable(Path::new(path), &unusual).unwrap(), None);
        }
    }
}
