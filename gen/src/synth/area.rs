//! `Unit`: the area of a block, and of what it is made of.

use std::collections::BTreeMap;
use std::iter::Sum;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize, Serializer};

use super::longest_path::{self, LongestPath};
use super::netlist::{Cell, Module, Netlist};
use super::Technology;

/// Something that a cell takes of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resource {
    Luts,
    SquareMicrons,
    Gates,
    FlipFlops,
    DistributedRams,
    BlockRams,
    RamBits,
}

/// How much is taken of each resource.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Area(BTreeMap<Resource, f64>);

/// Whole numbers: sums of fractions would show how they were added.
impl Serialize for Area {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let amounts = self.0.iter();
        to.collect_map(amounts.map(|(resource, amount)| (resource, amount.round() as u64)))
    }
}

impl Area {
    pub fn of<const N: usize>(amounts: [(Resource, f64); N]) -> Self {
        Self(amounts.into())
    }

    pub fn get(&self, resource: Resource) -> f64 {
        self.0.get(&resource).copied().unwrap_or_default()
    }

    fn times(mut self, count: usize) -> Self {
        self.0
            .values_mut()
            .for_each(|amount| *amount *= count as f64);
        self
    }
}

impl Sum for Area {
    fn sum<I: Iterator<Item = Self>>(areas: I) -> Self {
        let mut sum = Self::default();
        for (resource, amount) in areas.flat_map(|area| area.0) {
            *sum.0.entry(resource).or_default() += amount;
        }
        sum
    }
}

/// All instances of a module in one place of the hierarchy.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Unit {
    pub module: String,
    /// Instances in the whole block.
    pub instances: usize,
    /// Of all instances, with what is below them.
    pub whole: Area,
    /// Of all instances, without the parts.
    pub own: Area,
    /// Levels of logic on the longest path through one instance, parts included.
    pub levels: u32,
    /// The largest first.
    pub parts: Vec<Unit>,
}

impl Unit {
    /// The units of a mapped module, and the longest path through it.
    pub fn of_block(
        netlist: &Netlist,
        block: &str,
        technology: &Technology,
    ) -> Result<(Self, LongestPath)> {
        let mut survey = Survey {
            netlist,
            technology,
            paths: BTreeMap::new(),
        };
        let unit = survey.unit(block, 1)?;
        let path = survey.path(block)?.clone();
        Ok((unit, path))
    }

    /// What a share of the area is measured in.
    pub fn size(&self, technology: &Technology) -> f64 {
        technology.size(&self.whole)
    }
}

/// Goes through the hierarchy of a netlist.
struct Survey<'a> {
    netlist: &'a Netlist,
    technology: &'a Technology,
    paths: BTreeMap<&'a str, LongestPath>,
}

impl<'a> Survey<'a> {
    fn unit(&mut self, name: &'a str, instances: usize) -> Result<Unit> {
        let module = self.module(name)?;
        let levels = self.path(name)?.levels;
        let (parts, own): (Vec<&Cell>, Vec<&Cell>) = module
            .cells
            .values()
            .partition(|cell| self.netlist.module(&cell.kind).is_some());
        let own: Area = own
            .into_iter()
            .map(|cell| self.technology.area(cell))
            .sum::<Result<Area>>()?
            .times(instances);
        let mut counts = BTreeMap::<&str, usize>::new();
        for part in parts {
            *counts.entry(&part.kind).or_default() += instances;
        }
        let mut parts = counts
            .into_iter()
            .map(|(name, count)| self.unit(name, count))
            .collect::<Result<Vec<_>>>()?;
        parts.sort_by(|one, other| {
            let size = |unit: &Unit| unit.size(self.technology);
            size(other).total_cmp(&size(one))
        });
        let whole = parts.iter().map(|part| part.whole.clone());
        Ok(Unit {
            module: name.into(),
            instances,
            whole: whole.chain([own.clone()]).sum(),
            own,
            levels,
            parts,
        })
    }

    fn path(&mut self, name: &'a str) -> Result<&LongestPath> {
        if !self.paths.contains_key(name) {
            let path = longest_path::find(self.netlist, name, self.technology)?;
            self.paths.insert(name, path);
        }
        Ok(&self.paths[name])
    }

    fn module(&self, name: &str) -> Result<&'a Module> {
        self.netlist
            .module(name)
            .with_context(|| format!("Yosys left no module `{name}`"))
    }
}
