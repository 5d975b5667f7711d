//! A [`RoundRobinArbiter`] under any requests.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `request`, `advance` | in | the arbiter's |
//! | `watch` | in | as in [`Grants`] |
//! | `never_grants_wrongly` | out | more than one grant, one that nobody asked for, or none though somebody asks |
//! | `never_wavers` | out | a grant that was not used goes to another, though the requests are the same |
//! | `never_starves` | out | a request has waited for as many grants as there are requests |
//! | `reaches_the_bound` | out | one has waited for all others |

use super::Grants;
use fantree_hdl::cells::RoundRobinArbiter;
use fantree_hdl::kernel;
use fantree_hdl::ports::Ports;
use fantree_hdl::wire::Wire;
use rust_hdl::prelude::*;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct RoundRobinHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Wire<In>,
    pub advance: Signal<In, Bit>,
    pub watch: Wire<In>,
    pub never_grants_wrongly: Signal<Out, Bit>,
    pub never_wavers: Signal<Out, Bit>,
    pub never_starves: Signal<Out, Bit>,
    pub reaches_the_bound: Signal<Out, Bit>,
    arbiter: RoundRobinArbiter,
    grants: Grants,
}

impl RoundRobinHarness {
    /// An arbiter of `requests` requests.
    pub fn new(requests: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Wire::new(requests),
            advance: Default::default(),
            watch: Wire::new(requests),
            never_grants_wrongly: Default::default(),
            never_wavers: Default::default(),
            never_starves: Default::default(),
            reaches_the_bound: Default::default(),
            arbiter: RoundRobinArbiter::new(requests),
            grants: Grants::new(requests, requests - 1),
        }
    }
}

impl Logic for RoundRobinHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: round_robin_harness");
        clocked!(self.arbiter, self.grants);
        self.arbiter.request.next = self.request.val();
        self.arbiter.advance.next = self.advance.val();
        self.grants.request.next = self.request.val();
        self.grants.advance.next = self.advance.val();
        self.grants.grant.next = self.arbiter.grant.val();
        self.grants.watch.next = self.watch.val();

        let most = self.request.bits() as u64 - 1;
        self.never_grants_wrongly.next = self.grants.wrong.val();
        self.never_wavers.next = self.grants.wavers.val();
        self.never_starves.next = self.grants.passed.val() > most;
        self.reaches_the_bound.next = self.grants.passed.val() == most;
    }
}
