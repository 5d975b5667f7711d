//! `CreditReport`: what the receiving end of a link tells of the blocks that have come free behind it.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clear` | in | a new session: no block has come free |
//! | `freed` | in | bit v: a block of virtual channel (VC) v came free |
//! | `told` | in | the report was sent: the next VC's turn |
//! | `vc`, `count` | out | a VC, and how many of its blocks have come free in this session, modulo 2 to the count's width |
//!
//! Latency: 1 cycle from `freed` to `count`; a VC has its turn in every n-th report of n.

use super::LinkParams;
use crate::cells::{ModuloCounter, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::router::VC_BITS;
use crate::wire::{or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Credits to be told; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CreditReport {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,
    pub freed: Wire<In>,
    pub told: Signal<In, Bit>,
    pub vc: Wire<Out>,
    pub count: Wire<Out>,
    total: Vec<Register>,
    turn: ModuloCounter,
}

impl CreditReport {
    pub fn new(params: &LinkParams) -> Self {
        let (vcs, count_bits) = (params.virtual_channels, params.credit_bits());
        Self {
            clock: Default::default(),
            reset: Default::default(),
            clear: Default::default(),
            freed: Wire::new(vcs),
            told: Default::default(),
            vc: Wire::new(VC_BITS),
            count: Wire::new(count_bits),
            total: Register::vec(vcs, count_bits),
            turn: ModuloCounter::new(vcs),
        }
    }
}

impl Logic for CreditReport {
    #[kernel]
    fn update(&mut self) {
        comment!("module: credit_report");
        let (vcs, count_bits) = (self.total.len(), self.count.bits());
        clocked!(self.turn);
        self.turn.advance.next = self.told.val();
        let turn = self.turn.value.val();
        for v in 0..vcs {
            registers!(self.total[v]);
            if self.freed.val().get_bit(v as u64) {
                self.total[v].d.next = self.total[v].q.val() + 1;
            }
            if self.clear.val() {
                self.total[v].d.next = 0.into();
            }
        }
        self.vc.next = turn.resize(VC_BITS);
        self.count.next = or_of(0..vcs, |v| {
            replicate(turn == v as u64, count_bits) & self.total[v].q.val()
        });
    }
}
