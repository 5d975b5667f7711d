//! Line coverage, by unit.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Tally;
use crate::coverage::exclusions::{Exclusion, Exclusions, Stale};
use crate::coverage::lines::{Block, Lines, Module, Place};

/// Modules whose names differ by a size alone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    pub name: String,
    /// Modules of different texts.
    pub modules: usize,
    pub lines: Tally,
    pub branches: Tally,
    /// Blocks that never ran.
    pub missed: Vec<Missed>,
}

/// A block of statements that never ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    pub module: String,
    pub configs: BTreeSet<String>,
    /// In the module, counted from 1.
    pub line: usize,
    /// That line.
    pub text: String,
    /// How many lines it has.
    pub lines: usize,
}

/// A block that need not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excluded {
    #[serde(flatten)]
    pub block: Missed,
    pub reason: String,
}

/// All units.
pub struct Judged {
    pub units: Vec<Unit>,
    pub excluded: Vec<Excluded>,
    pub stale: Vec<Stale>,
}

/// What an exclusion met.
#[derive(Default, Clone)]
struct Met {
    idle: usize,
    running: Option<String>,
}

pub fn judge(lines: &Lines, exclusions: &Exclusions) -> Judged {
    let mut met: Vec<Met> = exclusions.iter().map(|_| Met::default()).collect();
    let mut units: BTreeMap<&str, Unit> = BTreeMap::new();
    let mut excluded = Vec::new();
    for (name, text, module) in lines.modules() {
        let unit = units.entry(unit(name)).or_default();
        unit.modules += 1;
        let text: Vec<&str> = text.lines().map(str::trim).collect();
        let mut judged = BTreeMap::new();
        for (place, block) in &module.blocks {
            let fits = |exclusion: &Exclusion| {
                let mut lines = block.lines.iter();
                exclusion.fits_module(name, &module.configs)
                    && lines.any(|line| exclusion.fits_line(text[line - 1]))
            };
            let mut reason = None;
            for (exclusion, met) in exclusions
                .iter()
                .zip(&mut met)
                .filter(|(exclusion, _)| fits(exclusion))
            {
                if block.hits > 0 {
                    met.running = Some(format!("line {} of `{name}`", place.line));
                } else {
                    met.idle += 1;
                    reason = Some(exclusion.reason());
                }
            }
            let missed = || missed(name, &text, module, place, block);
            match reason {
                Some(reason) => excluded.push(Excluded {
                    block: missed(),
                    reason: reason.into(),
                }),
                None if block.hits == 0 && !block.lines.is_empty() => unit.missed.push(missed()),
                None => (),
            }
            if reason.is_none() {
                if is_way(place) {
                    unit.branches.count(block.hits > 0);
                }
                for &line in &block.lines {
                    *judged.entry(line).or_insert(false) |= block.hits > 0;
                }
            }
        }
        judged.into_values().for_each(|hit| unit.lines.count(hit));
    }
    let units = units.into_iter().map(|(name, unit)| Unit {
        name: name.into(),
        ..unit
    });
    let stale = exclusions
        .iter()
        .zip(met)
        .filter_map(|(exclusion, met)| match met {
            Met {
                running: Some(place),
                ..
            } => Some(exclusion.stale(format!("{place} ran"))),
            Met { idle: 0, .. } => Some(exclusion.stale("no block has that line".into())),
            _ => None,
        });
    Judged {
        units: units.collect(),
        excluded,
        stale: stale.collect(),
    }
}

fn missed(name: &str, text: &[&str], module: &Module, place: &Place, block: &Block) -> Missed {
    Missed {
        module: name.into(),
        configs: module.configs.clone(),
        line: place.line,
        text: text[place.line - 1].into(),
        lines: block.lines.len(),
    }
}

/// A block that runs by a condition.
fn is_way(place: &Place) -> bool {
    place.kind != "block"
}

/// The name of a module without its sizes.
fn unit(module: &str) -> &str {
    let is_size =
        |(at, _): &(usize, char)| module[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let size = module
        .char_indices()
        .filter(|&(_, c)| c == '_')
        .find(is_size);
    &module[..size.map_or(module.len(), |(at, _)| at)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_a_module_without_its_sizes() {
        for (module, name) in [
            ("output_unit", "output_unit"),
            ("fifo_16x133", "fifo"),
            ("register_3_reset_1", "register"),
            ("crc32c_word", "crc32c_word"),
            ("ram_512x131_without_collisions", "ram"),
        ] {
            assert_eq!(unit(module), name);
        }
    }
}
