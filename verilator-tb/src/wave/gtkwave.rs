//! Starting GTKWave.

use std::path::Path;
use std::process::{Command, Stdio};

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
        .map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => tool::Error::Missing(GTKWAVE),
            _ => tool::Error::Run {
                tool: GTKWAVE,
                source,
            },
        })
}

/// Whether GTKWave can start the program as a filter: it passes the path through a shell and cuts it at spaces.
pub fn can_start(program: &Path) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || "/._-+@:,=".contains(it);
    program
        .to_str()
        .is_some_and(|path| path.chars().all(is_plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_paths_are_filters() {
        assert!(can_start(Path::new("/usr/bin/fantree-1.0")));
        for path in [
            "/my tools/fantree",
            "/tmp/$x/fantree",
            "/a;b/fantree",
            "/a'b/fantree",
        ] {
            assert!(!can_start(Path::new(path)), "{path}");
        }
    }
}
