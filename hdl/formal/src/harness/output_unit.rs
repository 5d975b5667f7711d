//! An [`OutputUnit`] whose rows send packets of any length for any virtual channel (VC), before a chip that takes them.
//!
//! Rows keep the rules of the column channels: a flit a cycle, with a credit, packets of a VC whole. The next chip takes
//! a flit when it likes and frees blocks when it likes. The port is enabled or not, from one cycle to the next. Each flit
//! says which row it comes from and how many flits of its packet follow.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `column_vc[s]`, `flits_minus_one[s]` | in | VCs to choose one from that row s sends a flit on; the length of a packet that begins |
//! | `column_weight[s]`, `enabled`, `tx_ready` | in | the unit's |
//! | `wanted_private[v]`, `wanted_shared` | in | the split, see [`Split`] |
//! | `frees` | in | bit v: the next chip frees a block of VC v, if any is in use |
//! | `never_interleaves` | out | a flit on the link is not the one that follows in the open packet of its VC |
//! | `never_overflows` | out | more blocks are in use in the next chip than it has |
//! | `never_loses_a_credit` | out | `in_use` is not what is in use, and what the flit before the link takes |
//! | `never_frees_too_much` | out | a place of a column buffer comes free that was not in use |
//! | `reaches_other_vc_between` | out | a flit goes while a packet of each VC is open |
//! | `reaches_rows_meeting` | out | a packet ends while another row has one of its VC |
//! | `reaches_all_in_use` | out | every block of the next chip is in use |

use super::Split;
use fantree_hdl::cells::{bits_to_hold, Register};
use fantree_hdl::kernel;
use fantree_hdl::packet::{flit, header, FLIT_BITS};
use fantree_hdl::ports::Ports;
use fantree_hdl::router::{OutputUnit, RouterParams};
use fantree_hdl::wire::{any_of, bits_of, or_of, replicate, Field, Value, Wire};
use rust_hdl::prelude::*;

/// Where a flit says which row it comes from; heads and other flits alike.
fn row_tag(rows: usize) -> Field {
    Field {
        offset: header::JOB.offset,
        width: rows,
    }
}

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct OutputUnitHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub column_vc: Vec<Wire<In>>,
    pub flits_minus_one: Vec<Wire<In>>,
    pub column_weight: Vec<Wire<In>>,
    pub enabled: Signal<In, Bit>,
    pub tx_ready: Signal<In, Bit>,
    pub wanted_private: Vec<Wire<In>>,
    pub wanted_shared: Wire<In>,
    pub frees: Wire<In>,
    pub never_interleaves: Signal<Out, Bit>,
    pub never_overflows: Signal<Out, Bit>,
    pub never_loses_a_credit: Signal<Out, Bit>,
    pub never_frees_too_much: Signal<Out, Bit>,
    pub reaches_other_vc_between: Signal<Out, Bit>,
    pub reaches_rows_meeting: Signal<Out, Bit>,
    pub reaches_all_in_use: Signal<Out, Bit>,
    split: Split,
    unit: OutputUnit,
    /// By row and VC: flits still to come of the packet that is being sent (0: none is), flits in the column buffer.
    left: Vec<Vec<Register>>,
    queued: Vec<Vec<Register>>,
    sends: Vec<Wire<Local>>,
    /// Of what row s sends: it is a head; flits that follow.
    head: Vec<Signal<Local, Bit>>,
    rest: Vec<Wire<Local>>,
    /// Of each VC on the link: the row whose packet is open, none if none is; flits that follow.
    open_row: Vec<Register>,
    open_left: Vec<Register>,
    leaves: Wire<Local>,
    used: Vec<Register>,
    used_below: Vec<Wire<Local>>,
    frees_block: Wire<Local>,
    tx_blocks: Wire<Local>,
    _params: RouterParams,
}

impl OutputUnitHarness {
    pub fn new(params: &RouterParams) -> Self {
        let (rows, vcs) = (params.rows, params.virtual_channels);
        let unit = OutputUnit::new(params);
        let block_bits = params.block_count_bits();
        let length_bits = bits_to_hold(params.max_packet_flits - 1);
        let queue_bits = bits_to_hold(params.column_buffer_flits);
        let by_row_and_vc = |width: usize| (0..rows).map(|_| Register::vec(vcs, width)).collect();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            column_vc: Wire::vec(rows, vcs),
            flits_minus_one: Wire::vec(rows, length_bits),
            column_weight: Wire::vec(rows, unit.column_weight[0].bits()),
            enabled: Default::default(),
            tx_ready: Default::default(),
            wanted_private: Wire::vec(vcs, block_bits),
            wanted_shared: Wire::new(block_bits),
            frees: Wire::new(vcs),
            never_interleaves: Default::default(),
            never_overflows: Default::default(),
            never_loses_a_credit: Default::default(),
            never_frees_too_much: Default::default(),
            reaches_other_vc_between: Default::default(),
            reaches_rows_meeting: Default::default(),
            reaches_all_in_use: Default::default(),
            split: Split::new(params),
            unit,
            left: by_row_and_vc(length_bits),
            queued: by_row_and_vc(queue_bits),
            sends: Wire::vec(rows, vcs),
            head: (0..rows).map(|_| Default::default()).collect(),
            rest: Wire::vec(rows, header::FLITS_MINUS_ONE.width),
            open_row: Register::vec(vcs, rows),
            open_left: Register::vec(vcs, header::FLITS_MINUS_ONE.width),
            leaves: Wire::new(vcs),
            used: Register::vec(vcs, block_bits),
            used_below: Wire::vec(vcs + 1, block_bits + 4),
            frees_block: Wire::new(vcs),
            tx_blocks: Wire::new(block_bits),
            _params: *params,
        }
    }
}

impl Logic for OutputUnitHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: output_unit_harness");
        let params = self._params;
        let (rows, vcs) = (params.rows, params.virtual_channels);
        let (block_bits, wide) = (params.block_count_bits(), self.used_below[0].bits());
        let (length_bits, queue_bits) = (self.left[0][0].d.bits(), self.queued[0][0].d.bits());
        let all = params.input_buffer_blocks as u64;
        let block_shift = params.block_flits.trailing_zeros() as usize;
        let row = row_tag(rows);
        clocked!(self.split, self.unit);
        self.split.wanted_shared.next = self.wanted_shared.val();
        self.split.change.next = false;
        self.unit.shared.next = self.split.shared.val();
        for v in 0..vcs {
            self.split.wanted_private[v].next = self.wanted_private[v].val();
            self.unit.private[v].next = self.split.private[v].val();
        }

        // The rows: of the VCs with a credit the first that was chosen, its open packet's next flit or a new head.
        for s in 0..rows {
            let may_send = self.column_vc[s].val()
                & bits_of(0..vcs, |v| {
                    self.queued[s][v].q.val() < params.column_buffer_flits as u64
                })
                & replicate(
                    self.flits_minus_one[s].val().resize(length_bits + 1)
                        < params.max_packet_flits as u64,
                    vcs,
                );
            self.sends[s].next = may_send & (!may_send + 1);
            self.head[s].next = any_of(0..vcs, |v| {
                self.sends[s].val().get_bit(v as u64) & !self.left[s][v].q.val().any()
            });
            self.rest[s].next = or_of(0..vcs, |v| {
                replicate(self.sends[s].val().get_bit(v as u64), length_bits)
                    & (self.left[s][v].q.val() - 1)
            })
            .resize(header::FLITS_MINUS_ONE.width);
            if self.head[s].val() {
                self.rest[s].next = self.flits_minus_one[s]
                    .val()
                    .resize(header::FLITS_MINUS_ONE.width);
            }
            let tail = !self.rest[s].val().any();
            self.unit.column_vc[s].next = self.sends[s].val();
            self.unit.column_flit[s].next = (self.rest[s].val().resize(FLIT_BITS)
                << header::FLITS_MINUS_ONE.offset as u64)
                | (Value::new(FLIT_BITS, 1) << (row.offset + s) as u64)
                | (replicate(self.head[s].val(), FLIT_BITS) & flit::HEAD.mask(FLIT_BITS))
                | (replicate(tail, FLIT_BITS) & flit::TAIL.mask(FLIT_BITS));
            self.unit.column_weight[s].next = self.column_weight[s].val();
            for v in 0..vcs {
                registers!(self.left[s][v], self.queued[s][v]);
                let sends = self.sends[s].val().slice(v, 1);
                if sends.any() {
                    self.left[s][v].d.next = self.rest[s].val().resize(length_bits);
                }
                self.queued[s][v].d.next = self.queued[s][v].q.val() + sends.resize(queue_bits)
                    - self.unit.column_credit[s]
                        .val()
                        .slice(v, 1)
                        .resize(queue_bits);
            }
        }

        // The link. What the harness does not look at stays off.
        self.unit.link_up.next = true;
        self.unit.enabled.next = self.enabled.val();
        self.unit.tx_ready.next = self.tx_ready.val();
        self.unit.tx_congested.next = false;
        self.unit.blocked_limit.next = 0.into();
        self.unit.backlog_limit.next = 0.into();
        self.unit.in_use_limit.next = 0.into();
        self.unit.rate_limit.next = 0.into();
        let shown = self.unit.tx_flit.val();
        let head = shown.field(flit::HEAD).any();
        let rest = shown.field(header::FLITS_MINUS_ONE);
        self.tx_blocks.next = 0.into();
        if self.unit.tx_valid.val() & head {
            self.tx_blocks.next =
                (shown.field(header::FLITS_MINUS_ONE) >> block_shift as u64).resize(block_bits) + 1;
        }
        self.leaves.next = bits_of(0..vcs, |v| {
            self.unit.tx_valid.val() & self.tx_ready.val() & (self.unit.tx_vc.val() == v as u64)
        });

        // The next chip.
        self.frees_block.next = self.frees.val() & bits_of(0..vcs, |v| self.used[v].q.val().any());
        self.unit.tx_credit.next = self.frees_block.val();
        self.used_below[0].next = 0.into();
        for v in 0..vcs {
            registers!(self.open_row[v], self.open_left[v], self.used[v]);
            let leaves = self.leaves.val().get_bit(v as u64);
            if leaves {
                self.open_left[v].d.next = rest;
                self.open_row[v].d.next = shown.field(row);
                if !rest.any() {
                    self.open_row[v].d.next = 0.into();
                }
            }
            self.used[v].d.next = self.used[v].q.val()
                + (replicate(leaves, block_bits) & self.tx_blocks.val())
                - self.frees_block.val().slice(v, 1).resize(block_bits);
            self.used_below[v + 1].next =
                self.used_below[v].val() + self.used[v].q.val().resize(wide);
        }
        let in_use = self.used_below[vcs].val();
        self.never_interleaves.next = any_of(0..vcs, |v| {
            self.leaves.val().get_bit(v as u64)
                & ((shown.field(flit::TAIL).any() == rest.any())
                    | (head == self.open_row[v].q.val().any())
                    | (!head
                        & ((self.open_row[v].q.val() != shown.field(row))
                            | (self.open_left[v].q.val() != rest + 1))))
        }) | (self.unit.tx_valid.val()
            & (self.unit.tx_vc.val() >= vcs as u64));
        self.never_overflows.next = in_use > all;
        self.never_loses_a_credit.next =
            self.unit.in_use.val().resize(wide) != in_use + self.tx_blocks.val().resize(wide);
        self.never_frees_too_much.next = any_of(0..rows * vcs, |i| {
            self.unit.column_credit[i / vcs]
                .val()
                .get_bit((i % vcs) as u64)
                & !self.queued[i / vcs][i % vcs].q.val().any()
        });
        self.reaches_other_vc_between.next =
            self.leaves.val().any() & !any_of(0..vcs, |v| !self.open_row[v].q.val().any());
        self.reaches_rows_meeting.next = any_of(0..vcs, |v| {
            self.leaves.val().get_bit(v as u64)
                & !rest.any()
                & !any_of(0..rows, |s| !self.queued[s][v].q.val().any())
        });
        self.reaches_all_in_use.next = in_use == all;
    }
}
