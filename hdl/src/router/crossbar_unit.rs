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
//! | `row_credit[s]` | out | bit v: a flit of VC v leaves the row buffer of tile s; the chip has a register behind it |
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
use crate::wire::{bits_of, or_of, replicate, Wire};
use rust_hdl::prelude::*;

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
    /// By row and VC, a bit for each tile: the packet that is in a wave to the row; that has sent it this flit; that has
    /// been there in an earlier wave.
    wave: Vec<Vec<Register>>,
    taken: Vec<Vec<Register>>,
    done: Vec<Vec<Register>>,
    /// By VC, a bit for each tile: the buffer has a flit; that is a packet's last; the head of a multicast packet; its
    /// packet is in a wave; may go to rows of the wave; has gone to all of them; is in its packet's last wave.
    available: Vec<Wire<Local>>,
    tail: Vec<Wire<Local>>,
    multicast_head: Vec<Wire<Local>>,
    in_wave: Vec<Wire<Local>>,
    may_send: Vec<Wire<Local>>,
    sends: Vec<Wire<Local>>,
    last_wave: Vec<Wire<Local>>,
    /// By row and VC, a bit for each tile: the flit goes to the row; its packet has yet to start there; has the row's VC;
    /// sends it a flit now.
    target: Vec<Vec<Wire<Local>>>,
    pending: Vec<Vec<Wire<Local>>>,
    sender: Vec<Vec<Wire<Local>>>,
    takes: Vec<Vec<Wire<Local>>>,
    /// By row and VC, a bit for each tile: the row's column buffer has no room for the multicast packet.
    lacks_room: Vec<Vec<Wire<Local>>>,
    /// By row and VC: who is let in next.
    entry: Vec<Vec<RoundRobinArbiter>>,
    column_space: Vec<Vec<CreditCounter>>,
    /// By row: which VC sends; tiles that have a packet of that VC for the row, and how many of them are below tile s.
    channel: Vec<RoundRobinArbiter>,
    rivals: Vec<Wire<Local>>,
    waiting: Vec<Vec<Wire<Local>>>,
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
            wave: grid(rows, vcs, || Register::new(columns)),
            taken: grid(rows, vcs, || Register::new(columns)),
            done: grid(rows, vcs, || Register::new(columns)),
            available: Wire::vec(vcs, columns),
            tail: Wire::vec(vcs, columns),
            multicast_head: Wire::vec(vcs, columns),
            in_wave: Wire::vec(vcs, columns),
            may_send: Wire::vec(vcs, columns),
            sends: Wire::vec(vcs, columns),
            last_wave: Wire::vec(vcs, columns),
            target: grid(rows, vcs, || Wire::new(columns)),
            pending: grid(rows, vcs, || Wire::new(columns)),
            sender: grid(rows, vcs, || Wire::new(columns)),
            takes: grid(rows, vcs, || Wire::new(columns)),
            lacks_room: grid(rows, vcs, || Wire::new(columns)),
            entry: grid(rows, vcs, || RoundRobinArbiter::new(columns)),
            column_space: grid(rows, vcs, || CreditCounter::new(params.column_buffer_flits)),
            channel: (0..rows).map(|_| RoundRobinArbiter::new(vcs)).collect(),
            rivals: Wire::vec(rows, columns),
            waiting: grid(rows, columns + 1, || Wire::new(weight_bits)),
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
        let weight_bits = self._params.weight_bits();
        // Wide enough to compare a count of credits with a packet's length.
        let length_bits = header::FLITS_MINUS_ONE
            .width
            .max(self.column_space[0][0].count.bits());

        // What every buffer shows.
        for v in 0..vcs {
            for s in 0..columns {
                clocked!(self.buffer[s][v]);
                self.buffer[s][v].push.next =
                    self.row_valid[s].val() & self.row_vc[s].val().get_bit(v as u64);
                self.buffer[s][v].push_word.next = self.row_word[s].val();
            }
            self.available[v].next = bits_of(0..columns, |s| self.buffer[s][v].available.val());
            self.tail[v].next = bits_of(0..columns, |s| {
                self.buffer[s][v].word.val().field(flit::TAIL).any()
            });
            self.multicast_head[v].next = bits_of(0..columns, |s| {
                self.buffer[s][v].word.val().field(flit::HEAD).any()
                    & self.buffer[s][v].word.val().field(header::MULTICAST).any()
            });
            for r in 0..rows {
                registers!(self.wave[r][v], self.taken[r][v], self.done[r][v]);
                self.target[r][v].next = bits_of(0..columns, |s| {
                    self.buffer[s][v].word.val().get_bit((FLIT_BITS + r) as u64)
                });
                self.pending[r][v].next =
                    self.available[v].val() & self.target[r][v].val() & !self.done[r][v].q.val();
            }
        }

        for v in 0..vcs {
            let available = self.available[v].val();
            let multicast_head = self.multicast_head[v].val();
            self.in_wave[v].next = or_of(0..rows, |r| self.wave[r][v].q.val());

            // A multicast packet's head waits for its wave, and for room for all of it in every row of the wave.
            self.may_send[v].next = available;
            for r in 0..rows {
                self.lacks_room[r][v].next = 0.into();
            }
            if multicast_head.any() {
                for r in 0..rows {
                    let room = self.column_space[r][v].count.val().resize(length_bits);
                    self.lacks_room[r][v].next = self.wave[r][v].q.val()
                        & !self.taken[r][v].q.val()
                        & bits_of(0..columns, |s| {
                            room <= self.buffer[s][v]
                                .word
                                .val()
                                .field(header::FLITS_MINUS_ONE)
                                .resize(length_bits)
                        });
                }
                let lacks_room = or_of(0..rows, |r| self.lacks_room[r][v].val());
                self.may_send[v].next =
                    available & (!multicast_head | (self.in_wave[v].val() & !lacks_room));
            }

            // Who has each output's VC.
            for r in 0..rows {
                clocked!(self.entry[r][v], self.column_space[r][v]);
                let wave = self.wave[r][v].q.val();
                self.entry[r][v].request.next = self.pending[r][v].val()
                    & !self.in_wave[v].val()
                    & !replicate(wave.any(), columns);
                self.entry[r][v].advance.next = true;
                self.sender[r][v].next = wave | self.entry[r][v].grant.val();
            }
        }

        // Which VC sends on it.
        for r in 0..rows {
            clocked!(self.channel[r]);
            self.channel[r].request.next = bits_of(0..vcs, |v| {
                self.column_space[r][v].available.val()
                    & (self.sender[r][v].val() & self.may_send[v].val() & !self.taken[r][v].q.val())
                        .any()
            });
            self.channel[r].advance.next = true;
            for v in 0..vcs {
                let granted = self.channel[r].grant.val().get_bit(v as u64);
                self.takes[r][v].next = replicate(granted, columns) & self.sender[r][v].val();
                self.column_space[r][v].take.next = granted.into();
                self.column_space[r][v].give.next =
                    self.column_credit[r].val().get_bit(v as u64).into();
            }
        }

        // What that means for the buffers.
        for v in 0..vcs {
            let moves = or_of(0..rows, |r| self.takes[r][v].val());
            let waits = or_of(0..rows, |r| {
                self.sender[r][v].val() & !self.taken[r][v].q.val() & !self.takes[r][v].val()
            });
            self.sends[v].next = moves & !waits;
            self.last_wave[v].next = !or_of(0..rows, |r| {
                self.target[r][v].val() & !self.done[r][v].q.val() & !self.sender[r][v].val()
            });
            let sends = self.sends[v].val();
            let ends = sends & self.tail[v].val();
            for s in 0..columns {
                self.buffer[s][v].take.next = sends.get_bit(s as u64);
                self.buffer[s][v].keep.next = !self.last_wave[v].val().get_bit(s as u64);
                self.buffer[s][v].rewind.next = self.tail[v].val().get_bit(s as u64);
            }
            for r in 0..rows {
                let done = self.done[r][v].q.val();
                let sender = self.sender[r][v].val();
                self.wave[r][v].d.next = sender & !ends;
                self.taken[r][v].d.next =
                    (self.taken[r][v].q.val() | self.takes[r][v].val()) & !sends;
                self.done[r][v].d.next =
                    (done | (sender & ends)) & !(ends & self.last_wave[v].val());
            }
        }
        for s in 0..columns {
            self.row_credit[s].next = bits_of(0..vcs, |v| {
                (self.sends[v].val() & self.last_wave[v].val()).get_bit(s as u64)
            });
        }

        // The column channels.
        for r in 0..rows {
            clocked!(self.sent_vc[r], self.sent_flit[r], self.sent_weight[r]);
            self.sent_vc[r].d.next = self.channel[r].grant.val();
            self.sent_flit[r].d.next = or_of(0..columns * vcs, |i| {
                replicate(
                    self.takes[r][i % vcs].val().get_bit((i / vcs) as u64),
                    FLIT_BITS,
                ) & self.buffer[i / vcs][i % vcs].word.val().resize(FLIT_BITS)
            });
            self.rivals[r].next = or_of(0..vcs, |v| {
                replicate(self.channel[r].grant.val().get_bit(v as u64), columns)
                    & self.pending[r][v].val()
            });
            self.waiting[r][0].next = 0.into();
            for s in 0..columns {
                self.waiting[r][s + 1].next =
                    self.waiting[r][s].val() + self.rivals[r].val().slice(s, 1).resize(weight_bits);
            }
            self.sent_weight[r].d.next = self.waiting[r][columns].val();
            self.column_vc[r].next = self.sent_vc[r].q.val();
            self.column_flit[r].next = self.sent_flit[r].q.val();
            self.column_weight[r].next = self.sent_weight[r].q.val();
        }
    }
}
