//! `RoundRobinArbiter`: grants one of many requests, each in its turn.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | rising edge; synchronous, active high: request 0 is first |
//! | `request` | in | who asks, a bit each, at most 64 |
//! | `advance` | in | the grant is used: at this edge the turn moves past it |
//! | `grant` | out | who may go: one of `request`, or none when nobody asks |
//!
//! Latency: 0 cycles from `request` to `grant`. Without `advance` the turn stays, so a grant holds while its request
//! does and nobody before it in the turn asks; whoever must keep a grant for many cycles keeps it in a register.
//!
//! Invariants: `grant` has at most one bit; `grant` is within `request`; some grant whenever some request. A request
//! that stays is granted after at most n − 1 grants of others.
//!
//! The turn is kept as a thermometer mask of all positions after the last grant, so the choice is two bit tricks and no
//! rotation: the lowest set bit of `x` is `x & (!x + 1)`, and all positions above it are `!(x ^ (x - 1))`. The carry
//! makes it slow for many requests: above 16, take [`HierarchicalArbiter`](super::HierarchicalArbiter).

use super::Register;
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// A fair arbiter; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct RoundRobinArbiter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Wire<In>,
    pub advance: Signal<In, Bit>,
    pub grant: Wire<Out>,
    candidates: Wire<Local>,
    after_last: Register,
}

impl RoundRobinArbiter {
    /// An arbiter of `requests` requests.
    ///
    /// # Panics
    /// If `requests` is 0 or above 64.
    pub fn new(requests: usize) -> Self {
        assert!(
            (1..=64).contains(&requests),
            "an arbiter has 1 to 64 requests, not {requests}"
        );
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Wire::new(requests),
            advance: Default::default(),
            grant: Wire::new(requests),
            candidates: Wire::new(requests),
            after_last: Register::new(requests),
        }
    }
}

impl Logic for RoundRobinArbiter {
    #[kernel]
    fn update(&mut self) {
        comment!("module: round_robin_arbiter_{}", self.request.bits());
        registers!(self.after_last);
        let later = self.request.val() & self.after_last.q.val();
        if later.any() {
            self.candidates.next = later;
        } else {
            self.candidates.next = self.request.val();
        }
        let candidates = self.candidates.val();
        self.grant.next = candidates & (!candidates + 1);
        if self.advance.val() & candidates.any() {
            self.after_last.d.next = !(candidates ^ (candidates - 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{cycle, follow_round_robin};

    #[test]
    fn follows_the_definition() {
        for requests in [1, 2, 3, 7, 8, 33, 64] {
            let mut arbiter = RoundRobinArbiter::new(requests);
            follow_round_robin!(arbiter, requests);
        }
    }

    #[test]
    fn serves_all_alike() {
        let mut arbiter = RoundRobinArbiter::new(5);
        arbiter.connect_all();
        arbiter.request.next = 0b11111.into();
        arbiter.advance.next = true;
        let mut served = [0; 5];
        for _ in 0..50 {
            arbiter.clock.next = false.into();
            assert!(simulate(&mut arbiter, 10));
            served[arbiter.grant.val().to_u64().trailing_zeros() as usize] += 1;
            cycle!(arbiter);
        }
        assert_eq!(served, [10; 5]);
    }
}
