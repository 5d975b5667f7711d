//! `Arrival`: what can be said of a flit as it comes in: checks of header and packet, and what the route depends on.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `rx_valid`, `rx_flit`, `rx_vc` | in | a flit from the link |
//! | `routed` | out | next cycle: bit v: all that a packet of VC v is routed by is here |
//! | `cause` | out | and it must be dropped for this cause, see [`DropCause`] |
//! | `rest` | out | flits after its head, by its header |
//! | `adaptive`, `multicast`, `group` | out | of its header |
//! | `source`, `source_port` | out | it is source-routed, to this port |
//! | `identity` | in | in a managed chip: who it is, see [`identity`] |
//! | `turns` | out | in a managed chip: it is a management request for this chip |
//! | `tail` | out | next cycle: bit v: a packet of VC v is here as a whole |
//! | `damaged` | out | and its CRC is wrong, or it was marked bad |
//! | `arrived[v]` | out | flits of the VC's last packet that are here, minus one |
//!
//! Latency: 1 cycle. A packet that is routed by table, or dropped, is `routed` by its head; a source-routed one by the
//! flit after it. A management request for this chip leaves by the port by which it came, whatever its route says; it has
//! no route on a virtual channel that [`RouterParams::turns_on`] does not name.
//!
//! The packet's CRC is over all of it, last four bytes included, with those fields as zero that a router changes
//! (`spec/sunway.md` section 5). A packet of one flit has the header's CRC only.

use super::route_choice::SOURCE_PORT_BITS;
use super::{drop_cause::CAUSE_BITS, DropCause, RouterParams, VC_BITS};
use crate::cells::{bits_to_hold, Crc32cWord, Crc8, Flag, Register, CRC32C_RESIDUE};
use crate::kernel;
use crate::manage::registers::identity;
use crate::manage::Addressee;
use crate::packet::{flit, header, FLIT_BITS, HEADER_BITS};
use crate::ports::Ports;
use crate::router::MULTICAST_GROUPS;
use crate::wire::{bits_of, or_of, replicate, Value, Wire};
use rust_hdl::prelude::*;

/// State of a CRC-32C before its first word.
const CRC_START: u64 = u32::MAX as u64;

/// Flits as they come in; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Arrival {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub rx_valid: Signal<In, Bit>,
    pub rx_flit: Wire<In>,
    pub rx_vc: Wire<In>,
    pub routed: Wire<Out>,
    pub cause: Wire<Out>,
    pub rest: Wire<Out>,
    pub adaptive: Signal<Out, Bit>,
    pub multicast: Signal<Out, Bit>,
    pub group: Wire<Out>,
    pub source: Signal<Out, Bit>,
    pub source_port: Wire<Out>,
    pub tail: Wire<Out>,
    pub damaged: Signal<Out, Bit>,
    pub arrived: Vec<Wire<Out>>,
    pub identity: Vec<Wire<In>>,
    pub turns: Vec<Signal<Out, Bit>>,
    addressee: Vec<Addressee>,
    routed_turns: Vec<Flag>,
    header_crc: Crc8,
    packet_crc: Crc32cWord,
    /// Why the head that is here must be dropped, as far as the header says.
    fault: Wire<Local>,
    /// VCs that a flit, a head, a route flit is here for.
    written: Wire<Local>,
    heads: Wire<Local>,
    route_flits: Wire<Local>,
    crc_state: Vec<Register>,
    count: Vec<Register>,
    /// The VC's packet has its route in its next flit; its length; the byte of the route that counts.
    awaits_route: Vec<Flag>,
    awaited_rest: Vec<Register>,
    awaited_byte: Vec<Register>,
    routed_vc: Register,
    routed_cause: Register,
    routed_rest: Register,
    routed_adaptive: Flag,
    routed_multicast: Flag,
    routed_group: Register,
    routed_source: Flag,
    routed_port: Register,
    tail_vc: Register,
    tail_bad: Flag,
    tail_alone: Flag,
    _params: RouterParams,
    /// The header's bits without its CRC, and without anything that a router changes.
    _checked_by_header: Value,
    _checked_by_packet: Value,
}

impl Arrival {
    pub fn new(params: &RouterParams) -> Self {
        let vcs = params.virtual_channels;
        let managed = usize::from(params.managed);
        let rest_bits = header::FLITS_MINUS_ONE.width;
        let group_bits = bits_to_hold(MULTICAST_GROUPS - 1);
        let without = |fields: &[crate::wire::Field]| {
            let masks = fields.iter().map(|field| field.mask(HEADER_BITS));
            masks.fold(!Value::zero(HEADER_BITS), |left, mask| left & !mask)
        };
        Self {
            clock: Default::default(),
            reset: Default::default(),
            rx_valid: Default::default(),
            rx_flit: Wire::new(FLIT_BITS),
            rx_vc: Wire::new(VC_BITS),
            routed: Wire::new(vcs),
            cause: Wire::new(CAUSE_BITS),
            rest: Wire::new(rest_bits),
            adaptive: Default::default(),
            multicast: Default::default(),
            group: Wire::new(group_bits),
            source: Default::default(),
            source_port: Wire::new(SOURCE_PORT_BITS),
            tail: Wire::new(vcs),
            damaged: Default::default(),
            arrived: Wire::vec(vcs, rest_bits),
            identity: Wire::vec(managed, identity::BITS),
            turns: (0..managed).map(|_| Default::default()).collect(),
            addressee: (0..managed).map(|_| Default::default()).collect(),
            routed_turns: Flag::vec(managed),
            header_crc: Default::default(),
            packet_crc: Default::default(),
            fault: Wire::new(CAUSE_BITS),
            written: Wire::new(vcs),
            heads: Wire::new(vcs),
            route_flits: Wire::new(vcs),
            crc_state: Register::vec(vcs, 32),
            count: Register::vec(vcs, rest_bits),
            awaits_route: Flag::vec(vcs),
            awaited_rest: Register::vec(vcs, rest_bits),
            awaited_byte: Register::vec(vcs, header::HOPS_LEFT.width),
            routed_vc: Register::new(vcs),
            routed_cause: Register::new(CAUSE_BITS),
            routed_rest: Register::new(rest_bits),
            routed_adaptive: Default::default(),
            routed_multicast: Default::default(),
            routed_group: Register::new(group_bits),
            routed_source: Default::default(),
            routed_port: Register::new(SOURCE_PORT_BITS),
            tail_vc: Register::new(vcs),
            tail_bad: Default::default(),
            tail_alone: Default::default(),
            _params: *params,
            _checked_by_header: without(&[header::HEADER_CRC]),
            _checked_by_packet: without(&header::CHANGED_BY_ROUTERS),
        }
    }
}

impl Logic for Arrival {
    #[kernel]
    fn update(&mut self) {
        comment!("module: arrival");
        let vcs = self.awaits_route.len();
        let (header_mask, packet_mask) = (self._checked_by_header, self._checked_by_packet);
        let data = self.rx_flit.val().field(flit::DATA);
        let head = self.rx_flit.val().field(flit::HEAD).any();
        let tail = self.rx_flit.val().field(flit::TAIL).any();
        let rest = data.field(header::FLITS_MINUS_ONE);
        let hops = data.field(header::HOPS_LEFT);
        let rest_bits = header::FLITS_MINUS_ONE.width;
        let too_long = self._params.max_packet_flits as u64;
        let too_long_to_copy = self._params.max_multicast_flits() as u64;

        self.written.next = bits_of(0..vcs, |v| {
            self.rx_valid.val() & (self.rx_vc.val() == v as u64)
        });
        self.heads.next = self.written.val() & replicate(head, vcs);
        self.route_flits.next =
            self.written.val() & bits_of(0..vcs, |v| self.awaits_route[v].q.val() & !head);

        // What the header itself says against the packet. The last word is the most important one.
        self.header_crc.data.next = data & header_mask;
        self.fault.next = 0.into();
        if data.field(header::SOURCE_ROUTE).any() & !data.field(header::MULTICAST).any() & tail {
            self.fault.next = DropCause::NoRoute.code().into();
        }
        if self._params.managed {
            self.addressee[0].header.next = data;
            self.addressee[0].identity.next = self.identity[0].val();
            let stays = bits_of(0..vcs, |v| !self._params.turns_on(v)) & self.written.val();
            if self.addressee[0].here.val() & stays.any() {
                self.fault.next = DropCause::NoRoute.code().into();
            }
        }
        if (rest >= too_long) | (data.field(header::MULTICAST).any() & (rest >= too_long_to_copy)) {
            self.fault.next = DropCause::TooLong.code().into();
        }
        if !hops.any() {
            self.fault.next = DropCause::HopLimit.code().into();
        }
        if self.header_crc.crc.val() != data.field(header::HEADER_CRC) {
            self.fault.next = DropCause::HeaderCrc.code().into();
        }
        let source = data.field(header::SOURCE_ROUTE).any()
            & !data.field(header::MULTICAST).any()
            & !self.fault.val().any();

        clocked!(
            self.routed_vc,
            self.routed_cause,
            self.routed_rest,
            self.routed_adaptive
        );
        clocked!(self.routed_multicast, self.routed_group);
        clocked!(self.routed_source, self.routed_port);
        self.routed_vc.d.next =
            (self.heads.val() & !replicate(source, vcs)) | self.route_flits.val();
        self.routed_adaptive.d.next = data.field(header::ADAPTIVE).any();
        self.routed_group.d.next = data
            .field(header::DST_GUID)
            .resize(self.routed_group.q.bits());
        self.routed_rest.d.next = rest;
        self.routed_cause.d.next = self.fault.val();
        self.routed_multicast.d.next = data.field(header::MULTICAST).any();
        self.routed_source.d.next = !head;
        if !head {
            self.routed_rest.d.next = or_of(0..vcs, |v| {
                replicate(self.written.val().get_bit(v as u64), rest_bits)
                    & self.awaited_rest[v].q.val()
            });
            self.routed_cause.d.next = 0.into();
            self.routed_multicast.d.next = false;
        }
        let byte = or_of(0..vcs, |v| {
            replicate(
                self.written.val().get_bit(v as u64),
                header::HOPS_LEFT.width,
            ) & self.awaited_byte[v].q.val()
        });
        self.routed_port.d.next = (data >> (byte.resize(7) << 3)).resize(SOURCE_PORT_BITS);

        // The packet's CRC, of each VC by itself since their flits come mixed.
        self.packet_crc.data.next = data;
        self.packet_crc.state.next = or_of(0..vcs, |v| {
            replicate(self.written.val().get_bit(v as u64), 32) & self.crc_state[v].q.val()
        });
        if head {
            self.packet_crc.data.next = data & packet_mask;
            self.packet_crc.state.next = CRC_START.into();
        }
        for v in 0..vcs {
            registers!(self.crc_state[v], self.count[v], self.awaits_route[v]);
            registers!(self.awaited_rest[v], self.awaited_byte[v]);
            if self.written.val().get_bit(v as u64) {
                self.crc_state[v].d.next = self.packet_crc.next.val();
                self.count[v].d.next = self.count[v].q.val() + 1;
                self.awaits_route[v].d.next = head & source;
                if head {
                    self.count[v].d.next = 0.into();
                    self.awaited_rest[v].d.next = rest;
                    // hops_left counts down from its largest value, so its complement counts the bytes used.
                    self.awaited_byte[v].d.next = !hops;
                }
            }
            self.arrived[v].next = self.count[v].q.val();
        }
        if self._params.managed {
            clocked!(self.routed_turns[0]);
            let turns = head & self.addressee[0].here.val() & !self.fault.val().any();
            self.routed_turns[0].d.next = turns;
            self.turns[0].next = self.routed_turns[0].q.val();
            if turns {
                // Its route is known, whatever the next flit says.
                self.routed_vc.d.next = self.heads.val();
                for v in 0..vcs {
                    if self.written.val().get_bit(v as u64) {
                        self.awaits_route[v].d.next = false;
                    }
                }
            }
        }
        clocked!(self.tail_vc, self.tail_bad, self.tail_alone);
        self.tail_vc.d.next = self.written.val() & replicate(tail, vcs);
        self.tail_bad.d.next = self.rx_flit.val().field(flit::BAD).any();
        self.tail_alone.d.next = head;
        let state = or_of(0..vcs, |v| {
            replicate(self.tail_vc.q.val().get_bit(v as u64), 32) & self.crc_state[v].q.val()
        });
        self.tail.next = self.tail_vc.q.val();
        self.damaged.next =
            self.tail_bad.q.val() | (!self.tail_alone.q.val() & (state != CRC32C_RESIDUE));

        self.routed.next = self.routed_vc.q.val();
        self.cause.next = self.routed_cause.q.val();
        self.rest.next = self.routed_rest.q.val();
        self.adaptive.next = self.routed_adaptive.q.val();
        self.multicast.next = self.routed_multicast.q.val();
        self.group.next = self.routed_group.q.val();
        self.source.next = self.routed_source.q.val();
        self.source_port.next = self.routed_port.q.val();
    }
}
