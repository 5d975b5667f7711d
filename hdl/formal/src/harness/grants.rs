//! What a fair arbiter must never do, and how long one of its requests waits.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `request`, `advance`, `grant` | in | the arbiter's |
//! | `watch` | in | requests to choose one from that is passed over now, if none is watched |
//! | `wrong` | out | more than one grant, one that nobody asked for, or none though somebody asks |
//! | `wavers` | out | the same requests as in the cycle before, whose grant was not used, get another grant |
//! | `watched` | out | the request that is watched; none when it was granted or gave up |
//! | `passed` | out | grants of others, used, that it has seen since |
//!
//! Any request may be watched from any moment on, so what holds for it holds for all.

use fantree_hdl::cells::{bits_to_hold, Flag, Register};
use fantree_hdl::kernel;
use fantree_hdl::ports::Ports;
use fantree_hdl::wire::Wire;
use rust_hdl::prelude::*;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Grants {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Wire<In>,
    pub advance: Signal<In, Bit>,
    pub grant: Wire<In>,
    pub watch: Wire<In>,
    pub wrong: Signal<Out, Bit>,
    pub wavers: Signal<Out, Bit>,
    pub watched: Wire<Out>,
    pub passed: Wire<Out>,
    waits: Wire<Local>,
    waiting: Register,
    count: Register,
    last_request: Register,
    last_grant: Register,
    last_unused: Flag,
}

impl Grants {
    /// Of `requests` requests; `passed` counts up to `most` and one more.
    pub fn new(requests: usize, most: usize) -> Self {
        let width = bits_to_hold(most + 1);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Wire::new(requests),
            advance: Default::default(),
            grant: Wire::new(requests),
            watch: Wire::new(requests),
            wrong: Default::default(),
            wavers: Default::default(),
            watched: Wire::new(requests),
            passed: Wire::new(width),
            waits: Wire::new(requests),
            waiting: Register::new(requests),
            count: Register::new(width),
            last_request: Register::new(requests),
            last_grant: Register::new(requests),
            last_unused: Default::default(),
        }
    }
}

impl Logic for Grants {
    #[kernel]
    fn update(&mut self) {
        comment!("module: grants_of_{}", self.request.bits());
        registers!(self.count);
        clocked!(
            self.waiting,
            self.last_request,
            self.last_grant,
            self.last_unused
        );
        let request = self.request.val();
        let grant = self.grant.val();
        self.wrong.next =
            (grant & (grant - 1)).any() | (grant & !request).any() | (request.any() & !grant.any());

        self.last_request.d.next = request;
        self.last_grant.d.next = grant;
        self.last_unused.d.next = !self.advance.val();
        self.wavers.next = self.last_unused.q.val()
            & (self.last_request.q.val() == request)
            & (self.last_grant.q.val() != grant);

        let used = self.advance.val() & grant.any();
        let watches = self.waiting.q.val().any();
        self.waits.next = self.waiting.q.val() & request;
        if used & watches {
            self.waits.next = self.waiting.q.val() & request & !grant;
            self.count.d.next = self.count.q.val() + 1;
        } else if used {
            let passed_over = self.watch.val() & request & !grant;
            self.waits.next = passed_over & (!passed_over + 1);
            self.count.d.next = 1.into();
        }
        self.waiting.d.next = self.waits.val();
        self.watched.next = self.waiting.q.val();
        self.passed.next = 0.into();
        if watches {
            self.passed.next = self.count.q.val();
        }
    }
}
