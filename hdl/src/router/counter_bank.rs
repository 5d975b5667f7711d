//! `CounterBank`: counters of events, which stop at their largest value.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `count` | in | bit i: event i happens |
//! | `read`, `select` | in | a counter is read, and which one |
//! | `value` | out | what it shows; 0 past the last one, or when none is read |
//! | `clear` | in | of a bank that can be cleared: the selected counter becomes zero |
//!
//! Latency: 2 cycles from the event, 0 from `read` and `select`. Events wait in a register first: they come late in a cycle, and a
//! counter is long.
//!
//! Invariant: a counter that is read and cleared in the same cycle loses no event: what does not show yet is counted anew.

use super::bus;
use crate::cells::{bits_to_hold, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Counters of events; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CounterBank {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub count: Wire<In>,
    pub read: Signal<In, Bit>,
    pub select: Wire<In>,
    pub value: Wire<Out>,
    pub clear: Vec<Signal<In, Bit>>,
    happened: Register,
    counter: Vec<Register>,
}

impl CounterBank {
    /// Counters of `events` events.
    pub fn new(events: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            count: Wire::new(events),
            read: Default::default(),
            select: Wire::new(bits_to_hold(events - 1)),
            value: Wire::new(bus::DATA_BITS),
            clear: Vec::new(),
            happened: Register::new(events),
            counter: Register::vec(events, bus::DATA_BITS),
        }
    }

    /// Counters that can be cleared one by one.
    pub fn clearable(events: usize) -> Self {
        Self {
            clear: vec![Default::default()],
            ..Self::new(events)
        }
    }
}

impl Logic for CounterBank {
    #[kernel]
    fn update(&mut self) {
        comment!("module: counter_bank_{}", self.count.bits());
        let events = self.counter.len();
        clocked!(self.happened);
        self.happened.d.next = self.count.val();
        for i in 0..events {
            registers!(self.counter[i]);
            if self.happened.q.val().get_bit(i as u64) & !self.counter[i].q.val().all() {
                self.counter[i].d.next = self.counter[i].q.val() + 1;
            }
            for clear in 0..self.clear.len() {
                if self.clear[clear].val() & (self.select.val() == i as u64) {
                    self.counter[i].d.next =
                        self.happened.q.val().slice(i, 1).resize(bus::DATA_BITS);
                }
            }
        }
        self.value.next = 0.into();
        if self.read.val() {
            self.value.next = or_of(0..events, |i| {
                replicate(self.select.val() == i as u64, bus::DATA_BITS) & self.counter[i].q.val()
            });
        }
    }
}
