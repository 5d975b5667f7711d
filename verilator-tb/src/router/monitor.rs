//! The monitor of a link: order of heads and tails, lengths, credits, steadiness.
//!
//! It watches pins alone, and both kinds of links alike: whoever sends must keep the rules, and whoever returns
//! credits must return as many as were used. A packet takes its blocks when it starts, so as long as there are enough
//! of them the buffer at the far end never holds more than it has room for.

use fantree_hdl::packet::Header;

use super::blocks::{Credits, Split};
use super::packet::number;
use super::violation::{Fault, Link, Place, Violations};
use super::{Flit, MAX_VCS};

/// Watches one link.
#[derive(Debug, Clone)]
pub struct LinkMonitor {
    link: Link,
    vcs: usize,
    split: Split,
    credits: Credits,
    open: [Option<Open>; MAX_VCS],
    /// What was shown in the last cycle and not taken.
    refused: Option<Flit>,
}

/// A packet whose head has come and whose tail has not.
#[derive(Debug, Clone, Copy)]
struct Open {
    number: u32,
    announced: usize,
    arrived: usize,
}

impl LinkMonitor {
    pub fn new(link: Link, vcs: usize, split: Split) -> Self {
        Self {
            link,
            vcs,
            split,
            credits: Credits::new(split),
            open: [None; MAX_VCS],
            refused: None,
        }
    }

    /// Checks one cycle of the link: the flit shown, whether it is taken, and the credits that come back.
    #[inline]
    pub fn watch(
        &mut self,
        cycle: u64,
        shown: Option<&Flit>,
        taken: bool,
        returned: u8,
        violations: &mut Violations,
    ) {
        if let Some(was) = self.refused.take() {
            if shown != Some(&was) {
                violations.add(self.place(cycle, was.vc), None, Fault::Unsteady { was });
            }
        }
        match shown {
            Some(flit) if taken => self.flit(cycle, flit, violations),
            refused => self.refused = refused.copied(),
        }
        // After the flit: a credit serves flits of later cycles.
        if returned != 0 {
            self.credits(cycle, returned, violations);
        }
    }

    fn place(&self, cycle: u64, vc: u8) -> Place {
        Place {
            cycle,
            link: Some(self.link),
            vc: Some(vc),
        }
    }

    fn flit(&mut self, cycle: u64, flit: &Flit, violations: &mut Violations) {
        let place = self.place(cycle, flit.vc);
        let vc = usize::from(flit.vc);
        if vc >= self.vcs {
            violations.add(place, None, Fault::InvalidVc { vcs: self.vcs });
            return;
        }
        if flit.head {
            let header = Header::decode(flit.data);
            let (number, flits) = (number(&header), header.flits());
            if let Some(Open { number: inside, .. }) = self.open[vc] {
                violations.add(place, Some(number), Fault::HeadInPacket { inside });
            }
            if header.vc != u32::from(flit.vc) {
                let header = header.vc;
                violations.add(place, Some(number), Fault::WrongVc { header });
            }
            let (available, blocks) = (self.credits.available(vc), self.split.blocks_of(flits));
            if available < blocks {
                violations.add(place, Some(number), Fault::CutThrough { available, blocks });
            }
            self.credits.take(vc, flits);
            self.open[vc] = Some(Open {
                number,
                announced: flits,
                arrived: 0,
            });
        }
        let packet = self.open[vc].map(|open| open.number);
        let Some(open) = &mut self.open[vc] else {
            violations.add(place, None, Fault::NoHead);
            return;
        };
        open.arrived += 1;
        let Open {
            announced, arrived, ..
        } = *open;
        if flit.tail && arrived < announced {
            violations.add(place, packet, Fault::EarlyTail { arrived, announced });
        }
        if !flit.tail && arrived == announced {
            violations.add(place, packet, Fault::LateTail { announced });
        }
        if flit.tail {
            self.open[vc] = None;
        }
    }

    fn credits(&mut self, cycle: u64, returned: u8, violations: &mut Violations) {
        for vc in (0..self.vcs).filter(|vc| returned >> vc & 1 == 1) {
            if !self.credits.give(vc) {
                violations.add(self.place(cycle, vc as u8), None, Fault::ExtraCredit);
            }
        }
    }
}
