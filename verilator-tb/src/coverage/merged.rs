//! The coverage of any number of runs together.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::counts::Mismatch;
use super::run::{self, Run};
use super::{Functional, Lines};

/// The coverage of runs, of one configuration or of many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Merged {
    pub runs: usize,
    pub configs: BTreeSet<String>,
    pub functional: Functional,
    pub lines: Lines,
}

/// Runs that cannot be merged.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Run(#[from] run::Error),
    #[error("{}: {mismatch}", dir.display())]
    Mismatch { dir: PathBuf, mismatch: Mismatch },
}

/// Merges the runs whose folders are these, or below these; each is counted once.
pub fn merge(dirs: &[PathBuf]) -> Result<Merged, Error> {
    let mut merged = Merged::default();
    for dir in run::folders(dirs)? {
        let run = Run::read(&dir)?;
        merged
            .add(&run)
            .map_err(|mismatch| mismatch_in(&dir, mismatch))?;
    }
    Ok(merged)
}

fn mismatch_in(dir: &Path, mismatch: Mismatch) -> Error {
    let dir = dir.into();
    Error::Mismatch { dir, mismatch }
}

impl Merged {
    /// Adds a run.
    pub fn add(&mut self, run: &Run) -> Result<(), Mismatch> {
        self.functional.merge(&run.functional)?;
        self.lines.merge(&run.lines);
        self.configs.insert(run.config.clone());
        self.runs += 1;
        Ok(())
    }
}
