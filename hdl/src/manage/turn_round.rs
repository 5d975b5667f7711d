//! `TurnRound`: between a port's output unit and its link. It makes of each management request that is for this chip the
//! reply, on its way out, and lets all else pass; see [`message`](super::message).
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `tile_valid`, `tile_flit`, `tile_vc`, `tile_ready` | | a flit from the output unit |
//! | `tx_valid`, `tx_flit`, `tx_vc`, `tx_ready` | | a flit for the link |
//! | `port`, `identity` | in | number of this port; who the chip is |
//! | `wants`, `granted` | | a request has come; it has the [`InBandSource`](super::InBandSource), as long as it wants |
//! | `flit`, `opens`, `loads` | out | data of the flit at hand; it is a command, a setup |
//! | `beat`, `word`, `taken` | | an access with its data |
//! | `busy`, `status` | in | accesses are under way; what went wrong |
//! | `valid`, `value`, `last`, `takes` | | a value that was read, the last one of its access; it is taken |
//!
//! Latency: 1 cycle for what passes. A flit of data takes a cycle a word, and those that its accesses take.
//!
//! Only the last virtual channel (VC) has requests for this chip, since [`RouteUnit`](crate::router::RouteUnit) lets them
//! turn on no other: so one is here at a time. While it waits, the link waits. That is never for ever: the management needs
//! no link, and the request that has the source is in this chip as a whole, so it goes on as fast as its own link does.
//!
//! Invariants: what is no request for this chip passes as it is, and so do all flits of other VCs. A reply is as long as
//! its request.

use super::command::{access, STATUS_BITS};
use super::jtag::IDCODE_VALUE;
use super::message::{self, command, tail};
use super::registers::identity;
use super::{Addressee, Op, ReplyHeader};
use crate::cells::{Crc32cWord, Flag, Register};
use crate::kernel;
use crate::packet::{flit, header, FLIT_BITS, HEADER_BITS};
use crate::ports::Ports;
use crate::router::{bus, RouterParams, PORT_BITS, VC_BITS};
use crate::wire::{cat, replicate, Value, Wire};
use rust_hdl::prelude::*;

/// What the next flit of the request is.
#[derive(Clone, Copy)]
enum Stage {
    /// There is no request.
    None,
    Route,
    Command,
    Setup,
    Data,
}

/// Width of a [`Stage`].
const STAGE_BITS: usize = 3;
/// Width of a word's number in its flit.
const WORD_NUMBER_BITS: usize = message::FLIT_WORDS.trailing_zeros() as usize;
/// Bits of the last flit below the packet's CRC.
const BELOW_CRC: usize = 96;

/// Requests on their way out become replies; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct TurnRound {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub tile_valid: Signal<In, Bit>,
    pub tile_flit: Wire<In>,
    pub tile_vc: Wire<In>,
    pub tile_ready: Signal<Out, Bit>,
    pub tx_valid: Signal<Out, Bit>,
    pub tx_flit: Wire<Out>,
    pub tx_vc: Wire<Out>,
    pub tx_ready: Signal<In, Bit>,
    pub port: Wire<In>,
    pub identity: Wire<In>,
    pub wants: Signal<Out, Bit>,
    pub granted: Signal<In, Bit>,
    pub flit: Wire<Out>,
    pub opens: Signal<Out, Bit>,
    pub loads: Signal<Out, Bit>,
    pub beat: Signal<Out, Bit>,
    pub word: Wire<Out>,
    pub taken: Signal<In, Bit>,
    pub busy: Signal<In, Bit>,
    pub status: Wire<In>,
    pub valid: Signal<In, Bit>,
    pub value: Wire<In>,
    pub last: Signal<In, Bit>,
    pub takes: Signal<Out, Bit>,
    addressee: Addressee,
    header: ReplyHeader,
    packet_crc: Crc32cWord,
    /// There is a flit, and room for it: of the request, and which one, its last one, or one that passes.
    comes: Signal<Local, Bit>,
    own: Signal<Local, Bit>,
    at_command: Signal<Local, Bit>,
    at_setup: Signal<Local, Bit>,
    at_data: Signal<Local, Bit>,
    at_tail: Signal<Local, Bit>,
    /// A word of the reply is known: a value, or zero.
    word_done: Signal<Local, Bit>,
    /// The reply's command, and its last flit.
    answer: Wire<Local>,
    result: Wire<Local>,
    stage: Register,
    word_number: Register,
    beats: Register,
    values: Register,
    /// The setup reads; an access has values that are still to come; some found no room.
    reads: Flag,
    open: Flag,
    truncated: Flag,
    /// The flit for the link: whether it is whole, part of a reply, the last one and still without its CRC.
    held: Register,
    held_vc: Register,
    whole: Flag,
    turned: Flag,
    unsealed: Flag,
    crc: Register,
    _params: RouterParams,
}

impl TurnRound {
    pub fn new(params: &RouterParams) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            tile_valid: Default::default(),
            tile_flit: Wire::new(FLIT_BITS),
            tile_vc: Wire::new(VC_BITS),
            tile_ready: Default::default(),
            tx_valid: Default::default(),
            tx_flit: Wire::new(FLIT_BITS),
            tx_vc: Wire::new(VC_BITS),
            tx_ready: Default::default(),
            port: Wire::new(PORT_BITS),
            identity: Wire::new(identity::BITS),
            wants: Default::default(),
            granted: Default::default(),
            flit: Wire::new(flit::DATA.width),
            opens: Default::default(),
            loads: Default::default(),
            beat: Default::default(),
            word: Wire::new(bus::DATA_BITS),
            taken: Default::default(),
            busy: Default::default(),
            status: Wire::new(STATUS_BITS),
            valid: Default::default(),
            value: Wire::new(bus::DATA_BITS),
            last: Default::default(),
            takes: Default::default(),
            addressee: Default::default(),
            header: Default::default(),
            packet_crc: Default::default(),
            comes: Default::default(),
            own: Default::default(),
            at_command: Default::default(),
            at_setup: Default::default(),
            at_data: Default::default(),
            at_tail: Default::default(),
            word_done: Default::default(),
            answer: Wire::new(flit::DATA.width),
            result: Wire::new(flit::DATA.width),
            stage: Register::new(STAGE_BITS),
            word_number: Register::new(WORD_NUMBER_BITS),
            beats: Register::new(command::BEATS.width),
            values: Register::new(tail::VALUES.width),
            reads: Default::default(),
            open: Default::default(),
            truncated: Default::default(),
            held: Register::new(FLIT_BITS),
            held_vc: Register::new(VC_BITS),
            whole: Default::default(),
            turned: Default::default(),
            unsealed: Default::default(),
            crc: Register::new(32),
            _params: *params,
        }
    }
}

impl Logic for TurnRound {
    #[kernel]
    fn update(&mut self) {
        comment!("module: turn_round");
        registers!(self.stage, self.word_number, self.beats, self.values);
        registers!(self.reads, self.open, self.truncated, self.turned);
        registers!(self.held, self.held_vc, self.crc);
        clocked!(self.whole, self.unsealed);
        let stage = self.stage.q.val();
        let flit_bits = self.tile_flit.val();
        let data = flit_bits.field(flit::DATA);
        let marks = flit_bits.slice(flit::HEAD.offset, FLIT_BITS - flit::HEAD.offset);
        let is_tail = flit_bits.field(flit::TAIL).any();
        let words = message::FLIT_WORDS as u64;
        let last_vc = (self._params.virtual_channels - 1) as u64;

        // Which flit it is.
        let free = !self.unsealed.q.val() & (!self.whole.q.val() | self.tx_ready.val());
        let of_request = (self.tile_vc.val() == last_vc) & (stage != Stage::None as u64);
        self.comes.next = self.tile_valid.val() & free;
        self.own.next = self.comes.val() & of_request;
        self.at_command.next = self.own.val() & !is_tail & (stage == Stage::Command as u64);
        self.at_setup.next = self.own.val() & !is_tail & (stage == Stage::Setup as u64);
        self.at_data.next = self.own.val() & !is_tail & (stage == Stage::Data as u64);
        self.at_tail.next = self.own.val() & is_tail & (stage != Stage::Route as u64);

        // The head: the addressee knows a header as it came in, with one hop more.
        let hops = data.field(header::HOPS_LEFT);
        let arrived = (hops ^ (hops + 1)).resize(HEADER_BITS) << header::HOPS_LEFT.offset as u64;
        self.addressee.header.next = data ^ arrived;
        self.addressee.identity.next = self.identity.val();
        let turns = self.comes.val()
            & flit_bits.field(flit::HEAD).any()
            & (self.tile_vc.val() == last_vc)
            & (stage == Stage::None as u64)
            & self.addressee.here.val();
        self.header.request.next = data;

        // The accesses: a word of the request for each word of the reply.
        self.flit.next = data;
        self.wants.next =
            (self.tile_valid.val() & of_request & !is_tail & (stage == Stage::Command as u64))
                | (stage == Stage::Setup as u64)
                | (stage == Stage::Data as u64);
        self.opens.next = self.at_command.val() & self.granted.val();
        self.loads.next = self.at_setup.val() & !self.busy.val();
        let open = self.open.q.val();
        let begins = self.at_data.val() & !open & self.beats.q.val().any();
        self.beat.next = begins;
        self.word.next =
            (data >> (self.word_number.q.val().resize(7) << 5u64)).resize(bus::DATA_BITS);
        // Behind the data there is no room: values go nowhere, and beats are not begun.
        self.takes.next = (self.at_data.val() | self.at_tail.val()) & open;
        let value_comes = self.takes.val() & self.valid.val();
        self.word_done.next = self.at_data.val()
            & (value_comes
                | (begins & self.taken.val() & !self.reads.q.val())
                | (!open & !self.beats.q.val().any()));
        if begins & self.taken.val() {
            self.beats.d.next = self.beats.q.val() - 1;
            self.open.d.next = self.reads.q.val();
        } else if value_comes {
            self.open.d.next = !self.last.val();
        }
        if value_comes & self.at_data.val() {
            self.values.d.next = self.values.q.val() + 1;
        } else if value_comes {
            self.truncated.d.next = true;
        }
        if self.word_done.val() {
            self.word_number.d.next = self.word_number.q.val() + 1;
        }

        // What stands in the reply.
        let identity = self.identity.val();
        let shape = cat(
            Value::new(command::COLUMNS.width, self._params.columns as u64),
            Value::new(command::ROWS.width, self._params.rows as u64),
        );
        let rest = flit::DATA.width - command::IDENTITY.offset - command::IDENTITY.width;
        self.answer.next = cat(
            cat(Value::zero(rest), cat(identity, shape)),
            cat(
                cat(self.port.val(), data.field(command::BEATS)),
                Value::new(command::IDCODE.width, u64::from(IDCODE_VALUE)),
            ),
        );
        let early = stage != Stage::Data as u64;
        let failures = cat(
            cat(
                early,
                !early & (self.truncated.q.val() | self.beats.q.val().any()),
            ),
            self.status.val() & replicate(!early, STATUS_BITS),
        );
        let count = self.values.q.val() & replicate(!early, tail::VALUES.width);
        self.result.next = failures.resize(flit::DATA.width)
            | (count.resize(flit::DATA.width) << tail::VALUES.offset as u64);

        // The flit for the link.
        let ends = self.at_tail.val() & (early | (!open & !self.busy.val()));
        let flit_done = self.word_done.val() & (self.word_number.q.val() == words - 1);
        let passes = self.comes.val() & !of_request;
        let routes = self.own.val() & (stage == Stage::Route as u64);
        let goes = passes | routes | self.opens.val() | self.loads.val() | flit_done | ends;
        self.tile_ready.next = goes;
        self.whole.d.next = (self.whole.q.val() & !self.tx_ready.val())
            | self.unsealed.q.val()
            | (goes & !ends & !(routes & is_tail));
        self.unsealed.d.next = ends | (routes & is_tail);
        if goes {
            self.held.d.next = flit_bits;
            self.held_vc.d.next = self.tile_vc.val();
            self.turned.d.next = turns | of_request;
        }
        if turns {
            self.held.d.next = cat(marks, self.header.reply.val());
        } else if self.opens.val() {
            self.held.d.next = cat(marks, self.answer.val());
        } else if self.word_done.val() {
            // Word by word from the top, so the first one ends lowest.
            let value = self.value.val() & replicate(value_comes, bus::DATA_BITS);
            self.held.d.next = cat(
                cat(marks, value),
                self.held
                    .q
                    .val()
                    .slice(bus::DATA_BITS, flit::DATA.width - bus::DATA_BITS),
            );
        } else if ends {
            self.held.d.next = cat(marks, self.result.val());
        } else if self.unsealed.q.val() {
            let held = self.held.q.val();
            self.held.d.next = cat(
                held.slice(flit::DATA.width, FLIT_BITS - flit::DATA.width),
                cat(!self.packet_crc.next.val(), held.slice(0, BELOW_CRC)),
            );
        }
        self.tx_valid.next = self.whole.q.val();
        self.tx_flit.next = self.held.q.val();
        self.tx_vc.next = self.held_vc.q.val();

        // The reply's CRC, of each flit as it leaves.
        let held_data = self.held.q.val().field(flit::DATA);
        self.packet_crc.state.next = self.crc.q.val();
        self.packet_crc.data.next = held_data;
        if self.held.q.val().field(flit::HEAD).any() {
            let routers = header::CHANGED_BY_ROUTERS.map(|field| field.mask(HEADER_BITS));
            let mask = routers
                .into_iter()
                .fold(Value::zero(HEADER_BITS), |all, mask| all | mask);
            self.packet_crc.state.next = u64::from(u32::MAX).into();
            self.packet_crc.data.next = held_data & !mask;
        } else if self.unsealed.q.val() {
            // Zeros in front change nothing when the state is zero, so the last bytes may be fewer than a word.
            let below = held_data.slice(0, BELOW_CRC) ^ self.crc.q.val().resize(BELOW_CRC);
            self.packet_crc.state.next = 0.into();
            self.packet_crc.data.next = below.resize(flit::DATA.width) << 32u64;
        }
        if self.whole.q.val() & self.tx_ready.val() & self.turned.q.val() {
            self.crc.d.next = self.packet_crc.next.val();
        }

        // What comes next.
        if turns & !is_tail {
            self.stage.d.next = (Stage::Command as u64).into();
            if data.field(header::SOURCE_ROUTE).any() {
                self.stage.d.next = (Stage::Route as u64).into();
            }
        } else if ends | (routes & is_tail) {
            self.stage.d.next = (Stage::None as u64).into();
        } else if routes {
            self.stage.d.next = (Stage::Command as u64).into();
        } else if self.opens.val() {
            self.stage.d.next = (Stage::Setup as u64).into();
            self.beats.d.next = data.field(command::BEATS);
            self.values.d.next = 0.into();
            self.truncated.d.next = false;
        } else if self.loads.val() {
            self.stage.d.next = (Stage::Data as u64).into();
            self.reads.d.next = data.field(access::OP) != Op::Write as u64;
        }
    }
}
