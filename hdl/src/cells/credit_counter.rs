//! `CreditCounter`: how many places of the next buffer are free.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | rising edge; synchronous, active high: all places are free |
//! | `take` | in | a place is used at this edge |
//! | `give` | in | a place was freed |
//! | `available` | out | at least one place is free |
//! | `count` | out | free places |
//!
//! Latency: 1 cycle from `take` and `give` to `count`; both in one cycle leave it alone.
//!
//! Invariant (the user's): 0 ≤ `count` ≤ initial, that is, nothing is taken that is not `available`, and nothing given
//! that was not taken.

use super::{bits_to_hold, Register};
use crate::kernel;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// A counter of free places; see the [module](self).
#[derive(LogicBlock)]
pub struct CreditCounter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub take: Signal<In, Bit>,
    pub give: Signal<In, Bit>,
    pub available: Signal<Out, Bit>,
    pub count: Wire<Out>,
    free: Register,
}

impl CreditCounter {
    /// A counter for a buffer of `places`.
    pub fn new(places: usize) -> Self {
        let width = bits_to_hold(places);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            take: Default::default(),
            give: Default::default(),
            available: Default::default(),
            count: Wire::new(width),
            free: Register::with_reset(width, places as u64),
        }
    }

    /// `count` counters for buffers of `places`.
    pub fn vec(count: usize, places: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new(places)).collect()
    }
}

impl Logic for CreditCounter {
    #[kernel]
    fn update(&mut self) {
        comment!("module: credit_counter");
        registers!(self.free);
        if self.take.val() & !self.give.val() {
            self.free.d.next = self.free.q.val() - 1;
        }
        if self.give.val() & !self.take.val() {
            self.free.d.next = self.free.q.val() + 1;
        }
        self.available.next = self.free.q.val().any();
        self.count.next = self.free.q.val();
    }
}
