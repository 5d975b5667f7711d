//! A case: the `fantree sim` command that a plan came to, and that repeats it.

use std::fmt;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::simulator::Simulator;
use crate::shell::quoted;

/// One simulation of a regression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub id: Id,
    pub config: PathBuf,
    pub settings: Settings,
}

/// The name of a case: its test, and its number in it, from 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Id {
    pub test: String,
    pub number: usize,
}

impl Id {
    /// The name of a folder for it.
    pub fn folder(&self) -> String {
        format!("{}-{}", self.test, self.number)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.test, self.number)
    }
}

impl From<Id> for String {
    fn from(id: Id) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for Id {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let id = || {
            let (test, number) = text.rsplit_once('/')?;
            Some(Id {
                test: test.into(),
                number: number.parse().ok()?,
            })
        };
        id().ok_or(format!("{text} is no name of a case"))
    }
}

/// Options of `fantree sim` with their values; a flag has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings(pub IndexMap<String, Option<String>>);

impl Settings {
    /// Sets an option from its text in a plan; a flag that is `false` is not given.
    pub fn set(&mut self, simulator: &Simulator, option: &str, text: String) {
        match (simulator.is_flag(option), text.as_str()) {
            (false, _) => self.0.insert(option.into(), Some(text)),
            (true, "false") => self.0.shift_remove(option),
            (true, _) => self.0.insert(option.into(), None),
        };
    }

    /// These, with an option set to a number.
    pub fn with(&self, option: &str, number: u64) -> Self {
        let mut settings = self.clone();
        settings.0.insert(option.into(), Some(number.to_string()));
        settings
    }

    /// These, without an option.
    pub fn without(&self, option: &str) -> Self {
        let mut settings = self.clone();
        settings.0.shift_remove(option);
        settings
    }

    /// The number that an option is set to.
    pub fn number(&self, option: &str) -> Option<u64> {
        self.0.get(option)?.as_ref()?.parse().ok()
    }

    /// The words after the program's name that run `sim` with them.
    pub fn words(&self, config: &Path) -> Vec<String> {
        let mut words = vec!["sim".into(), config.display().to_string()];
        for (option, value) in &self.0 {
            words.push(format!("--{option}"));
            words.extend(value.clone());
        }
        words
    }

    /// The command as a person types it.
    pub fn command(&self, config: &Path) -> String {
        let words = self.words(config);
        let words = words.iter().map(quoted);
        let words: Vec<String> = ["fantree".into()].into_iter().chain(words).collect();
        words.join(" ")
    }
}

impl Case {
    /// The command that repeats it.
    pub fn command(&self) -> String {
        self.settings.command(&self.config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_a_command() {
        let mut settings = Settings::default();
        for (option, value) in [("packet-flits", Some("1,4")), ("bursty", None)] {
            settings.0.insert(option.into(), value.map(String::from));
        }
        let settings = settings.with("seed", 7);
        assert_eq!(
            settings.command(Path::new("my chips/a.toml")),
            "fantree sim 'my chips/a.toml' --packet-flits 1,4 --bursty --seed 7"
        );
    }

    #[test]
    fn an_id_survives_the_round_trip() {
        let id = Id {
            test: "routers".into(),
            number: 17,
        };
        let text = serde_json::to_string(&id).unwrap();
        assert_eq!(text, "\"routers/17\"");
        assert_eq!(serde_json::from_str::<Id>(&text).unwrap(), id);
    }
}
