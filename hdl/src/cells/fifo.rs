//! `Fifo`: a synchronous first-in, first-out queue whose first word falls through.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | rising edge; synchronous, active high: empty |
//! | `push`, `push_data` | in | appends a word at this edge |
//! | `pop` | in | removes the oldest word at this edge |
//! | `pop_data` | out | the oldest word, valid while not `empty` |
//! | `empty`, `full` | out | no word, no room |
//! | `count` | out | words held |
//!
//! Latency: a word pushed into an empty queue shows at `pop_data` one cycle later. One word in and one out a cycle.
//! All outputs come from registers or the memory, none from `push` or `pop`.
//!
//! Invariants: `0 <= count <= depth`, `empty == (count == 0)`, `full == (count == depth)`. Pushing while `full` and
//! popping while `empty` are the user's mistakes to assert against; each is ignored, and the other side of that cycle
//! still happens: push and pop while full pops only, push and pop while empty pushes only.

use super::{bits_to_hold, LutRam, ModuloCounter, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// A synchronous queue; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Fifo {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub push: Signal<In, Bit>,
    pub push_data: Wire<In>,
    pub pop: Signal<In, Bit>,
    pub pop_data: Wire<Out>,
    pub empty: Signal<Out, Bit>,
    pub full: Signal<Out, Bit>,
    pub count: Wire<Out>,
    pushed: Signal<Local, Bit>,
    popped: Signal<Local, Bit>,
    memory: LutRam,
    head: ModuloCounter,
    tail: ModuloCounter,
    held: Register,
    _depth: usize,
}

impl Fifo {
    /// A queue of `depth` words of `width` bits.
    ///
    /// # Panics
    /// If `depth` is 0.
    pub fn new(width: usize, depth: usize) -> Self {
        assert!(depth > 0, "a queue holds at least one word");
        let count_width = bits_to_hold(depth);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            push: Default::default(),
            push_data: Wire::new(width),
            pop: Default::default(),
            pop_data: Wire::new(width),
            empty: Default::default(),
            full: Default::default(),
            count: Wire::new(count_width),
            pushed: Default::default(),
            popped: Default::default(),
            memory: LutRam::new(width, depth),
            head: ModuloCounter::new(depth),
            tail: ModuloCounter::new(depth),
            held: Register::new(count_width),
            _depth: depth,
        }
    }

    /// `count` queues of `depth` words of `width` bits.
    pub fn vec(count: usize, width: usize, depth: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new(width, depth)).collect()
    }
}

impl Logic for Fifo {
    #[kernel]
    fn update(&mut self) {
        comment!("module: fifo_{}x{}", self._depth, self.push_data.bits());
        clocked!(self.head, self.tail);
        registers!(self.held);
        self.count.next = self.held.q.val();
        self.empty.next = self.held.q.val() == 0;
        self.full.next = self.held.q.val() == self._depth as u64;

        self.pushed.next = self.push.val() & !self.full.val();
        self.popped.next = self.pop.val() & !self.empty.val();
        let pushed = self.pushed.val();
        let popped = self.popped.val();
        self.tail.advance.next = pushed;
        self.head.advance.next = popped;
        if pushed & !popped {
            self.held.d.next = self.held.q.val() + 1;
        } else if popped & !pushed {
            self.held.d.next = self.held.q.val() - 1;
        }

        self.memory.clock.next = self.clock.val();
        self.memory.write_enable.next = pushed;
        self.memory.write_address.next = self.tail.value.val();
        self.memory.write_data.next = self.push_data.val();
        self.memory.read_address.next = self.head.value.val();
        self.pop_data.next = self.memory.read_data.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{cycle, Random};
    use crate::wire::Value;
    use std::collections::VecDeque;

    /// Drives a queue against a `VecDeque`, every cycle with whatever `random` says, legal or not.
    fn follow(depth: usize, width: usize) {
        let mut random = Random(depth as u64);
        let mut fifo = Fifo::new(width, depth);
        let mut model: VecDeque<Value> = VecDeque::new();
        fifo.connect_all();
        fifo.reset.next = true;
        cycle!(fifo);
        fifo.reset.next = false;
        for step in 0..600 {
            assert_eq!(fifo.empty.val(), model.is_empty(), "step {step}");
            assert_eq!(fifo.full.val(), model.len() == depth, "step {step}");
            assert_eq!(fifo.count.val(), model.len() as u64, "step {step}");
            if let Some(&first) = model.front() {
                assert_eq!(fifo.pop_data.val(), first, "step {step}");
            }
            // Phases that fill, that drain, and that do both.
            let bias = step / 100 % 3;
            let (push, pop) = (random.below(3) >= bias, random.below(3) >= 2 - bias);
            let data = random.value(width);
            (fifo.push.next, fifo.pop.next) = (push, pop);
            fifo.push_data.next = data;
            let room = model.len() < depth;
            if pop {
                model.pop_front();
            }
            if push && room {
                model.push_back(data);
            }
            cycle!(fifo);
        }
    }

    #[test]
    fn keeps_order_at_any_depth() {
        for depth in [1, 2, 3, 4, 5, 7, 8, 16, 17] {
            follow(depth, 134);
        }
        follow(4, 1);
    }

    #[test]
    fn push_and_pop_at_the_ends() {
        let mut fifo = Fifo::new(8, 1);
        fifo.connect_all();
        (fifo.push.next, fifo.pop.next) = (true, true);
        fifo.push_data.next = 1.into();
        cycle!(fifo);
        assert!(fifo.full.val(), "empty: the push happens, the pop does not");
        assert_eq!(fifo.pop_data.val(), 1);
        fifo.push_data.next = 2.into();
        cycle!(fifo);
        assert!(fifo.empty.val(), "full: the pop happens, the push does not");
    }
}
