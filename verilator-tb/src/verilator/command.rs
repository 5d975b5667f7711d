//! Running Verilator and the compiler: output into a log, its first errors into the message.

use super::error::{Error, Result};
use super::tools::Tools;
use std::path::Path;
use std::process::Command;

/// Lines of a tool's output an error message shows.
const SHOWN_LINES: usize = 12;

/// Headers of Verilator's run-time library that are not its own, with their Debian packages.
const PACKAGES: &[(&str, &str)] = &[("zlib.h", "zlib1g-dev"), ("lz4.h", "liblz4-dev")];

pub(super) fn compiler_command(tools: &Tools) -> Command {
    let mut command = Command::new(&tools.compiler);
    // Messages are searched for "error": keep them in English.
    command.env("LC_ALL", "C");
    command
}

/// Runs to the end; output goes to `log` with the command line, failure to the error.
pub(super) fn run(mut command: Command, tool: &str, top: &str, log: &Path) -> Result<()> {
    let output = command.output().map_err(Error::io(Path::new(tool)))?;
    let messages = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(&output.stdout)
    );
    std::fs::write(log, format!("{command:?}\n{messages}")).map_err(Error::io(log))?;
    if output.status.success() {
        return Ok(());
    }
    Err(Error::Rejected {
        tool: tool.to_owned(),
        top: top.to_owned(),
        messages: first_errors(&messages, &output.status.to_string()),
        log: log.to_owned(),
    })
}

/// The lines from the first error on; all lines if none is marked as one.
fn first_errors(messages: &str, status: &str) -> String {
    let lines: Vec<&str> = messages.lines().collect();
    let start = lines
        .iter()
        .position(|line| line.contains("%Error") || line.contains("error:"))
        .unwrap_or(0);
    let shown = &lines[start..(start + SHOWN_LINES).min(lines.len())];
    if shown.is_empty() {
        return status.to_owned();
    }
    let mut text = shown.join("\n");
    let left = lines.len() - start - shown.len();
    if left > 0 {
        text += &format!("\n… {left} more lines");
    }
    for (header, package) in PACKAGES {
        if lines[start].contains("fatal error") && lines[start].contains(header) {
            text += &format!("\ninstall Debian package `{package}`");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_before_warnings_and_are_cut() {
        let warnings = "%Warning-WIDTH: t.v:1\n".repeat(30);
        let text = first_errors(&format!("{warnings}%Error: t.v:2: bad\nmore\n"), "exit 1");
        assert_eq!(text, "%Error: t.v:2: bad\nmore");

        let many = "x error: y\n".repeat(20);
        let text = first_errors(&many, "exit 1");
        assert_eq!(text.lines().count(), SHOWN_LINES + 1);
        assert!(text.ends_with("… 8 more lines"), "{text}");
    }

    #[test]
    fn a_missing_header_names_its_package() {
        let text = first_errors(
            "x.cpp:18:10: fatal error: 'lz4.h' file not found\n",
            "exit 1",
        );
        assert!(
            text.ends_with("\ninstall Debian package `liblz4-dev`"),
            "{text}"
        );
    }

    #[test]
    fn silence_shows_the_exit_status() {
        assert_eq!(first_errors("", "signal: 9"), "signal: 9");
    }
}
