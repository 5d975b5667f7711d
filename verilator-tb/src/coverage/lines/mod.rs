//! Line coverage: which blocks of statements of which modules ran, in any instance of any configuration.
//!
//! A module that several configurations share, text for text, is one module. Those that share only a name are variants,
//! each with lines of its own.

mod data;
mod source;

use std::collections::{BTreeMap, BTreeSet};

use data::Entry;
pub use data::Malformed;

/// The modules of one run, or of many.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    modules: BTreeMap<Key, Module>,
}

/// Name and text.
type Key = (String, String);

/// What is known of a module.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Module {
    /// Configurations that have it.
    pub configs: BTreeSet<String>,
    pub blocks: BTreeMap<Place, Block>,
}

/// Where a block of statements begins in the text of its module.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Counted from 1.
    pub line: usize,
    pub column: usize,
    /// Verilator's word for it: block, if, elsif, else, case.
    pub kind: String,
}

/// A block of statements: all of them run, or none does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its lines; none if it is an `else` that is not written.
    pub lines: BTreeSet<usize>,
    pub hits: u64,
}

impl Module {
    fn add(&mut self, entry: Entry, first_line: usize) {
        let own = |line: usize| line - first_line + 1;
        let place = Place {
            line: own(entry.line),
            column: entry.column,
            kind: entry.kind,
        };
        let block = self.blocks.entry(place).or_insert_with(|| Block {
            lines: entry.lines.iter().map(|&line| own(line)).collect(),
            hits: 0,
        });
        block.hits += entry.hits;
    }
}

impl Lines {
    /// The lines of a run: Verilator's data, for the Verilog that it compiled. Modules that are no part of the design, as
    /// the one around it, are left out.
    pub fn read(
        config: &str,
        verilog: &str,
        data: &str,
        is_design: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Malformed> {
        let sources = source::modules(verilog);
        let mut lines = Self::default();
        for entry in data::entries(data)? {
            if !is_design(&entry.module) {
                continue;
            }
            let source = sources.get(entry.module.as_str());
            let source = source.filter(|source| source.holds(&entry));
            let source = source.ok_or_else(|| Malformed::of(&entry))?;
            let key = (entry.module.clone(), source.text.into());
            let module = lines.modules.entry(key).or_default();
            module.configs.insert(config.into());
            module.add(entry, source.first_line);
        }
        Ok(lines)
    }

    /// Adds the hits of other runs.
    pub fn merge(&mut self, other: &Lines) {
        for (key, theirs) in &other.modules {
            let module = self.modules.entry(key.clone()).or_default();
            module.configs.extend(theirs.configs.iter().cloned());
            for (place, block) in &theirs.blocks {
                let empty = || Block {
                    hits: 0,
                    ..block.clone()
                };
                module
                    .blocks
                    .entry(place.clone())
                    .or_insert_with(empty)
                    .hits += block.hits;
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// Names, texts and modules.
    pub fn modules(&self) -> impl Iterator<Item = (&str, &str, &Module)> {
        self.modules
            .iter()
            .map(|((name, text), module)| (name.as_str(), text.as_str(), module))
    }
}
