//! `OneHotEncoder`: the number of the one bit that is set.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `one_hot` | in | at most one bit set |
//! | `index` | out | its number; 0 when none is set |
//!
//! Latency: 0 cycles. Invariant (the user's): `one_hot` has at most one bit; with several, `index` is the OR of their
//! numbers.

use super::bits_to_hold;
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{bits_of, Value, Wire};
use rust_hdl::prelude::*;

/// From one-hot to binary; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct OneHotEncoder {
    pub one_hot: Wire<In>,
    pub index: Wire<Out>,
}

impl OneHotEncoder {
    /// An encoder of `inputs` bits.
    pub fn new(inputs: usize) -> Self {
        Self {
            one_hot: Wire::new(inputs),
            index: Wire::new(bits_to_hold(inputs - 1)),
        }
    }
}

/// The numbers below `inputs` that have bit `k`, as a mask.
fn having_bit(inputs: usize, k: usize) -> Value {
    let mask = Value::zero(inputs);
    let numbers = (0..inputs).filter(|i| i >> k & 1 == 1);
    numbers.fold(mask, |mask, i| mask.replace_bit(i as u64, true))
}

impl Logic for OneHotEncoder {
    #[kernel]
    fn update(&mut self) {
        comment!("module: one_hot_encoder_{}", self.one_hot.bits());
        let inputs = self.one_hot.bits();
        self.index.next = bits_of(0..self.index.bits(), |k| {
            (self.one_hot.val() & having_bit(inputs, k)).any()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes() {
        for inputs in [1, 2, 3, 8, 40, 64, 100] {
            let mut encoder = OneHotEncoder::new(inputs);
            encoder.connect_all();
            for i in 0..inputs as u64 {
                encoder.one_hot.next = Value::zero(inputs).replace_bit(i, true);
                assert!(simulate(&mut encoder, 10));
                assert_eq!(encoder.index.val(), i);
            }
        }
    }
}
