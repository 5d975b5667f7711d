//! The search for what finds each mutant: the bench first, then its unit alone.

use anyhow::{ensure, Context, Result};
use fantree_gen::config::Config;
use fantree_gen::mutate::Mutant;
use fantree_gen::verilog::Design;
use fantree_hdl::router::RouterParams;
use rayon::prelude::*;

use super::scenarios::{scenarios, Scenario};
use super::Kill;
use crate::lockstep::Twin;
use crate::router::{Observe, Simulation, Violation};
use crate::stimuli::{legal, takes_noise};
use crate::verilator::Stage;

/// Mutants in one model: each makes it slower to compile and to run.
const BATCH: usize = 400;
/// Cycles of a unit alone.
const CYCLES: usize = 40_000;

/// What finds each mutant of a router in the runs of the bench; `done` is called after each, from any thread.
pub fn on_bench(
    config: &Config,
    design: &Design,
    mutants: &[Mutant],
    building: &mut dyn FnMut(Stage),
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Option<Kill>>> {
    let scenarios = scenarios(&config.router.params());
    let mut kills = Vec::new();
    for batch in mutants.chunks(BATCH) {
        let observe = Observe::waves(false);
        let router = Simulation::mutated(config, design.clone(), batch, observe, building)?;
        for scenario in &scenarios {
            let found = violation(&router, scenario)?;
            ensure!(
                found.is_none(),
                "{} without a fault fails in `{}`: {}",
                config.name,
                scenario.name,
                found.map(|found| found.to_string()).unwrap_or_default()
            );
        }
        let killed = (1..=batch.len()).into_par_iter().map(|number| {
            let awake = router.awake(number);
            let kill = scenarios.iter().find_map(|scenario| {
                let check = match violation(&awake, scenario) {
                    Ok(found) => found?.check(),
                    Err(_) => "simulation stops",
                };
                let by = scenario.name.to_string();
                Some(Kill { check, by })
            });
            done();
            kill
        });
        kills.par_extend(killed);
    }
    Ok(kills)
}

/// The first rule that a run breaks.
fn violation(router: &Simulation, scenario: &Scenario) -> Result<Option<Violation>> {
    let run = router.run(&scenario.options, None, &mut |_| ())?;
    Ok(run.results.violations.into_iter().next())
}

/// What finds each mutant where its unit stands alone, with what is below it, or else the whole design: under legal input,
/// an output that differs.
pub fn alone(
    params: &RouterParams,
    design: &Design,
    mutants: &[&Mutant],
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Option<Kill>>> {
    let mut kills = vec![None; mutants.len()];
    for module in design.modules() {
        let here = mutants.iter().enumerate().filter(|(number, mutant)| {
            let is_changed = || mutant.changes.iter().any(|it| it.module == module.name);
            kills[*number].is_none() && (module.name == design.top().name || is_changed())
        });
        let (numbers, faults): (Vec<usize>, Vec<&Mutant>) = here.unzip();
        if faults.is_empty() {
            continue;
        }
        let declared = module.declared.as_deref().unwrap_or(&module.name);
        let legal = legal(declared, params).map(Some);
        // Noise reaches what legal input never does, such as an error that only wrong use shows.
        let noise = (legal.is_none() || takes_noise(declared)).then_some(None);
        let inputs = legal.into_iter().chain(noise);
        let twin = Twin::run(design, module, &faults, CYCLES, inputs)
            .with_context(|| format!("{} alone", module.name))?;
        let found = (1..=faults.len()).into_par_iter().map(|number| {
            let check = match twin.differs(number) {
                Ok(output) => output.map(|_| "lockstep"),
                Err(_) => Some("simulation stops"),
            };
            check
        });
        let found: Vec<Option<&str>> = found.collect();
        for (number, check) in numbers.into_iter().zip(found) {
            let by = module.name.clone();
            kills[number] = check.map(|check| Kill { check, by });
        }
    }
    mutants.iter().for_each(|_| done());
    Ok(kills)
}
