//! `Library`: standard cells, from a Liberty file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{bail, ensure, Context, Result};
use regex::Regex;

use super::netlist::Cell;
use super::technology::Pin;
use super::{Area, Resource};

/// Memories up to this depth become flip-flops, and all without a register at the address or the data that is read.
const DEEPEST_OF_FLIP_FLOPS: usize = 64;

/// What Yosys leaves of a memory that it does not map.
const MEMORY: &str = "$mem_v2";

/// The cells of a Liberty file.
#[derive(Debug, Clone)]
pub struct Library {
    file: PathBuf,
    cells: BTreeMap<String, LibraryCell>,
    /// Area of the smallest NAND gate of two inputs: one gate.
    gate: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct LibraryCell {
    square_microns: f64,
    has_state: bool,
}

impl Library {
    pub(super) const RESOURCES: [Resource; 4] = [
        Resource::SquareMicrons,
        Resource::Gates,
        Resource::FlipFlops,
        Resource::RamBits,
    ];

    /// Reads a Liberty file.
    pub fn load(file: &Path) -> Result<Self> {
        let file = std::path::absolute(file)?;
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let cells = cells(&text);
        let gates = cells.iter().filter(|(name, _)| is_nand2(name));
        let gate = gates
            .map(|(_, cell)| cell.square_microns)
            .min_by(f64::total_cmp)
            .with_context(|| format!("{} has no cell NAND2 with an area", file.display()))?;
        ensure!(
            gate > 0.0,
            "the cell NAND2 of {} has no area",
            file.display()
        );
        Ok(Self { file, cells, gate })
    }

    /// The name of the file, without its folder and ending.
    pub fn name(&self) -> String {
        let stem = self.file.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    pub(super) fn script(&self, top: &str) -> String {
        let file = self.file.display();
        format!(
            "read_liberty -lib \"{file}\"; synth -flatten -top {top} -run :fine; opt -fast -full; \
             memory_map t:{MEMORY} r:SIZE<={DEEPEST_OF_FLIP_FLOPS} r:RD_CLK_ENABLE=0 %u %i; \
             opt -undriven -fine; techmap; opt -fast; dfflibmap -liberty \"{file}\"; \
             abc -liberty \"{file}\"; opt_clean"
        )
    }

    pub(super) fn area(&self, cell: &Cell) -> Result<Area> {
        if cell.kind == MEMORY {
            let bits = cell.parameter("SIZE")? * cell.parameter("WIDTH")?;
            return Ok(Area::of([(Resource::RamBits, bits as f64)]));
        }
        let Some(known) = self.cells.get(&cell.kind) else {
            bail!("{} has no cell `{}`", self.file.display(), cell.kind);
        };
        Ok(Area::of([
            (Resource::SquareMicrons, known.square_microns),
            (Resource::Gates, known.square_microns / self.gate),
            (Resource::FlipFlops, f64::from(known.has_state)),
        ]))
    }

    pub(super) fn pin(&self, kind: &str) -> Pin {
        match self.cells.get(kind) {
            Some(cell) if !cell.has_state => Pin::Through(1),
            _ => Pin::End,
        }
    }
}

fn is_nand2(name: &str) -> bool {
    name.to_ascii_lowercase().contains("nand2")
}

/// A cell is what follows its head, up to the head of the next one.
fn cells(text: &str) -> BTreeMap<String, LibraryCell> {
    static HEAD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?m)^\s*cell\s*\(\s*"?(\w+)"?\s*\)"#).expect("a valid pattern")
    });
    static AREA: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\barea\s*:\s*([\d.]+)").expect("a valid pattern"));
    static STATE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b(ff|latch)(_bank)?\s*\(").expect("a valid pattern"));

    let heads: Vec<_> = HEAD.captures_iter(text).collect();
    let starts = heads
        .iter()
        .map(|head| head.get(0).expect("the match").end());
    let ends = heads
        .iter()
        .skip(1)
        .map(|head| head.get(0).expect("the match").start());
    heads
        .iter()
        .zip(starts.zip(ends.chain([text.len()])))
        .filter_map(|(head, (start, end))| {
            let body = &text[start..end];
            let square_microns = AREA.captures(body)?[1].parse().ok()?;
            let has_state = STATE.is_match(body);
            let cell = LibraryCell {
                square_microns,
                has_state,
            };
            Some((head[1].to_owned(), cell))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_areas_and_some_have_state() {
        let text = r#"
library(one) {
  /* cell names with and without quotes */
  cell ("NAND2X1") { cell_footprint : "nand2x1"; area : 24.5; pin (A) { } }
  cell(LATCH) { area : 56; latch (DS0000, P0000) { } }
  cell (ANTENNA) { pin (A) { } }
  cell (DFFSR) {
    ff (DS0000,P0003) { }
    area : 176;
  }
}"#;
        let cells = cells(text);
        let found: Vec<_> = cells
            .iter()
            .map(|(name, it)| (name.as_str(), it.square_microns, it.has_state))
            .collect();
        let expected = [
            ("DFFSR", 176.0, true),
            ("LATCH", 56.0, true),
            ("NAND2X1", 24.5, false),
        ];
        assert_eq!(found, expected);
    }
}
