//! What a regression knows of the program that runs its cases: `fantree sim`.

use std::error::Error;
use std::num::{ParseFloatError, ParseIntError};
use std::path::PathBuf;

use clap::error::ContextKind;
use clap::{ArgAction, ArgMatches, Command};
use fantree_gen::config::Config;

/// Options that are the regression's to set.
const OWN: [&str; 8] = [
    "seed",
    "json",
    "wave",
    "wave-cycles",
    "compile-only",
    "coverage",
    "help",
    "version",
];

/// Refuses arguments that do not fit a configuration.
pub type Check = fn(&Config, &ArgMatches) -> anyhow::Result<()>;

/// The program and its command `sim`.
pub struct Simulator {
    program: PathBuf,
    command: Command,
    check: Check,
}

impl Simulator {
    /// `command` describes the arguments of `program sim`.
    pub fn new(program: PathBuf, command: Command, check: Check) -> Self {
        Self {
            program,
            command,
            check,
        }
    }

    pub fn program(&self) -> &PathBuf {
        &self.program
    }

    /// The options that a plan may set, by their long names.
    pub fn options(&self) -> Vec<&str> {
        let all = self.command.get_arguments();
        let names = all.filter_map(clap::Arg::get_long);
        names.filter(|name| !OWN.contains(name)).collect()
    }

    /// What an option is for.
    pub fn help(&self, option: &str) -> Option<String> {
        Some(self.argument(option)?.get_help()?.to_string())
    }

    /// Whether an option stands alone, without a value.
    pub fn is_flag(&self, option: &str) -> bool {
        let action = self.argument(option).map(clap::Arg::get_action);
        matches!(action, Some(ArgAction::SetTrue))
    }

    /// What an option is if it is not given.
    pub fn default(&self, option: &str) -> Option<String> {
        let defaults = self.argument(option)?.get_default_values();
        Some(defaults.first()?.to_str()?.to_owned())
    }

    fn argument(&self, option: &str) -> Option<&clap::Arg> {
        let mut all = self.command.get_arguments();
        all.find(|argument| argument.get_long() == Some(option))
    }

    /// Refuses a value that an option cannot have on any chip, with the legal ones in words; that of a flag is `true` or
    /// `false`.
    pub fn check_value(&self, option: &str, value: &str) -> Result<(), String> {
        if self.is_flag(option) {
            return match value {
                "true" | "false" => Ok(()),
                _ => Err("true or false".into()),
            };
        }
        let words = ["sim", "chip.toml", &format!("--{option}={value}")];
        let matches = self.command.clone().try_get_matches_from(words);
        matches.map(|_| ()).map_err(|error| legal(&error))
    }

    /// Refuses arguments that do not fit a configuration; `words` are those after the program's name.
    pub fn check(&self, config: &Config, words: &[String]) -> Result<(), String> {
        let matches = self.command.clone().try_get_matches_from(words);
        let matches = matches.map_err(|error| error.to_string())?;
        (self.check)(config, &matches).map_err(|error| format!("{error:#}"))
    }
}

/// The legal values in words, as an error of the command line has them.
fn legal(error: &clap::Error) -> String {
    if let Some(clap::error::ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) {
        return values.join(", ");
    }
    match error.source() {
        Some(source) if source.is::<ParseIntError>() => "a whole number from 0".into(),
        Some(source) if source.is::<ParseFloatError>() => "a number".into(),
        Some(source) => match source.to_string() {
            text if text.starts_with("legal ") => {
                let words = text.trim_start_matches("legal ");
                words
                    .trim_start_matches("are ")
                    .trim_start_matches("is ")
                    .into()
            }
            text => format!("another: {text}"),
        },
        None => "a value of the option".into(),
    }
}
