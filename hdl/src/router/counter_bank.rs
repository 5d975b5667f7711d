//! `CounterBank`: counters of events, which stop at their largest value.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `count` | in | bit i: event i happens |
//! | `read`, `select` | in | a counter is read, and which one |
//! | `value` | out | what it shows; 0 past the last one, or when none is read |
//!
//! Latency: 2 cycles from the event, 0 from `read` and `select`. Events wait in a register first: they come late in a cycle, and a
//! counter is long.

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
            happened: Register::new(events),
            counter: Register::vec(events, bus::DATA_BITS),
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
        }
        self.value.next = 0.into();
        if self.read.val() {
            self.value.next = or_of(0..events, |i| {
                replicate(self.select.val() == i as u64, bus::DATA_BITS) & self.counter[i].q.val()
            });
        }
    }
}
