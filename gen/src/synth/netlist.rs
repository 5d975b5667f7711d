//! `Netlist`: mapped modules, as Yosys's `write_json` writes them.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

/// Modules of cells and of instances of other modules.
#[derive(Deserialize)]
pub struct Netlist {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
pub struct Module {
    #[serde(default)]
    attributes: BTreeMap<String, String>,
    pub ports: BTreeMap<String, Port>,
    pub cells: BTreeMap<String, Cell>,
    pub netnames: BTreeMap<String, Net>,
}

#[derive(Deserialize)]
pub struct Port {
    pub direction: Direction,
    pub bits: Vec<Bit>,
}

/// A primitive of the technology, or an instance of a module.
#[derive(Deserialize)]
pub struct Cell {
    #[serde(rename = "type")]
    pub kind: String,
    /// In binary digits.
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    #[serde(default)]
    pub port_directions: BTreeMap<String, Direction>,
    pub connections: BTreeMap<String, Vec<Bit>>,
}

#[derive(Deserialize)]
pub struct Net {
    /// 1 if Yosys made the name up.
    pub hide_name: u8,
    pub bits: Vec<Bit>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Input,
    Output,
    Inout,
}

/// A wire by its number in the module, or a constant.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[serde(untagged)]
pub enum Bit {
    Wire(u32),
    Constant(char),
}

impl Netlist {
    /// Reads the text of `write_json`.
    pub fn read(text: &str) -> Result<Self> {
        serde_json::from_str(text).context("cannot read the netlist that Yosys wrote")
    }

    /// A module that is not a primitive of the technology.
    pub fn module(&self, name: &str) -> Option<&Module> {
        self.modules
            .get(name)
            .filter(|module| !module.is_primitive())
    }

    /// How many cells of each kind a module has itself, instances of modules included; none if it is not there.
    pub fn kinds(&self, module: &str) -> BTreeMap<String, usize> {
        let mut kinds = BTreeMap::new();
        let cells = self.module(module).map(|module| module.cells.values());
        for cell in cells.into_iter().flatten() {
            *kinds.entry(cell.kind.clone()).or_default() += 1;
        }
        kinds
    }
}

impl Module {
    fn is_primitive(&self) -> bool {
        ["blackbox", "whitebox"]
            .iter()
            .any(|attribute| self.attributes.contains_key(*attribute))
    }

    /// The shortest name from the source that a wire has here, with the index of the bit.
    pub fn name_of(&self, wire: Bit) -> Option<String> {
        let names = self.netnames.iter().filter(|(_, net)| net.hide_name == 0);
        let (name, index, net) = names
            .filter_map(|(name, net)| {
                let index = net.bits.iter().position(|bit| *bit == wire)?;
                Some((name, index, net))
            })
            .min_by_key(|(name, ..)| name.len())?;
        Some(match net.bits.len() {
            1 => name.clone(),
            _ => format!("{name}[{index}]"),
        })
    }
}

impl Cell {
    /// A parameter that is a number.
    pub fn parameter(&self, name: &str) -> Result<u64> {
        let digits = self.parameters.get(name).map_or("", String::as_str);
        u64::from_str_radix(digits, 2)
            .with_context(|| format!("a cell of kind `{}` has no number `{name}`", self.kind))
    }
}
