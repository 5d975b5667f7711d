//! Lines that need not run, by their text, each with a reason.
//!
//! ```toml
//! [[exclude]]
//! module = "credit_counter_#"
//! text = "broken_d = 1'b1;"
//! reason = "a caller that keeps the rules never breaks the counter; proved in hdl/formal"
//! ```
//!
//! `#` stands for any number, in module and text; `configs = ["router-2x2"]` is for modules of these configurations alone. The
//! block of statements that has the line is excluded. An exclusion must
//! be needed: one that fits no line, or a line that runs, is [`Stale`].

use std::collections::BTreeSet;
use std::path::Path;

use regex::Regex;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::exceptions::{self, Error};

/// The exclusions of a file, or none.
#[derive(Debug, Clone, Default)]
pub struct Exclusions(Vec<Exclusion>);

/// An exclusion, ready to be applied.
#[derive(Debug, Clone)]
pub struct Exclusion {
    /// Where it is written, as `file:line`.
    place: String,
    module: Regex,
    line: Regex,
    written: Written,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    exclude: Vec<Spanned<Written>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    module: String,
    text: String,
    reason: String,
    /// Configurations; none: all.
    #[serde(default)]
    configs: Vec<String>,
}

/// An exclusion that is not needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{place}: `{text}` of `{module}` is excluded, but {finding}")]
pub struct Stale {
    pub place: String,
    pub module: String,
    pub text: String,
    pub finding: String,
}

impl Exclusions {
    pub fn load(path: &Path) -> Result<Self, Error> {
        Self::parse(path, &exceptions::read(path)?)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let file: File = exceptions::parse(path, text)?;
        let place = |span| exceptions::place(path, text, span);
        let exclusions = file.exclude.into_iter();
        exclusions
            .map(|it| Exclusion::new(place(it.span()), it.into_inner()))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Exclusion> {
        self.0.iter()
    }
}

impl Exclusion {
    fn new(place: String, written: Written) -> Result<Self, Error> {
        for (field, value, legal) in [
            ("module", &written.module, "the name of a module"),
            ("text", &written.text, "a line of it"),
            ("reason", &written.reason, "why it need not run"),
        ] {
            if value.trim().is_empty() {
                return Err(Error::Empty {
                    place,
                    field,
                    legal: legal.into(),
                });
            }
        }
        Ok(Self {
            place,
            module: any_number(&written.module),
            line: any_number(&written.text),
            written,
        })
    }

    /// Why the block need not run.
    pub fn reason(&self) -> &str {
        &self.written.reason
    }

    /// Whether it is for a module of these configurations.
    pub fn fits_module(&self, name: &str, configs: &BTreeSet<String>) -> bool {
        let wanted = &self.written.configs;
        let is_wanted = wanted.is_empty() || wanted.iter().any(|config| configs.contains(config));
        is_wanted && self.module.is_match(name)
    }

    pub fn fits_line(&self, line: &str) -> bool {
        self.line.is_match(line.trim())
    }

    pub fn stale(&self, finding: String) -> Stale {
        let Written { module, text, .. } = self.written.clone();
        Stale {
            place: self.place.clone(),
            module,
            text,
            finding,
        }
    }
}

/// All of a text, in which `#` stands for any number.
fn any_number(text: &str) -> Regex {
    exceptions::pattern(text.trim(), '#', "[0-9a-f]+")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Exclusions, Error> {
        Exclusions::parse(Path::new("x.toml"), text)
    }

    #[test]
    fn a_number_stands_for_any() {
        let text = "[[exclude]]\nmodule = \"fifo_#x#\"\ntext = \"full_#_d = 8'h# * (a | b);\"\nreason = \"so\"";
        let exclusions = parse(text).unwrap();
        let exclusion = exclusions.iter().next().unwrap();
        let fits_module = |name| exclusion.fits_module(name, &["b".to_string()].into());
        assert!(fits_module("fifo_16x133"));
        assert!(!fits_module("async_fifo_16x133") && !fits_module("fifo"));
        assert!(exclusion.fits_line("    full_12_d = 8'h3c * (a | b);"));
        assert!(!exclusion.fits_line("full_12_d = 8'h3c * (a | c);"));
    }

    #[test]
    fn an_exclusion_may_be_for_some_configurations() {
        let text = "[[exclude]]\nmodule = \"a\"\ntext = \"b\"\nreason = \"so\"\nconfigs = [\"one\", \"two\"]";
        let exclusions = parse(text).unwrap();
        let exclusion = exclusions.iter().next().unwrap();
        let fits = |config: &str| exclusion.fits_module("a", &[config.to_string()].into());
        assert!(fits("one") && fits("two") && !fits("three"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let error = |text| parse(text).unwrap_err().to_string();
        assert_eq!(
            error("\n[[exclude]]\nmodule = \"a\"\ntext = \"b\"\nreason = \" \""),
            "x.toml:2: `reason` is empty; legal is why it need not run"
        );
        let unknown = error("[[exclude]]\nmodule = \"a\"\ntext = \"b\"\nwhy = \"c\"");
        assert!(
            unknown.starts_with("x.toml: TOML parse error at line 4"),
            "{unknown}"
        );
        assert!(unknown.contains("unknown field `why`"), "{unknown}");
    }
}
