//! `CrossbarUnit`, the RCU: from the row buses of a row to the column channels of a column.
//!
//! Each tile of the row has a row buffer here for each virtual channel (VC), an input of the crossbar of its own, so a
//! blocked VC blocks no other. Each output is a row of this tile's column. Per output and VC one buffer after another
//! is let in, for a packet at a time; per output one of the VCs sends a flit in a cycle. So packets of a VC are never
//! interleaved, while those of other VCs pass between their flits.
//!
//! A multicast packet goes to several rows. It is sent in waves: a wave is the set of rows that were free for it in one
//! cycle, and the rows that are left come in later waves, for which the packet is read again.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `row_valid[s]` | in | the row bus of the row's tile s carries a flit for this column |
//! | `row_word[s]`, `row_vc[s]` | in | that flit, below the rows that it goes to, and its VC, one bit each |
//! | `row_credit[s]` | out | bit v: a flit of VC v left the row buffer of tile s |
//! | `column_vc[r]` | out | bit v: the channel to row r carries a flit of VC v |
//! | `column_flit[r]`, `column_weight[r]` | out | that flit; tiles with a packet of this VC for row r |
//! | `column_credit[r]` | in | bit v: row r freed a flit of VC v in the column buffer of this tile |
//!
//! Latency: a flit on a row bus in cycle t is in its buffer in t + 1 and, granted then, on the column channel in t + 2. A
//! multicast packet takes one cycle more.
//!
//! Invariants: a buffer never overflows (the sender's credits see to it); a flit is sent only with a credit; an output's
//! VC is in one wave at most.
//!
//! No deadlock: the way from row to column has no cycle, so a unicast packet waits only for flits ahead of it. A
//! multicast packet is in its row buffer as a whole (the sender waits for room), and a wave starts only when the column
//! buffers of all its rows have room for the whole packet, which nobody else takes meanwhile since they are locked. So
//! whoever holds several outputs needs nothing more than its turns on the channels; while it waits to start, it waits
//! only for what its rows have already got to drain. Nobody waits for an output while holding another.

use super::{RouterParams, RowBuffer};
use crate::cells::{CreditCounter, Register, RoundRobinArbiter};
use crate::kernel;
use crate::packet::{flit, header, FLIT_BITS};
use crate::ports::Ports;
use crate::wire::{any_of, bits_of, or_of, replicate, Field, Wire};
use rust_hdl::prelude::*;

/// Rows that a word of a row buffer goes to.
fn rows_field(rows: usize) -> Field {
    Field {
        offset: FLIT_BITS,
        width: rows,
    }
}

/// Crossbar of a tile; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CrossbarUnit {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub row_valid: Vec<Signal<In, Bit>>,
    pub row_word: Vec<Wire<In>>,
    pub row_vc: Vec<Wire<In>>,
    pub row_credit: Vec<Wire<Out>>,
    pub column_vc: Vec<Wire<Out>>,
    pub column_flit: Vec<Wire<Out>>,
    pub column_weight: Vec<Wire<Out>>,
    pub column_credit: Vec<Wire<In>>,
    /// By tile and VC.
    buffer: Vec<Vec<RowBuffer>>,
    /// Rows of the wave that the packet is in, rows of it that have the flit, and rows of earlier waves.
    wave: Vec<Vec<Register>>,
    taken: Vec<Vec<Register>>,
    done: Vec<Vec<Register>>,
    /// Rows that the packet still has to go to in a later wave; rows that are in its wave now; that take the flit now.
    pending: Vec<Vec<Wire<Local>>>,
    joined: Vec<Vec<Wire<Local>>>,
    takes: Vec<Vec<Wire<Local>>>,
    /// Rows of the wave may take the flit; the last of them takes it.
    may_send: Vec<Vec<Signal<Local, Bit>>>,
    sends: Vec<Vec<Signal<Local, Bit>>>,
    /// By row and VC: who is let in next, and the tile whose packet has it, one bit each.
    entry: Vec<Vec<RoundRobinArbiter>>,
    sender: Vec<Vec<Wire<Local>>>,
    column_space: Vec<Vec<CreditCounter>>,
    /// Tiles below s that have a packet for it.
    waiting: Vec<Vec<Vec<Wire<Local>>>>,
    /// By row: which VC sends.
    channel: Vec<RoundRobinArbiter>,
    freed: Vec<Register>,
    sent_vc: Vec<Register>,
    sent_flit: Vec<Register>,
    sent_weight: Vec<Register>,
    _params: RouterParams,
}

/// An array of two dimensions.
fn grid<T>(rows: usize, columns: usize, make: impl Fn() -> T) -> Vec<Vec<T>> {
    let row = || (0..columns).map(|_| make()).collect();
    (0..rows).map(|_| row()).collect()
}

impl CrossbarUnit {
    pub fn new(params: &RouterParams) -> Self {
        let (rows, columns, vcs) = (params.rows, params.columns, params.virtual_channels);
        let weight_bits = params.weight_bits();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            row_valid: (0..columns).map(|_| Default::default()).collect(),
            row_word: Wire::vec(columns, params.row_word_bits()),
            row_vc: Wire::vec(columns, vcs),
            row_credit: Wire::vec(columns, vcs),
            column_vc: Wire::vec(rows, vcs),
            column_flit: Wire::vec(rows, FLIT_BITS),
            column_weight: Wire::vec(rows, weight_bits),
            column_credit: Wire::vec(rows, vcs),
            buffer: grid(columns, vcs, || RowBuffer::new(params)),
            wave: grid(columns, vcs, || Register::new(rows)),
            taken: grid(columns, vcs, || Register::new(rows)),
            done: grid(columns, vcs, || Register::new(rows)),
            pending: grid(columns, vcs, || Wire::new(rows)),
            joined: grid(columns, vcs, || Wire::new(rows)),
            takes: grid(columns, vcs, || Wire::new(rows)),
            may_send: grid(columns, vcs, Default::default),
            sends: grid(columns, vcs, Default::default),
            entry: grid(rows, vcs, || RoundRobinArbiter::new(columns)),
            sender: grid(rows, vcs, || Wire::new(columns)),
            column_space: grid(rows, vcs, || CreditCounter::new(params.column_buffer_flits)),
            waiting: grid(rows, vcs, || Wire::vec(columns + 1, weight_bits)),
            channel: (0..rows).map(|_| RoundRobinArbiter::new(vcs)).collect(),
            freed: Register::vec(columns, vcs),
            sent_vc: Register::vec(rows, vcs),
            sent_flit: Register::vec(rows, FLIT_BITS),
            sent_weight: Register::vec(rows, weight_bits),
            _params: *params,
        }
    }
}

impl Logic for CrossbarUnit {
    #[kernel]
    fn update(&mut self) {
        comment!("module: crossbar_unit");
        let (rows, columns) = (self._params.rows, self._params.columns);
        let vcs = self._params.virtual_channels;
        let targets = rows_field(rows);
        let weight_bits = self._params.weight_bits();
        // Wide enough to compare a count of credits with a packet's length.
        let length_bits = header::FLITS_MINUS_ONE
            .width
            .max(self.column_space[0][0].count.bits());

        // What every buffer shows.
        for s in 0..columns {
            for v in 0..vcs {
                clocked!(self.buffer[s][v]);
                registers!(self.wave[s][v], self.taken[s][v], self.done[s][v]);
                self.buffer[s][v].push.next =
                    self.row_valid[s].val() & self.row_vc[s].val().get_bit(v as u64);
                self.buffer[s][v].push_word.next = self.row_word[s].val();
                let word = self.buffer[s][v].word.val();
                let available = self.buffer[s][v].available.val();
                let wave = self.wave[s][v].q.val();
                self.pending[s][v].next =
                    replicate(available, rows) & word.field(targets) & !self.done[s][v].q.val();

                // A multicast packet's head waits for its wave, and for room for all of it in every row of the wave.
                let length = word.field(header::FLITS_MINUS_ONE).resize(length_bits);
                self.may_send[s][v].next = available;
                if word.field(flit::HEAD).any() & word.field(header::MULTICAST).any() {
                    self.may_send[s][v].next = available
                        & wave.any()
                        & !any_of(0..rows, |r| {
                            wave.get_bit(r as u64)
                                & !self.taken[s][v].q.val().get_bit(r as u64)
                                & (self.column_space[r][v].count.val().resize(length_bits)
                                    <= length)
                        });
                }
            }
        }

        // Who has each output's VC, and which VC sends on it.
        for r in 0..rows {
            clocked!(self.channel[r]);
            for v in 0..vcs {
                clocked!(self.entry[r][v], self.column_space[r][v]);
                let holders = bits_of(0..columns, |s| self.wave[s][v].q.val().get_bit(r as u64));
                self.entry[r][v].request.next = bits_of(0..columns, |s| {
                    !any_of(0..columns, |o| self.wave[o][v].q.val().get_bit(r as u64))
                        & !self.wave[s][v].q.val().any()
                        & self.pending[s][v].val().get_bit(r as u64)
                });
                self.entry[r][v].advance.next = true;
                self.sender[r][v].next = self.entry[r][v].grant.val() | holders;
                self.column_space[r][v].take.next =
                    self.channel[r].grant.val().get_bit(v as u64).into();
                self.column_space[r][v].give.next =
                    self.column_credit[r].val().get_bit(v as u64).into();

                self.waiting[r][v][0].next = 0.into();
                for s in 0..columns {
                    self.waiting[r][v][s + 1].next = self.waiting[r][v][s].val()
                        + self.pending[s][v].val().slice(r, 1).resize(weight_bits);
                }
            }
            self.channel[r].request.next = bits_of(0..vcs, |v| {
                self.column_space[r][v].available.val()
                    & any_of(0..columns, |s| {
                        self.sender[r][v].val().get_bit(s as u64)
                            & self.may_send[s][v].val()
                            & !self.taken[s][v].q.val().get_bit(r as u64)
                    })
            });
            self.channel[r].advance.next = true;
        }

        // What that means for the buffers.
        for s in 0..columns {
            clocked!(self.freed[s]);
            for v in 0..vcs {
                let word = self.buffer[s][v].word.val();
                let tail = word.field(flit::TAIL).any();
                let done = self.done[s][v].q.val();
                self.joined[s][v].next = self.wave[s][v].q.val()
                    | bits_of(0..rows, |r| self.entry[r][v].grant.val().get_bit(s as u64));
                self.takes[s][v].next = bits_of(0..rows, |r| {
                    self.channel[r].grant.val().get_bit(v as u64)
                        & self.sender[r][v].val().get_bit(s as u64)
                });
                let joined = self.joined[s][v].val();
                let taken = self.taken[s][v].q.val() | self.takes[s][v].val();
                let last_wave = (done | joined) == word.field(targets);
                self.sends[s][v].next = self.takes[s][v].val().any() & (taken == joined);
                self.buffer[s][v].take.next = self.sends[s][v].val();
                self.buffer[s][v].keep.next = !last_wave;
                self.buffer[s][v].rewind.next = tail;

                self.wave[s][v].d.next = joined;
                self.taken[s][v].d.next = taken;
                if self.sends[s][v].val() {
                    self.taken[s][v].d.next = 0.into();
                    if tail {
                        self.wave[s][v].d.next = 0.into();
                        self.done[s][v].d.next = (done | joined) & !replicate(last_wave, rows);
                    }
                }
            }
            self.freed[s].d.next = bits_of(0..vcs, |v| {
                self.sends[s][v].val()
                    & ((self.done[s][v].q.val() | self.joined[s][v].val())
                        == self.buffer[s][v].word.val().field(targets))
            });
            self.row_credit[s].next = self.freed[s].q.val();
        }

        // The column channels.
        for r in 0..rows {
            clocked!(self.sent_vc[r], self.sent_flit[r], self.sent_weight[r]);
            self.sent_vc[r].d.next = self.channel[r].grant.val();
            self.sent_flit[r].d.next = or_of(0..columns * vcs, |i| {
                replicate(
                    self.takes[i / vcs][i % vcs].val().get_bit(r as u64),
                    FLIT_BITS,
                ) & self.buffer[i / vcs][i % vcs].word.val().resize(FLIT_BITS)
            });
            self.sent_weight[r].d.next = or_of(0..vcs, |v| {
                replicate(self.channel[r].grant.val().get_bit(v as u64), weight_bits)
                    & self.waiting[r][v][columns].val()
            });
            self.column_vc[r].next = self.sent_vc[r].q.val();
            self.column_flit[r].next = self.sent_flit[r].q.val();
            self.column_weight[r].next = self.sent_weight[r].q.val();
        }
    }
}
