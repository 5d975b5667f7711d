//! `RouteChoice`: one of the candidate ports of a packet.
//!
//! Deterministic packets take the first usable candidate, in the order of the table entry. Adaptive ones take the
//! idlest: not congested if there is one, then the one with least of its next buffer in use; equal ones take turns. A
//! source-routed packet has one candidate, from its route.
//!
//! A candidate is usable if its port is alive and, in the last phase of a message class, is no sibling link.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `found`, `word[w]` | in | the table entry's candidates |
//! | `source`, `source_port` | in | the packet is source-routed, to this port |
//! | `adaptive`, `last_phase` | in | of the packet |
//! | `usable`, `sibling`, `congested`, `level[k]` | in | of every port, a bit each; `level[k]` is bit k of the level |
//! | `used` | in | the choice is used: at this edge the turn moves past it |
//! | `named` | out | some candidate is a port of the chip |
//! | `chosen`, `port` | out | some candidate is usable; the one to take |
//! | `to_sibling` | out | that port leads to a sibling |
//!
//! Latency: 0 cycles.

use super::bus::entry;
use super::output_unit::LEVEL_BITS;
use super::{RouterParams, PORT_BITS};
use crate::cells::RoundRobinArbiter;
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{bits_of, or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Width of a port in a source route.
pub const SOURCE_PORT_BITS: usize = 8;

/// Choice among candidates; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct RouteChoice {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub found: Signal<In, Bit>,
    pub word: Vec<Wire<In>>,
    pub source: Signal<In, Bit>,
    pub source_port: Wire<In>,
    pub adaptive: Signal<In, Bit>,
    pub last_phase: Signal<In, Bit>,
    pub usable: Wire<In>,
    pub sibling: Wire<In>,
    pub congested: Wire<In>,
    pub level: Vec<Wire<In>>,
    pub used: Signal<In, Bit>,
    pub named: Signal<Out, Bit>,
    pub chosen: Signal<Out, Bit>,
    pub port: Wire<Out>,
    pub to_sibling: Signal<Out, Bit>,
    /// Ports that the table entry names; those that the packet can choose from.
    listed: Vec<Wire<Local>>,
    candidate: Vec<Wire<Local>>,
    /// Candidates that are ports of the chip; that can be taken.
    existing: Wire<Local>,
    possible: Wire<Local>,
    /// Those left after each comparison, the most important one first.
    idle: Vec<Wire<Local>>,
    picked: Wire<Local>,
    turn: RoundRobinArbiter,
    _ports: usize,
}

impl RouteChoice {
    pub fn new(params: &RouterParams) -> Self {
        let (ports, candidates) = (params.ports(), params.candidates);
        let words = (0..entry::words(candidates)).map(|word| {
            let left = candidates - word * entry::CANDIDATES_A_WORD;
            Wire::new(left.min(entry::CANDIDATES_A_WORD) * entry::CANDIDATE_BITS)
        });
        Self {
            clock: Default::default(),
            reset: Default::default(),
            found: Default::default(),
            word: words.collect(),
            source: Default::default(),
            source_port: Wire::new(SOURCE_PORT_BITS),
            adaptive: Default::default(),
            last_phase: Default::default(),
            usable: Wire::new(ports),
            sibling: Wire::new(ports),
            congested: Wire::new(ports),
            level: Wire::vec(LEVEL_BITS, ports),
            used: Default::default(),
            named: Default::default(),
            chosen: Default::default(),
            port: Wire::new(PORT_BITS),
            to_sibling: Default::default(),
            listed: Wire::vec(candidates, PORT_BITS),
            candidate: Wire::vec(candidates, PORT_BITS),
            existing: Wire::new(candidates),
            possible: Wire::new(candidates),
            idle: Wire::vec(LEVEL_BITS + 1, candidates),
            picked: Wire::new(candidates),
            turn: RoundRobinArbiter::new(candidates),
            _ports: ports,
        }
    }
}

impl Logic for RouteChoice {
    #[kernel]
    fn update(&mut self) {
        comment!("module: route_choice");
        clocked!(self.turn);
        let candidates = self.candidate.len();
        let ports = self._ports as u64;
        for i in 0..candidates {
            let at = i % entry::CANDIDATES_A_WORD * entry::CANDIDATE_BITS;
            self.listed[i].next = self.word[i / entry::CANDIDATES_A_WORD]
                .val()
                .slice(at + entry::PORT.offset, PORT_BITS);
            self.candidate[i].next = self.listed[i].val();
        }
        self.existing.next = bits_of(0..candidates, |i| {
            self.found.val()
                & self.word[i / entry::CANDIDATES_A_WORD].val().get_bit(
                    (i % entry::CANDIDATES_A_WORD * entry::CANDIDATE_BITS + entry::VALID.offset)
                        as u64,
                )
                & (self.listed[i].val().resize(SOURCE_PORT_BITS) < ports)
        });
        if self.source.val() {
            self.candidate[0].next = self.source_port.val().resize(PORT_BITS);
            self.existing.next = replicate(self.source_port.val() < ports, 1).resize(candidates);
        }
        self.possible.next = bits_of(0..candidates, |i| {
            self.existing.val().get_bit(i as u64)
                & self.usable.val().get_bit(self.candidate[i].val())
                & !(self.last_phase.val() & self.sibling.val().get_bit(self.candidate[i].val()))
        });

        // The idlest: of all that are left, those without the next sign of load, if there are any.
        let fair = self.possible.val()
            & !bits_of(0..candidates, |i| {
                self.congested.val().get_bit(self.candidate[i].val())
            });
        self.idle[0].next = self.possible.val();
        if fair.any() {
            self.idle[0].next = fair;
        }
        for k in 0..LEVEL_BITS {
            let lower = self.idle[k].val()
                & !bits_of(0..candidates, |i| {
                    self.level[LEVEL_BITS - 1 - k]
                        .val()
                        .get_bit(self.candidate[i].val())
                });
            self.idle[k + 1].next = self.idle[k].val();
            if lower.any() {
                self.idle[k + 1].next = lower;
            }
        }
        self.turn.request.next = self.idle[LEVEL_BITS].val();
        self.turn.advance.next = self.used.val() & self.adaptive.val() & !self.source.val();

        self.picked.next = self.possible.val() & (!self.possible.val() + 1);
        if self.adaptive.val() {
            self.picked.next = self.turn.grant.val();
        }
        self.named.next = self.existing.val().any();
        self.chosen.next = self.possible.val().any();
        self.port.next = or_of(0..candidates, |i| {
            replicate(self.picked.val().get_bit(i as u64), PORT_BITS) & self.candidate[i].val()
        });
        self.to_sibling.next = self.sibling.val().get_bit(self.port.val());
    }
}
