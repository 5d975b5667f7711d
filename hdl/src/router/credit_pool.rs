//! `CreditPool`: the blocks that the next chip's input buffer has for each virtual channel (VC) of a link.
//!
//! The sender's side of [`InputBuffer`](super::InputBuffer). Every VC has some private blocks; what it holds beyond them
//! counts against the shared ones. Both numbers are registers that may change at any time, because nothing is kept but
//! the blocks in use: what is free follows from them. Blocks that one VC still has from the split before are not
//! another's by the new one until they come back.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `private[v]`, `shared` | in | blocks for VC v alone, and for all of them |
//! | `take`, `take_blocks` | in | the VC whose bit is set takes so many blocks; at most one bit |
//! | `give` | in | bit v: a block of VC v came free |
//! | `wants` | in | bit v: VC v has a packet that has not taken its blocks yet |
//! | `lacks` | in | bit v: and needs more than may be taken now |
//! | `available[v]` | out | blocks that VC v may take now |
//! | `in_use` | out | blocks in use, all VCs together |
//! | `error` | out | since reset, more blocks came free than were in use |
//!
//! Latency: `available` shows a block given in cycle t in t + 2, and never one too many: what was taken a cycle ago is
//! taken off at once, from every VC.
//!
//! Invariants, given that a VC takes at most what is available to it: the shared blocks in use, which are the sum over
//! VCs of blocks beyond the private ones, are at most `shared` while the split stays; all blocks in use are at most those
//! of the buffer, whatever the split. No VC
//! starves: the shared blocks are kept for one waiting VC at a time, in turn, so what comes free adds up until it is
//! enough even for the longest packet, whatever the others take in the meantime from their private blocks.
//!
//! Whether a VC can be held up for ever by another is for the split to rule out: a VC whose private blocks hold the
//! longest packet needs no shared ones, so a message class that has stopped takes nothing from it. With less, every
//! shared block may end in the hands of a class that has stopped; that is right only where no class waits for another.

use super::RouterParams;
use crate::cells::{bits_to_hold, Flag, Register, RoundRobinArbiter};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{replicate, Wire};
use rust_hdl::prelude::*;

/// Credits of a link; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CreditPool {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub private: Vec<Wire<In>>,
    pub shared: Wire<In>,
    pub take: Wire<In>,
    pub take_blocks: Wire<In>,
    pub give: Wire<In>,
    pub wants: Wire<In>,
    pub lacks: Wire<In>,
    pub available: Vec<Wire<Out>>,
    pub in_use: Wire<Out>,
    pub error: Signal<Out, Bit>,
    used: Vec<Register>,
    /// Of each VC, the private blocks left and the blocks beyond them; of VCs below v, the sums.
    room: Vec<Wire<Local>>,
    beyond: Vec<Wire<Local>>,
    beyond_below: Vec<Wire<Local>>,
    used_below: Vec<Wire<Local>>,
    shared_left: Wire<Local>,
    /// What the split lets each VC take, and what the buffer has left for anybody.
    allowed: Vec<Wire<Local>>,
    left: Wire<Local>,
    free: Vec<Register>,
    just_taken: Register,
    turn: RoundRobinArbiter,
    /// The VC that the shared blocks are kept for; none when nobody waits.
    kept_for: Register,
    broken: Flag,
    _blocks: usize,
}

impl CreditPool {
    pub fn new(params: &RouterParams) -> Self {
        let vcs = params.virtual_channels;
        let width = params.block_count_bits();
        let most_taken = params.blocks_of(params.max_packet_flits);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            private: Wire::vec(vcs, width),
            shared: Wire::new(width),
            take: Wire::new(vcs),
            take_blocks: Wire::new(bits_to_hold(most_taken)),
            give: Wire::new(vcs),
            wants: Wire::new(vcs),
            lacks: Wire::new(vcs),
            available: Wire::vec(vcs, width),
            in_use: Wire::new(width),
            error: Default::default(),
            used: Register::vec(vcs, width),
            room: Wire::vec(vcs, width),
            beyond: Wire::vec(vcs, width),
            beyond_below: Wire::vec(vcs + 1, width),
            used_below: Wire::vec(vcs + 1, width),
            shared_left: Wire::new(width),
            allowed: Wire::vec(vcs, width),
            left: Wire::new(width),
            free: Register::vec(vcs, width),
            just_taken: Register::new(width),
            turn: RoundRobinArbiter::new(vcs),
            kept_for: Register::new(vcs),
            broken: Default::default(),
            _blocks: params.input_buffer_blocks,
        }
    }
}

impl Logic for CreditPool {
    #[kernel]
    fn update(&mut self) {
        comment!("module: credit_pool");
        let vcs = self.used.len();
        let width = self.shared.bits();
        clocked!(self.just_taken, self.turn);
        registers!(self.kept_for, self.broken);
        let taken = self.take_blocks.val().resize(width);
        let kept = self.kept_for.q.val().any();

        self.beyond_below[0].next = 0.into();
        self.used_below[0].next = 0.into();
        for v in 0..vcs {
            clocked!(self.used[v], self.free[v]);
            let used = self.used[v].q.val();
            let takes = self.take.val().get_bit(v as u64);
            self.used[v].d.next = used + (replicate(takes, width) & taken)
                - self.give.val().slice(v, 1).resize(width);

            self.room[v].next = 0.into();
            self.beyond[v].next = 0.into();
            if used > self.private[v].val() {
                self.beyond[v].next = used - self.private[v].val();
            } else {
                self.room[v].next = self.private[v].val() - used;
            }
            self.beyond_below[v + 1].next = self.beyond_below[v].val() + self.beyond[v].val();
            self.used_below[v + 1].next = self.used_below[v].val() + used;
            if self.give.val().get_bit(v as u64) & !used.any() {
                self.broken.d.next = true;
            }
        }
        self.in_use.next = self.used_below[vcs].val();
        self.error.next = self.broken.q.val();

        self.shared_left.next = 0.into();
        if self.shared.val() > self.beyond_below[vcs].val() {
            self.shared_left.next = self.shared.val() - self.beyond_below[vcs].val();
        }
        self.left.next = 0.into();
        if self.in_use.val() < self._blocks as u64 {
            self.left.next = self._blocks as u64 - self.in_use.val();
        }
        self.just_taken.d.next = replicate(self.take.val().any(), width) & taken;
        for v in 0..vcs {
            // What was taken in this cycle is not in `used` yet: it goes off when the register is read.
            self.allowed[v].next = self.room[v].val();
            if !kept | self.kept_for.q.val().get_bit(v as u64) {
                self.allowed[v].next = self.room[v].val() + self.shared_left.val();
            }
            self.free[v].d.next = self.allowed[v].val();
            if self.allowed[v].val() > self.left.val() {
                self.free[v].d.next = self.left.val();
            }
            self.available[v].next = 0.into();
            if self.free[v].q.val() > self.just_taken.q.val() {
                self.available[v].next = self.free[v].q.val() - self.just_taken.q.val();
            }
        }

        // They are kept until the VC has taken what it lacked.
        self.turn.request.next = self.lacks.val();
        self.turn.advance.next = !kept;
        if !kept {
            self.kept_for.d.next = self.turn.grant.val();
        } else {
            self.kept_for.d.next = self.kept_for.q.val() & self.wants.val() & !self.take.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::cycle;

    fn params() -> RouterParams {
        RouterParams {
            rows: 1,
            columns: 1,
            virtual_channels: 2,
            phases: 1,
            max_packet_flits: 4,
            block_flits: 1,
            input_buffer_blocks: 4,
            private_blocks: 0,
            row_buffer_flits: 1,
            column_buffer_flits: 1,
            in_supernode_entries: 1,
            out_supernode_entries: 1,
            candidates: 1,
            managed: false,
        }
    }

    /// The private blocks of the new split were once another's to take while the first had them still.
    #[test]
    fn another_split_makes_no_blocks() {
        let mut pool = CreditPool::new(&params());
        pool.connect_all();
        pool.reset.next = true;
        cycle!(pool);
        pool.reset.next = false;
        pool.shared.next = 4.into();
        cycle!(pool);
        assert_eq!(pool.available[0].val(), 4);
        pool.take.next = 0b01.into();
        pool.take_blocks.next = 4.into();
        cycle!(pool);
        pool.take.next = 0.into();

        pool.shared.next = 0.into();
        pool.private.iter_mut().for_each(|it| it.next = 2.into());
        for come_back in 0..=2 {
            pool.give.next = 0.into();
            for _ in 0..3 {
                cycle!(pool);
            }
            assert_eq!(pool.available[1].val(), come_back);
            pool.give.next = 0b01.into();
            cycle!(pool);
        }
    }
}
