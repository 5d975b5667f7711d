//! `Job`: a block of a design, and the runs of Yosys that map it.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{bail, Context, Result};

use super::{Netlist, Technology};
use crate::lint::yosys;
use crate::tool;
use crate::verilog::{Design, Module};

/// What to synthesise.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    pub design: &'a Design,
    pub block: &'a Module,
    /// How many levels below the block are units; what is below them is flattened into them.
    pub depth: usize,
}

/// The design's Verilog, and what Yosys makes of it.
pub const VERILOG: &str = "design.v";
pub const NETLIST: &str = "netlist.json";

impl Job<'_> {
    /// Maps the block, with its units kept apart.
    pub fn map(&self, technology: &Technology) -> Result<Netlist> {
        let top = &self.block.name;
        let kept: Vec<&str> = self.units().into_iter().collect();
        let keep = match kept.is_empty() {
            true => String::new(),
            false => format!("setattr -mod -set keep_hierarchy 1 {};", kept.join(" ")),
        };
        let script = format!(
            "read_verilog {VERILOG}; hierarchy -check -top {top}; {keep} {}; write_json {NETLIST}",
            technology.script(top)
        );
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let netlist = run(folder.path(), &self.design.to_verilog(), &script)?;
        Netlist::read(&netlist)
    }

    /// The modules below the block that are units. Registers and memories, which have nothing below them, are not.
    fn units(&self) -> BTreeSet<&str> {
        let mut units = BTreeSet::new();
        let mut level = vec![self.block];
        for _ in 0..self.depth {
            let names: BTreeSet<&String> = level.iter().flat_map(|it| &it.children).collect();
            let modules = names
                .into_iter()
                .filter_map(|name| self.design.module(name));
            level = modules.filter(|it| !it.children.is_empty()).collect();
            units.extend(level.iter().map(|module| module.name.as_str()));
        }
        units
    }
}

/// Runs a script on a text in a folder; the script leaves a netlist there.
pub fn run(folder: &Path, verilog: &str, script: &str) -> Result<String> {
    let file = folder.join(VERILOG);
    std::fs::write(&file, verilog).with_context(|| format!("cannot write {}", file.display()))?;
    let output = tool::yosys(folder, script)?;
    if !output.status.success() {
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        // The last one is what made Yosys stop.
        match yosys::findings(&text).pop() {
            Some(finding) => bail!("Yosys: {}", finding.message),
            None => bail!("Yosys: {}: {}", output.status, text.trim()),
        }
    }
    let file = folder.join(NETLIST);
    std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))
}
