//! `AsyncFifo`: a queue from one clock to another.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `write_clock`, `write_reset` | in | rising edge; synchronous to it, active high |
//! | `push`, `push_data` | in | appends a word at this edge of the write clock |
//! | `full` | out | no room (write clock) |
//! | `read_clock`, `read_reset` | in | rising edge; synchronous to it, active high |
//! | `pop` | in | removes the oldest word at this edge of the read clock |
//! | `pop_data` | out | the oldest word, valid while not `empty` |
//! | `empty` | out | no word (read clock) |
//!
//! Latency: a word pushed shows two to three cycles of the read clock later; a slot freed is seen two to three cycles of
//! the write clock later. One word in and one out a cycle when the depth covers that loop (8 or more for equal clocks).
//!
//! Invariants: what one clock reads of the other is a Gray-coded pointer through a [`Synchronizer`], so it is always a
//! value the pointer really had; it is late, never early, so `full` and `empty` can be pessimistic and never wrong.
//! Pushing while `full` and popping while `empty` are ignored. The user holds both resets together for at least three
//! cycles of either clock: resetting one side alone loses count.

use super::{GrayCounter, LutRam, Synchronizer};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// A queue between clocks; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct AsyncFifo {
    pub write_clock: Signal<In, Clock>,
    pub write_reset: Signal<In, Bit>,
    pub push: Signal<In, Bit>,
    pub push_data: Wire<In>,
    pub full: Signal<Out, Bit>,
    pub read_clock: Signal<In, Clock>,
    pub read_reset: Signal<In, Bit>,
    pub pop: Signal<In, Bit>,
    pub pop_data: Wire<Out>,
    pub empty: Signal<Out, Bit>,
    memory: LutRam,
    tail: GrayCounter,
    head: GrayCounter,
    tail_seen: Synchronizer,
    head_seen: Synchronizer,
}

impl AsyncFifo {
    /// A queue of `depth` words of `width` bits.
    ///
    /// # Panics
    /// If `depth` is not a power of two or below 4.
    pub fn new(width: usize, depth: usize) -> Self {
        assert!(
            depth >= 4 && depth.is_power_of_two(),
            "the depth of a queue between clocks is a power of two from 4 upwards, not {depth}"
        );
        // One bit more than an address tells full from empty.
        let pointer_width = depth.ilog2() as usize + 1;
        Self {
            write_clock: Default::default(),
            write_reset: Default::default(),
            push: Default::default(),
            push_data: Wire::new(width),
            full: Default::default(),
            read_clock: Default::default(),
            read_reset: Default::default(),
            pop: Default::default(),
            pop_data: Wire::new(width),
            empty: Default::default(),
            memory: LutRam::new(width, depth),
            tail: GrayCounter::new(pointer_width),
            head: GrayCounter::new(pointer_width),
            tail_seen: Synchronizer::new(pointer_width),
            head_seen: Synchronizer::new(pointer_width),
        }
    }
}

impl Logic for AsyncFifo {
    #[kernel]
    fn update(&mut self) {
        comment!(
            "module: async_fifo_{}x{}",
            1 << self.memory.read_address.bits(),
            self.push_data.bits()
        );
        let address_width = self.memory.read_address.bits();
        // A pointer one whole depth ahead differs in the highest two bits of its Gray code.
        let lapped = 0b11u64 << (address_width - 1);
        self.full.next = self.tail.gray.val() == (self.head_seen.q.val() ^ lapped);
        self.empty.next = self.head.gray.val() == self.tail_seen.q.val();
        let pushed = self.push.val() & !self.full.val();

        self.tail.clock.next = self.write_clock.val();
        self.tail.reset.next = self.write_reset.val();
        self.tail.advance.next = pushed;
        self.head_seen.clock.next = self.write_clock.val();
        self.head_seen.d.next = self.head.gray.val();
        self.memory.clock.next = self.write_clock.val();
        self.memory.write_enable.next = pushed;
        self.memory.write_address.next = self.tail.binary.val().resize(address_width);
        self.memory.write_data.next = self.push_data.val();

        self.head.clock.next = self.read_clock.val();
        self.head.reset.next = self.read_reset.val();
        self.head.advance.next = self.pop.val() & !self.empty.val();
        self.tail_seen.clock.next = self.read_clock.val();
        self.tail_seen.d.next = self.tail.gray.val();
        self.memory.read_address.next = self.head.binary.val().resize(address_width);
        self.pop_data.next = self.memory.read_data.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::Random;
    use crate::wire::Value;
    use std::collections::VecDeque;

    /// Runs both clocks with the given periods and checks that words arrive once and in order.
    fn run(depth: usize, write_period: u64, read_period: u64) -> usize {
        let mut random = Random(write_period * 100 + read_period);
        let mut fifo = AsyncFifo::new(40, depth);
        let mut model: VecDeque<Value> = VecDeque::new();
        let mut popped = 0;
        fifo.connect_all();
        for time in 0..4000 {
            let reset = time < 8 * write_period.max(read_period);
            let rises = |period| time % period == period / 2;
            let falls = |period| time % period == 0;
            if falls(write_period) {
                fifo.write_reset.next = reset;
                fifo.push.next = !reset && random.below(4) > 0;
                fifo.push_data.next = random.value(40);
                fifo.write_clock.next = false.into();
            }
            if falls(read_period) {
                fifo.read_reset.next = reset;
                fifo.pop.next = !reset && random.below(4) > 0;
                fifo.read_clock.next = false.into();
            }
            assert!(simulate(&mut fifo, 50));
            assert!(model.len() <= depth);
            // Both sides look at what stands before the edge, as both edges may be one.
            let pops = rises(read_period) && fifo.pop.val() && !fifo.empty.val();
            if pops {
                assert_eq!(Some(fifo.pop_data.val()), model.pop_front());
                popped += 1;
            }
            if rises(write_period) && fifo.push.val() && !fifo.full.val() {
                model.push_back(fifo.push_data.val());
            }
            if rises(write_period) {
                fifo.write_clock.next = true.into();
            }
            if rises(read_period) {
                fifo.read_clock.next = true.into();
            }
            assert!(simulate(&mut fifo, 50));
        }
        popped
    }

    #[test]
    fn carries_words_between_clocks() {
        for (write_period, read_period) in [(2, 2), (2, 7), (7, 2), (5, 6), (6, 5)] {
            for depth in [4, 16] {
                let popped = run(depth, write_period, read_period);
                assert!(popped > 150, "{popped} words");
            }
        }
    }

    #[test]
    fn fills_to_its_depth() {
        let mut fifo = AsyncFifo::new(8, 4);
        fifo.connect_all();
        fifo.push.next = true;
        let mut pushed = 0;
        for _ in 0..10 {
            for level in [false, true] {
                fifo.write_clock.next = level.into();
                fifo.read_clock.next = level.into();
                pushed += u32::from(level && !fifo.full.val());
                assert!(simulate(&mut fifo, 50));
            }
        }
        assert_eq!(pushed, 4);
        assert!(fifo.full.val() && !fifo.empty.val());
    }
}
