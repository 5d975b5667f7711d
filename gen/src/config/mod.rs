//! Configuration: one TOML file describes one design.
//!
//! The structs of this module are the only definition of the format. Their types, doc comments, defaults and
//! `#[schemars(range)]` attributes give the parser, the checks, the JSON Schema, the table of fields and the commented
//! listing of `fantree config show`:
//!
//! ```text
//! Config ──schemars──► JSON Schema ──► Field tree ──► check (every problem, with its place)
//!    ▲                                           ├──► table of fields (Markdown)
//!    └──serde── values that passed the check     └──► commented listing (TOML)
//! ```
//!
//! A file is checked as a whole: all its problems are reported in one go, in the order of the file. Rules between
//! fields ([`Conflict`]) are checked on the fields that are right by themselves.
//!
//! A later section (network interface, Myrinet, network) is a struct like [`Router`] and one field of [`Config`].

mod check;
pub mod problem;
mod router;
mod schema;
mod show;
mod table_memory;

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use problem::{Finding, Invalid, Problem};
pub use router::{Router, Routing};
pub use schema::{fields, json_schema, Field, Kind};
pub use show::{field_table, listing};
pub use table_memory::TableMemory;

/// A design: what one TOML file says, with all defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Name of the design and of its output folder: a letter, then letters, digits, `-` and `_`.
    #[schemars(regex(pattern = r"^[A-Za-z][A-Za-z0-9_-]{0,63}$"))]
    pub name: String,

    /// What the design is for, in a sentence.
    #[serde(default)]
    pub description: String,

    /// The router chip.
    pub router: Router,
}

/// Why there is no [`Config`].
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read the configuration {}", path.display())]
    Unreadable {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

impl Config {
    /// Reads and checks a file.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Unreadable {
            path: path.into(),
            source,
        })?;
        Ok(Self::parse(&path.display().to_string(), &text)?)
    }

    /// Checks a text; `file` only names it in messages.
    pub fn parse(file: &str, text: &str) -> Result<Self, Invalid> {
        check::check(text).map_err(|problems| Invalid::new(file, text, problems))
    }
}

/// A rule between fields that a section breaks. Fields are named by their whole path; the first of them that the
/// file sets is where the message points.
pub(crate) struct Conflict {
    pub fields: &'static [&'static str],
    pub message: String,
    pub help: String,
}
