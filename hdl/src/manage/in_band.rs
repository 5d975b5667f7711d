//! `InBandSource`: what comes in band at all ports, as one source of management.
//!
//! For each port p, to its [`TurnRound`](super::TurnRound):
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `wants`, `granted` | | a request has come; it has the source until it no longer wants |
//! | `flit[p]`, `opens`, `loads`, `beat`, `word[p]` | in | of who has it: a flit is a command, a setup; an access and its data |
//! | `takes` | in | of who has it: the value is taken |
//!
//! and for all of them:
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `taken`, `busy` | out | the access is taken in this cycle; some are under way |
//! | `valid`, `value`, `last` | out | a value that was read, the last one of its access |
//! | `key` | in | what writes need; 0: nobody may write |
//!
//! and to the [`Stream`](super::Stream) and the [`ChipManager`](super::ChipManager): `stream_load`, `stream_setup`,
//! `stream_beat`, `stream_data`, `stream_trusted`, `stream_taken`, `stream_busy`, `values_valid`, `values_value`,
//! `values_last`.
//!
//! Latency: 1 cycle from `wants` to `granted`, 1 from `beat` to `stream_beat`, 1 from a value to `valid`.
//!
//! Invariant: values are taken from the chip manager at once, whatever a port's link does, so other sources never wait for a
//! link. The user asks for no value before the last one of the access before has come.

use super::command::setup_bits;
use super::message::command;
use crate::cells::{Fifo, Flag, HierarchicalArbiter, Register};
use crate::kernel;
use crate::manage::command::KEY_BITS;
use crate::packet::flit;
use crate::ports::Ports;
use crate::router::{bus, RouterParams};
use crate::wire::{cat, or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Accesses that wait for the stream.
const BEATS: usize = 4;

/// All ports' requests as one source; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct InBandSource {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub wants: Wire<In>,
    pub granted: Wire<Out>,
    pub flit: Vec<Wire<In>>,
    pub opens: Wire<In>,
    pub loads: Wire<In>,
    pub beat: Wire<In>,
    pub word: Vec<Wire<In>>,
    pub takes: Wire<In>,
    pub taken: Signal<Out, Bit>,
    pub busy: Signal<Out, Bit>,
    pub valid: Signal<Out, Bit>,
    pub value: Wire<Out>,
    pub last: Signal<Out, Bit>,
    pub key: Wire<In>,
    pub stream_load: Signal<Out, Bit>,
    pub stream_setup: Wire<Out>,
    pub stream_beat: Signal<Out, Bit>,
    pub stream_data: Wire<Out>,
    pub stream_trusted: Signal<Out, Bit>,
    pub stream_taken: Signal<In, Bit>,
    pub stream_busy: Signal<In, Bit>,
    pub values_valid: Signal<In, Bit>,
    pub values_value: Wire<In>,
    pub values_last: Signal<In, Bit>,
    turn: HierarchicalArbiter,
    owner: Register,
    trusted: Flag,
    beats: Fifo,
    values: Fifo,
    /// The flit and the word of who has the source.
    owned_flit: Wire<Local>,
    owned_word: Wire<Local>,
}

impl InBandSource {
    pub fn new(params: &RouterParams) -> Self {
        let ports = params.ports();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            wants: Wire::new(ports),
            granted: Wire::new(ports),
            flit: Wire::vec(ports, flit::DATA.width),
            opens: Wire::new(ports),
            loads: Wire::new(ports),
            beat: Wire::new(ports),
            word: Wire::vec(ports, bus::DATA_BITS),
            takes: Wire::new(ports),
            taken: Default::default(),
            busy: Default::default(),
            valid: Default::default(),
            value: Wire::new(bus::DATA_BITS),
            last: Default::default(),
            key: Wire::new(KEY_BITS),
            stream_load: Default::default(),
            stream_setup: Wire::new(setup_bits(params)),
            stream_beat: Default::default(),
            stream_data: Wire::new(bus::DATA_BITS),
            stream_trusted: Default::default(),
            stream_taken: Default::default(),
            stream_busy: Default::default(),
            values_valid: Default::default(),
            values_value: Wire::new(bus::DATA_BITS),
            values_last: Default::default(),
            turn: HierarchicalArbiter::new(ports),
            owner: Register::new(ports),
            trusted: Default::default(),
            beats: Fifo::new(bus::DATA_BITS, BEATS),
            values: Fifo::new(bus::DATA_BITS + 1, ports),
            owned_flit: Wire::new(flit::DATA.width),
            owned_word: Wire::new(bus::DATA_BITS),
        }
    }
}

impl Logic for InBandSource {
    #[kernel]
    fn update(&mut self) {
        comment!("module: in_band_source");
        let ports = self.flit.len();
        clocked!(self.turn, self.owner, self.beats, self.values);
        registers!(self.trusted);
        let owner = self.owner.q.val();
        let free = !owner.any();
        self.turn.request.next = self.wants.val() & replicate(free, ports);
        self.turn.advance.next = free & self.wants.val().any();
        self.owner.d.next = (owner & self.wants.val()) | self.turn.grant.val();
        self.granted.next = owner;

        self.owned_flit.next = or_of(0..ports, |p| {
            replicate(owner.get_bit(p as u64), flit::DATA.width) & self.flit[p].val()
        });
        self.owned_word.next = or_of(0..ports, |p| {
            replicate(owner.get_bit(p as u64), bus::DATA_BITS) & self.word[p].val()
        });
        if (owner & self.opens.val()).any() {
            self.trusted.d.next = self.key.val().any()
                & (self.owned_flit.val().field(command::KEY) == self.key.val());
        }
        self.stream_load.next = (owner & self.loads.val()).any();
        self.stream_setup.next = self.owned_flit.val().slice(0, self.stream_setup.bits());
        self.stream_trusted.next = self.trusted.q.val();

        // Accesses wait in a queue, since they come from far.
        self.taken.next = (owner & self.beat.val()).any() & !self.beats.full.val();
        self.beats.push.next = self.taken.val();
        self.beats.push_data.next = self.owned_word.val();
        self.stream_beat.next = !self.beats.empty.val();
        self.stream_data.next = self.beats.pop_data.val();
        self.beats.pop.next = self.stream_taken.val();
        self.busy.next = self.stream_busy.val() | !self.beats.empty.val();

        self.values.push.next = self.values_valid.val();
        self.values.push_data.next = cat(self.values_last.val(), self.values_value.val());
        self.valid.next = !self.values.empty.val();
        self.value.next = self.values.pop_data.val().slice(0, bus::DATA_BITS);
        self.last.next = self.values.pop_data.val().get_bit(bus::DATA_BITS as u64);
        self.values.pop.next = (owner & self.takes.val()).any() & !self.values.empty.val();
    }
}
