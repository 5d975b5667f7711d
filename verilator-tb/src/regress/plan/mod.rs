//! A plan: which tests a regression has, on which chips, how often.
//!
//! ```toml
//! timeout = 600                       # seconds a case; also time-budget, fail-fast
//!
//! [options]                           # of `fantree sim`, for all tests
//! patience = 20000
//!
//! [[test]]
//! name = "routers"
//! description = "Random runs of routers of many shapes"
//! configs = ["structures/a.toml", "structures/b.toml"]    # beside the plan
//! runs = 204                          # so many cases; or seeds: everything with each seed
//! each = { pattern = ["uniform", "tornado"], store = ["never", "odd"] }    # every combination
//! any = { cycles = "200..=1500", packet-flits = ["4", "1,{longest}"] }      # drawn for each case
//! ```
//!
//! The fields of the tables of options are the long options of `fantree sim`; of a list, one value is taken.

mod parse;
mod read;
mod value;

use std::ops::Range;
use std::path::{Path, PathBuf};

use fantree_gen::config::{Config, Finding, Invalid};

use super::simulator::Simulator;
use crate::coverage::Goals;
pub use value::Value;

/// A regression as its file describes it.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What names the file in messages.
    pub file: String,
    text: String,
    /// Seconds after which no further case is started.
    pub time_budget: Option<u64>,
    /// Seconds after which a case counts as hanging.
    pub timeout: u64,
    /// Whether no further case is started after one has failed.
    pub fail_fast: bool,
    pub coverage: Coverage,
    pub tests: Vec<Test>,
}

/// What the cases must cover together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coverage {
    pub goals: Goals,
    /// Lines that need not run, with reasons.
    pub exclusions: Option<PathBuf>,
}

/// One test of a plan.
#[derive(Debug, Clone)]
pub struct Test {
    pub name: String,
    pub description: String,
    pub chips: Vec<Chip>,
    pub amount: Amount,
    /// Options with all their values, each of which is to occur with each of the others'.
    pub each: Vec<Choice>,
    /// Options with the values to draw from.
    pub any: Vec<Choice>,
    /// Where the file names it.
    pub(super) span: Range<usize>,
}

/// A configuration that a test runs on.
#[derive(Debug, Clone)]
pub struct Chip {
    pub file: PathBuf,
    pub config: Config,
}

/// An option and its values.
#[derive(Debug, Clone)]
pub struct Choice {
    pub option: String,
    pub values: Vec<Value>,
}

/// How many cases a test has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amount {
    /// So many, which go through combinations and chips in turn, each with the next seed.
    Runs(u64),
    /// All combinations on all chips, with so many seeds each.
    Seeds(u64),
    /// The same with these seeds.
    TheseSeeds(Vec<u64>),
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read the plan {}", path.display())]
    Unreadable {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

impl Plan {
    /// Reads and checks a file, with all configurations that it names.
    pub fn load(path: &Path, simulator: &Simulator) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Unreadable {
            path: path.into(),
            source,
        })?;
        let file = path.display().to_string();
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(Self::parse(&file, &text, folder, simulator)?)
    }

    /// Checks a text; configurations are looked for in `folder`.
    pub fn parse(
        file: &str,
        text: &str,
        folder: &Path,
        simulator: &Simulator,
    ) -> Result<Self, Invalid> {
        let invalid = |findings| Invalid::new(file, text, findings);
        parse::parse(file, text, folder, simulator).map_err(invalid)
    }

    /// The error that something in the file is wrong.
    pub(super) fn invalid(&self, findings: Vec<Finding>) -> Invalid {
        Invalid::new(&self.file, &self.text, findings)
    }
}
