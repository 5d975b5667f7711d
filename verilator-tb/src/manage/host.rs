//! A host at a free port: sends packets when there are credits for them, and takes what comes.

use std::collections::VecDeque;

use fantree_hdl::packet::Header;
use fantree_hdl::router::RouterParams;

use crate::router::{
    Coverage, Credits, Flit, Link, LinkMonitor, Receiver, Sizes, Split, Stalls, Violations, MAX_VCS,
};

/// A packet that came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub vc: u8,
    pub flits: Vec<u128>,
    pub bad: bool,
}

/// A host; see the [module](self).
pub struct Host {
    /// Packets to be sent, by virtual channel.
    waiting: Vec<VecDeque<Vec<u128>>>,
    /// The rest of the packet that is being sent.
    sending: Option<(u8, VecDeque<Flit>)>,
    /// The virtual channel that is looked at first.
    turn: usize,
    credits: Credits,
    receiver: Receiver,
    returned: u8,
    open: [Vec<u128>; MAX_VCS],
    received: VecDeque<Received>,
    monitors: [LinkMonitor; 2],
    violations: Violations,
    coverage: Coverage,
}

impl Host {
    /// At a port of a chip.
    pub fn new(params: &RouterParams, port: usize) -> Self {
        let split = Split::of(params);
        let monitor = |link| LinkMonitor::new(link, Sizes::of(params), split);
        Self {
            waiting: vec![VecDeque::new(); params.virtual_channels],
            sending: None,
            turn: 0,
            credits: Credits::new(split),
            receiver: Receiver::new(params.block_flits),
            returned: 0,
            open: Default::default(),
            received: VecDeque::new(),
            monitors: [monitor(Link::Rx(port)), monitor(Link::Tx(port))],
            violations: Violations::default(),
            coverage: Coverage::default(),
        }
    }

    /// Stalls the way out of the chip from now on.
    pub fn stall(&mut self, stalls: Stalls, seed: u64, port: usize) {
        self.receiver.stall(stalls, seed, port);
    }

    /// Puts a packet into the queue of its virtual channel.
    pub fn send(&mut self, packet: Vec<u128>) {
        let vc = Header::decode(packet[0]).vc as usize;
        self.waiting[vc].push_back(packet);
    }

    /// Packets that wait, or are being sent, on a virtual channel.
    pub fn queued(&self, vc: usize) -> usize {
        let sending = self
            .sending
            .as_ref()
            .is_some_and(|(at, _)| usize::from(*at) == vc);
        self.waiting[vc].len() + usize::from(sending)
    }

    /// Takes the oldest packet that came and is one of these.
    pub fn take(&mut self, is_wanted: impl FnMut(&Received) -> bool) -> Option<Received> {
        let at = self.received.iter().position(is_wanted)?;
        self.received.remove(at)
    }

    /// What broke the rules of the two links.
    pub fn violations(&self) -> &Violations {
        &self.violations
    }

    /// One cycle: what the chip shows and the blocks it frees; what reaches it: a flit, whether its own is taken, the
    /// blocks that came free here.
    pub(super) fn step(
        &mut self,
        cycle: u64,
        shown: Option<&Flit>,
        freed: u8,
    ) -> (Option<Flit>, bool, u8) {
        let sent = self.next_flit();
        let [rx, tx] = &mut self.monitors;
        let (violations, coverage) = (&mut self.violations, &mut self.coverage);
        rx.watch(cycle, sent.as_ref(), true, freed, violations, coverage);
        for vc in (0..self.waiting.len()).filter(|vc| freed >> vc & 1 == 1) {
            self.credits.give(vc);
        }
        let (ready, returned) = (self.receiver.ready(), self.returned);
        tx.watch(cycle, shown, ready, returned, violations, coverage);
        let taken = shown.filter(|_| ready);
        self.returned = self.receiver.drain(taken.map(|flit| (flit.vc, flit.tail)));
        if let Some(flit) = taken {
            self.receive(flit);
        }
        (sent, ready, returned)
    }

    fn receive(&mut self, flit: &Flit) {
        let open = &mut self.open[usize::from(flit.vc)];
        open.push(flit.data);
        if flit.tail {
            self.received.push_back(Received {
                vc: flit.vc,
                flits: std::mem::take(open),
                bad: flit.bad,
            });
        }
    }

    /// The next flit, of the packet under way or of one that has credits for all of it; virtual channels take turns.
    fn next_flit(&mut self) -> Option<Flit> {
        if self.sending.is_none() {
            let vcs = self.waiting.len();
            let order = (0..vcs).map(|i| (self.turn + i) % vcs);
            let vc = order.into_iter().find(|&vc| {
                let first = self.waiting[vc].front();
                first.is_some_and(|packet| {
                    self.credits.available(vc) >= self.credits.blocks_of(packet.len())
                })
            })?;
            let packet = self.waiting[vc].pop_front()?;
            self.turn = vc + 1;
            self.credits.take(vc, packet.len());
            let last = packet.len() - 1;
            let flits = packet.into_iter().enumerate().map(|(i, data)| Flit {
                data,
                head: i == 0,
                tail: i == last,
                bad: false,
                vc: vc as u8,
            });
            self.sending = Some((vc as u8, flits.collect()));
        }
        let (_, rest) = self.sending.as_mut()?;
        let flit = rest.pop_front();
        if rest.is_empty() {
            self.sending = None;
        }
        flit
    }
}
