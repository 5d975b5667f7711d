//! The run itself.

use super::constrain::Cycle;
use super::driver::Driver;
use super::error::{Error, Moment, Result};
use super::frame::{hex, Frame};
use super::pins::{Pins, Role};
use super::recording::{Recording, Step};
use super::rust_side::RustSide;
use super::verilated::Verilated;
use super::{Constrain, Lockstep};
use crate::verilator::{self, BuildReport, Options, Source, Start};
use rust_hdl::prelude::Block;
use std::collections::HashMap;
use std::time::Instant;

/// Cycles the first reset lasts.
pub(super) const RESET_CYCLES: usize = 4;
/// What a run that passed can tell.
#[derive(Debug)]
pub struct Report {
    /// Cycles compared.
    pub cycles: usize,
    /// Seed of the run.
    pub seed: u64,
    /// Outputs that never changed: if there are any, the stimulus may be too weak.
    pub constant_outputs: Vec<String>,
    /// Seconds of simulation, both sides and the comparison.
    pub seconds: f64,
    /// How the Verilated side was built.
    pub build: BuildReport,
    /// The run, for other simulators.
    pub recording: Recording,
}

/// How the Verilated side is built. What is past the end of a memory reads as zero in rust-hdl; Verilator 5.04x would have it
/// at random whatever a model starts with.
pub(super) fn like_rust(trace: bool) -> Options {
    Options {
        trace,
        arguments: ["--x-assign", "0"].map(String::from).to_vec(),
        ..Options::default()
    }
}

/// A number in the environment that overrides a bench's own.
fn from_environment<T: std::str::FromStr>(variable: &str) -> Option<T> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse().ok();
    assert!(number.is_some(), "{variable}={text} is not a number");
    number
}

pub(super) fn run<B: Block>(mut bench: Lockstep<B>) -> Result<Report> {
    bench.seed = from_environment("FANTREE_LOCKSTEP_SEED").unwrap_or(bench.seed);
    bench.cycles = from_environment("FANTREE_LOCKSTEP_CYCLES").unwrap_or(bench.cycles);
    bench.block.connect_all();
    let (verilog, verilog_names) = verilog(&mut bench)?;
    let mut rust = RustSide {
        block: bench.block,
        visit: bench.visit,
    };
    let mut pins = Pins::of_block(&mut rust, &verilog_names, &bench.resets)?;
    for pin in pins
        .outputs
        .iter_mut()
        .filter(|pin| (bench.ignore)(&pin.name))
    {
        pin.role = Role::Ignored;
    }
    let source = Source {
        top: &bench.name,
        verilog: &verilog,
    };
    let library = verilator::build(&source, &like_rust(false))?;
    pins.check(library.ports())?;
    let mut run = Run {
        verilated: Verilated::new(library.model(Start::Zeros)?, &pins)?,
        driver: Driver::new(&pins, &bench.periods, bench.resets_again, bench.seed)?,
        rust,
        constrain: bench.constrain,
        recording: Recording {
            name: bench.name,
            seed: bench.seed,
            inputs: pins.input_layout(),
            outputs: pins.output_layout(),
            steps: vec![],
            pins,
            verilog,
        },
    };
    let start = Instant::now();
    match run.all(bench.cycles) {
        Ok(()) => Ok(Report {
            cycles: bench.cycles,
            seed: bench.seed,
            constant_outputs: constant_outputs(&run.recording),
            seconds: start.elapsed().as_secs_f64(),
            build: library.report().clone(),
            recording: run.recording,
        }),
        Err(Error::Mismatch(mut mismatch)) => {
            if bench.wave {
                let wave = run.recording.wave();
                mismatch.wave = Some(wave.map_err(|failure| failure.to_string()));
            }
            Err(Error::Mismatch(mismatch))
        }
        Err(other) => Err(other),
    }
}

/// The text to compare with, and the names of its top's ports by those of the block.
fn verilog<B: Block>(bench: &mut Lockstep<B>) -> Result<(String, HashMap<String, String>)> {
    let (text, names) = match bench.verilog.take() {
        Some(text) => (text, HashMap::new()),
        None => {
            let design =
                fantree_gen::emit(bench.block.as_ref(), &bench.name).map_err(|source| {
                    Error::Emit {
                        block: bench.name.clone(),
                        source,
                    }
                })?;
            let ports = design.top().ports.iter();
            let names = ports.map(|port| (port.rust_name.clone(), port.name.clone()));
            (design.to_verilog(), names.collect())
        }
    };
    let text = match bench.alter.take() {
        Some(alter) => alter(text),
        None => text,
    };
    Ok((text, names))
}

fn constant_outputs(recording: &Recording) -> Vec<String> {
    let layout = &recording.outputs;
    let compared = || {
        recording
            .steps
            .iter()
            .filter_map(|step| step.outputs.as_ref())
    };
    (0..layout.len())
        .filter(|&port| recording.is_compared(port))
        .filter(|&port| {
            let mut values = compared().flatten().map(|frame| layout.get(frame, port));
            let first = values.next();
            values.all(|value| Some(value) == first)
        })
        .map(|port| recording.pins.outputs[port].name.clone())
        .collect()
}

/// Everything that moves.
struct Run<B> {
    rust: RustSide<B>,
    verilated: Verilated,
    driver: Driver,
    constrain: Option<Constrain>,
    recording: Recording,
}

impl<B: Block> Run<B> {
    fn all(&mut self, cycles: usize) -> Result<()> {
        let mut inputs = self.recording.inputs.zeros();
        let mut outputs = self.recording.outputs.zeros();
        let start = if self.driver.has_reset() {
            RESET_CYCLES
        } else {
            0
        };
        for _ in 0..start {
            self.driver.inputs(&mut inputs, &outputs, true);
            // Every clock, so that every register is reached.
            let rising = vec![true; self.recording.clocks().len()];
            self.cycle(&mut inputs, rising, false, &mut outputs)?;
        }
        for number in 0..cycles {
            self.driver.inputs(&mut inputs, &outputs, false);
            if let Some(constrain) = &mut self.constrain {
                constrain(&mut Cycle {
                    names: &self.driver.names,
                    inputs: &mut inputs,
                    outputs: &outputs,
                    number,
                    rng: &mut self.driver.constraints,
                });
            }
            let rising = self.driver.rising();
            self.cycle(&mut inputs, rising, true, &mut outputs)?;
        }
        Ok(())
    }

    /// One cycle; `inputs` are those with clocks low, `outputs` become those after the edges.
    fn cycle(
        &mut self,
        inputs: &mut Frame,
        rising: Vec<bool>,
        compare: bool,
        outputs: &mut Frame,
    ) -> Result<()> {
        self.settle(inputs)?;
        self.rust.read(&self.recording.outputs, outputs);
        let before = outputs.clone();
        self.recording.steps.push(Step {
            inputs: inputs.clone(),
            rising,
            outputs: None,
        });
        if compare {
            self.compare(Moment::Inputs, &before)?;
        }
        let step = self.recording.steps.last().expect("just pushed");
        let mut edges = inputs.clone();
        for (clock, &rises) in self.recording.clocks().into_iter().zip(&step.rising) {
            self.recording.inputs.get_mut(&mut edges, clock)[0] = rises.into();
        }
        self.settle(&mut edges)?;
        self.rust.read(&self.recording.outputs, outputs);
        if compare {
            self.compare(Moment::Clocks, outputs)?;
            let step = self.recording.steps.last_mut().expect("just pushed");
            step.outputs = Some([before, outputs.clone()]);
        }
        Ok(())
    }

    /// Drives both sides and lets them settle.
    fn settle(&mut self, inputs: &mut Frame) -> Result<()> {
        let layout = &self.recording.inputs;
        self.rust.drive(layout, inputs);
        self.rust.settle().map_err(|reason| Error::Rust {
            block: self.recording.name.clone(),
            reason,
            cycle: self.recording.steps.len() - self.recording.warm_up(),
            seed: self.recording.seed,
        })?;
        self.verilated.settle(layout, inputs)
    }

    fn compare(&self, moment: Moment, rust: &Frame) -> Result<()> {
        let layout = &self.recording.outputs;
        let outputs = self.verilated.outputs().enumerate();
        let mut differing = outputs
            .filter(|(port, _)| self.recording.is_compared(*port))
            .filter(|(port, words)| layout.get(rust, *port) != words);
        let Some((port, words)) = differing.next() else {
            return Ok(());
        };
        let step = self.recording.steps.len() - 1;
        let verilog = hex(&words);
        let mut mismatch = self
            .recording
            .mismatch("Verilator", step, moment, port, rust, verilog);
        mismatch.others = differing
            .map(|(port, _)| self.recording.pins.outputs[port].name.clone())
            .collect();
        Err(Error::Mismatch(Box::new(mismatch)))
    }
}
