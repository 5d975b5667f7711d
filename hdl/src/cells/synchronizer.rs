//! `Synchronizer`: brings a signal of another clock into this one through two flip-flops.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock` | in | rising edge |
//! | `d` | in | from the other clock, straight from a flip-flop |
//! | `q` | out | the same in this clock |
//!
//! Latency: 2 cycles. No reset: `q` follows `d`. The flip-flops are marked `ASYNC_REG`, so that tools keep them close
//! together and do not make a shift register of them.
//!
//! Invariant (the user's): of a `d` wider than a bit, at most one bit changes in a cycle of either clock (Gray code),
//! else `q` can mix two values.

use crate::ports::Ports;
use crate::wire::{Value, Wire};
use rust_hdl::prelude::*;

/// Two flip-flops between clocks; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Synchronizer {
    pub clock: Signal<In, Clock>,
    pub d: Wire<In>,
    pub q: Wire<Out>,
    _first: Value,
}

impl Synchronizer {
    /// A synchroniser of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            clock: Default::default(),
            d: Wire::new(width),
            q: Wire::new(width),
            _first: Value::zero(width),
        }
    }
}

impl Logic for Synchronizer {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = self._first;
            self._first = self.d.val();
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        let width = self.d.bits();
        let last_bit = width - 1;
        Verilog::Custom(format!(
            "// module: synchronizer_{width}
(* ASYNC_REG = \"TRUE\" *) reg [{last_bit}:0] first;
(* ASYNC_REG = \"TRUE\" *) reg [{last_bit}:0] second;
always @(posedge clock) begin
  first <= d;
  second <= first;
end
assign q = second;"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::cycle;

    #[test]
    fn takes_two_cycles() {
        let mut block = Synchronizer::new(3);
        block.connect_all();
        let mut shown = Vec::new();
        for d in [5u64, 2, 7, 0] {
            block.d.next = d.into();
            cycle!(block);
            shown.push(block.q.val().to_u64());
        }
        assert_eq!(shown, [0, 5, 2, 7]);
    }
}
