//! `Comparison`: what grew and what shrank since an earlier run.

use std::fmt::Write;

use comfy_table::{CellAlignment, Table};
use fantree_gen::synth::{Change, Figure, Technology};
use serde::Serialize;

use super::baseline::{self, Baseline};
use super::figures;
use super::report::{Block, Mapped};
use crate::commands::table;

/// A block beside the same block of an earlier run, whose Verilog was another.
#[derive(Serialize)]
pub struct Comparison {
    /// The earlier run's configuration, Yosys, and hash of the block.
    config: String,
    yosys: String,
    hash: String,
    mapped: Vec<Changes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    megahertz: Option<Figure>,
}

/// What changed in a technology.
#[derive(Serialize)]
struct Changes {
    technology: &'static str,
    #[serde(skip)]
    heading: String,
    #[serde(skip)]
    size: &'static str,
    /// The block comes first.
    units: Vec<Change>,
}

impl Comparison {
    /// None if the earlier run does not know the block, or its Verilog is the same.
    pub fn new(baseline: &Baseline, block: &Block) -> Option<Self> {
        let mut blocks = baseline.blocks.iter();
        let before = blocks.find(|it| it.name == block.name && it.hash != block.hash)?;
        let mapped = block.mapped.iter();
        let placed = before.placed.as_ref().zip(block.placed.as_ref());
        Some(Self {
            config: baseline.config.clone(),
            yosys: baseline.yosys.clone(),
            hash: before.hash.clone(),
            mapped: mapped.filter_map(|it| Changes::new(before, it)).collect(),
            megahertz: placed.map(|(it, now)| Figure::new(it.megahertz, now.megahertz)),
        })
    }

    /// By how many percent the whole block grew, in each technology.
    pub fn growths(&self) -> impl Iterator<Item = (&str, f64)> {
        self.mapped.iter().map(|changes| {
            let block = changes.units.first();
            let growth = block.and_then(|block| block.area.percent);
            (changes.heading.as_str(), growth.unwrap_or(0.0))
        })
    }

    /// Tables of the units that changed.
    pub fn text(&self, block: &str) -> String {
        let mut text = format!(
            "{block} since the run before (Verilog {} of {}, {}):",
            short(&self.hash),
            self.config,
            self.yosys
        );
        for changes in &self.mapped {
            let _ = match changes.units.is_empty() {
                true => write!(text, "\nnothing changed in {}", changes.heading),
                false => write!(text, "\nin {}\n{}", changes.heading, changes.table()),
            };
        }
        if let Some(megahertz) = &self.megahertz {
            let _ = write!(text, "\nclock in MHz: {}", cell(megahertz, 1));
        }
        text
    }
}

/// Enough of a hash to tell it from others.
pub fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

impl Changes {
    /// None if the earlier run did not map the block to the technology.
    fn new(before: &baseline::Block, now: &Mapped) -> Option<Self> {
        let technology = now.technology.name();
        let mut mapped = before.mapped.iter();
        let before = mapped
            .find(|it| (it.technology.as_str(), &it.library) == (technology, &now.library))?;
        Some(Self {
            technology,
            heading: figures::technology(&now.technology),
            size: match now.technology {
                Technology::Ecp5 => "LUT4 with RAM",
                Technology::Cells(_) => "µm²",
            },
            units: Change::all(&before.area, &now.area, &now.technology),
        })
    }

    fn table(&self) -> Table {
        let mut table = table::lined(vec!["unit", self.size, "flip-flops", "levels"]);
        for change in &self.units {
            let module = change.path.last().map_or("", String::as_str);
            table.add_row(vec![
                "· ".repeat(change.path.len() - 1) + module,
                cell(&change.area, 0),
                cell(&change.flip_flops, 0),
                cell(&change.levels, 0),
            ]);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}

/// A figure with so many decimals, and what it was if it was another.
fn cell(figure: &Figure, decimals: usize) -> String {
    let Figure { before, after, .. } = figure;
    if !figure.is_change() {
        return format!("{after:.decimals$}");
    }
    let percent = figure.percent;
    let growth = percent.map_or_else(|| "new".into(), |it| format!("{it:+.1} %"));
    format!("{before:.decimals$} → {after:.decimals$} ({growth})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_tells_what_was_and_the_growth() {
        assert_eq!(cell(&Figure::new(7.0, 7.0), 0), "7");
        assert_eq!(cell(&Figure::new(200.0, 199.0), 0), "200 → 199 (-0.5 %)");
        assert_eq!(cell(&Figure::new(20.0, 25.04), 1), "20.0 → 25.0 (+25.2 %)");
        assert_eq!(cell(&Figure::new(0.0, 3.0), 0), "0 → 3 (new)");
    }
}
