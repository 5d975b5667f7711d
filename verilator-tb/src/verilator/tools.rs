//! The programs the bridge needs: Verilator and a C++ compiler.

use super::error::{Error, Result};
use std::process::Command;
use std::sync::OnceLock;

/// A C++ compiler's family, where their options differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Clang,
    Gcc,
}

/// Programs found, with their versions (part of every cache key).
#[derive(Debug, Clone)]
pub(super) struct Tools {
    pub verilator: String,
    pub verilator_version: String,
    pub compiler: String,
    pub compiler_version: String,
    pub family: Family,
}

impl Tools {
    /// The programs of this process, looked for once: Verilator's start-up takes longer than a
    /// cache hit. `VERILATOR` and `CXX` name others.
    pub fn of_process() -> Result<&'static Tools> {
        static TOOLS: OnceLock<Tools> = OnceLock::new();
        if let Some(tools) = TOOLS.get() {
            return Ok(tools);
        }
        let found = Tools::find(
            std::env::var("VERILATOR").ok().as_deref(),
            std::env::var("CXX").ok().as_deref(),
        )?;
        Ok(TOOLS.get_or_init(|| found))
    }

    /// Looks for Verilator and for a compiler; clang++ comes first, as it compiles Verilated code
    /// in two thirds of g++'s time.
    pub fn find(verilator: Option<&str>, compiler: Option<&str>) -> Result<Tools> {
        let verilator = verilator.unwrap_or("verilator");
        let verilator_version = version(verilator).map_err(|reason| Error::ToolMissing {
            program: verilator.into(),
            reason,
            package: "verilator",
            variable: "VERILATOR",
        })?;
        let candidates = match compiler {
            Some(named) => vec![named],
            None => vec!["clang++", "g++"],
        };
        let mut failure = String::new();
        for candidate in &candidates {
            match version(candidate) {
                Ok(compiler_version) => {
                    let family = if compiler_version.contains("clang") {
                        Family::Clang
                    } else {
                        Family::Gcc
                    };
                    return Ok(Tools {
                        verilator: verilator.into(),
                        verilator_version,
                        compiler: candidate.to_string(),
                        compiler_version,
                        family,
                    });
                }
                Err(reason) => failure = reason,
            }
        }
        Err(Error::ToolMissing {
            program: candidates.join("` or `"),
            reason: failure,
            package: "clang",
            variable: "CXX",
        })
    }
}

/// First line of `PROGRAM --version`.
fn version(program: &str) -> std::result::Result<String, String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .map_err(|failure| failure.to_string())?;
    if !output.status.success() {
        return Err(output.status.to_string());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_verilator_names_the_package() {
        let error = Tools::find(Some("no-such-verilator"), None).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("`no-such-verilator` cannot be run"),
            "{text}"
        );
        assert!(
            text.contains("install Debian package `verilator`"),
            "{text}"
        );
    }

    #[test]
    fn missing_compiler_names_the_package() {
        let error = Tools::find(None, Some("no-such-compiler")).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("`no-such-compiler` cannot be run"),
            "{text}"
        );
        assert!(text.contains("install Debian package `clang`"), "{text}");
    }

    #[test]
    fn gcc_is_told_from_clang() {
        assert_eq!(Tools::find(None, Some("g++")).unwrap().family, Family::Gcc);
        assert_eq!(
            Tools::find(None, Some("clang++")).unwrap().family,
            Family::Clang
        );
    }
}
