//! A source: the queues of packets in front of a port, and the sending side of the link into the chip.
//!
//! Queues have no bound; a packet's latency counts from its entry. A packet starts when its virtual channel has
//! credits for all of it (virtual cut-through), and takes them at once.

use fantree_hdl::packet::header;
use fantree_hdl::router::{DropCause, MULTICAST_GROUPS};
use rand::Rng;

use super::addresses::Addresses;
use super::blocks::{Credits, Split};
use super::coverage::Coverage;
use super::fate::{Damage, Fate, Way};
use super::packet::{Departure, Packet, Waiting};
use super::queues::Queues;
use super::scoreboard::Scoreboard;
use super::{Flit, Options, Report, Routing, Store, VcPolicy, MAX_VCS};
use crate::traffic::{stream, Destinations, Injector, Lengths, Random};

/// A multicast group of no port.
pub const EMPTY_GROUP: usize = MULTICAST_GROUPS - 1;

/// What all sources have in common.
#[derive(Debug)]
pub struct Plan {
    pub ports: usize,
    pub addresses: Addresses,
    /// Ports of every multicast group.
    pub groups: Vec<u64>,
    /// Longest multicast packet.
    pub max_multicast_flits: usize,
    pub destinations: Destinations,
    pub lengths: Lengths,
    pub vc_policy: VcPolicy,
    pub interleave: bool,
    pub no_route: f64,
    pub misfits: f64,
    pub damage: f64,
    pub multicast: f64,
    pub routing: Routing,
    pub candidates: usize,
    /// A port may die, so that any candidate may have to do.
    pub may_die: bool,
    pub store: Store,
    pub salt: u64,
}

impl Plan {
    /// The candidates of a destination, a bit each.
    fn candidates(&self, destination: usize) -> u64 {
        (0..self.candidates).fold(0, |mask, i| mask | 1 << ((destination + i) % self.ports))
    }
}

/// Sends the packets of one port.
#[derive(Debug)]
pub struct Source {
    port: usize,
    vcs: usize,
    queues: Queues,
    injector: Injector,
    /// Arrivals have a stream of their own: they are the same for all lengths and policies.
    arrivals: Random,
    random: Random,
    split: Split,
    credits: Credits,
    sending: [Option<Sending>; MAX_VCS],
    /// The channel that sent last.
    turn: usize,
    /// The channel drawn for the next packet.
    drawn: Option<usize>,
}

#[derive(Debug)]
struct Sending {
    packet: Packet,
    next: usize,
}

impl Source {
    pub fn new(port: usize, ports: usize, vcs: usize, split: Split, options: &Options) -> Self {
        let mut arrivals = stream(options.seed, "arrivals", port);
        let mean_flits = options.lengths.mean();
        Self {
            port,
            vcs,
            queues: Queues::new(options.source_queues, ports),
            injector: Injector::new(options.arrivals, options.load, mean_flits, &mut arrivals),
            arrivals,
            random: stream(options.seed, "packets", port),
            split,
            credits: Credits::new(split),
            sending: Default::default(),
            turn: vcs - 1,
            drawn: None,
        }
    }

    /// Packets in the queues.
    pub fn queued(&self) -> usize {
        self.queues.len()
    }

    /// Nothing to send, and all credits are back.
    pub fn is_idle(&self) -> bool {
        self.queued() == 0 && self.blocks_in_use() == 0
    }

    /// Blocks of a channel that are not back.
    pub fn missing_blocks(&self, vc: usize) -> usize {
        self.credits.used(vc)
    }

    /// Blocks of all channels that are not back.
    pub fn blocks_in_use(&self) -> usize {
        (0..self.vcs).map(|vc| self.missing_blocks(vc)).sum()
    }

    /// Credits come back.
    #[inline]
    pub fn credit(&mut self, mask: u8) {
        for vc in (0..self.vcs).filter(|vc| mask >> vc & 1 == 1) {
            // More than were used is the link monitor's to report.
            self.credits.give(vc);
        }
    }

    /// The chip tells of a port.
    #[inline]
    pub fn hear(&mut self, report: Report, cycle: u64) {
        self.queues.hear(report, cycle);
    }

    /// Lets a packet arrive, if it is time for one; gives its flits. Called once a cycle.
    #[inline]
    pub fn generate(&mut self, cycle: u64, plan: &Plan) -> usize {
        let full = self.queues.is_full();
        if !self.injector.arrives(full, &mut self.arrivals) {
            return 0;
        }
        let random = &mut self.random;
        let flits = plan.lengths.draw(random);
        let destination = plan.destinations.draw(self.port, random);
        let mut waiting = self.addressed(destination, flits, cycle, plan);
        let random = &mut self.random;
        if plan.no_route > 0.0 && random.gen_bool(plan.no_route) {
            let unrouted = plan.addresses.unrouted();
            waiting.guid = unrouted[random.gen_range(0..unrouted.len())];
            waiting.way = Way::Deterministic;
            waiting.fate = Fate::Dropped(DropCause::NoRoute);
        } else if plan.multicast > 0.0
            && flits <= plan.max_multicast_flits
            && random.gen_bool(plan.multicast)
        {
            // Any but the empty one, with the draws of runs that were recorded before there was one.
            let group = random.gen_range(0..plan.groups.len()) % EMPTY_GROUP;
            waiting.guid = group as u32;
            waiting.way = Way::Multicast;
            waiting.fate = Fate::Each(plan.groups[group]);
        }
        if plan.misfits > 0.0 && random.gen_bool(plan.misfits) {
            self.spoil(&mut waiting, plan);
        }
        let random = &mut self.random;
        if plan.damage > 0.0 && random.gen_bool(plan.damage) {
            let stored = plan.store.at(self.port);
            // A group is looked up after the CRC, all else before it.
            let dropped = match waiting.fate {
                Fate::Dropped(DropCause::NoRoute) => waiting.way != Way::Multicast,
                fate => matches!(fate, Fate::Dropped(_)),
            };
            if random.gen() {
                waiting.damage = Damage::Header;
                waiting.fate = Fate::Dropped(DropCause::HeaderCrc);
            } else if flits > 1 {
                waiting.damage = Damage::Payload;
                if stored && !dropped {
                    waiting.fate = Fate::Dropped(DropCause::PacketCrc);
                }
            }
        }
        let port = (waiting.way != Way::Multicast).then_some(destination);
        self.queues.push(port, waiting);
        flits
    }

    /// Puts a packet to a port into its queue.
    pub fn push(&mut self, destination: usize, flits: usize, cycle: u64, plan: &Plan) {
        let waiting = self.addressed(destination, flits, cycle, plan);
        self.queues.push(Some(destination), waiting);
    }

    /// A packet to a port, routed as the plan says.
    fn addressed(&mut self, destination: usize, flits: usize, cycle: u64, plan: &Plan) -> Waiting {
        let way = match plan.routing {
            Routing::Deterministic => Way::Deterministic,
            Routing::Adaptive => Way::Adaptive,
            Routing::Source => Way::Source(destination),
            Routing::Mixed => match self.random.gen_range(0..3) {
                0 => Way::Deterministic,
                1 => Way::Adaptive,
                _ => Way::Source(destination),
            },
        };
        // A source route is a flit of its own.
        let way = match way {
            Way::Source(_) if flits == 1 => Way::Deterministic,
            way => way,
        };
        let fate = match way {
            Way::Adaptive => Fate::Any(plan.candidates(destination)),
            Way::Deterministic if plan.may_die => Fate::Any(plan.candidates(destination)),
            _ => Fate::port(destination),
        };
        Waiting {
            fate,
            way,
            damage: Damage::None,
            destination,
            guid: plan.addresses.guid(destination),
            flits,
            hops: header::MAX_HOPS,
            queued: cycle,
        }
    }

    /// Makes a packet ask for what no router may do.
    fn spoil(&mut self, waiting: &mut Waiting, plan: &Plan) {
        let cause = match self.random.gen_range(0..3) {
            0 => {
                waiting.hops = 0;
                DropCause::HopLimit
            }
            1 => {
                // To a port that there is not; in a packet of one flit there is no route at all.
                waiting.way = Way::Source(plan.ports);
                DropCause::NoRoute
            }
            _ => {
                waiting.way = Way::Multicast;
                waiting.guid = EMPTY_GROUP as u32;
                match waiting.flits > plan.max_multicast_flits {
                    true => DropCause::TooLong,
                    false => DropCause::NoRoute,
                }
            }
        };
        waiting.fate = Fate::Dropped(cause);
    }

    /// The flit of this cycle.
    #[inline]
    pub fn send(
        &mut self,
        cycle: u64,
        plan: &Plan,
        board: &mut Scoreboard,
        coverage: &mut Coverage,
    ) -> Option<Flit> {
        let in_packet = (1..=self.vcs)
            .map(|step| (self.turn + step) % self.vcs)
            .find(|&vc| self.sending[vc].is_some());
        let may_start = in_packet.is_none() || (plan.interleave && self.random.gen());
        let started = if may_start {
            self.start(cycle, plan, board, coverage)
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

    /// Starts the next packet if its channel can take it.
    fn start(
        &mut self,
        cycle: u64,
        plan: &Plan,
        board: &mut Scoreboard,
        coverage: &mut Coverage,
    ) -> Option<usize> {
        let (queue, &Waiting { flits, .. }) = self.queues.next(cycle)?;
        let vc = self.choose(plan.vc_policy)?;
        let blocks = self.split.blocks_of(flits);
        if self.sending[vc].is_some() || self.credits.available(vc) < blocks {
            return None;
        }
        self.drawn = None;
        self.credits.take(vc, flits);
        let departure = Departure {
            number: board.next_number(),
            source: self.port,
            guid: plan.addresses.guid(self.port),
            vc: vc as u8,
            sent: cycle,
        };
        let packet = Packet::new(self.queues.pop(queue, cycle)?, departure, plan.salt);
        board.send(packet, coverage);
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
                .max_by_key(|&vc| self.credits.available(vc)),
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
