//! `OutputUnit`, the OBMU: from the column channels of a column to the link.
//!
//! Each tile of the column has a column buffer here, a queue for each virtual channel (VC). One flit a cycle goes to the
//! link, from any queue in turn. A packet starts only when the next chip's input buffer has room for all of it (virtual
//! cut-through), and holds the link's VC from head to tail.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `column_vc[s]`, `column_flit[s]` | in | bit v: the channel from row s carries a flit of VC v; that flit |
//! | `column_credit[s]` | out | bit v: a flit of VC v left the column buffer of row s |
//! | `tx_valid`, `tx_flit`, `tx_vc` | out | a flit for the link, held until `tx_ready` |
//! | `tx_ready` | in | the link takes the flit in this cycle |
//! | `tx_credit` | in | bit v: the next chip freed a flit of VC v in its input buffer |
//!
//! Latency: a flit on a column channel in cycle t is in its queue in t + 1 and, granted then, on the link in t + 2.
//!
//! Invariants: `tx` outputs come from registers; the credits of a VC cover the rest of the packet that holds it, since
//! no other packet of that VC can start before its tail has gone.

use super::{RouterParams, VC_BITS};
use crate::cells::{CreditCounter, Fifo, Flag, HierarchicalArbiter, Register};
use crate::kernel;
use crate::packet::{flit, header, FLIT_BITS};
use crate::ports::Ports;
use crate::wire::{bits_of, or_of, replicate, Value, Wire};
use rust_hdl::prelude::*;

/// Link side of a column; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct OutputUnit {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub column_vc: Vec<Wire<In>>,
    pub column_flit: Vec<Wire<In>>,
    pub column_credit: Vec<Wire<Out>>,
    pub tx_valid: Signal<Out, Bit>,
    pub tx_flit: Wire<Out>,
    pub tx_vc: Wire<Out>,
    pub tx_ready: Signal<In, Bit>,
    pub tx_credit: Wire<In>,
    /// The queue of row s and VC v, which is input s · VCs + v of the arbiter.
    queue: Vec<Vec<Fifo>>,
    arbiter: HierarchicalArbiter,
    /// The granted flit.
    sent: Wire<Local>,
    /// The row whose packet holds VC v of the link, one bit each; none when it is free.
    owner: Vec<Register>,
    link_space: Vec<CreditCounter>,
    freed: Vec<Register>,
    link_valid: Flag,
    link_flit: Register,
    link_vc: Register,
    _params: RouterParams,
}

impl OutputUnit {
    pub fn new(params: &RouterParams) -> Self {
        let (rows, vcs) = (params.rows, params.virtual_channels);
        let queues = || Fifo::vec(vcs, FLIT_BITS, params.column_buffer_flits);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            column_vc: Wire::vec(rows, vcs),
            column_flit: Wire::vec(rows, FLIT_BITS),
            column_credit: Wire::vec(rows, vcs),
            tx_valid: Default::default(),
            tx_flit: Wire::new(FLIT_BITS),
            tx_vc: Wire::new(VC_BITS),
            tx_ready: Default::default(),
            tx_credit: Wire::new(vcs),
            queue: (0..rows).map(|_| queues()).collect(),
            arbiter: HierarchicalArbiter::new(rows * vcs),
            sent: Wire::new(FLIT_BITS),
            owner: Register::vec(vcs, rows),
            link_space: CreditCounter::vec(vcs, params.input_buffer_flits),
            freed: Register::vec(rows, vcs),
            link_valid: Default::default(),
            link_flit: Register::new(FLIT_BITS),
            link_vc: Register::new(VC_BITS),
            _params: *params,
        }
    }
}

impl Logic for OutputUnit {
    #[kernel]
    fn update(&mut self) {
        comment!("module: output_unit");
        let (rows, vcs) = (self._params.rows, self._params.virtual_channels);
        let grant = self.arbiter.grant.val();
        let link_free = !self.link_valid.q.val() | self.tx_ready.val();
        // Wide enough to compare a count of credits with a packet's length.
        let length_bits = header::FLITS_MINUS_ONE
            .width
            .max(self.link_space[0].count.bits());

        for s in 0..rows {
            clocked!(self.freed[s]);
            for v in 0..vcs {
                clocked!(self.queue[s][v]);
                self.queue[s][v].push.next = self.column_vc[s].val().get_bit(v as u64);
                self.queue[s][v].push_data.next = self.column_flit[s].val();
                self.queue[s][v].pop.next = grant.get_bit((s * vcs + v) as u64);
            }
            self.freed[s].d.next = bits_of(0..vcs, |v| grant.get_bit((s * vcs + v) as u64));
            self.column_credit[s].next = self.freed[s].q.val();
        }

        // A queue asks for the link if its packet holds the VC, or may start: the VC is free and credits cover all of it.
        clocked!(self.arbiter);
        self.arbiter.request.next = bits_of(0..rows * vcs, |i| {
            link_free
                & !self.queue[i / vcs][i % vcs].empty.val()
                & (self.owner[i % vcs].q.val().get_bit((i / vcs) as u64)
                    | (!self.owner[i % vcs].q.val().any()
                        & (self.link_space[i % vcs].count.val().resize(length_bits)
                            > self.queue[i / vcs][i % vcs]
                                .pop_data
                                .val()
                                .field(header::FLITS_MINUS_ONE)
                                .resize(length_bits))))
        });
        self.arbiter.advance.next = true;

        self.sent.next = or_of(0..rows * vcs, |i| {
            replicate(grant.get_bit(i as u64), FLIT_BITS)
                & self.queue[i / vcs][i % vcs].pop_data.val()
        });
        let tail = self.sent.val().field(flit::TAIL).any();
        for v in 0..vcs {
            registers!(self.owner[v]);
            clocked!(self.link_space[v]);
            let sender = bits_of(0..rows, |s| grant.get_bit((s * vcs + v) as u64));
            if sender.any() {
                self.owner[v].d.next = sender & !replicate(tail, rows);
            }
            self.link_space[v].take.next = sender.any().into();
            self.link_space[v].give.next = self.tx_credit.val().get_bit(v as u64).into();
        }

        registers!(self.link_valid, self.link_flit, self.link_vc);
        if link_free {
            self.link_valid.d.next = grant.any();
            self.link_flit.d.next = self.sent.val();
            self.link_vc.d.next = or_of(0..rows * vcs, |i| {
                replicate(grant.get_bit(i as u64), VC_BITS) & Value::new(VC_BITS, (i % vcs) as u64)
            });
        }
        self.tx_valid.next = self.link_valid.q.val();
        self.tx_flit.next = self.link_flit.q.val();
        self.tx_vc.next = self.link_vc.q.val();
    }
}
