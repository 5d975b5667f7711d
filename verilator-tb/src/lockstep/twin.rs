//! A module with a fault against the module without, under the same random legal input.
//!
//! Lockstep of a unit shows that its Verilog does what its block in Rust does. So a fault that makes an output of the
//! Verilog another one under the same input would have failed it; and here, one compiled model stands for all faults, and
//! no block need be simulated again.

use fantree_gen::mutate::{self, Change, SELECT};
use fantree_gen::verilog::{Design, Module};

use super::alone::{drive, with_children};
use super::driver::Driver;
use super::frame::Frame;
use super::pins::Pins;
use super::recording::Step;
use super::verilated::Verilated;
use super::{Constrain, Result};
use crate::verilator::{self, Library, Options, Source, Start};

/// Of the random input.
const SEED: u64 = 1;

/// A module with faults in it, and what it does without.
pub struct Twin {
    pins: Pins,
    library: Library,
    /// By run.
    runs: Vec<Vec<Step>>,
}

impl Twin {
    /// Compiles a module with these faults in it and below it, and runs it without any for so many cycles after its
    /// reset, under each of these inputs: random, corrected by a function or not.
    pub fn run(
        design: &Design,
        module: &Module,
        faults: &[impl AsRef<[Change]>],
        cycles: usize,
        inputs: impl IntoIterator<Item = Option<Constrain>>,
    ) -> Result<Self> {
        let woven = mutate::weave(design.clone(), faults, &module.name);
        let verilog = with_children(&woven, &module.name);
        let source = Source {
            top: &module.name,
            verilog: &verilog,
        };
        let mut twin = Self {
            pins: Pins::of_module(module),
            library: verilator::build(&source, &Options::default())?,
            runs: Vec::new(),
        };
        for constrain in inputs {
            let run = twin.right(cycles, constrain)?;
            twin.runs.push(run);
        }
        Ok(twin)
    }

    /// What the module does without a fault.
    fn right(&self, cycles: usize, constrain: Option<Constrain>) -> Result<Vec<Step>> {
        let mut side = self.side(0)?;
        let (inputs, outputs) = (self.pins.input_layout(), self.pins.output_layout());
        let mut driver = Driver::new(&self.pins, &Default::default(), true, SEED)?;
        let mut steps = Vec::new();
        drive(&mut driver, cycles, constrain, &mut |cycle| {
            side.settle(&inputs, cycle.inputs)?;
            side.read(&outputs, cycle.outputs);
            let before = cycle.outputs.clone();
            side.rise(cycle.rising)?;
            side.read(&outputs, cycle.outputs);
            steps.push(Step {
                inputs: cycle.inputs.clone(),
                rising: cycle.rising.to_vec(),
                outputs: (!cycle.in_first_reset).then(|| [before, cycle.outputs.clone()]),
            });
            Ok(())
        })?;
        Ok(steps)
    }

    /// A model in which a fault is awake, counted from 1; 0 for none.
    fn side(&self, fault: usize) -> Result<Verilated> {
        let mut model = self.library.model(Start::Zeros)?;
        let select = model.input(SELECT)?;
        model.write(select, fault as u64);
        Verilated::new(model, &self.pins)
    }

    /// An output that is another one with a fault awake, counted from 1: the first in the first run that has one.
    pub fn differs(&self, fault: usize) -> Result<Option<&str>> {
        for steps in &self.runs {
            let mut side = self.side(fault)?;
            for step in steps {
                if let Some(output) = self.step(&mut side, step)? {
                    return Ok(Some(output));
                }
            }
        }
        Ok(None)
    }

    fn step(&self, side: &mut Verilated, step: &Step) -> Result<Option<&str>> {
        let outputs = step.outputs.as_ref();
        side.settle(&self.pins.input_layout(), &step.inputs)?;
        let before = outputs.and_then(|[before, _]| self.differing(side, before));
        side.rise(&step.rising)?;
        Ok(before.or_else(|| self.differing(side, &outputs?[1])))
    }

    fn differing(&self, side: &Verilated, right: &Frame) -> Option<&str> {
        let layout = self.pins.output_layout();
        let mut outputs = side.outputs().enumerate();
        let port = outputs.find(|(port, words)| layout.get(right, *port) != words)?;
        Some(&self.pins.outputs[port.0].name)
    }
}
