//! Runs a chip again and again, and keeps in mind whether all went by the rules.

use anyhow::Result;
use fantree_tb::router::{Options, Run, Simulation};
use indicatif::ProgressBar;

use crate::commands::progress;

/// Runs of one chip.
pub struct Runner<'a> {
    pub simulation: &'a Simulation,
    bar: ProgressBar,
    passed: bool,
}

impl<'a> Runner<'a> {
    /// A bar shows how many of the runs are done.
    pub fn new(simulation: &'a Simulation, runs: usize) -> Self {
        Self {
            simulation,
            bar: progress::runs(runs),
            passed: true,
        }
    }

    /// Runs the chip once; a broken rule is told, and the other runs go on.
    pub fn run(&mut self, options: &Options) -> Result<Run> {
        let Options { pattern, load, .. } = options;
        let what = format!("{pattern} at {load}, packets of {} flits", options.lengths);
        self.bar.set_message(what.clone());
        let run = self.simulation.run(options, None, &mut |_| ())?;
        self.bar.inc(1);
        self.passed &= run.results.passed();
        for violation in &run.results.violations {
            eprintln!("{what}: {violation}");
        }
        Ok(run)
    }

    /// Whether no run broke a rule.
    pub fn finish(self) -> bool {
        self.bar.finish_and_clear();
        self.passed
    }
}
