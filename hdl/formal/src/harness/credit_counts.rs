//! Both ends of a link's credits: a [`CreditReport`] and a [`CreditReturn`], and an adversary on the line between them.
//!
//! Packets are of one block. Reports wait in a queue; whoever plays the adversary lets the oldest one come as often as he
//! likes, now or later, or never.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `takes` | in | of these virtual channels (VC) the first that has a credit takes a block |
//! | `frees` | in | bit v: a block of VC v comes free, if one is held |
//! | `comes`, `moves` | in | the oldest report comes; leaves the line |
//! | `never_invents` | out | a credit is given back for a block that has not come free |
//! | `never_keeps` | out | a VC's last report has come, and some cycles later a credit is still not back |
//! | `never_brings_home` | out | all credits are said to be home, and are not |
//! | `reaches_all_in_use` | out | a VC has all blocks |
//! | `reaches_all_back` | out | after that, all its credits are back |

use fantree_hdl::cells::{bits_to_hold, Fifo, Flag, Register};
use fantree_hdl::kernel;
use fantree_hdl::link::{CreditReport, CreditReturn, LinkParams};
use fantree_hdl::ports::Ports;
use fantree_hdl::router::VC_BITS;
use fantree_hdl::wire::{any_of, bits_of, cat, Wire};
use rust_hdl::prelude::*;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CreditCountsHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub takes: Wire<In>,
    pub frees: Wire<In>,
    pub comes: Signal<In, Bit>,
    pub moves: Signal<In, Bit>,
    pub never_invents: Signal<Out, Bit>,
    pub never_keeps: Signal<Out, Bit>,
    pub never_brings_home: Signal<Out, Bit>,
    pub reaches_all_in_use: Signal<Out, Bit>,
    pub reaches_all_back: Signal<Out, Bit>,
    report: CreditReport,
    back: CreditReturn,
    reports: Fifo,
    taken: Wire<Local>,
    freed: Wire<Local>,
    /// Of each VC: blocks in the buffer, blocks that came free and whose credits are not back, all that came free.
    held: Vec<Register>,
    under_way: Vec<Register>,
    total: Vec<Register>,
    /// The last report of the VC has come, some cycles ago.
    told: Vec<Register>,
    was_full: Flag,
    _places: usize,
}

impl CreditCountsHarness {
    /// A buffer of `places` blocks a VC, `vcs` of them, and a line of `reports`.
    pub fn new(vcs: usize, places: usize, reports: usize) -> Self {
        let params = LinkParams {
            virtual_channels: vcs,
            max_packet_flits: 1,
            block_flits: 1,
            input_buffer_blocks: places,
            replay_flits: 2,
            frame_flits: 1,
        };
        let bits = params.credit_bits();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            takes: Wire::new(vcs),
            frees: Wire::new(vcs),
            comes: Default::default(),
            moves: Default::default(),
            never_invents: Default::default(),
            never_keeps: Default::default(),
            never_brings_home: Default::default(),
            reaches_all_in_use: Default::default(),
            reaches_all_back: Default::default(),
            report: CreditReport::new(&params),
            back: CreditReturn::new(&params),
            reports: Fifo::new(VC_BITS + bits, reports),
            taken: Wire::new(vcs),
            freed: Wire::new(vcs),
            held: Register::vec(vcs, bits),
            under_way: Register::vec(vcs, bits),
            total: Register::vec(vcs, bits),
            told: Register::vec(vcs, bits_to_hold(places + 3)),
            was_full: Default::default(),
            _places: places,
        }
    }
}

impl Logic for CreditCountsHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: credit_counts_harness");
        let (vcs, bits) = (self.held.len(), self.total[0].d.bits());
        let all = self._places as u64;
        let patience = all + 3;
        clocked!(self.report, self.back, self.reports);
        registers!(self.was_full);
        let may_take = bits_of(0..vcs, |v| {
            self.takes.val().get_bit(v as u64)
                & (self.held[v].q.val() + self.under_way[v].q.val() != all)
        });
        self.taken.next = may_take & (!may_take + 1);
        self.freed.next = self.frees.val() & bits_of(0..vcs, |v| self.held[v].q.val().any());

        self.report.clear.next = false;
        self.report.freed.next = self.freed.val();
        self.report.told.next = true;
        self.reports.push.next = true;
        self.reports.push_data.next = cat(self.report.count.val(), self.report.vc.val());
        self.reports.pop.next = self.moves.val();
        let came = self.reports.pop_data.val();
        let vc = came.slice(0, VC_BITS);
        let count = came.slice(VC_BITS, bits);
        self.back.up.next = true;
        self.back.taken.next = self.taken.val();
        self.back.blocks.next = 1.into();
        self.back.report.next = self.comes.val() & !self.reports.empty.val();
        self.back.vc.next = vc;
        self.back.count.next = count;

        for v in 0..vcs {
            registers!(self.held[v], self.under_way[v], self.total[v], self.told[v]);
            let freed = self.freed.val().slice(v, 1).resize(bits);
            let taken = self.taken.val().slice(v, 1).resize(bits);
            let back = self.back.credit.val().slice(v, 1).resize(bits);
            self.held[v].d.next = self.held[v].q.val() + taken - freed;
            self.under_way[v].d.next = self.under_way[v].q.val() + freed - back;
            self.total[v].d.next = self.total[v].q.val() + freed;
            if self.freed.val().get_bit(v as u64) {
                self.told[v].d.next = 0.into();
            } else if self.told[v].q.val().any() {
                if self.told[v].q.val() != patience {
                    self.told[v].d.next = self.told[v].q.val() + 1;
                }
            } else if self.back.report.val() & (vc == v as u64) & (count == self.total[v].q.val()) {
                self.told[v].d.next = 1.into();
            }
        }
        self.never_invents.next = any_of(0..vcs, |v| {
            self.back.credit.val().get_bit(v as u64) & !self.under_way[v].q.val().any()
        });
        self.never_keeps.next = any_of(0..vcs, |v| {
            (self.told[v].q.val() == patience) & self.under_way[v].q.val().any()
        });
        let in_use = any_of(0..vcs, |v| {
            (self.held[v].q.val() | self.under_way[v].q.val()).any()
        });
        self.never_brings_home.next = self.back.home.val() & in_use;
        let is_full = self.held[0].q.val() == all;
        if is_full {
            self.was_full.d.next = true;
        }
        self.reaches_all_in_use.next = is_full;
        self.reaches_all_back.next = self.was_full.q.val() & self.back.home.val();
    }
}
