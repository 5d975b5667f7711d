//! `GrayCounter`: a counter that also shows its value in Gray code, which another clock can sample.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | rising edge; synchronous, active high: zero |
//! | `advance` | in | counts at this edge |
//! | `binary` | out | the count |
//! | `gray` | out | the count in Gray code, from flip-flops |
//!
//! Latency: 1 cycle. Invariants: `gray == binary ^ (binary >> 1)`; at most one bit of `gray` changes at an edge.

use super::Register;
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// A counter in binary and Gray code; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct GrayCounter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub advance: Signal<In, Bit>,
    pub binary: Wire<Out>,
    pub gray: Wire<Out>,
    count: Register,
    code: Register,
}

impl GrayCounter {
    /// A counter of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            advance: Default::default(),
            binary: Wire::new(width),
            gray: Wire::new(width),
            count: Register::new(width),
            code: Register::new(width),
        }
    }
}

impl Logic for GrayCounter {
    #[kernel]
    fn update(&mut self) {
        comment!("module: gray_counter_{}", self.gray.bits());
        registers!(self.count, self.code);
        let next = self.count.q.val() + 1;
        if self.advance.val() {
            self.count.d.next = next;
            self.code.d.next = next ^ (next >> 1);
        }
        self.binary.next = self.count.q.val();
        self.gray.next = self.code.q.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::cycle;

    #[test]
    fn changes_one_bit_at_a_time() {
        let mut counter = GrayCounter::new(4);
        counter.connect_all();
        counter.advance.next = true;
        let mut seen = vec![counter.gray.val().to_u64()];
        for count in 1..=16u64 {
            cycle!(counter);
            assert_eq!(counter.binary.val(), count % 16);
            let gray = counter.gray.val().to_u64();
            assert_eq!((gray ^ seen[seen.len() - 1]).count_ones(), 1);
            seen.push(gray);
        }
        assert_eq!(seen.pop(), Some(0), "one bit also at the wrap");
        seen.sort();
        assert_eq!(seen, (0..16).collect::<Vec<_>>());
    }
}
