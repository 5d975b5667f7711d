//! All runs of a sweep, on all cores.

use anyhow::Result;
use rayon::prelude::*;

use super::{Bounds, Criterion, Curve, Estimate, Loads, Resolution, Saturation};
use crate::router::{Options, Results, Simulation, Violation};
use crate::traffic::Load;

/// A chip and its traffic; load and seed are the sweep's.
pub struct Case<'a> {
    pub config: &'a str,
    pub simulation: &'a Simulation,
    pub options: Options,
}

/// What is measured of each case.
pub struct Plan {
    pub loads: Loads,
    /// So many seeds, from that of the options on.
    pub seeds: usize,
    pub criterion: Criterion,
    /// None: the saturation is not searched for.
    pub search: Option<Resolution>,
}

/// A rule that a run broke.
#[derive(Debug, Clone, PartialEq)]
pub struct Breach {
    /// Configuration, pattern, load and seed of the run.
    pub run: String,
    pub violation: Violation,
}

/// A part of the work that needs no other.
#[derive(Clone, Copy)]
enum Task {
    Search { case: usize, seed: u64 },
    Load { case: usize, load: Load, seed: u64 },
}

/// What a task gives.
enum Found {
    Bounds(Bounds),
    Results(Box<Results>),
}

/// Most runs that the cases take.
pub fn runs(cases: usize, plan: &Plan) -> usize {
    let search = plan.search.map_or(0, Resolution::runs);
    cases * plan.seeds * (plan.loads.as_slice().len() + search)
}

/// Measures every case; `done` is called after each run, from any thread. Whatever the number of cores, the results are
/// the same.
pub fn measure(
    cases: &[Case],
    plan: &Plan,
    done: &(dyn Fn() + Sync),
) -> Result<(Vec<Curve>, Vec<Breach>)> {
    let tasks = tasks(cases, plan);
    let found: Result<Vec<(Found, Vec<Breach>)>> = tasks
        .par_iter()
        .map(|task| task.run(cases, plan, done))
        .collect();
    let mut searches = vec![Vec::new(); cases.len()];
    let mut runs = vec![Vec::new(); cases.len()];
    let mut breaches = Vec::new();
    for (task, (found, broken)) in tasks.iter().zip(found?) {
        breaches.extend(broken);
        match found {
            Found::Bounds(bounds) => searches[task.case()].push(bounds),
            Found::Results(results) => runs[task.case()].push(*results),
        }
    }
    let curves = cases.iter().zip(searches).zip(runs);
    let curves = curves.map(|((case, bounds), runs)| case.curve(plan, bounds, &runs));
    Ok((curves.collect(), breaches))
}

/// The longest ones, which are the searches, come first; the runs of a case in the order of their loads.
fn tasks(cases: &[Case], plan: &Plan) -> Vec<Task> {
    let seeds = |case: usize| {
        let first = cases[case].options.seed;
        (0..plan.seeds as u64).map(move |more| first.wrapping_add(more))
    };
    let mut tasks = Vec::new();
    if plan.search.is_some() {
        for case in 0..cases.len() {
            tasks.extend(seeds(case).map(|seed| Task::Search { case, seed }));
        }
    }
    for case in 0..cases.len() {
        for &load in plan.loads.as_slice() {
            tasks.extend(seeds(case).map(|seed| Task::Load { case, load, seed }));
        }
    }
    tasks
}

impl Task {
    fn case(self) -> usize {
        match self {
            Task::Search { case, .. } | Task::Load { case, .. } => case,
        }
    }

    fn run(
        self,
        cases: &[Case],
        plan: &Plan,
        done: &(dyn Fn() + Sync),
    ) -> Result<(Found, Vec<Breach>)> {
        let case = &cases[self.case()];
        let mut breaches = Vec::new();
        let mut run = |load: Load, seed: u64| -> Result<Results> {
            let results = case.run(load, seed, &mut breaches)?;
            done();
            Ok(results)
        };
        let found = match self {
            Task::Load { load, seed, .. } => Found::Results(Box::new(run(load, seed)?)),
            Task::Search { seed, .. } => {
                let resolution = plan.search.expect("a search has a resolution");
                Found::Bounds(resolution.search(|load| {
                    let results = run(load, seed)?;
                    let zero_load = results.latency.without_load(&case.options.lengths);
                    anyhow::Ok(plan.criterion.is_met(&results, zero_load))
                })?)
            }
        };
        Ok((found, breaches))
    }
}

impl Case<'_> {
    fn run(&self, load: Load, seed: u64, breaches: &mut Vec<Breach>) -> Result<Results> {
        let options = Options {
            load,
            seed,
            ..self.options.clone()
        };
        let results = self.simulation.run(&options, None, &mut |_| ())?.results;
        let run = format!(
            "{}, {} at {load}, seed {seed}",
            self.config, options.pattern
        );
        breaches.extend(results.violations.iter().map(|violation| Breach {
            run: run.clone(),
            violation: violation.clone(),
        }));
        Ok(results)
    }

    /// `runs` come by load, those of a load together.
    fn curve(&self, plan: &Plan, bounds: Vec<Bounds>, runs: &[Results]) -> Curve {
        let lengths = &self.options.lengths;
        let loads = plan.loads.as_slice();
        let carried: Vec<f64> = bounds.iter().map(|bounds| bounds.carried).collect();
        Curve {
            saturation: Estimate::of(&carried).map(|load| Saturation {
                load,
                by_seed: bounds,
            }),
            ..Curve::of(self.config, lengths, &plan.criterion, loads, runs)
        }
    }
}
