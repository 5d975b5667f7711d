//! `CounterBank`: counters of events, which stop at their largest value.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `count` | in | bit i: event i happens |
//! | `select` | in | a counter |
//! | `value` | out | what it shows, 0 past the last one |
//!
//! Latency: 1 cycle from the event, 0 from `select`.

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
    pub select: Wire<In>,
    pub value: Wire<Out>,
    counter: Vec<Register>,
}

impl CounterBank {
    /// Counters of `events` events.
    pub fn new(events: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            count: Wire::new(events),
            select: Wire::new(bits_to_hold(events - 1)),
            value: Wire::new(bus::DATA_BITS),
            counter: Register::vec(events, bus::DATA_BITS),
        }
    }
}

impl Logic for CounterBank {
    #[kernel]
    fn update(&mut self) {
        comment!("module: counter_bank_{}", self.count.bits());
        let events = self.counter.len();
        for i in 0..events {
            registers!(self.counter[i]);
            if self.count.val().get_bit(i as u64) & !self.counter[i].q.val().all() {
                self.counter[i].d.next = self.counter[i].q.val() + 1;
            }
        }
        self.value.next = or_of(0..events, |i| {
            replicate(self.select.val() == i as u64, bus::DATA_BITS) & self.counter[i].q.val()
        });
    }
}
