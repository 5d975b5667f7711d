//! `PacketCloser`: knows the packets that a link has open: marks heads, and ends what a dead link leaves open.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `valid`, `data`, `kind`, `vc` | in | a flit as it came over the line |
//! | `close` | in | the link is down and its last flit has come: end what is open |
//! | `freed` | in | bit v: the buffer behind the link freed a block of virtual channel (VC) v |
//! | `rx_valid`, `rx_flit`, `rx_vc` | out | a flit for the buffer |
//! | `cut` | out | it ends a packet that was cut |
//! | `home` | out | no packet is open, and the buffer behind the link has no block of any |
//!
//! Latency: 1 cycle from `valid` to `rx_valid`. One flit a cycle, also of those that end packets.
//!
//! Invariants: packets are never interleaved within a VC, so a flit is a head exactly when its VC has no packet open. An
//! open packet is ended at the length that its header announces, by zeros and a bad tail: the sender has the blocks for
//! all of it, and the buffer gives them all back. Not both `valid` and `close`.

use super::frame::KIND_BITS;
use super::LinkParams;
use crate::cells::{CreditCounter, Flag, Register};
use crate::kernel;
use crate::packet::{flit, header, FLIT_BITS};
use crate::ports::Ports;
use crate::router::VC_BITS;
use crate::wire::{any_of, bits_of, cat, or_of, replicate, Value, Wire};
use rust_hdl::prelude::*;

/// Open packets of a link; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct PacketCloser {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub data: Wire<In>,
    pub kind: Wire<In>,
    pub vc: Wire<In>,
    pub close: Signal<In, Bit>,
    pub freed: Wire<In>,
    pub rx_valid: Signal<Out, Bit>,
    pub rx_flit: Wire<Out>,
    pub rx_vc: Wire<Out>,
    pub cut: Signal<Out, Bit>,
    pub home: Signal<Out, Bit>,
    open: Vec<Flag>,
    /// Flits that are missing of the VC's packet.
    rest: Vec<Register>,
    place: Vec<CreditCounter>,
    /// VCs of the flit that comes, and of one that is made.
    comes: Wire<Local>,
    made: Wire<Local>,
    head: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
    out_valid: Flag,
    out_flit: Register,
    out_vc: Register,
    out_cut: Flag,
    _block_flits: usize,
    _places: usize,
}

impl PacketCloser {
    pub fn new(params: &LinkParams) -> Self {
        let vcs = params.virtual_channels;
        let (places, most) = (params.input_buffer_blocks, params.most_blocks());
        let counter = |_| CreditCounter::with_steps(places, most, 1);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            valid: Default::default(),
            data: Wire::new(flit::DATA.width),
            kind: Wire::new(KIND_BITS),
            vc: Wire::new(VC_BITS),
            close: Default::default(),
            freed: Wire::new(vcs),
            rx_valid: Default::default(),
            rx_flit: Wire::new(FLIT_BITS),
            rx_vc: Wire::new(VC_BITS),
            cut: Default::default(),
            home: Default::default(),
            open: Flag::vec(vcs),
            rest: Register::vec(vcs, header::FLITS_MINUS_ONE.width),
            place: (0..vcs).map(counter).collect(),
            comes: Wire::new(vcs),
            made: Wire::new(vcs),
            head: Default::default(),
            last: Default::default(),
            out_valid: Default::default(),
            out_flit: Register::new(FLIT_BITS),
            out_vc: Register::new(VC_BITS),
            out_cut: Default::default(),
            _block_flits: params.block_flits,
            _places: places,
        }
    }
}

impl Logic for PacketCloser {
    #[kernel]
    fn update(&mut self) {
        comment!("module: packet_closer");
        let vcs = self.open.len();
        let take_bits = self.place[0].take.bits();
        let block_shift = self._block_flits.trailing_zeros() as usize;
        let length_bits = header::FLITS_MINUS_ONE.width;
        let open = bits_of(0..vcs, |v| self.open[v].q.val());
        self.comes.next = bits_of(0..vcs, |v| self.valid.val() & (self.vc.val() == v as u64));
        self.made.next = replicate(self.close.val(), vcs) & open & (!open + 1);
        self.head.next = !(self.comes.val() & open).any();
        let rest = self.data.val().field(header::FLITS_MINUS_ONE);
        let blocks = rest
            .slice(block_shift, length_bits - block_shift)
            .resize(take_bits)
            + 1;
        self.last.next = any_of(0..vcs, |v| {
            self.made.val().get_bit(v as u64) & (self.rest[v].q.val() <= 1)
        });

        for v in 0..vcs {
            registers!(self.open[v], self.rest[v]);
            clocked!(self.place[v]);
            let comes = self.comes.val().get_bit(v as u64);
            let made = self.made.val().get_bit(v as u64);
            self.place[v].take.next = replicate(comes & self.head.val(), take_bits) & blocks;
            self.place[v].give.next = self.freed.val().get_bit(v as u64).into();
            if comes {
                self.open[v].d.next = !self.kind.val().get_bit(0);
            } else if made & self.last.val() {
                self.open[v].d.next = false;
            }
            if comes & self.head.val() {
                self.rest[v].d.next = rest;
            } else if comes | made {
                self.rest[v].d.next = self.rest[v].q.val() - 1;
            }
        }

        clocked!(self.out_valid, self.out_flit, self.out_vc, self.out_cut);
        self.out_valid.d.next = self.comes.val().any() | self.made.val().any();
        self.out_flit.d.next = cat(
            self.kind.val().get_bit(1),
            cat(
                self.kind.val().get_bit(0),
                cat(self.head.val(), self.data.val()),
            ),
        );
        self.out_vc.d.next = self.vc.val();
        self.out_cut.d.next = self.last.val();
        if self.made.val().any() {
            self.out_flit.d.next = cat(
                self.last.val(),
                cat(self.last.val(), Value::zero(flit::TAIL.offset)),
            );
            self.out_vc.d.next = or_of(0..vcs, |v| {
                replicate(self.made.val().get_bit(v as u64), VC_BITS)
                    & Value::new(VC_BITS, v as u64)
            });
        }
        self.rx_valid.next = self.out_valid.q.val();
        self.rx_flit.next = self.out_flit.q.val();
        self.rx_vc.next = self.out_vc.q.val();
        self.cut.next = self.out_cut.q.val();
        self.home.next = !open.any()
            & !self.out_valid.q.val()
            & !any_of(0..vcs, |v| self.place[v].count.val() != self._places as u64);
    }
}
