//! Starting GTKWave.

use std::path::Path;
use std::process::{Command, Stdio};

use fantree_gen::tool::Tool;

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

/// The command that opens a save file, for a person to type.
pub fn command_line(save_file: &Path) -> String {
    format!("gtkwave {}", quoted(&save_file.to_string_lossy()))
}

/// Opens a save file and does not wait for the window to be closed.
pub fn open(save_file: &Path) -> std::io::Result<()> {
    Command::new(GTKWAVE.program)
        .arg(save_file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(drop)
}

/// Whether GTKWave can start the program as a filter: it passes the path through a shell and cuts it at spaces.
pub fn can_start(program: &Path) -> bool {
    program.to_str().is_some_and(is_plain)
}

fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|it| it.is_alphanumeric() || "/._-+@:,=".contains(it))
}

fn quoted(text: &str) -> String {
    match is_plain(text) {
        true => text.into(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_survives_the_shell() {
        for path in ["build/wave.gtkw", "my waves/it's $HOME.gtkw"] {
            let line = command_line(Path::new(path));
            let output = Command::new("sh")
                .args(["-c", &format!("set -- {line}; printf %s \"$2\"")])
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), path);
        }
    }

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
