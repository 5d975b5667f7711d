//! The monitor of a link: order of heads and tails, lengths, credits, steadiness.
//!
//! It watches pins alone, and both kinds of links alike: whoever sends must keep the rules, and whoever returns
//! credits must return as many as were used. A packet takes its blocks when it starts, so as long as there are enough
//! of them the buffer at the far end never holds more than it has room for.

use fantree_hdl::packet::Header;

use super::blocks::{Credits, Split};
use super::coverage::{
    Buffer, Coverage, CreditsLeft, Handshake, LinkCycle, LinkHead, Mark, Open, Others, Returned,
    Route, Share, Side, Sizes, Wait,
};
use super::packet::number;
use super::violation::{Fault, Link, Place, Violations};
use super::{Flit, MAX_VCS};

/// Watches one link.
#[derive(Debug, Clone)]
pub struct LinkMonitor {
    link: Link,
    sizes: Sizes,
    split: Split,
    credits: Credits,
    open: [Option<OpenPacket>; MAX_VCS],
    open_packets: usize,
    /// What was shown in the last cycle and not taken.
    refused: Option<Flit>,
}

/// A packet whose head has come and whose tail has not.
#[derive(Debug, Clone, Copy)]
struct OpenPacket {
    number: u32,
    announced: usize,
    arrived: usize,
}

impl LinkMonitor {
    pub fn new(link: Link, sizes: Sizes, split: Split) -> Self {
        Self {
            link,
            sizes,
            split,
            credits: Credits::new(split),
            open: [None; MAX_VCS],
            open_packets: 0,
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
        coverage: &mut Coverage,
    ) {
        let refused = self.refused.take();
        if let Some(was) = refused {
            if shown != Some(&was) {
                violations.add(self.place(cycle, was.vc), None, Fault::Unsteady { was });
            }
        }
        match shown {
            Some(flit) if taken => {
                if let Some(head) = self.flit(cycle, flit, violations) {
                    let wait = Wait::of(refused.is_some());
                    coverage.link_heads.sample(LinkHead { wait, ..head });
                }
            }
            shown => self.refused = shown.copied(),
        }
        // After the flit: a credit serves flits of later cycles.
        if returned != 0 {
            self.credits(cycle, returned, violations);
        }
        coverage.link_cycles.sample(LinkCycle {
            side: self.side(),
            handshake: Handshake::of(shown.is_some(), taken),
            returned: Returned::of(returned),
            open: Open::of(self.open_packets),
        });
    }

    fn side(&self) -> Side {
        match self.link {
            Link::Rx(_) => Side::In,
            Link::Tx(_) => Side::Out,
        }
    }

    fn place(&self, cycle: u64, vc: u8) -> Place {
        Place {
            cycle,
            link: Some(self.link),
            vc: Some(vc),
        }
    }

    /// Checks a flit; gives what is covered of a head, as if it had not waited.
    fn flit(&mut self, cycle: u64, flit: &Flit, violations: &mut Violations) -> Option<LinkHead> {
        let place = self.place(cycle, flit.vc);
        let vc = usize::from(flit.vc);
        if vc >= self.sizes.vcs {
            let vcs = self.sizes.vcs;
            violations.add(place, None, Fault::InvalidVc { vcs });
            return None;
        }
        let head = flit
            .head
            .then(|| self.head(place, &Header::decode(flit.data), violations));
        let packet = self.open[vc].map(|open| open.number);
        let Some(open) = &mut self.open[vc] else {
            violations.add(place, None, Fault::NoHead);
            return None;
        };
        open.arrived += 1;
        let OpenPacket {
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
            self.open_packets -= 1;
        }
        head
    }

    /// Checks a head, and opens its packet.
    fn head(&mut self, place: Place, header: &Header, violations: &mut Violations) -> LinkHead {
        let vc = usize::from(place.vc.unwrap_or_default());
        let (number, flits) = (number(header), header.flits());
        if let Some(OpenPacket { number: inside, .. }) = self.open[vc] {
            violations.add(place, Some(number), Fault::HeadInPacket { inside });
            self.open_packets -= 1;
        }
        if header.vc as usize != vc {
            let header = header.vc;
            violations.add(place, Some(number), Fault::WrongVc { header });
        }
        let (available, blocks) = (self.credits.available(vc), self.split.blocks_of(flits));
        if available < blocks {
            violations.add(place, Some(number), Fault::CutThrough { available, blocks });
        }
        let (before, shared) = (self.credits.in_use(), self.credits.shared_in_use());
        self.credits.take(vc, flits);
        let others = Others::of(self.open_packets);
        self.open_packets += 1;
        self.open[vc] = Some(OpenPacket {
            number,
            announced: flits,
            arrived: 0,
        });
        LinkHead {
            side: self.side(),
            channel: self.sizes.channel(vc),
            length: self.sizes.length(flits),
            route: Route::of_header(header),
            buffer: Buffer::of(before, self.credits.in_use(), self.split.total()),
            credits: CreditsLeft::of(self.credits.available(vc)),
            share: Share::of(self.credits.shared_in_use() > shared),
            others,
            wait: Wait::None,
            mark: Mark::of(header.congestion != 0),
        }
    }

    fn credits(&mut self, cycle: u64, returned: u8, violations: &mut Violations) {
        for vc in (0..self.sizes.vcs).filter(|vc| returned >> vc & 1 == 1) {
            if !self.credits.give(vc) {
                violations.add(self.place(cycle, vc as u8), None, Fault::ExtraCredit);
            }
        }
    }
}
