//! Both ends of a link: a [`CreditPool`] that lets packets go, and the [`InputBuffer`] that they come to.
//!
//! The sender has packets of any length for any virtual channel (VC). A flit, and a credit on its way back, may take as
//! long as it likes. The reader takes flits of any VC that has one.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `wanted_private[v]`, `wanted_shared` | in | the split, see [`Split`] |
//! | `sends`, `send_vc`, `flits_minus_one` | in | a flit of this VC goes: the open packet's next, or the head of one of so many flits, if it has its blocks |
//! | `data` | in | what the flit carries |
//! | `link_holds` | in | the flit on the link stays there |
//! | `reads` | in | of these VCs the first that has a flit is read |
//! | `returns` | in | bit v: a credit of VC v arrives at the sender, if one is on its way |
//! | `follow` | in | the flit that arrives now is the one to follow, if there is none |
//! | `never_loses_a_credit` | out | blocks in use, as the sender counts, are not those that its open packets still have, on the link, in the buffer, and on their way back |
//! | `never_accuses` | out | the pool's `error` |
//! | `never_overflows` | out | the buffer holds more blocks than it has |
//! | `never_loses_a_flit` | out | a VC is `occupied` without a flit, or has one and is not |
//! | `never_out_of_order` | out | the followed flit should have been read, and another one was |
//! | `reaches_all_in_use` | out | the buffer holds all its blocks |
//! | `reaches_all_back` | out | the sender has all credits again, after that |
//! | `reaches_the_front` | out | the followed flit came last into a buffer of which it filled the last block, and is read |

use super::Split;
use fantree_hdl::cells::{bits_to_hold, Fifo, Flag, Register};
use fantree_hdl::kernel;
use fantree_hdl::packet::{flit, FLIT_BITS};
use fantree_hdl::ports::Ports;
use fantree_hdl::router::{CreditPool, InputBuffer, RouterParams, VC_BITS};
use fantree_hdl::wire::{any_of, bits_of, cat, or_of, replicate, Value, Wire};
use rust_hdl::prelude::*;

/// Width of the data that is followed.
const DATA_BITS: usize = 1;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CreditPairHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub wanted_private: Vec<Wire<In>>,
    pub wanted_shared: Wire<In>,
    pub sends: Signal<In, Bit>,
    pub send_vc: Wire<In>,
    pub flits_minus_one: Wire<In>,
    pub data: Wire<In>,
    pub link_holds: Signal<In, Bit>,
    pub reads: Wire<In>,
    pub returns: Wire<In>,
    pub follow: Signal<In, Bit>,
    pub never_loses_a_credit: Signal<Out, Bit>,
    pub never_accuses: Signal<Out, Bit>,
    pub never_overflows: Signal<Out, Bit>,
    pub never_loses_a_flit: Signal<Out, Bit>,
    pub never_out_of_order: Signal<Out, Bit>,
    pub reaches_all_in_use: Signal<Out, Bit>,
    pub reaches_all_back: Signal<Out, Bit>,
    pub reaches_the_front: Signal<Out, Bit>,
    split: Split,
    pool: CreditPool,
    buffer: InputBuffer,
    /// Of each VC's open packet: flits still to be sent (0: none is open), blocks still to be begun, and whether the last
    /// block is full.
    left: Vec<Register>,
    kept: Vec<Register>,
    offset: Vec<Register>,
    can_send: Wire<Local>,
    begins_packet: Wire<Local>,
    begins_block: Wire<Local>,
    tail: Signal<Local, Bit>,
    new_blocks: Wire<Local>,
    sent: Wire<Local>,
    link_vc: Register,
    link_begins: Flag,
    link_head: Flag,
    link_tail: Flag,
    link_data: Register,
    arrives: Wire<Local>,
    /// Whether each flit of a VC is a tail, for the reader.
    tails: Vec<Fifo>,
    read: Wire<Local>,
    /// Credits on their way back.
    under_way: Vec<Register>,
    returned: Wire<Local>,
    /// Of VCs below v: blocks wherever they are, and those in the buffer.
    blocks_below: Vec<Wire<Local>>,
    held_below: Vec<Wire<Local>>,
    /// The followed flit, its VC, its place from the front, and whether it filled the buffer.
    word: Register,
    followed: Register,
    place: Register,
    filled: Flag,
    /// It was read in the cycle before.
    was_read: Flag,
    was_full: Flag,
    _params: RouterParams,
}

impl CreditPairHarness {
    pub fn new(params: &RouterParams) -> Self {
        let vcs = params.virtual_channels;
        let flits = params.input_buffer_blocks * params.block_flits;
        let block_bits = params.block_count_bits();
        let length_bits = bits_to_hold(params.max_packet_flits - 1);
        let pool = CreditPool::new(params);
        let sum = || Wire::vec(vcs + 1, block_bits + 4);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            wanted_private: Wire::vec(vcs, block_bits),
            wanted_shared: Wire::new(block_bits),
            sends: Default::default(),
            send_vc: Wire::new(vcs),
            flits_minus_one: Wire::new(length_bits),
            data: Wire::new(DATA_BITS),
            link_holds: Default::default(),
            reads: Wire::new(vcs),
            returns: Wire::new(vcs),
            follow: Default::default(),
            never_loses_a_credit: Default::default(),
            never_accuses: Default::default(),
            never_overflows: Default::default(),
            never_loses_a_flit: Default::default(),
            never_out_of_order: Default::default(),
            reaches_all_in_use: Default::default(),
            reaches_all_back: Default::default(),
            reaches_the_front: Default::default(),
            split: Split::new(params),
            buffer: InputBuffer::new(params),
            left: Register::vec(vcs, length_bits),
            kept: Register::vec(vcs, pool.take_blocks.bits()),
            offset: Register::vec(vcs, bits_to_hold(params.block_flits - 1)),
            can_send: Wire::new(vcs),
            begins_packet: Wire::new(vcs),
            begins_block: Wire::new(vcs),
            tail: Default::default(),
            new_blocks: Wire::new(pool.take_blocks.bits()),
            sent: Wire::new(vcs),
            link_vc: Register::new(vcs),
            link_begins: Default::default(),
            link_head: Default::default(),
            link_tail: Default::default(),
            link_data: Register::new(DATA_BITS),
            arrives: Wire::new(vcs),
            tails: Fifo::vec(vcs, 1, flits),
            read: Wire::new(vcs),
            under_way: Register::vec(vcs, block_bits),
            returned: Wire::new(vcs),
            blocks_below: sum(),
            held_below: sum(),
            word: Register::new(DATA_BITS),
            followed: Register::new(vcs),
            place: Register::new(bits_to_hold(flits)),
            filled: Default::default(),
            was_read: Default::default(),
            was_full: Default::default(),
            pool,
            _params: *params,
        }
    }
}

impl Logic for CreditPairHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: credit_pair_harness");
        let params = self._params;
        let vcs = params.virtual_channels;
        let (block_bits, wide) = (params.block_count_bits(), self.blocks_below[0].bits());
        let (take_bits, length_bits) = (self.kept[0].d.bits(), self.left[0].d.bits());
        let place_bits = self.place.d.bits();
        let block_shift = params.block_flits.trailing_zeros() as usize;
        let (last_offset, all) = (
            params.block_flits as u64 - 1,
            params.input_buffer_blocks as u64,
        );
        clocked!(self.split, self.pool, self.buffer);
        self.split.wanted_shared.next = self.wanted_shared.val();
        self.split.change.next = false;
        self.pool.shared.next = self.split.shared.val();

        // The sender: one flit at a time, on to a link that is free.
        registers!(
            self.link_vc,
            self.link_begins,
            self.link_head,
            self.link_tail,
            self.link_data
        );
        let link_moves = self.link_vc.q.val().any() & !self.link_holds.val();
        let link_free = link_moves | !self.link_vc.q.val().any();
        self.new_blocks.next =
            (self.flits_minus_one.val() >> block_shift as u64).resize(take_bits) + 1;
        let fits =
            self.flits_minus_one.val().resize(length_bits + 1) < params.max_packet_flits as u64;
        self.can_send.next = bits_of(0..vcs, |v| {
            self.left[v].q.val().any()
                | (fits
                    & (self.pool.available[v].val() >= self.new_blocks.val().resize(block_bits)))
        });
        let asks = self.send_vc.val() & self.can_send.val();
        self.sent.next = asks
            & (!asks + 1)
            & replicate(self.sends.val() & link_free & self.split.made.val(), vcs);
        self.begins_packet.next =
            self.sent.val() & !bits_of(0..vcs, |v| self.left[v].q.val().any());
        self.begins_block.next = self.begins_packet.val()
            | (self.sent.val() & !bits_of(0..vcs, |v| self.offset[v].q.val().any()));
        let single = !self.flits_minus_one.val().any();
        self.tail.next = any_of(0..vcs, |v| {
            (self.begins_packet.val().get_bit(v as u64) & single)
                | (self.sent.val().get_bit(v as u64) & (self.left[v].q.val() == 1))
        });
        self.pool.take.next = self.begins_packet.val();
        self.pool.take_blocks.next = self.new_blocks.val();
        self.pool.wants.next = bits_of(0..vcs, |v| {
            self.send_vc.val().get_bit(v as u64) & !self.left[v].q.val().any()
        });
        self.pool.lacks.next = self.send_vc.val() & !self.can_send.val();
        for v in 0..vcs {
            registers!(self.left[v], self.kept[v], self.offset[v]);
            self.split.wanted_private[v].next = self.wanted_private[v].val();
            self.pool.private[v].next = self.split.private[v].val();
            if self.begins_packet.val().get_bit(v as u64) {
                self.left[v].d.next = self.flits_minus_one.val();
                self.kept[v].d.next = self.new_blocks.val() - 1;
            } else if self.sent.val().get_bit(v as u64) {
                self.left[v].d.next = self.left[v].q.val() - 1;
                if self.begins_block.val().get_bit(v as u64) {
                    self.kept[v].d.next = self.kept[v].q.val() - 1;
                }
            }
            if self.begins_block.val().get_bit(v as u64) & (last_offset > 0) {
                self.offset[v].d.next = 1.into();
            } else if self.sent.val().get_bit(v as u64) & (last_offset > 0) {
                self.offset[v].d.next = self.offset[v].q.val() + 1;
            }
        }

        // The link.
        if link_free {
            self.link_vc.d.next = self.sent.val();
            self.link_begins.d.next = self.begins_block.val().any();
            self.link_head.d.next = self.begins_packet.val().any();
            self.link_tail.d.next = self.tail.val();
            self.link_data.d.next = self.data.val();
        }
        self.arrives.next = self.link_vc.q.val() & replicate(link_moves, vcs);
        self.buffer.write.next = link_moves;
        self.buffer.write_vc.next = or_of(0..vcs, |v| {
            replicate(self.arrives.val().get_bit(v as u64), VC_BITS) & Value::new(VC_BITS, v as u64)
        });
        self.buffer.write_flit.next = cat(
            self.link_tail.q.val(),
            cat(
                self.link_head.q.val(),
                self.link_data.q.val().resize(flit::DATA.width),
            ),
        )
        .resize(FLIT_BITS);
        self.buffer.checked.next = false;
        self.buffer.damaged.next = false;

        // The reader, which knows where packets end.
        let may_read = self.reads.val() & self.buffer.occupied.val();
        self.read.next = may_read & (!may_read + 1);
        self.buffer.read.next = self.read.val();
        self.buffer.read_tail.next = any_of(0..vcs, |v| {
            self.read.val().get_bit(v as u64) & self.tails[v].pop_data.val().any()
        });
        self.returned.next =
            self.returns.val() & bits_of(0..vcs, |v| self.under_way[v].q.val().any());
        self.pool.give.next = self.returned.val();
        self.blocks_below[0].next = 0.into();
        self.held_below[0].next = 0.into();
        for v in 0..vcs {
            clocked!(self.tails[v]);
            registers!(self.under_way[v]);
            self.tails[v].push.next = self.arrives.val().get_bit(v as u64);
            self.tails[v].push_data.next = self.link_tail.q.val().into();
            self.tails[v].pop.next = self.read.val().get_bit(v as u64);
            let freed = self.buffer.freed.val().slice(v, 1);
            self.under_way[v].d.next = self.under_way[v].q.val() + freed.resize(block_bits)
                - self.returned.val().slice(v, 1).resize(block_bits);

            let on_link = self.link_vc.q.val().get_bit(v as u64) & self.link_begins.q.val();
            self.held_below[v + 1].next =
                self.held_below[v].val() + self.buffer.blocks[v].val().resize(wide);
            self.blocks_below[v + 1].next = self.blocks_below[v].val()
                + self.kept[v].q.val().resize(wide)
                + replicate(on_link, 1).resize(wide)
                + self.buffer.blocks[v].val().resize(wide)
                + freed.resize(wide)
                + self.under_way[v].q.val().resize(wide);
        }
        let held = self.held_below[vcs].val();
        let in_use = self.pool.in_use.val();
        self.never_loses_a_credit.next = in_use.resize(wide) != self.blocks_below[vcs].val();
        self.never_accuses.next = self.pool.error.val();
        self.never_overflows.next = held > all;
        self.never_loses_a_flit.next =
            self.buffer.occupied.val() != bits_of(0..vcs, |v| !self.tails[v].empty.val());
        registers!(self.was_full);
        if held == all {
            self.was_full.d.next = true;
        }
        self.reaches_all_in_use.next = held == all;
        self.reaches_all_back.next = self.was_full.q.val() & !in_use.any();

        // A flit that is followed from the link to the reader.
        registers!(self.word, self.followed, self.place, self.filled);
        clocked!(self.was_read);
        let reads_followed = (self.read.val() & self.followed.q.val()).any();
        self.was_read.d.next = reads_followed & (self.place.q.val() == 1);
        if self.place.q.val().any() {
            if reads_followed {
                self.place.d.next = self.place.q.val() - 1;
            }
        } else if self.follow.val() & link_moves & !self.was_read.q.val() {
            self.word.d.next = self.link_data.q.val();
            self.followed.d.next = self.arrives.val();
            self.filled.d.next = self.link_begins.q.val() & (held == all - 1);
            self.place.d.next = or_of(0..vcs, |v| {
                replicate(self.arrives.val().get_bit(v as u64), place_bits)
                    & (self.tails[v].count.val()
                        + replicate(!self.read.val().get_bit(v as u64), 1).resize(place_bits))
            });
        }
        self.never_out_of_order.next = self.was_read.q.val()
            & (self.buffer.read_flit.val().resize(DATA_BITS) != self.word.q.val());
        self.reaches_the_front.next = self.was_read.q.val() & self.filled.q.val();
    }
}
