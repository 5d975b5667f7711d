//! Values of many ports in one row of 32-bit words.

use num_bigint::BigUint;
use std::ops::Range;

/// Where each port's words are in a row, and how wide it is.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    ports: Vec<(Range<usize>, usize)>,
    words: usize,
}

impl Layout {
    pub fn new(widths: impl IntoIterator<Item = usize>) -> Layout {
        let mut layout = Layout::default();
        for width in widths {
            let start = layout.words;
            layout.words += width.div_ceil(32);
            layout.ports.push((start..layout.words, width));
        }
        layout
    }

    pub fn len(&self) -> usize {
        self.ports.len()
    }

    pub fn width(&self, port: usize) -> usize {
        self.ports[port].1
    }

    /// Bits of all ports together.
    pub fn bits(&self) -> usize {
        self.ports.iter().map(|(_, width)| width).sum()
    }

    /// A row of zeros.
    pub fn zeros(&self) -> Frame {
        Frame(vec![0; self.words])
    }

    /// The words of a port.
    pub fn get<'a>(&self, frame: &'a Frame, port: usize) -> &'a [u32] {
        &frame.0[self.ports[port].0.clone()]
    }

    /// The words of a port, to change.
    pub fn get_mut<'a>(&self, frame: &'a mut Frame, port: usize) -> &'a mut [u32] {
        &mut frame.0[self.ports[port].0.clone()]
    }

    /// A port's value as a Verilog literal.
    pub fn literal(&self, frame: &Frame, port: usize) -> String {
        format!("{}'h{}", self.width(port), hex(self.get(frame, port)))
    }
}

/// A row of values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame(Vec<u32>);

/// Words, the lowest first, as one hexadecimal number.
pub fn hex(words: &[u32]) -> String {
    format!("{:x}", BigUint::from_slice(words))
}

/// Clears what stands above `width`.
pub fn mask(words: &mut [u32], width: usize) {
    if let (Some(last), 1..) = (words.last_mut(), width % 32) {
        *last &= (1 << (width % 32)) - 1;
    }
}
