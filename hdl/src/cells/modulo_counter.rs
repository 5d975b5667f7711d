//! `ModuloCounter`: counts 0, 1, … limit − 1, 0, …
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | rising edge; synchronous, active high: zero |
//! | `advance` | in | counts at this edge |
//! | `value` | out | the count |
//!
//! Latency: 1 cycle. Invariant: `value < limit`.

use super::{bits_to_hold, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// A counter that wraps at any limit; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct ModuloCounter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub advance: Signal<In, Bit>,
    pub value: Wire<Out>,
    count: Register,
    _limit: usize,
}

impl ModuloCounter {
    /// A counter of `limit` values.
    ///
    /// # Panics
    /// If `limit` is 0.
    pub fn new(limit: usize) -> Self {
        assert!(limit > 0, "a counter has at least one value");
        let width = bits_to_hold(limit - 1);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            advance: Default::default(),
            value: Wire::new(width),
            count: Register::new(width),
            _limit: limit,
        }
    }
}

impl Logic for ModuloCounter {
    #[kernel]
    fn update(&mut self) {
        comment!("module: modulo_counter_{}", self._limit);
        registers!(self.count);
        if self.advance.val() {
            if self._limit == 1 << self.value.bits() {
                // A power of two needs no comparison: the counter wraps by itself.
                self.count.d.next = self.count.q.val() + 1;
            } else if self.count.q.val() == (self._limit - 1) as u64 {
                self.count.d.next = 0.into();
            } else {
                self.count.d.next = self.count.q.val() + 1;
            }
        }
        self.value.next = self.count.q.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::cycle;

    #[test]
    fn wraps_at_its_limit() {
        for limit in [1, 2, 3, 4, 5, 8, 11] {
            let mut counter = ModuloCounter::new(limit);
            counter.connect_all();
            for step in 0..3 * limit {
                assert_eq!(counter.value.val(), (step % limit) as u64);
                counter.advance.next = false;
                cycle!(counter);
                counter.advance.next = true;
                cycle!(counter);
            }
        }
    }
}
