//! Tests of the tests: what finds each fault in a design's Verilog, and which faults nothing finds.
//!
//! ```text
//!  mutants of a router ──► the bench, run by run ──► unit alone, output by output ──► survivors
//!  mutants of other cells ──────────────────────────────────▲
//! ```
//!
//! A mutant is killed by the first check that fails. Those that the bench cannot see at the pins of the chip, since other
//! units make up for them or because they are slower but not wrong, are seen where their unit stands alone: what
//! [lockstep](crate::lockstep) with the unit in Rust would see.

mod cells;
mod hunt;
mod report;
mod scenarios;
mod waivers;

use std::collections::HashMap;

use anyhow::Result;
use fantree_gen::config::Config;
use fantree_gen::mutate::{self, Mutant};
use fantree_gen::verilog::Design;
use serde::Serialize;

pub use report::{Group, Report};
pub use scenarios::{scenarios, Scenario};
pub use waivers::Waivers;

use crate::verilator::Stage;

/// What found a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kill {
    /// The check that failed first.
    pub check: &'static str,
    /// The scenario, or the module that stood alone.
    pub by: String,
}

/// What came of a mutant.
#[derive(Debug, Clone)]
pub struct Verdict {
    pub mutant: Mutant,
    pub kill: Option<Kill>,
    /// Why nothing can find it.
    pub waived: Option<String>,
}

impl Verdict {
    /// Nothing found it, though something could.
    pub fn survived(&self) -> bool {
        self.kill.is_none() && self.waived.is_none()
    }
}

/// A router and cells that it does not have, and what can go wrong in them.
pub struct Targets {
    router: (Design, Vec<Mutant>),
    cells: Vec<(Design, Vec<Mutant>)>,
}

impl Targets {
    /// All mutants of a configuration's router, and those of the other cells.
    pub fn new(config: &Config) -> Result<Self> {
        let router = fantree_gen::generate_router(config)?;
        let mutants = mutate::mutants(&router);
        let mut units: Vec<String> = mutants.iter().map(|it| it.unit.clone()).collect();
        let mut cells = Vec::new();
        for design in cells::cells()? {
            let mut mutants = mutate::mutants(&design);
            mutants.retain(|mutant| !units.contains(&mutant.unit));
            units.extend(mutants.iter().map(|mutant| mutant.unit.clone()));
            cells.push((design, mutants));
        }
        let router = (router, mutants);
        Ok(Self { router, cells })
    }

    /// All mutants.
    pub fn mutants(&self) -> impl Iterator<Item = &Mutant> {
        let cells = self.cells.iter().flat_map(|(_, mutants)| mutants);
        self.router.1.iter().chain(cells)
    }

    /// Hunts those of these mutants that there are. `building` tells what is compiled, `done` is called once for
    /// each mutant, from any thread.
    pub fn hunt(
        &self,
        config: &Config,
        mutants: &[Mutant],
        waivers: &Waivers,
        building: &mut dyn FnMut(Stage),
        done: &(dyn Fn() + Sync),
    ) -> Result<Vec<Verdict>> {
        let params = config.router.params();
        let of = |some: &[Mutant]| -> Vec<Mutant> {
            let wanted = some.iter().filter(|mutant| mutants.contains(mutant));
            wanted.cloned().collect()
        };
        let (router, all) = &self.router;
        let on_router = of(all);
        let mut kills = match on_router.is_empty() {
            true => Vec::new(),
            false => hunt::on_bench(config, router, &on_router, building, done)?,
        };
        let left = on_router.iter().zip(&kills);
        let left = left.filter(|(_, kill)| kill.is_none());
        let left: Vec<&Mutant> = left.map(|(mutant, _)| mutant).collect();
        let alone = hunt::alone(&params, router, &left, &|| ())?;
        let open = kills.iter_mut().filter(|kill| kill.is_none());
        open.zip(alone).for_each(|(kill, found)| *kill = found);
        let mut found: Vec<(Mutant, Option<Kill>)> = on_router.into_iter().zip(kills).collect();
        for (design, mutants) in &self.cells {
            let wanted = of(mutants);
            let here: Vec<&Mutant> = wanted.iter().collect();
            let kills = hunt::alone(&params, design, &here, done)?;
            found.extend(wanted.into_iter().zip(kills));
        }
        let verdicts = found.into_iter().map(|(mutant, kill)| Verdict {
            waived: waivers.reason(&mutant).map(String::from),
            mutant,
            kill,
        });
        Ok(verdicts.collect())
    }

    /// Hunts what nothing has found where this other configuration has it as well.
    pub fn hunt_again(
        &self,
        config: &Config,
        verdicts: &mut [Verdict],
        building: &mut dyn FnMut(Stage),
        done: &(dyn Fn() + Sync),
    ) -> Result<()> {
        let left = verdicts.iter_mut().filter(|it| it.kill.is_none());
        let mut left: HashMap<String, &mut Verdict> =
            left.map(|it| (it.mutant.name(), it)).collect();
        let mutants = self.router.1.iter();
        let here = mutants.filter(|mutant| left.contains_key(&mutant.name()));
        let here: Vec<Mutant> = here.cloned().collect();
        let found = self.hunt(config, &here, &Waivers::default(), building, done)?;
        for Verdict { mutant, kill, .. } in found {
            if let (Some(verdict), Some(Kill { check, by })) = (left.get_mut(&mutant.name()), kill)
            {
                let by = format!("{by} of {}", config.name);
                verdict.kill = Some(Kill { check, by });
            }
        }
        Ok(())
    }
}
