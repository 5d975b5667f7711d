//! `CrossbarUnit`, the RCU: from the row buses of a row to the column channels of a column.
//!
//! Each tile of the row has a row buffer here, a queue for each virtual channel (VC). Every queue is an input of the
//! crossbar of its own, so a blocked VC blocks no other. Each output, a row of this tile's column, takes one flit a
//! cycle from any queue, in turn; a packet holds its output's VC from head to tail, so that packets of a VC are never
//! interleaved, while other VCs pass between its flits.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `row_valid[s]` | in | the row bus of the row's tile s carries a flit for this column |
//! | `row_word[s]`, `row_vc[s]` | in | that flit, below the rows that it goes to, and its VC, one bit each |
//! | `row_credit[s]` | out | bit v: a flit of VC v left the row buffer of tile s |
//! | `column_vc[r]` | out | bit v: the channel to row r carries a flit of VC v |
//! | `column_flit[r]` | out | that flit |
//! | `column_credit[r]` | in | bit v: row r freed a flit of VC v in the column buffer of this tile |
//!
//! Latency: a flit on a row bus in cycle t is in its queue in t + 1 and, granted then, on the column channel in t + 2.
//!
//! Invariants: a queue never overflows (the sender's credits see to it); a flit is sent only with a credit; between a
//! packet's head and tail its output's VC has one owner; the way from row to column has no cycle, so short buffers
//! cannot deadlock.
//!
//! Later: a flit's set of rows is a set already, for multicast.

use super::RouterParams;
use crate::cells::{CreditCounter, Fifo, HierarchicalArbiter, Register};
use crate::kernel;
use crate::packet::{flit, FLIT_BITS};
use crate::ports::Ports;
use crate::wire::{any_of, bits_of, or_of, replicate, Wire};
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
    pub column_credit: Vec<Wire<In>>,
    /// The queue of tile s and VC v, which is input s · VCs + v of every arbiter.
    queue: Vec<Vec<Fifo>>,
    arbiter: Vec<HierarchicalArbiter>,
    /// The tile whose packet holds VC v of output r, one bit each; none when it is free.
    owner: Vec<Vec<Register>>,
    column_space: Vec<Vec<CreditCounter>>,
    freed: Vec<Register>,
    sent_vc: Vec<Register>,
    sent_flit: Vec<Register>,
    _params: RouterParams,
}

impl CrossbarUnit {
    pub fn new(params: &RouterParams) -> Self {
        let (rows, columns, vcs) = (params.rows, params.columns, params.virtual_channels);
        let queues = || Fifo::vec(vcs, params.row_word_bits(), params.row_buffer_flits);
        let column_space = || CreditCounter::vec(vcs, params.column_buffer_flits);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            row_valid: (0..columns).map(|_| Default::default()).collect(),
            row_word: Wire::vec(columns, params.row_word_bits()),
            row_vc: Wire::vec(columns, vcs),
            row_credit: Wire::vec(columns, vcs),
            column_vc: Wire::vec(rows, vcs),
            column_flit: Wire::vec(rows, FLIT_BITS),
            column_credit: Wire::vec(rows, vcs),
            queue: (0..columns).map(|_| queues()).collect(),
            arbiter: (0..rows)
                .map(|_| HierarchicalArbiter::new(columns * vcs))
                .collect(),
            owner: (0..rows).map(|_| Register::vec(vcs, columns)).collect(),
            column_space: (0..rows).map(|_| column_space()).collect(),
            freed: Register::vec(columns, vcs),
            sent_vc: Register::vec(rows, vcs),
            sent_flit: Register::vec(rows, FLIT_BITS),
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

        for s in 0..columns {
            clocked!(self.freed[s]);
            for v in 0..vcs {
                let input = (s * vcs + v) as u64;
                clocked!(self.queue[s][v]);
                self.queue[s][v].push.next =
                    self.row_valid[s].val() & self.row_vc[s].val().get_bit(v as u64);
                self.queue[s][v].push_data.next = self.row_word[s].val();
                self.queue[s][v].pop.next =
                    any_of(0..rows, |r| self.arbiter[r].grant.val().get_bit(input));
            }
            self.freed[s].d.next = bits_of(0..vcs, |v| {
                any_of(0..rows, |r| {
                    self.arbiter[r].grant.val().get_bit((s * vcs + v) as u64)
                })
            });
            self.row_credit[s].next = self.freed[s].q.val();
        }

        for r in 0..rows {
            clocked!(self.arbiter[r], self.sent_vc[r], self.sent_flit[r]);
            let grant = self.arbiter[r].grant.val();
            // A queue asks for the output that its oldest flit goes to, if the output's VC is free or its own and the
            // column buffer has room.
            self.arbiter[r].request.next = bits_of(0..columns * vcs, |i| {
                !self.queue[i / vcs][i % vcs].empty.val()
                    & self.queue[i / vcs][i % vcs]
                        .pop_data
                        .val()
                        .get_bit((FLIT_BITS + r) as u64)
                    & self.column_space[r][i % vcs].available.val()
                    & (!self.owner[r][i % vcs].q.val().any()
                        | self.owner[r][i % vcs].q.val().get_bit((i / vcs) as u64))
            });
            self.arbiter[r].advance.next = true;
            let tail = any_of(0..columns * vcs, |i| {
                grant.get_bit(i as u64)
                    & self.queue[i / vcs][i % vcs]
                        .pop_data
                        .val()
                        .field(flit::TAIL)
                        .any()
            });
            for v in 0..vcs {
                registers!(self.owner[r][v]);
                clocked!(self.column_space[r][v]);
                let sender = bits_of(0..columns, |s| grant.get_bit((s * vcs + v) as u64));
                if sender.any() {
                    self.owner[r][v].d.next = sender & !replicate(tail, columns);
                }
                self.column_space[r][v].take.next = sender.any().into();
                self.column_space[r][v].give.next =
                    self.column_credit[r].val().get_bit(v as u64).into();
            }
            self.sent_vc[r].d.next = bits_of(0..vcs, |v| {
                any_of(0..columns, |s| grant.get_bit((s * vcs + v) as u64))
            });
            self.sent_flit[r].d.next = or_of(0..columns * vcs, |i| {
                replicate(grant.get_bit(i as u64), FLIT_BITS)
                    & self.queue[i / vcs][i % vcs]
                        .pop_data
                        .val()
                        .resize(FLIT_BITS)
            });
            self.column_vc[r].next = self.sent_vc[r].q.val();
            self.column_flit[r].next = self.sent_flit[r].q.val();
        }
    }
}
