//! The programs that fantree runs, and where they come from: Debian's packages, or a script of the project.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program from a Debian package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    pub program: &'static str,
    pub package: &'static str,
}

pub const VERILATOR: Tool = Tool {
    program: "verilator",
    package: "verilator",
};
pub const IVERILOG: Tool = Tool {
    program: "iverilog",
    package: "iverilog",
};
pub const YOSYS: Tool = Tool {
    program: "yosys",
    package: "yosys",
};
/// The model checker ABC, as Yosys brings it along.
pub const YOSYS_ABC: Tool = Tool {
    program: "yosys-abc",
    package: "yosys",
};

/// Why a program did not run at all; what it says when it runs is its output.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("`{program}` is not installed: Debian has it in `{package}` (`make setup`, or `apt-get install {package}`)",
        program = .0.program, package = .0.package)]
    Missing(Tool),
    #[error("there is no {}: `scripts/setup-synth.sh` puts it there", .0.display())]
    NotSetUp(PathBuf),
    #[error("cannot run `{program}`")]
    Run { program: String, source: io::Error },
}

impl Tool {
    /// Runs the program to its end, with what `arguments` adds to the command.
    pub fn run(
        self,
        arguments: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Result<Output, Error> {
        let mut command = Command::new(self.program);
        arguments(&mut command)
            .output()
            .map_err(|source| self.not_run(source))
    }

    /// Why the program could not be started.
    pub fn not_run(self, source: io::Error) -> Error {
        match source.kind() {
            io::ErrorKind::NotFound => Error::Missing(self),
            _ => not_run(Path::new(self.program), source),
        }
    }
}

/// Runs a script of Yosys in a folder; only warnings and errors are said.
pub fn yosys(folder: &Path, script: &str) -> Result<Output, Error> {
    YOSYS.run(|command| {
        command
            .current_dir(folder)
            .args(["-Q", "-T", "-q", "-p", script])
    })
}

/// Runs a program to its end, as [`Tool::run`] does.
pub fn run(
    program: &Path,
    arguments: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<Output, Error> {
    let mut command = Command::new(program);
    arguments(&mut command)
        .output()
        .map_err(|source| not_run(program, source))
}

fn not_run(program: &Path, source: io::Error) -> Error {
    Error::Run {
        program: program.display().to_string(),
        source,
    }
}

/// A file that the set-up for synthesis puts in place.
pub fn set_up(file: PathBuf) -> Result<PathBuf, Error> {
    match file.exists() {
        true => Ok(file),
        false => Err(Error::NotSetUp(file)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_named_with_its_package() {
        let tool = Tool {
            program: "no-such-program",
            package: "its-package",
        };
        assert_eq!(
            tool.run(|command| command).unwrap_err().to_string(),
            "`no-such-program` is not installed: Debian has it in `its-package` \
             (`make setup`, or `apt-get install its-package`)"
        );
    }
}
