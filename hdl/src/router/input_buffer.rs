//! `InputBuffer`: the flits of one link, all virtual channels (VC) in one RAM, as chains of blocks.
//!
//! A block is a few flits of one packet. A VC's chain grows by a free block when a packet begins or its last block is
//! full, and gives the oldest block back when its last flit has been read. Who may take how many blocks is the sender's
//! affair (see [`CreditPool`](super::CreditPool)); here any VC can hold any of them.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `write`, `write_flit`, `write_vc` | in | appends a flit to its VC's chain |
//! | `checked`, `damaged` | in | the flit written in the cycle before was a tail, and its packet is damaged |
//! | `read` | in | takes the oldest flit of the VC whose bit is set; at most one bit |
//! | `read_tail` | in | that flit ends its packet |
//! | `read_flit` | out | that flit, in the next cycle; its mark `bad` says what `damaged` said |
//! | `freed` | out | in the next cycle: bit v: a block of VC v came free |
//! | `occupied` | out | bit v: VC v holds a flit |
//! | `blocks` | out | blocks that each VC holds |
//!
//! Latency: a flit written in cycle t is `occupied` in t + 1 and, read then, at `read_flit` in t + 2.
//!
//! Invariants: a block is in one chain or free; all VCs together hold at most `input_buffer_blocks`, the writer's credits
//! see to it. Only an occupied VC is read. A block holds flits of one packet only.

use super::{RouterParams, VC_BITS};
use crate::cells::{bits_to_hold, Fifo, Flag, LutRam, Ram, Register};
use crate::kernel;
use crate::packet::{flit, FLIT_BITS};
use crate::ports::Ports;
use crate::wire::{any_of, bits_of, cat, or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Shared buffer of a link; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct InputBuffer {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write: Signal<In, Bit>,
    pub write_flit: Wire<In>,
    pub write_vc: Wire<In>,
    pub checked: Signal<In, Bit>,
    pub damaged: Signal<In, Bit>,
    pub read: Wire<In>,
    pub read_tail: Signal<In, Bit>,
    pub read_flit: Wire<Out>,
    pub freed: Wire<Out>,
    pub occupied: Wire<Out>,
    pub blocks: Vec<Wire<Out>>,
    flits: Ram,
    /// The block that follows another in its chain.
    following: LutRam,
    /// Whether the packet whose tail is in a block is damaged.
    damage: LutRam,
    /// Blocks that were in a chain before; `unused` is the first that never was.
    returned: Fifo,
    unused: Register,
    free_block: Wire<Local>,
    /// VCs that begin a block, and that end one, in this cycle.
    begins: Wire<Local>,
    ends: Wire<Local>,
    first_block: Vec<Register>,
    last_block: Vec<Register>,
    write_offset: Vec<Register>,
    read_offset: Vec<Register>,
    held_flits: Vec<Register>,
    held_blocks: Vec<Register>,
    /// The last block of the VC that is written.
    chain_end: Wire<Local>,
    write_block: Wire<Local>,
    read_block: Wire<Local>,
    written_block: Register,
    reading_damaged: Flag,
    reading_end: Register,
    _blocks: usize,
    _block_flits: usize,
}

impl InputBuffer {
    pub fn new(params: &RouterParams) -> Self {
        let (vcs, blocks) = (params.virtual_channels, params.input_buffer_blocks);
        let block_bits = bits_to_hold(blocks - 1);
        let offset_bits = bits_to_hold(params.block_flits - 1);
        let count_bits = params.block_count_bits();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            write: Default::default(),
            write_flit: Wire::new(FLIT_BITS),
            write_vc: Wire::new(VC_BITS),
            checked: Default::default(),
            damaged: Default::default(),
            read: Wire::new(vcs),
            read_tail: Default::default(),
            read_flit: Wire::new(FLIT_BITS),
            freed: Wire::new(vcs),
            occupied: Wire::new(vcs),
            blocks: Wire::vec(vcs, count_bits),
            // A flit is read a cycle after it was written, at the earliest.
            flits: Ram::without_collisions(FLIT_BITS, blocks * params.block_flits),
            following: LutRam::new(block_bits, blocks),
            damage: LutRam::new(1, blocks),
            returned: Fifo::new(block_bits, blocks),
            unused: Register::new(count_bits),
            free_block: Wire::new(block_bits),
            begins: Wire::new(vcs),
            ends: Wire::new(vcs),
            first_block: Register::vec(vcs, block_bits),
            last_block: Register::vec(vcs, block_bits),
            write_offset: Register::vec(vcs, offset_bits),
            read_offset: Register::vec(vcs, offset_bits),
            held_flits: Register::vec(vcs, bits_to_hold(blocks * params.block_flits)),
            held_blocks: Register::vec(vcs, count_bits),
            chain_end: Wire::new(block_bits),
            write_block: Wire::new(block_bits),
            read_block: Wire::new(block_bits),
            written_block: Register::new(block_bits),
            reading_damaged: Default::default(),
            reading_end: Register::new(vcs),
            _blocks: blocks,
            _block_flits: params.block_flits,
        }
    }
}

impl Logic for InputBuffer {
    #[kernel]
    fn update(&mut self) {
        comment!("module: input_buffer");
        let vcs = self.begins.bits();
        let block_bits = self.free_block.bits();
        let address_bits = self.flits.read_address.bits();
        let last_offset = self._block_flits as u64 - 1;
        clocked!(self.returned, self.written_block);
        clocked!(self.reading_damaged, self.reading_end);
        registers!(self.unused);
        self.flits.clock.next = self.clock.val();
        self.following.clock.next = self.clock.val();
        self.damage.clock.next = self.clock.val();
        let head = self.write_flit.val().field(flit::HEAD).any();
        let all_used = self.unused.q.val() == self._blocks as u64;

        self.begins.next = bits_of(0..vcs, |v| {
            self.write.val()
                & (self.write_vc.val() == v as u64)
                & (head | !self.write_offset[v].q.val().any())
        });
        self.ends.next = bits_of(0..vcs, |v| {
            self.read.val().get_bit(v as u64)
                & (self.read_tail.val() | (self.read_offset[v].q.val() == last_offset))
        });

        // A free block: one that never was in a chain, as long as there are any, so that nothing needs to be filled
        // before the first flit.
        self.free_block.next = self.returned.pop_data.val();
        if !all_used {
            self.free_block.next = self.unused.q.val().resize(block_bits);
        }
        if self.begins.val().any() & !all_used {
            self.unused.d.next = self.unused.q.val() + 1;
        }
        self.returned.pop.next = self.begins.val().any() & all_used;
        self.returned.push.next = self.ends.val().any();
        self.returned.push_data.next = self.read_block.val();

        for v in 0..vcs {
            registers!(self.first_block[v], self.last_block[v]);
            registers!(self.write_offset[v], self.read_offset[v]);
            registers!(self.held_flits[v], self.held_blocks[v]);
            let written = self.write.val() & (self.write_vc.val() == v as u64);
            let taken = self.read.val().get_bit(v as u64);
            let begins = self.begins.val().get_bit(v as u64);
            let ends = self.ends.val().get_bit(v as u64);
            if written & !taken {
                self.held_flits[v].d.next = self.held_flits[v].q.val() + 1;
            } else if taken & !written {
                self.held_flits[v].d.next = self.held_flits[v].q.val() - 1;
            }
            if begins & !ends {
                self.held_blocks[v].d.next = self.held_blocks[v].q.val() + 1;
            } else if ends & !begins {
                self.held_blocks[v].d.next = self.held_blocks[v].q.val() - 1;
            }
            self.blocks[v].next = self.held_blocks[v].q.val();

            if begins {
                self.last_block[v].d.next = self.free_block.val();
            }
            // The offset of the next flit: a block that is full, like no block at all, makes the next flit begin one.
            if self._block_flits > 1 {
                if begins {
                    self.write_offset[v].d.next = 1.into();
                } else if written {
                    self.write_offset[v].d.next = self.write_offset[v].q.val() + 1;
                }
                if ends {
                    self.read_offset[v].d.next = 0.into();
                } else if taken {
                    self.read_offset[v].d.next = self.read_offset[v].q.val() + 1;
                }
            }
            // A block that begins is the oldest if there is no other, or the only other one ends.
            if begins
                & (!self.held_blocks[v].q.val().any() | (ends & (self.held_blocks[v].q.val() == 1)))
            {
                self.first_block[v].d.next = self.free_block.val();
            } else if ends {
                self.first_block[v].d.next = self.following.read_data.val();
            }
        }

        self.chain_end.next = or_of(0..vcs, |v| {
            replicate(self.write_vc.val() == v as u64, block_bits) & self.last_block[v].q.val()
        });
        self.write_block.next = self.chain_end.val();
        if self.begins.val().any() {
            self.write_block.next = self.free_block.val();
        }
        // Where a chain is empty its last block is another's by now.
        self.following.write_enable.next = any_of(0..vcs, |v| {
            self.begins.val().get_bit(v as u64) & self.held_blocks[v].q.val().any()
        });
        self.following.write_address.next = self.chain_end.val();
        self.following.write_data.next = self.free_block.val();
        self.read_block.next = or_of(0..vcs, |v| {
            replicate(self.read.val().get_bit(v as u64), block_bits) & self.first_block[v].q.val()
        });
        self.following.read_address.next = self.read_block.val();

        // A VC that does not exist has no block to write to.
        self.flits.write_enable.next = any_of(0..vcs, |v| {
            self.write.val() & (self.write_vc.val() == v as u64)
        });
        self.flits.write_data.next = self.write_flit.val();
        self.flits.read_enable.next = self.read.val().any();
        self.written_block.d.next = self.write_block.val();
        if self._block_flits > 1 {
            let offset_bits = self.write_offset[0].q.bits();
            let write_offset = or_of(0..vcs, |v| {
                replicate(
                    (self.write_vc.val() == v as u64) & !self.begins.val().get_bit(v as u64),
                    offset_bits,
                ) & self.write_offset[v].q.val()
            });
            let read_offset = or_of(0..vcs, |v| {
                replicate(self.read.val().get_bit(v as u64), offset_bits)
                    & self.read_offset[v].q.val()
            });
            self.flits.write_address.next =
                cat(self.write_block.val(), write_offset).resize(address_bits);
            self.flits.read_address.next =
                cat(self.read_block.val(), read_offset).resize(address_bits);
        } else {
            self.flits.write_address.next = self.write_block.val();
            self.flits.read_address.next = self.read_block.val();
        }

        // Whether a packet is damaged is known a cycle after its tail, which may be on its way out by then.
        self.damage.write_enable.next = self.checked.val();
        self.damage.write_address.next = self.written_block.q.val();
        self.damage.write_data.next = self.damaged.val().into();
        self.damage.read_address.next = self.read_block.val();
        let just_checked =
            self.checked.val() & (self.written_block.q.val() == self.read_block.val());
        self.reading_damaged.d.next = self.read_tail.val() & self.damage.read_data.val().any();
        if just_checked {
            self.reading_damaged.d.next = self.read_tail.val() & self.damaged.val();
        }
        self.read_flit.next = cat(
            self.reading_damaged.q.val(),
            self.flits.read_data.val().resize(flit::BAD.offset),
        );

        self.reading_end.d.next = self.ends.val();
        self.freed.next = self.reading_end.q.val();
        self.occupied.next = bits_of(0..vcs, |v| self.held_flits[v].q.val().any());
    }
}
