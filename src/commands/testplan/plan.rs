//! The test plan: what is to be verified, by unit and feature, and the tests that do it.
//!
//! ```toml
//! [credit-pool.no-starvation]
//! what = "A virtual channel that waits for shared blocks gets them"
//! stage = "V3"
//! tests = ["fantree-formal::fast_proofs credit_pool"]
//! ```

use std::path::Path;

use anyhow::{Context, Result};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// Points by unit and feature, in the order of the file.
#[derive(Debug, Deserialize)]
pub struct Plan(pub IndexMap<String, IndexMap<String, Point>>);

/// A point of the plan.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// What is to be shown.
    pub what: String,
    pub stage: Stage,
    /// Names as reports have them, suite and test, where `*` stands for anything.
    #[serde(default)]
    pub tests: Vec<String>,
}

/// How far a unit must be for its point to be due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Stage {
    /// It works.
    V1,
    /// It does everything it is for.
    V2,
    /// It is closed: proofs, coverage, seeded faults, soaks.
    V3,
}

impl Plan {
    /// How many points it has.
    pub fn len(&self) -> usize {
        self.0.values().map(IndexMap::len).sum()
    }

    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{} is no test plan", path.display()))
    }
}
