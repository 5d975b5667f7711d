//! `fantree mutate`: faults in the Verilog of a router, to test the tests.

use std::path::PathBuf;

use anyhow::{ensure, Result};
use fantree_gen::config::Config;
use fantree_gen::mutate::{self, Kind, Mutant};

use super::Outcome;

#[derive(clap::Args)]
pub struct Args {
    /// Configuration file (TOML).
    config: PathBuf,
    /// Only faults of this unit, such as output_unit.
    #[arg(long)]
    unit: Option<String>,
    /// Only faults of this kind, such as lost-credit.
    #[arg(long)]
    kind: Option<Kind>,
    /// So many faults, spread over units and kinds.
    #[arg(long, value_name = "NUMBER", default_value_t = 300)]
    sample: usize,
    /// All faults that there are.
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// Print the names of the faults, and what each changes.
    #[arg(long)]
    list: bool,
}

impl Args {
    /// The faults that are asked for.
    fn mutants(&self, mut mutants: Vec<Mutant>) -> Result<Vec<Mutant>> {
        if let Some(unit) = &self.unit {
            let mut units: Vec<String> = mutants.iter().map(|it| it.unit.clone()).collect();
            units.sort();
            units.dedup();
            ensure!(
                units.contains(unit),
                "there is no unit `{unit}`; there are {}",
                units.join(", ")
            );
            mutants.retain(|mutant| mutant.unit == *unit);
        }
        if let Some(kind) = self.kind {
            mutants.retain(|mutant| mutant.kind == kind);
        }
        Ok(match self.all {
            true => mutants,
            false => mutate::sample(mutants, self.sample),
        })
    }
}

pub fn run(args: &Args) -> Result<Outcome> {
    let config = Config::load(&args.config)?;
    let design = fantree_gen::generate(&config)?;
    let mutants = args.mutants(mutate::mutants(&design))?;
    for mutant in &mutants {
        println!("{mutant}");
        for change in &mutant.changes {
            println!(
                "  {}:{}: {} -> {}",
                change.module, change.line, change.right, change.wrong
            );
        }
    }
    Ok(Outcome::Passed)
}
