//! `OutputUnit`, the OBMU: from the column channels of a column to the link.
//!
//! Each tile of the column has a column buffer here, a queue for each virtual channel (VC). Per VC one row's packet after
//! another gets the link's VC, rows with more sources behind them more often; it starts when the next chip's input
//! buffer has room for all of it (virtual cut-through) and keeps the VC to its tail. One flit a cycle goes to the link,
//! from one VC after another.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `column_vc[s]`, `column_flit[s]` | in | bit v: the channel from s rows up, past row 0 from the last row on, carries a flit of VC v; that flit |
//! | `column_weight[s]` | in | sources that have a packet of this VC there |
//! | `column_credit[s]` | out | bit v: a flit of VC v left that channel's column buffer |
//! | `tx_valid`, `tx_flit`, `tx_vc` | out | a flit for the link, held until `tx_ready` |
//! | `tx_ready` | in | the link takes the flit in this cycle |
//! | `tx_credit` | in | bit v: the next chip freed a block of VC v in its input buffer |
//! | `tx_congested` | in | packets from this link meet congestion in the next chip |
//! | `link_up`, `enabled` | in | the link works; the port is in use. The first falls only between packets: whoever drives it ends the open ones |
//! | `private[v]`, `shared` | in | blocks of the next chip's buffer for VC v, and for all |
//! | `blocked_limit` | in | cycles that a packet may wait to start; 0: for ever |
//! | `backlog_limit`, `in_use_limit`, `rate_limit` | in | of the [`CongestionSensor`] |
//! | `level` | out | how much of the next buffer is in use: 0 none, else 1 + log2, at most 7 |
//! | `congested` | out | the sensor's, or what the next chip says |
//! | `in_use`, `backlog` | out | blocks in use in the next chip; flits in the column buffers |
//! | `sent` | out | the link takes the flit that is at `tx_flit` |
//! | `dropped_dead`, `dropped_blocked` | out | a packet was dropped: its port is dead, it waited too long |
//!
//! Latency: a flit on a column channel in cycle t is in its queue in t + 1 and, granted then, on the link in t + 2.
//!
//! Invariants: `tx` outputs come from registers; a packet on its way is never given up while the link is up. A packet for
//! a dead port leaves its queue a flit a cycle and reaches nobody, so it holds up nothing else.
//!
//! No starvation: a VC is given to a packet before its credits are there, so no other takes them; what it needs comes
//! from [`CreditPool`], which lets nobody wait for ever either.

use super::{CongestionSensor, CreditPool, HeaderUpdate, RouterParams, VC_BITS};
use crate::cells::{Fifo, Flag, Register, RoundRobinArbiter, WeightedArbiter};
use crate::kernel;
use crate::packet::{flit, header, FLIT_BITS};
use crate::ports::Ports;
use crate::wire::{any_of, bits_of, cat, or_of, replicate, Field, Value, Wire};
use rust_hdl::prelude::*;

/// Width of the limit on waiting, and of the clock that measures it.
pub const BLOCKED_BITS: usize = 24;
/// Highest level of use that is told apart.
const MAX_LEVEL: u64 = 7;
/// Width of a level.
pub const LEVEL_BITS: usize = 3;

/// Link side of a column; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct OutputUnit {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub column_vc: Vec<Wire<In>>,
    pub column_flit: Vec<Wire<In>>,
    pub column_weight: Vec<Wire<In>>,
    pub column_credit: Vec<Wire<Out>>,
    pub tx_valid: Signal<Out, Bit>,
    pub tx_flit: Wire<Out>,
    pub tx_vc: Wire<Out>,
    pub tx_ready: Signal<In, Bit>,
    pub tx_credit: Wire<In>,
    pub tx_congested: Signal<In, Bit>,
    pub link_up: Signal<In, Bit>,
    pub enabled: Signal<In, Bit>,
    pub private: Vec<Wire<In>>,
    pub shared: Wire<In>,
    pub blocked_limit: Wire<In>,
    pub backlog_limit: Wire<In>,
    pub in_use_limit: Wire<In>,
    pub rate_limit: Wire<In>,
    pub level: Wire<Out>,
    pub congested: Signal<Out, Bit>,
    pub in_use: Wire<Out>,
    pub backlog: Wire<Out>,
    pub sent: Signal<Out, Bit>,
    pub dropped_dead: Signal<Out, Bit>,
    pub dropped_blocked: Signal<Out, Bit>,
    /// By row and VC, a flit below its weight.
    queue: Vec<Vec<Fifo>>,
    entry: Vec<WeightedArbiter>,
    /// The row whose packet holds VC v of the link, one bit each; none when it is free.
    owner: Vec<Register>,
    /// That packet has started, is being dropped; how long it has been waiting.
    started: Vec<Flag>,
    dropping: Vec<Flag>,
    waited: Vec<Register>,
    /// Of each VC: the row that has it now, its flit, and whether there is one; blocks that its packet takes.
    holder: Vec<Wire<Local>>,
    front: Vec<Wire<Local>>,
    occupied: Wire<Local>,
    blocks: Vec<Wire<Local>>,
    /// VCs whose packet has yet to start; that lack room for it; that may drop a flit; whose flit goes away.
    starts: Wire<Local>,
    lacks: Wire<Local>,
    may_drop: Wire<Local>,
    leaves: Wire<Local>,
    link: RoundRobinArbiter,
    drop_turn: RoundRobinArbiter,
    sent_vc: Wire<Local>,
    header: HeaderUpdate,
    pool: CreditPool,
    sensor: CongestionSensor,
    /// Numbers of set bits, for the sensor: of the first i rows, of the first i VCs.
    arrived: Vec<Wire<Local>>,
    left: Vec<Wire<Local>>,
    given: Vec<Wire<Local>>,
    freed: Vec<Register>,
    link_valid: Flag,
    link_flit: Register,
    link_vc: Register,
    drop_dead: Flag,
    drop_blocked: Flag,
    _params: RouterParams,
}

impl OutputUnit {
    pub fn new(params: &RouterParams) -> Self {
        let (rows, vcs) = (params.rows, params.virtual_channels);
        let weight_bits = params.weight_bits();
        let block_bits = params.block_count_bits();
        let queues = || Fifo::vec(vcs, FLIT_BITS + weight_bits, params.column_buffer_flits);
        let pool = CreditPool::new(params);
        let sensor = CongestionSensor::new(params);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            column_vc: Wire::vec(rows, vcs),
            column_flit: Wire::vec(rows, FLIT_BITS),
            column_weight: Wire::vec(rows, weight_bits),
            column_credit: Wire::vec(rows, vcs),
            tx_valid: Default::default(),
            tx_flit: Wire::new(FLIT_BITS),
            tx_vc: Wire::new(VC_BITS),
            tx_ready: Default::default(),
            tx_credit: Wire::new(vcs),
            tx_congested: Default::default(),
            link_up: Default::default(),
            enabled: Default::default(),
            private: Wire::vec(vcs, block_bits),
            shared: Wire::new(block_bits),
            blocked_limit: Wire::new(BLOCKED_BITS),
            backlog_limit: Wire::new(sensor.backlog_limit.bits()),
            in_use_limit: Wire::new(block_bits),
            rate_limit: Wire::new(sensor.rate_limit.bits()),
            level: Wire::new(LEVEL_BITS),
            congested: Default::default(),
            in_use: Wire::new(block_bits),
            backlog: Wire::new(sensor.backlog.bits()),
            sent: Default::default(),
            dropped_dead: Default::default(),
            dropped_blocked: Default::default(),
            queue: (0..rows).map(|_| queues()).collect(),
            entry: WeightedArbiter::vec(vcs, rows, weight_bits),
            owner: Register::vec(vcs, rows),
            started: Flag::vec(vcs),
            dropping: Flag::vec(vcs),
            waited: Register::vec(vcs, BLOCKED_BITS),
            holder: Wire::vec(vcs, rows),
            front: Wire::vec(vcs, FLIT_BITS),
            occupied: Wire::new(vcs),
            blocks: Wire::vec(vcs, pool.take_blocks.bits()),
            starts: Wire::new(vcs),
            lacks: Wire::new(vcs),
            may_drop: Wire::new(vcs),
            leaves: Wire::new(vcs),
            link: RoundRobinArbiter::new(vcs),
            drop_turn: RoundRobinArbiter::new(vcs),
            sent_vc: Wire::new(VC_BITS),
            header: Default::default(),
            arrived: Wire::vec(rows + 1, sensor.arrived.bits()),
            left: Wire::vec(vcs + 1, sensor.left.bits()),
            given: Wire::vec(vcs + 1, sensor.given.bits()),
            pool,
            sensor,
            freed: Register::vec(rows, vcs),
            link_valid: Default::default(),
            link_flit: Register::new(FLIT_BITS),
            link_vc: Register::new(VC_BITS),
            drop_dead: Default::default(),
            drop_blocked: Default::default(),
            _params: *params,
        }
    }
}

impl Logic for OutputUnit {
    #[kernel]
    fn update(&mut self) {
        comment!("module: output_unit");
        let (rows, vcs) = (self._params.rows, self._params.virtual_channels);
        let weight = Field {
            offset: FLIT_BITS,
            width: self._params.weight_bits(),
        };
        let take_bits = self.pool.take_blocks.bits();
        let block_bits = self._params.block_count_bits();
        let block_shift = self._params.block_flits.trailing_zeros() as usize;
        let length_bits = header::FLITS_MINUS_ONE.width;
        let link_free = !self.link_valid.q.val() | self.tx_ready.val();
        let alive = self.link_up.val() & self.enabled.val();

        for s in 0..rows {
            for v in 0..vcs {
                clocked!(self.queue[s][v]);
                self.queue[s][v].push.next = self.column_vc[s].val().get_bit(v as u64);
                self.queue[s][v].push_data.next =
                    cat(self.column_weight[s].val(), self.column_flit[s].val());
            }
        }

        // Who has each VC, and whether its flit may go.
        for v in 0..vcs {
            clocked!(self.entry[v]);
            let owned = self.owner[v].q.val().any();
            self.entry[v].request.next =
                bits_of(0..rows, |s| !owned & !self.queue[s][v].empty.val());
            for s in 0..rows {
                self.entry[v].weight[s].next = self.queue[s][v].pop_data.val().field(weight);
            }
            self.entry[v].advance.next = true;
            self.holder[v].next = self.owner[v].q.val() | self.entry[v].grant.val();
            self.front[v].next = or_of(0..rows, |s| {
                replicate(self.holder[v].val().get_bit(s as u64), FLIT_BITS)
                    & self.queue[s][v].pop_data.val().resize(FLIT_BITS)
            });
            let last_block = self.front[v]
                .val()
                .field(header::FLITS_MINUS_ONE)
                .slice(block_shift, length_bits - block_shift);
            self.blocks[v].next = last_block.resize(take_bits) + 1;
        }
        self.occupied.next = bits_of(0..vcs, |v| {
            any_of(0..rows, |s| {
                self.holder[v].val().get_bit(s as u64) & !self.queue[s][v].empty.val()
            })
        });
        self.may_drop.next = bits_of(0..vcs, |v| {
            self.occupied.val().get_bit(v as u64)
                & (self.dropping[v].q.val()
                    | !self.link_up.val()
                    | (!self.started[v].q.val()
                        & (!self.enabled.val()
                            | (self.blocked_limit.val().any()
                                & (self.waited[v].q.val() >= self.blocked_limit.val())))))
        });
        self.starts.next = bits_of(0..vcs, |v| {
            self.occupied.val().get_bit(v as u64)
                & !self.may_drop.val().get_bit(v as u64)
                & !self.started[v].q.val()
        });
        self.lacks.next = bits_of(0..vcs, |v| {
            self.starts.val().get_bit(v as u64)
                & (self.pool.available[v].val() < self.blocks[v].val().resize(block_bits))
        });

        // The link, and beside it one VC that drops.
        clocked!(self.link, self.drop_turn, self.pool);
        self.link.request.next = replicate(link_free, vcs)
            & self.occupied.val()
            & !self.may_drop.val()
            & !self.lacks.val();
        self.link.advance.next = true;
        let grant = self.link.grant.val();
        self.drop_turn.request.next = self.may_drop.val();
        self.drop_turn.advance.next = true;
        let drops = self.drop_turn.grant.val();
        self.leaves.next = grant | drops;

        self.pool.take.next = grant & self.starts.val();
        self.pool.take_blocks.next = or_of(0..vcs, |v| {
            replicate(grant.get_bit(v as u64), take_bits) & self.blocks[v].val()
        });
        self.pool.give.next = self.tx_credit.val();
        self.pool.wants.next = self.starts.val();
        self.pool.lacks.next = self.lacks.val();
        self.pool.shared.next = self.shared.val();

        for v in 0..vcs {
            registers!(
                self.owner[v],
                self.started[v],
                self.dropping[v],
                self.waited[v]
            );
            self.pool.private[v].next = self.private[v].val();
            let leaves = self.leaves.val().get_bit(v as u64);
            self.owner[v].d.next = self.holder[v].val();
            if grant.get_bit(v as u64) {
                self.started[v].d.next = true;
            }
            if drops.get_bit(v as u64) {
                self.dropping[v].d.next = true;
            }
            self.waited[v].d.next = 0.into();
            if self.starts.val().get_bit(v as u64) & !leaves {
                self.waited[v].d.next = self.waited[v].q.val() + 1;
            } else if self.may_drop.val().get_bit(v as u64) & !leaves {
                self.waited[v].d.next = self.waited[v].q.val();
            }
            if leaves & self.front[v].val().field(flit::TAIL).any() {
                self.owner[v].d.next = 0.into();
                self.started[v].d.next = false;
                self.dropping[v].d.next = false;
            }
        }
        for s in 0..rows {
            clocked!(self.freed[s]);
            for v in 0..vcs {
                self.queue[s][v].pop.next =
                    self.leaves.val().get_bit(v as u64) & self.holder[v].val().get_bit(s as u64);
            }
            self.freed[s].d.next = bits_of(0..vcs, |v| {
                self.leaves.val().get_bit(v as u64) & self.holder[v].val().get_bit(s as u64)
            });
            self.column_credit[s].next = self.freed[s].q.val();
        }

        self.sent_vc.next = or_of(0..vcs, |v| {
            replicate(grant.get_bit(v as u64), VC_BITS) & Value::new(VC_BITS, v as u64)
        });
        self.header.flit.next = or_of(0..vcs, |v| {
            replicate(grant.get_bit(v as u64), FLIT_BITS) & self.front[v].val()
        });
        self.header.vc.next = self.sent_vc.val();
        self.header.congested.next = self.sensor.congested.val() | self.tx_congested.val();
        registers!(self.link_valid, self.link_flit, self.link_vc);
        if link_free {
            self.link_valid.d.next = grant.any();
            self.link_flit.d.next = self.header.updated.val();
            self.link_vc.d.next = self.sent_vc.val();
        }
        self.tx_valid.next = self.link_valid.q.val();
        self.tx_flit.next = self.link_flit.q.val();
        self.tx_vc.next = self.link_vc.q.val();
        self.sent.next = self.link_valid.q.val() & self.tx_ready.val();

        // What is dropped, and why: a dead port before a packet that waited too long.
        clocked!(self.drop_dead, self.drop_blocked);
        let drops_head = any_of(0..vcs, |v| {
            drops.get_bit(v as u64) & !self.dropping[v].q.val()
        });
        self.drop_dead.d.next = drops_head & !alive;
        self.drop_blocked.d.next = drops_head & alive;
        self.dropped_dead.next = self.drop_dead.q.val();
        self.dropped_blocked.next = self.drop_blocked.q.val();

        // How busy the link is.
        self.level.next = 0.into();
        for k in 0..MAX_LEVEL.min(block_bits as u64) {
            if self.pool.in_use.val() >= 1u64 << k {
                self.level.next = (k + 1).into();
            }
        }
        clocked!(self.sensor);
        self.arrived[0].next = 0.into();
        for s in 0..rows {
            self.arrived[s + 1].next = self.arrived[s].val();
            if self.column_vc[s].val().any() {
                self.arrived[s + 1].next = self.arrived[s].val() + 1;
            }
        }
        self.left[0].next = 0.into();
        self.given[0].next = 0.into();
        for v in 0..vcs {
            self.left[v + 1].next = self.left[v].val()
                + self
                    .leaves
                    .val()
                    .slice(v, 1)
                    .resize(self.sensor.left.bits());
            self.given[v + 1].next = self.given[v].val()
                + self
                    .tx_credit
                    .val()
                    .slice(v, 1)
                    .resize(self.sensor.given.bits());
        }
        self.sensor.arrived.next = self.arrived[rows].val();
        self.sensor.left.next = self.left[vcs].val();
        self.sensor.given.next = self.given[vcs].val();
        self.sensor.in_use.next = self.pool.in_use.val();
        self.sensor.backlog_limit.next = self.backlog_limit.val();
        self.sensor.in_use_limit.next = self.in_use_limit.val();
        self.sensor.rate_limit.next = self.rate_limit.val();
        self.congested.next = self.sensor.congested.val() | self.tx_congested.val();
        self.backlog.next = self.sensor.backlog.val();
        self.in_use.next = self.pool.in_use.val();
    }
}
