//! The programs that fantree runs, and the Debian packages that have them.

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
    #[error("cannot run `{program}`", program = tool.program)]
    Run { tool: Tool, source: std::io::Error },
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
            .map_err(|source| match source.kind() {
                std::io::ErrorKind::NotFound => Error::Missing(self),
                _ => Error::Run { tool: self, source },
            })
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
