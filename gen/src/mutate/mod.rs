//! Faults in generated Verilog, to see whether the tests find them.
//!
//! [`mutants`] lists what can go wrong in a design, a fault at a time, by unit, kind and place; [`weave`] puts any number
//! of them into one design, so that it is compiled once. A mutant is a mistake in the source of a unit: it is in all
//! instances of all its variants. Its name has no hash and no number of a line in it, so it is there again in another
//! configuration whose unit has the same expression.

mod kind;
mod operators;
mod sample;
mod site;
#[cfg(test)]
mod tests;
mod weave;

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use indexmap::IndexMap;

pub use kind::Kind;
pub use sample::sample;
pub use weave::{weave, SELECT};

use crate::verilog::{Design, Module};
use site::Site;

/// A fault in a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    pub unit: String,
    pub kind: Kind,
    /// The signal that is wrong, or `instance.port`; with `.2` and so on where there are more of the kind.
    pub place: String,
    /// In each variant of the unit.
    pub changes: Vec<Change>,
}

/// A wrong expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub module: String,
    /// Line of the module, from 1.
    pub line: usize,
    /// Where in the module's text.
    pub range: Range<usize>,
    pub right: String,
    pub wrong: String,
}

impl Change {
    /// `wrong` for what stands in a range of a module's text.
    pub fn new(module: &Module, range: Range<usize>, wrong: String) -> Self {
        Self {
            module: module.name.clone(),
            line: 1 + module.text[..range.start].matches('\n').count(),
            right: module.text[range.clone()].to_string(),
            range,
            wrong,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            module,
            line,
            right,
            wrong,
            ..
        } = self;
        write!(f, "{module}:{line}: {right} -> {wrong}")
    }
}

/// What [`weave`] takes.
impl AsRef<[Change]> for Mutant {
    fn as_ref(&self) -> &[Change] {
        &self.changes
    }
}

impl Mutant {
    /// Its name: `unit/kind/place`.
    pub fn name(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.unit, self.kind, self.place)
    }
}

/// There is no such mutant.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("there is no mutant `{name}`{}", hint(.near))]
pub struct UnknownMutant {
    name: String,
    near: Vec<String>,
}

fn hint(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; names like it: {}", near.join(", ")),
    }
}

/// Every fault that there is in a design, by unit; the units in the order of the modules, children first.
pub fn mutants(design: &Design) -> Vec<Mutant> {
    let mut found: IndexMap<String, Mutant> = IndexMap::new();
    for module in design.modules() {
        let unit = unit(module);
        let (signals, sites) = site::sites(design, module);
        // How many there are of a kind at a place.
        let mut counts: HashMap<(Kind, String), usize> = HashMap::new();
        for site in sites.iter().filter(|site| !is_clock(site)) {
            let right = &module.text[site.range.clone()];
            for edit in operators::edits(site, right, &signals) {
                let count = counts.entry((edit.kind, site.place.clone())).or_default();
                *count += 1;
                let place = match *count {
                    1 => site.place.clone(),
                    count => format!("{}.{count}", site.place),
                };
                let mutant = Mutant {
                    unit: unit.to_string(),
                    kind: edit.kind,
                    place,
                    changes: Vec::new(),
                };
                let change = Change::new(module, site.range.clone(), edit.wrong);
                let mutant = found.entry(mutant.name()).or_insert(mutant);
                mutant.changes.push(change);
            }
        }
    }
    found.into_values().collect()
}

/// The mutant of a name.
pub fn named(mutants: Vec<Mutant>, name: &str) -> Result<Mutant, UnknownMutant> {
    let mut ranked: Vec<(usize, String)> = mutants
        .iter()
        .map(|mutant| mutant.name())
        .map(|other| (strsim::damerau_levenshtein(name, &other), other))
        .collect();
    ranked.sort();
    let unknown = UnknownMutant {
        name: name.to_string(),
        near: ranked.into_iter().take(3).map(|(_, name)| name).collect(),
    };
    let mut mutants = mutants.into_iter();
    mutants.find(|mutant| mutant.name() == name).ok_or(unknown)
}

/// The name of a module up to its sizes: `fifo_16x133` and `fifo_4x8` are variants of `fifo`.
fn unit(module: &Module) -> &str {
    let name = module.declared.as_deref().unwrap_or(&module.name);
    let is_size =
        |(at, _): &(usize, &str)| name[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let size = name.match_indices('_').find(is_size);
    size.map_or(name, |(at, _)| &name[..at])
}

fn is_clock(site: &Site) -> bool {
    site.place.ends_with("clock")
}
