//! The values of a wave's signals, cycle by cycle.

use fantree_hdl::wire::Value;

use crate::router::wave_time;
use crate::wave::{Error, Wave};

/// A signal among those that were picked.
#[derive(Clone, Copy)]
pub struct Signal(usize);

/// Signals that are to be read.
#[derive(Default)]
pub struct Picker {
    paths: Vec<String>,
}

impl Picker {
    pub fn signal(&mut self, path: String) -> Signal {
        self.paths.push(path);
        Signal(self.paths.len() - 1)
    }

    /// Signals that differ by a number in their name.
    pub fn signals(&mut self, count: usize, path: impl Fn(usize) -> String) -> Vec<Signal> {
        (0..count).map(|number| self.signal(path(number))).collect()
    }
}

/// What the signals are in a cycle.
pub struct Samples {
    lines: Vec<Line>,
}

struct Line {
    /// Times and values, in the order of time; the first `passed` are over or now.
    changes: Vec<(u64, Value)>,
    passed: usize,
    now: Value,
}

impl Samples {
    pub fn load(wave: &mut Wave, picker: Picker) -> Result<Self, Error> {
        wave.load(&picker.paths)?;
        let line = |path: &String| {
            let width = wave.signal(path)?.width as usize;
            let changes = wave.changes(path)?.into_iter();
            Ok(Line {
                changes: changes
                    .map(|(time, bits)| (time, value(width, &bits)))
                    .collect(),
                passed: 0,
                now: Value::zero(width),
            })
        };
        let lines: Result<Vec<Line>, Error> = picker.paths.iter().map(line).collect();
        Ok(Self { lines: lines? })
    }

    /// Goes on to a later cycle.
    pub fn advance(&mut self, cycle: u64) {
        let time = wave_time(cycle);
        for line in &mut self.lines {
            while let Some((_, value)) = line
                .changes
                .get(line.passed)
                .filter(|(start, _)| *start <= time)
            {
                line.now = *value;
                line.passed += 1;
            }
        }
    }

    pub fn get(&self, signal: Signal) -> Value {
        self.lines[signal.0].now
    }

    /// Whether a signal is not zero.
    pub fn is(&self, signal: Signal) -> bool {
        self.get(signal).any()
    }

    /// A bit of a signal.
    pub fn bit(&self, signal: Signal, bit: usize) -> bool {
        self.get(signal).get_bit(bit as u64)
    }

    pub fn number(&self, signal: Signal) -> usize {
        self.get(signal).to_u64() as usize
    }
}

/// A value of bits, the highest first.
fn value(width: usize, bits: &str) -> Value {
    let words: Vec<u32> = bits
        .as_bytes()
        .rchunks(32)
        .map(|word| {
            let digit = |word: u32, bit: &u8| word << 1 | u32::from(*bit == b'1');
            word.iter().fold(0, digit)
        })
        .collect();
    Value::from_words(width, &words)
}
