//! `Baseline`: the figures of an earlier run, to compare with.

use std::path::Path;

use anyhow::{bail, Context, Result};
use fantree_gen::synth::Unit;
use serde::Deserialize;

use super::report::FORMAT;

/// What is read of an earlier report.
#[derive(Deserialize)]
pub struct Baseline {
    pub config: String,
    pub yosys: String,
    depth: usize,
    pub blocks: Vec<Block>,
}

#[derive(Deserialize)]
pub struct Block {
    pub name: String,
    pub hash: String,
    pub mapped: Vec<Mapped>,
    pub placed: Option<Placed>,
}

#[derive(Deserialize)]
pub struct Mapped {
    pub technology: String,
    pub library: Option<String>,
    pub area: Unit,
}

#[derive(Deserialize)]
pub struct Placed {
    pub megahertz: f64,
}

/// What is known of a report of any version. The first ones had no format.
#[derive(Deserialize)]
struct Versioned {
    format: Option<u32>,
}

impl Baseline {
    /// The earlier run, if there is one. That it cannot be compared with is an error if the outcome of this run depends on
    /// it, else it is only told.
    pub fn load(path: &Path, depth: usize, is_needed: bool) -> Result<Option<Self>> {
        if !path.exists() {
            return Ok(None);
        }
        let not_compared = || format!("cannot compare with {}", path.display());
        match Self::of_depth(path, depth).with_context(not_compared) {
            Ok(baseline) => Ok(Some(baseline)),
            Err(error) if is_needed => Err(error),
            Err(error) => {
                eprintln!("note: {error:#}");
                Ok(None)
            }
        }
    }

    /// Reads a report whose units are those of a depth.
    fn of_depth(path: &Path, depth: usize) -> Result<Self> {
        let baseline = Self::read(path)?;
        if baseline.depth != depth {
            bail!("it was made with `--depth {}`", baseline.depth);
        }
        Ok(baseline)
    }

    /// Reads a report of this version.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).context("it cannot be read")?;
        let broken = "it is no report of `fantree synth`, or a broken one";
        let versioned: Versioned = serde_json::from_str(&text).context(broken)?;
        if versioned.format != Some(FORMAT) {
            bail!("another version of fantree wrote it");
        }
        serde_json::from_str(&text).context(broken)
    }
}
