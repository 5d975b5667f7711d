//! Random input that reaches corners: every input goes through phases of different character.

use super::frame::{mask, Frame, Layout};
use crate::traffic::Random;
use rand::{Rng, RngCore};
use std::ops::Range;

/// Cycles until an input changes its character.
const PHASE: Range<usize> = 4..60;

/// What an input does for a while.
#[derive(Debug, Clone, Copy)]
enum Mode {
    /// Any value.
    Uniform,
    /// Few bits set, or with `inverted` few bits clear.
    Sparse { inverted: bool },
    /// The same bit everywhere.
    Filled { ones: bool },
    /// The value it has.
    Constant,
    /// A new value with one chance in eight.
    Sticky,
    /// One more each cycle, or with `down` one less.
    Counting { down: bool },
    /// A single bit that moves up.
    Walking,
    /// A small number.
    Small,
    /// The value of another port of the same width, sometimes one more or less: for comparisons, also with state that
    /// shows at an output.
    Near { other: Other },
    /// For single bits: set with this chance in eighths.
    Rate { eighths: u32 },
}

/// A port to be near to.
#[derive(Debug, Clone, Copy)]
enum Other {
    Input(usize),
    Output(usize),
}

/// The random inputs of a block.
pub struct Stimulus {
    inputs: Layout,
    outputs: Layout,
    modes: Vec<(Mode, usize)>,
    rng: Random,
}

impl Stimulus {
    pub fn new(inputs: Layout, outputs: Layout, rng: Random) -> Stimulus {
        Stimulus {
            modes: vec![(Mode::Constant, 0); inputs.len()],
            inputs,
            outputs,
            rng,
        }
    }

    /// Gives an input its next value; `outputs` are those of the cycle before.
    pub fn advance(&mut self, port: usize, inputs: &mut Frame, outputs: &Frame) {
        if self.modes[port].1 == 0 {
            self.modes[port] = (self.pick(port), self.rng.gen_range(PHASE));
        }
        self.modes[port].1 -= 1;
        let mode = self.modes[port].0;
        if let Mode::Near { other } = mode {
            let value = match other {
                Other::Input(other) => self.inputs.get(inputs, other).to_vec(),
                Other::Output(other) => self.outputs.get(outputs, other).to_vec(),
            };
            self.inputs.get_mut(inputs, port).copy_from_slice(&value);
        }
        let width = self.inputs.width(port);
        let words = self.inputs.get_mut(inputs, port);
        apply(mode, words, width, &mut self.rng);
        mask(words, width);
    }

    fn pick(&mut self, port: usize) -> Mode {
        let width = self.inputs.width(port);
        if width == 1 {
            return match self.rng.gen_range(0..8) {
                0 => Mode::Sticky,
                _ => Mode::Rate {
                    eighths: self.rng.gen_range(0..=8),
                },
            };
        }
        let inputs = (0..port).filter(|&other| self.inputs.width(other) == width);
        let outputs = (0..self.outputs.len()).filter(|&other| self.outputs.width(other) == width);
        let others: Vec<Other> = inputs
            .map(Other::Input)
            .chain(outputs.map(Other::Output))
            .collect();
        match self
            .rng
            .gen_range(0..if others.is_empty() { 12 } else { 16 })
        {
            0..=3 => Mode::Uniform,
            4 => Mode::Sparse { inverted: false },
            5 => Mode::Sparse { inverted: true },
            6 => Mode::Filled {
                ones: self.rng.gen(),
            },
            7 => Mode::Constant,
            8 => Mode::Sticky,
            9 => Mode::Counting {
                down: self.rng.gen(),
            },
            10 => Mode::Walking,
            11 => Mode::Small,
            _ => Mode::Near {
                other: others[self.rng.gen_range(0..others.len())],
            },
        }
    }
}

/// Changes the present value of an input as its mode says.
fn apply(mode: Mode, words: &mut [u32], width: usize, rng: &mut Random) {
    match mode {
        Mode::Uniform => words.fill_with(|| rng.next_u32()),
        Mode::Sparse { inverted } => {
            words.fill(0);
            for _ in 0..rng.gen_range(0..=2) {
                let bit = rng.gen_range(0..width);
                words[bit / 32] |= 1 << (bit % 32);
            }
            if inverted {
                words.iter_mut().for_each(|word| *word = !*word);
            }
        }
        Mode::Filled { ones } => words.fill(if ones { !0 } else { 0 }),
        Mode::Constant => {}
        Mode::Sticky => {
            if rng.gen_range(0..8) == 0 {
                words.fill_with(|| rng.next_u32());
            }
        }
        Mode::Counting { down } => step(words, down),
        Mode::Walking => {
            let set: u32 = words.iter().map(|word| word.count_ones()).sum();
            let top = 1 << ((width - 1) % 32);
            if set != 1 || words[words.len() - 1] & top != 0 {
                words.fill(0);
                let bit = rng.gen_range(0..width);
                words[bit / 32] = 1 << (bit % 32);
            } else {
                let mut carry = 0;
                for word in words {
                    (*word, carry) = (*word << 1 | carry, *word >> 31);
                }
            }
        }
        Mode::Small => {
            words.fill(0);
            words[0] = rng.gen_range(0..8);
        }
        Mode::Near { .. } => match rng.gen_range(0..8) {
            0 => step(words, false),
            1 => step(words, true),
            _ => {}
        },
        Mode::Rate { eighths } => words[0] = (rng.gen_range(0..8) < eighths).into(),
    }
}

/// One more or one less, wrapping.
fn step(words: &mut [u32], down: bool) {
    for word in words {
        let (next, carries) = match down {
            false => word.overflowing_add(1),
            true => word.overflowing_sub(1),
        };
        *word = next;
        if !carries {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::stream;
    use std::collections::HashSet;

    #[test]
    fn inputs_reach_their_corners() {
        let widths = [1, 4, 40, 40, 130];
        let layout = Layout::new(widths);
        let outputs = Layout::new([40]);
        let mut frame = layout.zeros();
        let mut state = outputs.zeros();
        outputs
            .get_mut(&mut state, 0)
            .copy_from_slice(&[0xffff_ffff, 0x12]);
        let rng = stream(3, "stimulus", 0);
        let mut stimulus = Stimulus::new(layout.clone(), outputs, rng);
        let mut seen: Vec<HashSet<Vec<u32>>> = vec![HashSet::new(); widths.len()];
        let (mut equal, mut close) = (0, 0);
        for _ in 0..4000 {
            for (port, seen) in seen.iter_mut().enumerate() {
                stimulus.advance(port, &mut frame, &state);
                seen.insert(layout.get(&frame, port).to_vec());
            }
            let number = |port| {
                let words = layout.get(&frame, port);
                u64::from(words[0]) | u64::from(words[1]) << 32
            };
            equal += u32::from(number(2) == number(3));
            close += u32::from(number(2).abs_diff(number(3)) == 1);
        }
        for near_state in [[0xffff_fffe, 0x12], [0xffff_ffff, 0x12], [0, 0x13]] {
            assert!(seen[2].contains(&near_state[..]), "{near_state:x?}");
        }
        assert_eq!(seen[0].len(), 2);
        assert_eq!(seen[1].len(), 16);
        for (port, width) in widths.into_iter().enumerate() {
            let mut ones = vec![!0; width.div_ceil(32)];
            mask(&mut ones, width);
            assert!(seen[port].contains(&ones), "port {port}: all ones");
            assert!(
                seen[port].contains(&vec![0; ones.len()]),
                "port {port}: zero"
            );
            for value in &seen[port] {
                let mut masked = value.clone();
                mask(&mut masked, width);
                assert_eq!(*value, masked, "port {port}: above its width");
            }
        }
        let mut top = vec![0; 5];
        top[4] = 2;
        assert!(seen[4].contains(&top), "the highest bit alone");
        assert!(equal > 100 && close > 20, "{equal} equal, {close} close");
    }
}
