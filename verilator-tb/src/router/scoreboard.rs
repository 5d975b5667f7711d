//! The scoreboard: what was sent must arrive once, where it belongs, unchanged, and in order.
//!
//! Order is promised between packets of one source, output and virtual channel. A sent packet ends up as one of
//! delivered, misrouted, corrupted, dropped or lost; duplicates come on top, and reordered packets are among the
//! delivered. A multicast packet counts once for each port that it goes to. A packet whose header is damaged inside the
//! chip cannot be told: what arrives is corrupted, and what was sent is lost.
//!
//! What a chip may change is known: a hop is used up, congestion may be marked, and the header's CRC follows.

use std::collections::VecDeque;

use fantree_hdl::packet::Header;
use fantree_hdl::router::DropCause;

use super::coverage::{
    Arrived, Choice, Coverage, End, FanOut, Forwarding, Integrity, Place as InArray, Route, Sent,
    Sizes,
};
use super::fate::{Damage, Fate};
use super::packet::{number, Packet};
use super::results::Packets;
use super::violation::{Fault, Link, Place, Violations};
use super::{Flit, Store, MAX_VCS};

/// Packets dropped by a port, by cause.
pub type DropCounts = [u32; DropCause::ALL.len()];

/// What a flit brings.
#[derive(Debug, Clone, Copy)]
pub enum Arrival {
    /// The head of a packet, at its destination.
    Head(Packet),
    /// The rest of a packet, delivered.
    Whole(Packet),
}

/// Knows all packets on their way.
#[derive(Debug, Clone)]
pub struct Scoreboard {
    sizes: Sizes,
    store: Store,
    counts: Packets,
    /// Packets from number `first` on. Those that came leave from the front, so a look-up is an index.
    window: VecDeque<Record>,
    first: u32,
    /// Arrivals that are still to come.
    outstanding: usize,
    /// Sent packets that their input must drop, by port and cause.
    doomed: Vec<DropCounts>,
    /// The packet that is arriving, by port and virtual channel.
    open: Vec<Option<Open>>,
    /// Number of the last packet delivered, by source, output and virtual channel.
    last: Vec<Option<u32>>,
}

#[derive(Debug, Clone)]
struct Record {
    packet: Packet,
    /// Ports of which its head may still come out, and how many times.
    ports: u64,
    arrivals: usize,
}

/// A packet whose head has come.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// `None`: already reported, its flits are passed over.
    packet: Option<Packet>,
    flits: usize,
    clean: bool,
}

impl Scoreboard {
    pub fn new(sizes: Sizes, store: Store) -> Self {
        let ports = sizes.ports();
        Self {
            sizes,
            store,
            counts: Packets::default(),
            window: VecDeque::new(),
            first: 0,
            outstanding: 0,
            doomed: vec![DropCounts::default(); ports],
            open: vec![None; ports * MAX_VCS],
            last: vec![None; ports * ports * MAX_VCS],
        }
    }

    /// The number of the next packet.
    pub fn next_number(&self) -> u32 {
        self.first + self.window.len() as u32
    }

    /// Arrivals that are still to come.
    pub fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// Grows whenever a packet starts on its way or ends it, and stays while a chip only shows garbage.
    pub fn progress(&self) -> u64 {
        2 * self.counts.sent - self.outstanding as u64
    }

    /// Notes a packet whose head is being sent.
    pub fn send(&mut self, packet: Packet, coverage: &mut Coverage) {
        let fate = packet.waiting.fate;
        coverage.sent.sample(self.sent(&packet));
        self.counts.sent += fate.arrivals().max(1) as u64;
        self.outstanding += fate.arrivals();
        if let Fate::Dropped(cause) = fate {
            self.doomed[packet.departure.source][cause as usize - 1] += 1;
        }
        self.window.push_back(Record {
            packet,
            ports: fate.ports(),
            arrivals: fate.arrivals(),
        });
        while self
            .window
            .front()
            .is_some_and(|record| record.arrivals == 0)
        {
            self.window.pop_front();
            self.first += 1;
        }
    }

    /// Checks a flit that comes out of a port.
    #[inline]
    pub fn receive(
        &mut self,
        cycle: u64,
        port: usize,
        flit: &Flit,
        violations: &mut Violations,
        coverage: &mut Coverage,
    ) -> Option<Arrival> {
        let place = Place {
            cycle,
            link: Some(Link::Tx(port)),
            vc: Some(flit.vc),
        };
        // A channel that does not exist is the link monitor's to report.
        let slot = port * MAX_VCS + usize::from(flit.vc) % MAX_VCS;
        if flit.head {
            if let Some(cut) = self.open[slot].take() {
                self.close(cut, port, place, violations);
            }
            self.open[slot] = Some(Open {
                packet: self.identify(flit, port, place, violations),
                flits: 0,
                clean: true,
            });
        }
        // So is a flit without a head.
        let open = self.open[slot].as_mut()?;
        let index = open.flits;
        open.flits += 1;
        let packet = open.packet;
        if let Some(packet) = packet.filter(|packet| index < packet.waiting.flits) {
            let expected = packet.forwarded(index, flit);
            if open.clean && *flit != expected {
                open.clean = false;
                let fault = Fault::Corrupted {
                    flit: index,
                    expected,
                    actual: *flit,
                };
                violations.add(place, Some(packet.departure.number), fault);
            }
        }
        if flit.tail {
            let open = self.open[slot].take()?;
            let packet = self.close(open, port, place, violations)?;
            coverage.arrived.sample(self.arrived(&packet, port));
            return Some(Arrival::Whole(packet));
        }
        packet.filter(|_| flit.head).map(Arrival::Head)
    }

    /// What is covered of a packet that is sent.
    fn sent(&self, packet: &Packet) -> Sent {
        let Packet {
            waiting, departure, ..
        } = packet;
        Sent {
            channel: self.sizes.channel(usize::from(departure.vc)),
            length: self.sizes.length(waiting.flits),
            route: Route::of(waiting.way),
            forwarding: Forwarding::of(self.store, departure.source),
            end: End::of(waiting.fate),
            fan_out: FanOut::of(waiting.fate, &self.sizes),
        }
    }

    /// What is covered of a packet that has arrived.
    fn arrived(&self, packet: &Packet, port: usize) -> Arrived {
        let Packet {
            waiting, departure, ..
        } = packet;
        Arrived {
            channel: self.sizes.channel(usize::from(departure.vc)),
            length: self.sizes.length(waiting.flits),
            route: Route::of(waiting.way),
            forwarding: Forwarding::of(self.store, departure.source),
            place: InArray::of(departure.source, port, &self.sizes),
            choice: Choice::of(waiting, port),
            integrity: match waiting.damage {
                Damage::Payload => Integrity::Bad,
                _ => Integrity::Sound,
            },
        }
    }

    /// The packet that a head belongs to, if it is one that may come out here.
    fn identify(
        &mut self,
        flit: &Flit,
        port: usize,
        place: Place,
        violations: &mut Violations,
    ) -> Option<Packet> {
        let header = Header::decode(flit.data);
        let number = number(&header);
        let index = number.wrapping_sub(self.first) as usize;
        // Comparing comes first: it is quicker than a check of the CRC.
        let known = self.window.get(index).map(|record| record.packet);
        let intact = known.is_some_and(|packet| packet.is_head(flit.data));
        if number >= self.next_number() || !(intact || Header::is_sound(flit.data)) {
            self.counts.corrupted += 1;
            violations.add(place, None, Fault::UnknownHeader { header: flit.data });
            return None;
        }
        let Some(record) = self.window.get_mut(index) else {
            self.counts.duplicated += 1;
            violations.add(place, Some(number), Fault::Duplicated);
            return None;
        };
        let packet = record.packet;
        let fate = packet.waiting.fate;
        if fate.ports() >> port & 1 == 0 {
            if record.arrivals > 0 {
                record.arrivals -= 1;
                self.outstanding -= 1;
            }
            self.counts.misrouted += 1;
            violations.add(place, Some(number), Fault::Misrouted { fate });
            return None;
        }
        if record.arrivals == 0 || record.ports >> port & 1 == 0 {
            self.counts.duplicated += 1;
            violations.add(place, Some(number), Fault::Duplicated);
            return None;
        }
        record.arrivals -= 1;
        record.ports &= !(1 << port);
        Some(packet)
    }

    /// Takes a packet after its last flit; gives it if it is delivered.
    fn close(
        &mut self,
        open: Open,
        port: usize,
        place: Place,
        violations: &mut Violations,
    ) -> Option<Packet> {
        let packet = open.packet?;
        let number = packet.departure.number;
        let flits = packet.waiting.flits;
        self.outstanding -= 1;
        if open.flits != flits {
            let arrived = open.flits;
            violations.add(place, Some(number), Fault::WrongLength { arrived, flits });
        }
        if open.flits != flits || !open.clean {
            self.counts.corrupted += 1;
            return None;
        }
        self.counts.delivered += 1;
        let source = packet.departure.source;
        let flow =
            (source * self.sizes.ports() + port) * MAX_VCS + usize::from(packet.departure.vc);
        match self.last[flow] {
            Some(later) if later > number => {
                self.counts.reordered += 1;
                violations.add(
                    place,
                    Some(number),
                    Fault::Reordered {
                        later,
                        source_port: source,
                    },
                );
            }
            _ => self.last[flow] = Some(number),
        }
        Some(packet)
    }

    /// Closes the books. `drop_counts` is what the chip counts as dropped, by port; `excused` are causes for which any
    /// packet may have been dropped.
    pub fn finish(
        mut self,
        cycle: u64,
        drop_counts: &[DropCounts],
        excused: &[DropCause],
        violations: &mut Violations,
    ) -> Packets {
        let mut place = Place {
            cycle,
            link: None,
            vc: None,
        };
        for (slot, open) in std::mem::take(&mut self.open).into_iter().enumerate() {
            if let Some(open) = open {
                self.close(open, slot / MAX_VCS, place, violations);
            }
        }
        // Packets that were dropped without a reason break a rule, but while they are counted they are not lost.
        let (mut unexplained, mut uncounted) = (0, 0);
        for (port, counts) in drop_counts.iter().enumerate() {
            place.link = Some(Link::Rx(port));
            for (&cause, &counted) in DropCause::ALL.iter().zip(counts) {
                let sent = self.doomed[port][cause as usize - 1];
                self.counts.dropped.add(cause, counted.into());
                if excused.contains(&cause) {
                    unexplained += counted as usize;
                } else if cause == DropCause::PacketCrc && counted < sent && !excused.is_empty() {
                    // Dropped before they were stored as a whole: their damage was never seen.
                    self.outstanding += (sent - counted) as usize;
                } else if counted != sent {
                    let fault = Fault::DropCount {
                        cause,
                        counted,
                        sent,
                    };
                    violations.add(place, None, fault);
                    unexplained += counted.saturating_sub(sent) as usize;
                    uncounted += u64::from(sent.saturating_sub(counted));
                }
            }
        }
        if let (Some(&cause), true) = (excused.first(), unexplained > self.outstanding) {
            let (counted, sent) = (unexplained as u32, self.outstanding as u32);
            place.link = None;
            let fault = Fault::DropCount {
                cause,
                counted,
                sent,
            };
            violations.add(place, None, fault);
        }
        let lost = self.outstanding.saturating_sub(unexplained);
        self.counts.lost += uncounted + lost as u64;
        // Which of them were dropped the chip does not tell.
        for record in self
            .window
            .iter()
            .filter(|record| record.arrivals > 0 && lost > 0)
        {
            let Packet {
                waiting, departure, ..
            } = record.packet;
            let place = Place {
                link: Some(Link::Rx(departure.source)),
                vc: Some(departure.vc),
                ..place
            };
            let fault = Fault::Lost {
                fate: waiting.fate,
                sent: departure.sent,
            };
            violations.add(place, Some(departure.number), fault);
        }
        self.counts
    }
}
