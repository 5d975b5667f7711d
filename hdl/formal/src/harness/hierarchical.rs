//! A [`HierarchicalArbiter`] beside the [`RoundRobinArbiter`] that it must be equal to, grant by grant.
//!
//! What is proved of the one so holds for the other, at sizes where the proof itself would take too long.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `request`, `advance` | in | of both |
//! | `never_differs` | out | the grants differ |
//! | `reaches_the_next_group` | out | the last request is granted though the first one asks, too |

use fantree_hdl::cells::{HierarchicalArbiter, RoundRobinArbiter};
use fantree_hdl::kernel;
use fantree_hdl::ports::Ports;
use fantree_hdl::wire::Wire;
use rust_hdl::prelude::*;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct HierarchicalHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Wire<In>,
    pub advance: Signal<In, Bit>,
    pub never_differs: Signal<Out, Bit>,
    pub reaches_the_next_group: Signal<Out, Bit>,
    arbiter: HierarchicalArbiter,
    reference: RoundRobinArbiter,
}

impl HierarchicalHarness {
    /// Arbiters of `requests` requests.
    pub fn new(requests: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Wire::new(requests),
            advance: Default::default(),
            never_differs: Default::default(),
            reaches_the_next_group: Default::default(),
            arbiter: HierarchicalArbiter::new(requests),
            reference: RoundRobinArbiter::new(requests),
        }
    }
}

impl Logic for HierarchicalHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: hierarchical_harness");
        clocked!(self.arbiter, self.reference);
        self.arbiter.request.next = self.request.val();
        self.arbiter.advance.next = self.advance.val();
        self.reference.request.next = self.request.val();
        self.reference.advance.next = self.advance.val();
        self.never_differs.next = self.arbiter.grant.val() != self.reference.grant.val();
        let last = self.request.bits() as u64 - 1;
        self.reaches_the_next_group.next =
            self.arbiter.grant.val().get_bit(last) & self.request.val().get_bit(0u64);
    }
}
