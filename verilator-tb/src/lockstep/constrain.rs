//! What a constraint sees of a cycle and may change.

use super::frame::{mask, Frame, Layout};
use super::pins::Pins;
use crate::traffic::Random;
use std::collections::HashMap;

/// Names of ports and where they are.
pub struct Names {
    inputs: HashMap<String, usize>,
    outputs: HashMap<String, usize>,
    pub input_layout: Layout,
    pub output_layout: Layout,
}

impl Names {
    pub fn new(pins: &Pins) -> Names {
        let index = |pins: &[super::pins::Pin]| {
            let names = pins.iter().enumerate();
            names.map(|(at, pin)| (pin.name.clone(), at)).collect()
        };
        Names {
            inputs: index(&pins.inputs),
            outputs: index(&pins.outputs),
            input_layout: pins.input_layout(),
            output_layout: pins.output_layout(),
        }
    }
}

/// A cycle that is about to begin: inputs as the random source wants them, outputs as they are.
pub struct Cycle<'a> {
    pub(super) names: &'a Names,
    pub(super) inputs: &'a mut Frame,
    pub(super) outputs: &'a Frame,
    pub(super) number: usize,
    pub(super) rng: &'a mut Random,
}

impl Cycle<'_> {
    /// Number of the cycle, from 0 after the first reset.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Random numbers that repeat with the seed.
    pub fn random(&mut self) -> &mut Random {
        self.rng
    }

    /// The low 64 bits of a port.
    ///
    /// # Panics
    /// If the block has no such port.
    pub fn get(&self, port: &str) -> u64 {
        let words = self.words(port);
        u64::from(words[0]) | u64::from(words.get(1).copied().unwrap_or(0)) << 32
    }

    /// The words of a port, the lowest first.
    ///
    /// # Panics
    /// If the block has no such port.
    pub fn words(&self, port: &str) -> &[u32] {
        if let Some(&at) = self.names.inputs.get(port) {
            self.names.input_layout.get(self.inputs, at)
        } else if let Some(&at) = self.names.outputs.get(port) {
            self.names.output_layout.get(self.outputs, at)
        } else {
            panic!("the block has no port `{port}`")
        }
    }

    /// Drives an input; bits above its width are ignored.
    ///
    /// # Panics
    /// If the block has no such input.
    pub fn set(&mut self, input: &str, value: u64) {
        self.set_words(input, &[value as u32, (value >> 32) as u32]);
    }

    /// Drives an input from words, the lowest first; missing ones are zeros, bits above its width are ignored.
    ///
    /// # Panics
    /// If the block has no such input.
    pub fn set_words(&mut self, input: &str, words: &[u32]) {
        let Some(&at) = self.names.inputs.get(input) else {
            panic!("the block has no input `{input}`")
        };
        let layout = &self.names.input_layout;
        let target = layout.get_mut(self.inputs, at);
        let used = words.len().min(target.len());
        target[..used].copy_from_slice(&words[..used]);
        target[used..].fill(0);
        mask(target, layout.width(at));
    }
}
