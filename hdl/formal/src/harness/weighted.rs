//! A [`WeightedArbiter`] under any requests, with any weights that stay as they are.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `request`, `advance` | in | the arbiter's; nobody asks in the first cycle |
//! | `weight[i]` | in | looked at in the first cycle |
//! | `watch` | in | as in [`Grants`] |
//! | `never_grants_wrongly` | out | more than one grant, one that nobody asked for, or none though somebody asks |
//! | `never_starves` | out | a request has waited for more than the weights of the others, and another grant of each but one |
//! | `reaches_the_bound` | out | one has waited for so many |

use super::Grants;
use fantree_hdl::cells::{bits_to_hold, Flag, Register, WeightedArbiter};
use fantree_hdl::kernel;
use fantree_hdl::ports::Ports;
use fantree_hdl::wire::{replicate, Wire};
use rust_hdl::prelude::*;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct WeightedHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Wire<In>,
    pub advance: Signal<In, Bit>,
    pub weight: Vec<Wire<In>>,
    pub watch: Wire<In>,
    pub never_grants_wrongly: Signal<Out, Bit>,
    pub never_starves: Signal<Out, Bit>,
    pub reaches_the_bound: Signal<Out, Bit>,
    arbiter: WeightedArbiter,
    grants: Grants,
    weighted: Flag,
    kept_weight: Vec<Register>,
    asks: Wire<Local>,
    /// The most that the watched request may wait for, as far as those below i are concerned.
    bound: Vec<Wire<Local>>,
}

impl WeightedHarness {
    /// An arbiter of `requests` requests, at least two, with weights of `weight_bits` bits.
    pub fn new(requests: usize, weight_bits: usize) -> Self {
        let most = (requests - 1) * ((1 << weight_bits) - 1) + requests - 2;
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Wire::new(requests),
            advance: Default::default(),
            weight: Wire::vec(requests, weight_bits),
            watch: Wire::new(requests),
            never_grants_wrongly: Default::default(),
            never_starves: Default::default(),
            reaches_the_bound: Default::default(),
            arbiter: WeightedArbiter::new(requests, weight_bits),
            grants: Grants::new(requests, most),
            weighted: Default::default(),
            kept_weight: Register::vec(requests, weight_bits),
            asks: Wire::new(requests),
            bound: Wire::vec(requests + 1, bits_to_hold(most + 1)),
        }
    }
}

impl Logic for WeightedHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: weighted_harness");
        clocked!(self.arbiter, self.grants, self.weighted);
        let requests = self.request.bits();
        let width = self.bound[0].bits();
        self.weighted.d.next = true;
        self.asks.next = self.request.val() & replicate(self.weighted.q.val(), requests);
        self.arbiter.request.next = self.asks.val();
        self.arbiter.advance.next = self.advance.val();
        self.grants.request.next = self.asks.val();
        self.grants.advance.next = self.advance.val();
        self.grants.grant.next = self.arbiter.grant.val();
        self.grants.watch.next = self.watch.val();

        self.bound[0].next = (requests as u64 - 2).into();
        for i in 0..requests {
            registers!(self.kept_weight[i]);
            if !self.weighted.q.val() {
                self.kept_weight[i].d.next = self.weight[i].val();
            }
            let weight = self.kept_weight[i].q.val();
            self.arbiter.weight[i].next = weight;
            // Weight 0 counts as 1.
            let turns = weight | replicate(!weight.any(), 1).resize(weight.bits());
            self.bound[i + 1].next = self.bound[i].val();
            if !self.grants.watched.val().get_bit(i as u64) {
                self.bound[i + 1].next = self.bound[i].val() + turns.resize(width);
            }
        }

        self.never_grants_wrongly.next = self.grants.wrong.val();
        self.never_starves.next = self.grants.passed.val() > self.bound[requests].val();
        self.reaches_the_bound.next = self.grants.watched.val().any()
            & (self.grants.passed.val() == self.bound[requests].val());
    }
}
