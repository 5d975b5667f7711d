//! `HierarchicalArbiter`: round-robin over many requests, in groups of eight.
//!
//! Ports, latency and invariants are those of [`RoundRobinArbiter`](super::RoundRobinArbiter), and so is every grant:
//! the order is exactly round-robin over all requests, not over groups, so nobody gains by sharing a group with few.
//! Only the circuit differs. Each group finds its own first request while the groups are compared with each other, so
//! the depth is that of two small choices in a row instead of a carry through all requests.
//!
//! Why this one, measured for 64 requests with `synth -flatten; abc -g AND; ltp` (a NOT counts as a level):
//!
//! | circuit | cells | flip-flops | levels |
//! |---|---|---|---|
//! | flat, `x & (!x + 1)` | 1006 | 63 | 73 |
//! | groups of 4 | 1119 | 63 | 32 |
//! | **groups of 8** | 1139 | 63 | 23 |
//! | matrix (least recently granted) | 22238 | 2016 | 14 |

use super::Register;
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{bits_of, or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Requests a group.
const GROUP: usize = 8;

/// A fair arbiter for many requests; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct HierarchicalArbiter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Wire<In>,
    pub advance: Signal<In, Bit>,
    pub grant: Wire<Out>,
    later: Wire<Local>,
    candidates: Vec<Wire<Local>>,
    groups: Wire<Local>,
    group: Wire<Local>,
    after_group: Wire<Local>,
    after_last: Register,
}

impl HierarchicalArbiter {
    /// An arbiter of `requests` requests.
    ///
    /// # Panics
    /// If `requests` is 0 or above 64.
    pub fn new(requests: usize) -> Self {
        assert!(
            (1..=64).contains(&requests),
            "an arbiter has 1 to 64 requests, not {requests}"
        );
        let groups = requests.div_ceil(GROUP);
        let members = |g| GROUP.min(requests - g * GROUP);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Wire::new(requests),
            advance: Default::default(),
            grant: Wire::new(requests),
            later: Wire::new(requests),
            candidates: (0..groups).map(|g| Wire::new(members(g))).collect(),
            groups: Wire::new(groups),
            group: Wire::new(groups),
            after_group: Wire::new(groups),
            after_last: Register::new(requests),
        }
    }
}

impl Logic for HierarchicalArbiter {
    #[kernel]
    fn update(&mut self) {
        comment!("module: hierarchical_arbiter_{}", self.request.bits());
        registers!(self.after_last);
        let requests = self.request.bits();
        let groups = self.candidates.len();
        self.later.next = self.request.val() & self.after_last.q.val();

        // Within each group: those after the last grant, if any, else all.
        for g in 0..groups {
            let members = self.candidates[g].bits();
            let later = self.later.val().slice(GROUP * g, members);
            if later.any() {
                self.candidates[g].next = later;
            } else {
                self.candidates[g].next = self.request.val().slice(GROUP * g, members);
            }
        }

        // Among groups: the first that has any after the last grant, else the first that has any.
        if self.later.val().any() {
            self.groups.next = bits_of(0..groups, |g| {
                self.later
                    .val()
                    .slice(GROUP * g, self.candidates[g].bits())
                    .any()
            });
        } else {
            self.groups.next = bits_of(0..groups, |g| self.candidates[g].val().any());
        }
        let some = self.groups.val();
        self.group.next = some & (!some + 1);
        self.after_group.next = !(some ^ (some - 1));

        self.grant.next = or_of(0..groups, |g| {
            ((self.candidates[g].val() & (!self.candidates[g].val() + 1))
                & replicate(
                    self.group.val().get_bit(g as u64),
                    self.candidates[g].bits(),
                ))
            .resize(requests)
                << (GROUP * g) as u64
        });
        if self.advance.val() & some.any() {
            self.after_last.d.next = or_of(0..groups, |g| {
                (!(self.candidates[g].val() ^ (self.candidates[g].val() - 1))
                    & replicate(
                        self.group.val().get_bit(g as u64),
                        self.candidates[g].bits(),
                    )
                    | replicate(
                        self.after_group.val().get_bit(g as u64),
                        self.candidates[g].bits(),
                    ))
                .resize(requests)
                    << (GROUP * g) as u64
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::follow_round_robin;

    #[test]
    fn follows_the_definition_of_round_robin() {
        for requests in [1, 2, 7, 8, 9, 16, 33, 40, 63, 64] {
            let mut arbiter = HierarchicalArbiter::new(requests);
            follow_round_robin!(arbiter, requests);
        }
    }
}
