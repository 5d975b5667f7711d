//! A [`CreditPool`] with a sender that has packets of any length, and a receiver that frees blocks whenever it likes.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `wanted_private[v]`, `wanted_shared`, `change` | in | the split's, see [`Split`] |
//! | `comes`, `blocks[v]` | in | bit v: a packet of so many blocks comes to VC v, if none waits there and there can ever be so many |
//! | `leaves` | in | bit v: the packet that waits is dropped |
//! | `goes` | in | of these VCs the first whose packet has its blocks takes them |
//! | `frees` | in | bit v: a block of VC v comes free, if any is in use |
//! | `watch` | in | VCs to choose one from that lacks blocks, if none is watched |
//! | `never_loses_a_credit` | out | `in_use` is not what was taken less what was given |
//! | `never_accuses` | out | `error`, though no more came free than was in use |
//! | `never_overflows` | out | more blocks are in use than the buffer has |
//! | `never_shares_too_much` | out | more blocks beyond the private ones are in use than are shared, and the split has stayed since none was in use |
//! | `never_starves` | out | a VC that lacks blocks sees others take shared ones too often, with a split that stays |
//! | `never_locks_up` | out | no block is in use, the split has enough for every packet that waits, and yet none may go |
//! | `reaches_all_in_use` | out | every block is in use |
//! | `reaches_all_back` | out | none is, after that |
//! | `reaches_the_bound` | out | a VC that lacks blocks has seen as many as it may |

use super::Split;
use fantree_hdl::cells::{bits_to_hold, Flag, Register};
use fantree_hdl::kernel;
use fantree_hdl::ports::Ports;
use fantree_hdl::router::{CreditPool, RouterParams};
use fantree_hdl::wire::{any_of, bits_of, or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Cycles without a block in use, another split or a packet that is dropped, after which the pool has no more to do.
const SETTLED: u64 = 3;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CreditPoolHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub wanted_private: Vec<Wire<In>>,
    pub wanted_shared: Wire<In>,
    pub change: Signal<In, Bit>,
    pub comes: Wire<In>,
    pub blocks: Vec<Wire<In>>,
    pub leaves: Wire<In>,
    pub goes: Wire<In>,
    pub frees: Wire<In>,
    pub watch: Wire<In>,
    pub never_loses_a_credit: Signal<Out, Bit>,
    pub never_accuses: Signal<Out, Bit>,
    pub never_overflows: Signal<Out, Bit>,
    pub never_shares_too_much: Signal<Out, Bit>,
    pub never_starves: Signal<Out, Bit>,
    pub never_locks_up: Signal<Out, Bit>,
    pub reaches_all_in_use: Signal<Out, Bit>,
    pub reaches_all_back: Signal<Out, Bit>,
    pub reaches_the_bound: Signal<Out, Bit>,
    split: Split,
    pool: CreditPool,
    /// Of each VC: blocks that its waiting packet needs, 0 if none waits; blocks in use.
    needs: Vec<Register>,
    used: Vec<Register>,
    ready: Wire<Local>,
    takes: Wire<Local>,
    gives: Wire<Local>,
    /// Of VCs below v: blocks in use, and those beyond the private ones.
    used_below: Vec<Wire<Local>>,
    beyond: Vec<Wire<Local>>,
    beyond_below: Vec<Wire<Local>>,
    watched: Register,
    passed: Register,
    idle: Register,
    /// Cycles since the split was another one.
    unchanged: Register,
    was_full: Flag,
    /// The split is another than when the first of the blocks in use was taken.
    changed: Flag,
    _params: RouterParams,
    _bound: u64,
}

impl CreditPoolHarness {
    /// A VC that lacks blocks sees others take shared ones at most `bound` times: whoever has its turn before, and what goes
    /// while the turn passes on.
    pub fn new(params: &RouterParams, bound: u64) -> Self {
        let vcs = params.virtual_channels;
        let split = Split::new(params);
        let pool = CreditPool::new(params);
        let sum = || Wire::vec(vcs + 1, split.shared.bits() + 4);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            wanted_private: Wire::vec(vcs, split.shared.bits()),
            wanted_shared: Wire::new(split.shared.bits()),
            change: Default::default(),
            comes: Wire::new(vcs),
            blocks: Wire::vec(vcs, pool.take_blocks.bits()),
            leaves: Wire::new(vcs),
            goes: Wire::new(vcs),
            frees: Wire::new(vcs),
            watch: Wire::new(vcs),
            never_loses_a_credit: Default::default(),
            never_accuses: Default::default(),
            never_overflows: Default::default(),
            never_shares_too_much: Default::default(),
            never_starves: Default::default(),
            never_locks_up: Default::default(),
            reaches_all_in_use: Default::default(),
            reaches_all_back: Default::default(),
            reaches_the_bound: Default::default(),
            needs: Register::vec(vcs, pool.take_blocks.bits()),
            used: Register::vec(vcs, split.shared.bits()),
            ready: Wire::new(vcs),
            takes: Wire::new(vcs),
            gives: Wire::new(vcs),
            used_below: sum(),
            beyond: sum(),
            beyond_below: sum(),
            watched: Register::new(vcs),
            passed: Register::new(bits_to_hold(bound as usize + 1)),
            idle: Register::new(bits_to_hold(SETTLED as usize)),
            unchanged: Register::new(bits_to_hold(SETTLED as usize)),
            was_full: Default::default(),
            changed: Default::default(),
            split,
            pool,
            _params: *params,
            _bound: bound,
        }
    }
}

impl Logic for CreditPoolHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: credit_pool_harness");
        let vcs = self._params.virtual_channels;
        let (bits, wide) = (self.used[0].d.bits(), self.used_below[0].bits());
        let need_bits = self.needs[0].d.bits();
        let all = self._params.input_buffer_blocks as u64;
        let longest = self._params.blocks_of(self._params.max_packet_flits) as u64;
        clocked!(self.split, self.pool);
        registers!(self.watched, self.passed, self.idle, self.unchanged);
        registers!(self.was_full, self.changed);
        self.split.wanted_shared.next = self.wanted_shared.val();
        self.split.change.next = self.change.val();
        self.pool.shared.next = self.split.shared.val();

        // The sender.
        self.ready.next = bits_of(0..vcs, |v| {
            self.needs[v].q.val().any()
                & (self.pool.available[v].val() >= self.needs[v].q.val().resize(bits))
        });
        let may_go = self.goes.val() & self.ready.val();
        self.takes.next = may_go & (!may_go + 1);
        self.pool.take.next = self.takes.val();
        self.pool.take_blocks.next = or_of(0..vcs, |v| {
            replicate(self.takes.val().get_bit(v as u64), need_bits) & self.needs[v].q.val()
        });
        self.pool.wants.next = bits_of(0..vcs, |v| self.needs[v].q.val().any());
        self.pool.lacks.next = bits_of(0..vcs, |v| self.needs[v].q.val().any()) & !self.ready.val();
        self.gives.next = self.frees.val() & bits_of(0..vcs, |v| self.used[v].q.val().any());
        self.pool.give.next = self.gives.val();

        self.used_below[0].next = 0.into();
        self.beyond_below[0].next = 0.into();
        for v in 0..vcs {
            registers!(self.needs[v], self.used[v]);
            self.split.wanted_private[v].next = self.wanted_private[v].val();
            self.pool.private[v].next = self.split.private[v].val();
            let private = self.split.private[v].val().resize(wide);
            let used = self.used[v].q.val();
            let takes = self.takes.val().get_bit(v as u64);
            self.used[v].d.next = used
                + (replicate(takes, bits) & self.needs[v].q.val().resize(bits))
                - self.gives.val().slice(v, 1).resize(bits);

            let blocks = self.blocks[v].val();
            if takes | self.leaves.val().get_bit(v as u64) {
                self.needs[v].d.next = 0.into();
            } else if self.comes.val().get_bit(v as u64)
                & self.split.made.val()
                & !self.needs[v].q.val().any()
                & (blocks <= longest)
                & (blocks.resize(wide) <= private + self.split.shared.val().resize(wide))
            {
                self.needs[v].d.next = blocks;
            }

            self.used_below[v + 1].next = self.used_below[v].val() + used.resize(wide);
            self.beyond[v].next = 0.into();
            if used.resize(wide) > private {
                self.beyond[v].next = used.resize(wide) - private;
            }
            self.beyond_below[v + 1].next = self.beyond_below[v].val() + self.beyond[v].val();
        }
        let in_use = self.used_below[vcs].val();
        self.never_loses_a_credit.next = self.pool.in_use.val().resize(wide) != in_use;
        self.never_accuses.next = self.pool.error.val();
        self.never_overflows.next = in_use > all;
        if self.change.val() {
            self.changed.d.next = true;
        } else if self.idle.q.val() == SETTLED {
            self.changed.d.next = false;
        }
        self.never_shares_too_much.next = !self.changed.q.val()
            & (self.beyond_below[vcs].val() > self.split.shared.val().resize(wide));
        self.reaches_all_in_use.next = in_use == all;
        if in_use == all {
            self.was_full.d.next = true;
        }
        self.reaches_all_back.next = self.was_full.q.val() & !in_use.any();

        // A watched VC lacks blocks at first and waits until it goes; takes beyond private blocks count while it lacks. What
        // they are is for the split to say, so it has to stay.
        let lacks = self.pool.lacks.val();
        let stays = self.watched.q.val()
            & bits_of(0..vcs, |v| self.needs[v].q.val().any())
            & !self.takes.val()
            & !self.leaves.val();
        let shared_is_taken = any_of(0..vcs, |v| {
            self.takes.val().get_bit(v as u64)
                & (self.used[v].q.val().resize(wide) + self.needs[v].q.val().resize(wide)
                    > self.split.private[v].val().resize(wide))
        });
        if self.change.val() {
            self.unchanged.d.next = 0.into();
            self.watched.d.next = 0.into();
        } else if self.unchanged.q.val() != SETTLED {
            self.unchanged.d.next = self.unchanged.q.val() + 1;
        } else if self.watched.q.val().any() {
            self.watched.d.next = stays;
            if shared_is_taken & (self.watched.q.val() & lacks).any() {
                self.passed.d.next = self.passed.q.val() + 1;
            }
        } else {
            let candidates = self.watch.val() & lacks & !self.leaves.val();
            self.watched.d.next = candidates & (!candidates + 1);
            self.passed.d.next = 0.into();
        }
        self.never_starves.next = self.watched.q.val().any() & (self.passed.q.val() > self._bound);
        self.reaches_the_bound.next =
            self.watched.q.val().any() & (self.passed.q.val() == self._bound);

        let gives_up = self.leaves.val() & bits_of(0..vcs, |v| self.needs[v].q.val().any());
        if in_use.any() | self.takes.val().any() | self.change.val() | gives_up.any() {
            self.idle.d.next = 0.into();
        } else if self.idle.q.val() != SETTLED {
            self.idle.d.next = self.idle.q.val() + 1;
        }
        let too_much = any_of(0..vcs, |v| {
            self.needs[v].q.val().resize(wide)
                > self.split.private[v].val().resize(wide) + self.split.shared.val().resize(wide)
        });
        self.never_locks_up.next =
            (self.idle.q.val() == SETTLED) & lacks.any() & !too_much & !self.ready.val().any();
    }
}
