//! Mutants that nobody can tell from the design, by name, each with the reason.
//!
//! ```toml
//! [[equivalent]]
//! mutants = ["round_robin_arbiter/stuck-at-zero/after_last_d*"]
//! reason = "the first is never after the last"
//! ```
//!
//! `*` stands for any text; then nothing may find any of those that fit.

use std::path::Path;

use fantree_gen::mutate::Mutant;
use regex::Regex;
use serde::Deserialize;
use toml::Spanned;

use super::Verdict;
use crate::exceptions::{self, Error};

/// The waivers of a file, or none.
#[derive(Debug, Clone, Default)]
pub struct Waivers(Vec<Waiver>);

#[derive(Debug, Clone)]
struct Waiver {
    /// Where it is written, as `file:line`.
    place: String,
    mutant: String,
    name: Regex,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    equivalent: Vec<Spanned<Written>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    mutants: Vec<String>,
    reason: String,
}

impl Waivers {
    pub fn load(path: &Path) -> Result<Self, Error> {
        Self::parse(path, &exceptions::read(path)?)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let file: File = exceptions::parse(path, text)?;
        let mut waivers = Vec::new();
        for written in file.equivalent {
            let place = exceptions::place(path, text, written.span());
            let Written { mutants, reason } = written.into_inner();
            if reason.trim().is_empty() {
                let names = mutants.join(", ");
                return Err(Error::Empty {
                    place,
                    field: "reason",
                    legal: format!("a text that says why nothing can find {names}"),
                });
            }
            waivers.extend(mutants.into_iter().map(|mutant| Waiver {
                place: place.clone(),
                name: exceptions::pattern(&mutant, '*', ".*"),
                mutant,
                reason: reason.clone(),
            }));
        }
        Ok(Self(waivers))
    }

    /// Why nothing can find a mutant, if it is waived.
    pub fn reason(&self, mutant: &Mutant) -> Option<&str> {
        let name = mutant.name();
        let waiver = self.0.iter().find(|waiver| waiver.name.is_match(&name));
        waiver.map(|waiver| waiver.reason.as_str())
    }

    /// Waivers that are not needed: of mutants that are not among `all`, or that something found.
    pub fn stale(&self, all: &[Mutant], verdicts: &[Verdict]) -> Vec<String> {
        let names: Vec<String> = all.iter().map(Mutant::name).collect();
        let finding = |waiver: &Waiver| {
            if !names.iter().any(|name| waiver.name.is_match(name)) {
                return Some("there is no such mutant".to_string());
            }
            verdicts.iter().find_map(|Verdict { mutant, kill, .. }| {
                let (name, kill) = (mutant.name(), kill.as_ref()?);
                let told = || format!("{} finds {name} ({})", kill.check, kill.by);
                waiver.name.is_match(&name).then(told)
            })
        };
        let stale = self.0.iter().filter_map(|waiver| {
            let finding = finding(waiver)?;
            let Waiver { place, mutant, .. } = waiver;
            Some(format!("{place}: `{mutant}` is waived, but {finding}"))
        });
        stale.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kill;
    use super::*;
    use fantree_gen::mutate::Kind;

    const FILE: &str = "
[[equivalent]]
mutants = [\"fifo/*/held_d\"]
reason = \"why\"

[[equivalent]]
mutants = [\"fifo/off-by-one/gone\"]
reason = \"why\"
";

    fn mutant(place: &str) -> Mutant {
        Mutant {
            unit: "fifo".into(),
            kind: Kind::OffByOne,
            place: place.into(),
            changes: Vec::new(),
        }
    }

    #[test]
    fn a_waiver_must_be_needed() {
        let waivers = Waivers::parse(Path::new("w.toml"), FILE).unwrap();
        assert_eq!(waivers.reason(&mutant("held_d")), Some("why"));
        assert_eq!(waivers.reason(&mutant("empty")), None);
        let verdict = Verdict {
            mutant: mutant("held_d"),
            kill: Some(Kill {
                check: "stuck",
                by: "tables".into(),
            }),
            waived: Some("why".into()),
        };
        assert_eq!(
            waivers.stale(&[mutant("held_d")], &[verdict]),
            [
                "w.toml:2: `fifo/*/held_d` is waived, but stuck finds fifo/off-by-one/held_d (tables)",
                "w.toml:6: `fifo/off-by-one/gone` is waived, but there is no such mutant",
            ]
        );
    }

    #[test]
    fn a_waiver_says_why() {
        let text = "[[equivalent]]\nmutants = [\"a/b/c\"]\nreason = \" \"";
        assert_eq!(
            Waivers::parse(Path::new("w.toml"), text)
                .unwrap_err()
                .to_string(),
            "w.toml:1: `reason` is empty; legal is a text that says why nothing can find a/b/c"
        );
    }
}
