//! `CreditReturn`: gives a link's sender its credits back: those that the other end reports, and when the link is down all
//! of them.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `up` | in | the link is up; otherwise blocks come home without anybody's report |
//! | `taken`, `blocks` | in | bit v: a packet of virtual channel (VC) v takes so many blocks; at most one bit |
//! | `report`, `vc`, `count` | in | the other end's, see [`CreditReport`](super::CreditReport) |
//! | `credit` | out | bit v: the sender has a block of VC v more |
//! | `home` | out | no block is taken |
//!
//! Latency: 2 cycles from `report` to the first `credit`; one block a VC and cycle.
//!
//! Invariants: no more blocks are given back than were taken, and in a session no more than were reported. A report that
//! is older than the last one, and so lies behind it by up to a buffer, changes nothing.

use super::LinkParams;
use crate::cells::{CreditCounter, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::router::VC_BITS;
use crate::wire::{any_of, bits_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Credits on their way to the sender; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct CreditReturn {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub up: Signal<In, Bit>,
    pub taken: Wire<In>,
    pub blocks: Wire<In>,
    pub report: Signal<In, Bit>,
    pub vc: Wire<In>,
    pub count: Wire<In>,
    pub credit: Wire<Out>,
    pub home: Signal<Out, Bit>,
    /// Of each VC, blocks that are not taken; blocks reported and given in this session.
    place: Vec<CreditCounter>,
    reported: Vec<Register>,
    given: Vec<Register>,
    gives: Wire<Local>,
    out: Register,
    _places: usize,
}

impl CreditReturn {
    pub fn new(params: &LinkParams) -> Self {
        let (vcs, count_bits) = (params.virtual_channels, params.credit_bits());
        let (places, most) = (params.input_buffer_blocks, params.most_blocks());
        let counter = |_| CreditCounter::with_steps(places, most, 1);
        let place: Vec<CreditCounter> = (0..vcs).map(counter).collect();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            up: Default::default(),
            taken: Wire::new(vcs),
            blocks: Wire::new(place[0].take.bits()),
            report: Default::default(),
            vc: Wire::new(VC_BITS),
            count: Wire::new(count_bits),
            credit: Wire::new(vcs),
            home: Default::default(),
            place,
            reported: Register::vec(vcs, count_bits),
            given: Register::vec(vcs, count_bits),
            gives: Wire::new(vcs),
            out: Register::new(vcs),
            _places: places,
        }
    }
}

impl Logic for CreditReturn {
    #[kernel]
    fn update(&mut self) {
        comment!("module: credit_return");
        let vcs = self.place.len();
        let (count_bits, take_bits) = (self.count.bits(), self.blocks.bits());
        self.gives.next = bits_of(0..vcs, |v| {
            (self.place[v].count.val() != self._places as u64)
                & (!self.up.val() | (self.given[v].q.val() != self.reported[v].q.val()))
        });
        for v in 0..vcs {
            clocked!(self.place[v]);
            registers!(self.reported[v], self.given[v]);
            let gives = self.gives.val().get_bit(v as u64);
            self.place[v].take.next =
                replicate(self.taken.val().get_bit(v as u64), take_bits) & self.blocks.val();
            self.place[v].give.next = gives.into();
            let ahead = self.count.val() - self.reported[v].q.val();
            if self.report.val()
                & (self.vc.val() == v as u64)
                & !ahead.get_bit(count_bits as u64 - 1)
            {
                self.reported[v].d.next = self.count.val();
            }
            if gives {
                self.given[v].d.next = self.given[v].q.val() + 1;
            }
            if !self.up.val() {
                self.reported[v].d.next = 0.into();
                self.given[v].d.next = 0.into();
            }
        }
        clocked!(self.out);
        self.out.d.next = self.gives.val();
        self.credit.next = self.out.q.val();
        self.home.next = !self.out.q.val().any()
            & !any_of(0..vcs, |v| self.place[v].count.val() != self._places as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::cycle;

    const PARAMS: LinkParams = LinkParams {
        virtual_channels: 2,
        max_packet_flits: 12,
        block_flits: 4,
        input_buffer_blocks: 6,
        replay_flits: 8,
        frame_flits: 4,
    };

    /// A link that is up and has sent a packet of three blocks on virtual channel 1.
    fn with_a_packet() -> CreditReturn {
        let mut credits = CreditReturn::new(&PARAMS);
        credits.connect_all();
        credits.reset.next = true;
        cycle!(credits);
        credits.reset.next = false;
        credits.up.next = true;
        credits.blocks.next = 3.into();
        credits.taken.next = 0b10.into();
        cycle!(credits);
        credits.taken.next = 0.into();
        credits
    }

    /// Credits of virtual channel 1 that come within some cycles.
    fn comes(credits: &mut CreditReturn) -> usize {
        let mut count = 0;
        for _ in 0..10 {
            cycle!(*credits);
            credits.report.next = false;
            assert!(!credits.credit.val().get_bit(0));
            count += usize::from(credits.credit.val().get_bit(1));
        }
        count
    }

    fn report(credits: &mut CreditReturn, count: u64) -> usize {
        credits.report.next = true;
        credits.vc.next = 1.into();
        credits.count.next = count.into();
        comes(credits)
    }

    #[test]
    fn counts_that_are_lost_or_come_twice_do_no_harm() {
        let mut credits = with_a_packet();
        assert_eq!(report(&mut credits, 2), 2, "the first one was lost");
        assert_eq!(report(&mut credits, 2), 0, "it comes twice");
        assert_eq!(report(&mut credits, 1), 0, "an old one");
        assert!(!credits.home.val());
        assert_eq!(report(&mut credits, 3), 1);
        assert!(credits.home.val());
    }

    #[test]
    fn all_come_home_when_the_link_is_down() {
        let mut credits = with_a_packet();
        assert_eq!(report(&mut credits, 1), 1);
        credits.up.next = false;
        assert_eq!(comes(&mut credits), 2);
        assert!(credits.home.val());
    }
}
