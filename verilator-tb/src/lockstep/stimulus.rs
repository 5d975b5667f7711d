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
    /// The value of another input of the same width, sometimes one more or less: for comparisons.
    Near { other: usize },
    /// For single bits: set with this chance in eighths.
    Rate { eighths: u32 },
}

/// The random inputs of a block.
pub struct Stimulus {
    modes: Vec<(Mode, usize)>,
    rng: Random,
}

impl Stimulus {
    pub fn new(inputs: usize, rng: Random) -> Stimulus {
        Stimulus {
            modes: vec![(Mode::Constant, 0); inputs],
            rng,
        }
    }

    /// Gives a port its next value.
    pub fn advance(&mut self, layout: &Layout, frame: &mut Frame, port: usize) {
        let (mode, left) = self.modes[port];
        let mode = if left == 0 {
            self.pick(layout, port)
        } else {
            mode
        };
        let left = if left == 0 {
            self.rng.gen_range(PHASE)
        } else {
            left
        };
        self.modes[port] = (mode, left - 1);
        if let Mode::Near { other } = mode {
            let value = layout.get(frame, other).to_vec();
            layout.get_mut(frame, port).copy_from_slice(&value);
        }
        let words = layout.get_mut(frame, port);
        self.apply(mode, words, layout.width(port));
        mask(words, layout.width(port));
    }

    fn pick(&mut self, layout: &Layout, port: usize) -> Mode {
        let width = layout.width(port);
        if width == 1 {
            return match self.rng.gen_range(0..8) {
                0 => Mode::Sticky,
                _ => Mode::Rate {
                    eighths: self.rng.gen_range(0..=8),
                },
            };
        }
        let like: Vec<usize> = (0..port)
            .filter(|&other| layout.width(other) == width)
            .collect();
        match self.rng.gen_range(0..if like.is_empty() { 12 } else { 16 }) {
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
                other: like[self.rng.gen_range(0..like.len())],
            },
        }
    }

    fn apply(&mut self, mode: Mode, words: &mut [u32], width: usize) {
        let rng = &mut self.rng;
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
                    words[0] = 1;
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
        let mut frame = layout.zeros();
        let mut stimulus = Stimulus::new(widths.len(), stream(3, "stimulus", 0));
        let mut seen: Vec<HashSet<Vec<u32>>> = vec![HashSet::new(); widths.len()];
        let (mut equal, mut close) = (0, 0);
        for _ in 0..4000 {
            for port in 0..widths.len() {
                stimulus.advance(&layout, &mut frame, port);
                seen[port].insert(layout.get(&frame, port).to_vec());
            }
            let number = |port| {
                let words = layout.get(&frame, port);
                u64::from(words[0]) | u64::from(words[1]) << 32
            };
            equal += u32::from(number(2) == number(3));
            close += u32::from(number(2).abs_diff(number(3)) == 1);
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
