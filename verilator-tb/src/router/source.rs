//! A source: the queue of packets in front of a port, and the sending side of the link into the chip.
//!
//! The queue has no bound; a packet's latency counts from its entry. A packet starts when its virtual channel has
//! credits for all of it (virtual cut-through), and takes them at once.

use std::collections::VecDeque;

use rand::Rng;

use super::addresses::Addresses;
use super::packet::{Departure, Packet, Waiting};
use super::scoreboard::Scoreboard;
use super::{Flit, Options, VcPolicy, MAX_VCS};
use crate::traffic::{stream, Destinations, Injector, Lengths, Random};

/// What all sources have in common.
#[derive(Debug)]
pub struct Plan {
    pub addresses: Addresses,
    pub destinations: Destinations,
    pub lengths: Lengths,
    pub vc_policy: VcPolicy,
    pub interleave: bool,
    pub no_route: f64,
    pub salt: u64,
}

/// Sends the packets of one port.
#[derive(Debug)]
pub struct Source {
    port: usize,
    vcs: usize,
    capacity: usize,
    queue: VecDeque<Waiting>,
    injector: Injector,
    /// Arrivals have a stream of their own: they are the same for all lengths and policies.
    arrivals: Random,
    random: Random,
    credits: [usize; MAX_VCS],
    sending: [Option<Sending>; MAX_VCS],
    /// The channel that sent last.
    turn: usize,
    /// The channel drawn for the first packet of the queue.
    drawn: Option<usize>,
}

#[derive(Debug)]
struct Sending {
    packet: Packet,
    next: usize,
}

impl Source {
    pub fn new(port: usize, vcs: usize, capacity: usize, options: &Options) -> Self {
        let mut arrivals = stream(options.seed, "arrivals", port);
        let mean_flits = options.lengths.mean();
        Self {
            port,
            vcs,
            capacity,
            queue: VecDeque::new(),
            injector: Injector::new(options.arrivals, options.load, mean_flits, &mut arrivals),
            arrivals,
            random: stream(options.seed, "packets", port),
            credits: [capacity; MAX_VCS],
            sending: Default::default(),
            turn: vcs - 1,
            drawn: None,
        }
    }

    /// Packets in the queue.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Nothing to send, and all credits are back.
    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && (0..self.vcs).all(|vc| self.missing_credits(vc) == 0)
    }

    /// Credits of a channel that are not back.
    pub fn missing_credits(&self, vc: usize) -> usize {
        self.capacity - self.credits[vc]
    }

    /// Credits come back.
    #[inline]
    pub fn credit(&mut self, mask: u8) {
        for vc in (0..self.vcs).filter(|vc| mask >> vc & 1 == 1) {
            // More than were used is the link monitor's to report.
            self.credits[vc] = (self.credits[vc] + 1).min(self.capacity);
        }
    }

    /// Lets a packet arrive, if it is time for one; gives its flits. Called once a cycle.
    #[inline]
    pub fn generate(&mut self, cycle: u64, plan: &Plan) -> usize {
        let waiting = !self.queue.is_empty();
        if !self.injector.arrives(waiting, &mut self.arrivals) {
            return 0;
        }
        let random = &mut self.random;
        let flits = plan.lengths.draw(random);
        let mut destination = Some(plan.destinations.draw(self.port, random));
        if plan.no_route > 0.0 && random.gen_bool(plan.no_route) {
            destination = None;
        }
        self.push(destination, flits, cycle, plan);
        flits
    }

    /// Puts a packet into the queue; without a destination, its address has no route.
    pub fn push(&mut self, destination: Option<usize>, flits: usize, cycle: u64, plan: &Plan) {
        let guid = match destination {
            Some(port) => plan.addresses.guid(port),
            None => {
                let unrouted = plan.addresses.unrouted();
                unrouted[self.random.gen_range(0..unrouted.len())]
            }
        };
        self.queue.push_back(Waiting {
            destination,
            guid,
            flits,
            queued: cycle,
        });
    }

    /// The flit of this cycle.
    #[inline]
    pub fn send(&mut self, cycle: u64, plan: &Plan, board: &mut Scoreboard) -> Option<Flit> {
        let in_packet = (1..=self.vcs)
            .map(|step| (self.turn + step) % self.vcs)
            .find(|&vc| self.sending[vc].is_some());
        let may_start = in_packet.is_none() || (plan.interleave && self.random.gen());
        let started = if may_start {
            self.start(cycle, plan, board)
        } else {
            None
        };
        let vc = started.or(in_packet)?;
        self.turn = vc;
        let sending = self.sending[vc].as_mut()?;
        let flit = sending.packet.flit(sending.next);
        sending.next += 1;
        if flit.tail {
            self.sending[vc] = None;
        }
        Some(flit)
    }

    /// Starts the first packet of the queue if its channel can take it.
    fn start(&mut self, cycle: u64, plan: &Plan, board: &mut Scoreboard) -> Option<usize> {
        let flits = self.queue.front()?.flits;
        let vc = self.choose(plan.vc_policy)?;
        if self.sending[vc].is_some() || self.credits[vc] < flits {
            return None;
        }
        self.drawn = None;
        self.credits[vc] -= flits;
        let departure = Departure {
            number: board.next_number(),
            source: self.port,
            guid: plan.addresses.guid(self.port),
            vc: vc as u8,
            sent: cycle,
        };
        let packet = Packet::new(self.queue.pop_front()?, departure, plan.salt);
        board.send(packet);
        self.sending[vc] = Some(Sending { packet, next: 0 });
        Some(vc)
    }

    fn choose(&mut self, policy: VcPolicy) -> Option<usize> {
        match policy {
            VcPolicy::MostCredits => (1..=self.vcs)
                .map(|step| (self.turn + step) % self.vcs)
                .filter(|&vc| self.sending[vc].is_none())
                // Of equals, `max_by_key` takes the last.
                .rev()
                .max_by_key(|&vc| self.credits[vc]),
            VcPolicy::Random => {
                let random = &mut self.random;
                Some(
                    *self
                        .drawn
                        .get_or_insert_with(|| random.gen_range(0..self.vcs)),
                )
            }
            VcPolicy::Fixed(vc) => Some(vc),
        }
    }
}
