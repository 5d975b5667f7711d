//! `OneHotMux`: the one of many values that a one-hot select names.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `data[i]` | in | the values |
//! | `select` | in | bit i chooses `data[i]` |
//! | `selected` | out | that value; zero when no bit is set |
//!
//! Latency: 0 cycles. AND-OR, so a grant of an arbiter drives it without an encoder. Invariant (the user's): `select`
//! has at most one bit; with several, the values are ORed.

use crate::kernel;
use crate::ports::Ports;
use crate::wire::{or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// An AND-OR multiplexer; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct OneHotMux {
    pub data: Vec<Wire<In>>,
    pub select: Wire<In>,
    pub selected: Wire<Out>,
}

impl OneHotMux {
    /// A multiplexer of `inputs` values of `width` bits.
    ///
    /// # Panics
    /// If `inputs` or `width` is 0 or above [`MAX_WIDTH`](crate::wire::MAX_WIDTH).
    pub fn new(inputs: usize, width: usize) -> Self {
        Self {
            data: Wire::vec(inputs, width),
            select: Wire::new(inputs),
            selected: Wire::new(width),
        }
    }
}

impl Logic for OneHotMux {
    #[kernel]
    fn update(&mut self) {
        comment!(
            "module: one_hot_mux_{}x{}",
            self.data.len(),
            self.data[0].bits()
        );
        let width = self.selected.bits();
        self.selected.next = or_of(0..self.data.len(), |i| {
            self.data[i].val() & replicate(self.select.val().get_bit(i as u64), width)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::Random;
    use crate::wire::Value;

    #[test]
    fn selects() {
        for (inputs, width) in [(1, 1), (5, 134), (8, 7)] {
            let mut random = Random(width as u64);
            let mut mux = OneHotMux::new(inputs, width);
            mux.connect_all();
            let data: Vec<Value> = (0..inputs).map(|_| random.value(width)).collect();
            for (port, &value) in mux.data.iter_mut().zip(&data) {
                port.next = value;
            }
            assert!(simulate(&mut mux, 10));
            assert!(!mux.selected.val().any(), "nothing selected");
            for (i, &value) in data.iter().enumerate() {
                mux.select.next = (1u64 << i).into();
                assert!(simulate(&mut mux, 10));
                assert_eq!(mux.selected.val(), value);
            }
        }
    }
}
