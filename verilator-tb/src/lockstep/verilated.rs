//! The Verilated side: a model whose ports are driven and read by frame.

use super::error::Result;
use super::frame::{Frame, Layout};
use super::pins::{Pin, Pins, Role};
use crate::verilator::{self, Model, Port};

/// A model and its ports, in the order of the pins.
pub struct Verilated {
    pub model: Model,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    /// Places of the clocks among the inputs.
    clocks: Vec<usize>,
}

impl Verilated {
    pub fn new(model: Model, pins: &Pins) -> Result<Self> {
        let resolve = |pins: &[Pin]| {
            let ports = pins.iter().map(|pin| model.port(&pin.verilog));
            ports.collect::<verilator::Result<Vec<_>>>()
        };
        let inputs = pins.inputs.iter().enumerate();
        let clocks = inputs.filter(|(_, pin)| pin.role == Role::Clock);
        Ok(Self {
            inputs: resolve(&pins.inputs)?,
            outputs: resolve(&pins.outputs)?,
            clocks: clocks.map(|(at, _)| at).collect(),
            model,
        })
    }

    /// Drives all inputs, and lets the model settle.
    pub fn settle(&mut self, layout: &Layout, inputs: &Frame) -> Result<()> {
        for (port, &input) in self.inputs.iter().enumerate() {
            self.model.write_words(input, layout.get(inputs, port));
        }
        Ok(self.model.eval()?)
    }

    /// Lets these clocks rise, and the model settle.
    pub fn rise(&mut self, rising: &[bool]) -> Result<()> {
        for (&clock, &rises) in self.clocks.iter().zip(rising) {
            self.model.write(self.inputs[clock], rises.into());
        }
        Ok(self.model.eval()?)
    }

    /// The value of every output.
    pub fn outputs(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        self.outputs.iter().map(|&port| self.model.read_words(port))
    }

    /// Puts the values of all outputs into a frame.
    pub fn read(&self, layout: &Layout, outputs: &mut Frame) {
        for (port, words) in self.outputs().enumerate() {
            layout.get_mut(outputs, port).copy_from_slice(&words);
        }
    }
}
