//! Files of exceptions to a rule, each with its reason: what those of coverage and of mutation share.

use std::ops::Range;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde::de::DeserializeOwned;

/// A file of exceptions that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{}: {source}", path.display())]
    Toml {
        path: PathBuf,
        source: toml::de::Error,
    },
    #[error("{place}: `{field}` is empty; legal is {legal}")]
    Empty {
        place: String,
        field: &'static str,
        legal: String,
    },
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::Read {
        path: path.into(),
        source,
    })
}

/// What a text says.
pub fn parse<File: DeserializeOwned>(path: &Path, text: &str) -> Result<File, Error> {
    toml::from_str(text).map_err(|source| Error::Toml {
        path: path.into(),
        source,
    })
}

/// Where something is written, as `file:line`.
pub fn place(path: &Path, text: &str, span: Range<usize>) -> String {
    let line = text[..span.start].matches('\n').count() + 1;
    format!("{}:{line}", path.display())
}

/// All of a text, in which a character stands for what the expression `any` matches.
pub fn pattern(text: &str, character: char, any: &str) -> Regex {
    let text = regex::escape(text).replace(&regex::escape(&character.to_string()), any);
    Regex::new(&format!("^{text}$")).expect("an escaped text is a pattern")
}
