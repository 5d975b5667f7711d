//! A run written down: what was driven and what rust-hdl's simulation answered.

use super::error::{Mismatch, Moment};
use super::frame::{Frame, Layout};
use super::pins::{Pins, Role};
use super::run::like_rust;
use crate::verilator::{self, Source, Start};
use std::path::{Path, PathBuf};

/// Cycles of input that a failure shows.
const HISTORY: usize = 6;

/// Nanoseconds between two moments of comparison in a wave.
pub(super) const HALF_CYCLE: u64 = 5;

/// One cycle.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// Inputs while clocks are low.
    pub inputs: Frame,
    /// Clocks that rise, in the order of the clock inputs.
    pub rising: Vec<bool>,
    /// Outputs after inputs changed and after clocks rose; `None` before the first reset is over.
    pub outputs: Option<[Frame; 2]>,
}

/// A whole run: replays the Verilog without the block.
#[derive(Debug, Clone)]
pub struct Recording {
    pub(super) name: String,
    pub(super) verilog: String,
    pub(super) seed: u64,
    pub(super) pins: Pins,
    pub(super) inputs: Layout,
    pub(super) outputs: Layout,
    pub(super) steps: Vec<Step>,
}

impl Recording {
    /// The Verilog the run was compared with.
    pub fn verilog(&self) -> &str {
        &self.verilog
    }

    /// The first steps of the run, for a simulator that takes long.
    pub fn first(mut self, steps: usize) -> Self {
        self.steps.truncate(steps);
        self
    }

    /// Places of the clocks among the inputs.
    pub(super) fn clocks(&self) -> Vec<usize> {
        let inputs = self.pins.inputs.iter().enumerate();
        inputs
            .filter(|(_, pin)| pin.role == Role::Clock)
            .map(|(at, _)| at)
            .collect()
    }

    /// Whether an output is compared.
    pub(super) fn is_compared(&self, output: usize) -> bool {
        self.pins.outputs[output].role == Role::Output
    }

    /// Steps before the first comparison.
    pub(super) fn warm_up(&self) -> usize {
        let compared = |step: &Step| step.outputs.is_some();
        self.steps
            .iter()
            .position(compared)
            .unwrap_or(self.steps.len())
    }

    /// The report of a difference at an output in a step.
    pub(super) fn mismatch(
        &self,
        simulator: &'static str,
        step: usize,
        moment: Moment,
        port: usize,
        rust: &Frame,
        verilog: String,
    ) -> Mismatch {
        Mismatch {
            block: self.name.clone(),
            simulator,
            port: self.pins.outputs[port].name.clone(),
            width: self.outputs.width(port),
            cycle: step - self.warm_up().min(step),
            moment,
            seed: self.seed,
            rust: self.outputs.get(rust, port).to_vec(),
            verilog,
            others: vec![],
            history: self.history(step),
            repeat: repeat(self.seed),
            wave: None,
        }
    }

    fn history(&self, last: usize) -> Vec<String> {
        let warm_up = self.warm_up();
        (last.saturating_sub(HISTORY - 1)..=last)
            .map(|at| {
                let step = &self.steps[at];
                let cycle = at as i64 - warm_up as i64;
                let mut line = format!("cycle {cycle}:");
                let mut rising = step.rising.iter();
                for (port, pin) in self.pins.inputs.iter().enumerate() {
                    match pin.role {
                        Role::Clock if rising.next() == Some(&true) => {
                            line += &format!(" {}↑", pin.name);
                        }
                        Role::Clock => {}
                        _ => {
                            let value = self.inputs.literal(&step.inputs, port);
                            line += &format!(" {}={value}", pin.name);
                        }
                    }
                }
                line
            })
            .collect()
    }

    /// Runs the Verilated side alone and writes its wave.
    pub(super) fn wave(&self) -> verilator::Result<PathBuf> {
        let directory = verilator::workspace().join("build").join("lockstep");
        let path = directory.join(format!("{}-{}.fst", self.name, self.seed));
        self.write_wave(&path)?;
        Ok(path)
    }

    fn write_wave(&self, path: &Path) -> verilator::Result<()> {
        let source = Source {
            top: &self.name,
            verilog: &self.verilog,
        };
        let mut model = verilator::build(&source, &like_rust(true))?.model(Start::Zeros)?;
        let inputs = self.pins.inputs.iter();
        let ports = inputs
            .map(|pin| model.input(&pin.verilog))
            .collect::<verilator::Result<Vec<_>>>()?;
        let clocks = self.clocks();
        model.trace_open(path)?;
        for (number, step) in (0..).zip(&self.steps) {
            for (port, &input) in ports.iter().enumerate() {
                model.write_words(input, self.inputs.get(&step.inputs, port));
            }
            model.set_time(number * 2 * HALF_CYCLE);
            model.eval()?;
            model.trace_dump()?;
            for (&clock, &rises) in clocks.iter().zip(&step.rising) {
                model.write(ports[clock], rises.into());
            }
            model.set_time((number * 2 + 1) * HALF_CYCLE);
            model.eval()?;
            model.trace_dump()?;
        }
        model.trace_close()
    }
}

/// The command that runs this test again with this seed.
fn repeat(seed: u64) -> String {
    let package = std::env::var("CARGO_PKG_NAME").ok();
    let package = package.map_or(String::new(), |name| format!(" -p {name}"));
    // The test harness calls each test's thread by the test's name.
    let thread = std::thread::current();
    let test = match thread.name() {
        Some(name) if name != "main" => format!(" {name}"),
        _ => String::new(),
    };
    format!("FANTREE_LOCKSTEP_SEED={seed} cargo test{package}{test}")
}
