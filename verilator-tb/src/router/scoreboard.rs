//! The scoreboard: what was sent must arrive once, where it belongs, unchanged, and in order.
//!
//! Order is promised between packets of one source, destination and virtual channel. A sent packet ends up as one of
//! delivered, misrouted, corrupted, dropped or lost; duplicates come on top, and reordered packets are among the
//! delivered. A packet whose header is damaged cannot be told: what arrives is corrupted, and what was sent is lost.

use std::collections::VecDeque;

use fantree_hdl::packet::Header;

use super::packet::{number, Packet};
use super::results::Packets;
use super::violation::{Fault, Link, Place, Violations};
use super::{Flit, MAX_VCS};

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
    ports: usize,
    counts: Packets,
    /// Packets from number `first` on. Those that came leave from the front, so a look-up is an index.
    window: VecDeque<Record>,
    first: u32,
    /// Packets with a destination that have not arrived.
    outstanding: usize,
    /// Addresses without a route, and sent packets that have one of them, by source.
    unrouted_guids: Vec<u32>,
    unrouted: Vec<u32>,
    /// The packet that is arriving, by port and virtual channel.
    open: Vec<Option<Open>>,
    /// Number of the last packet delivered, by source, destination and virtual channel.
    last: Vec<Option<u32>>,
}

#[derive(Debug, Clone)]
struct Record {
    packet: Packet,
    /// Its head has come out of some port, or nothing is to come.
    settled: bool,
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
    pub fn new(ports: usize, unrouted_guids: &[u32]) -> Self {
        Self {
            ports,
            counts: Packets::default(),
            window: VecDeque::new(),
            first: 0,
            outstanding: 0,
            unrouted_guids: unrouted_guids.to_vec(),
            unrouted: vec![0; ports],
            open: vec![None; ports * MAX_VCS],
            last: vec![None; ports * ports * MAX_VCS],
        }
    }

    /// The number of the next packet.
    pub fn next_number(&self) -> u32 {
        self.first + self.window.len() as u32
    }

    /// Packets that are still to arrive.
    pub fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// Grows whenever a packet starts on its way or ends it, and stays while a chip only shows garbage.
    pub fn progress(&self) -> u64 {
        2 * self.counts.sent - self.outstanding as u64
    }

    /// Notes a packet whose head is being sent.
    pub fn send(&mut self, packet: Packet) {
        self.counts.sent += 1;
        let routed = packet.waiting.destination.is_some();
        if routed {
            self.outstanding += 1;
        } else {
            self.unrouted[packet.departure.source] += 1;
        }
        self.window.push_back(Record {
            packet,
            settled: !routed,
        });
        while self.window.front().is_some_and(|record| record.settled) {
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
                self.close(cut, place, violations);
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
            let expected = packet.flit(index);
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
            return self.close(open, place, violations).map(Arrival::Whole);
        }
        packet.filter(|_| flit.head).map(Arrival::Head)
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
        let intact = known.is_some_and(|packet| packet.flit(0).data == flit.data);
        if number >= self.next_number() || !(intact || Header::is_sound(flit.data)) {
            self.counts.corrupted += 1;
            violations.add(place, None, Fault::UnknownHeader { header: flit.data });
            return None;
        }
        if self.unrouted_guids.contains(&header.dst_guid) {
            self.counts.misrouted += 1;
            violations.add(place, Some(number), Fault::Misrouted { destination: None });
            return None;
        }
        let record = self.window.get_mut(index).filter(|record| !record.settled);
        let Some(record) = record else {
            self.counts.duplicated += 1;
            violations.add(place, Some(number), Fault::Duplicated);
            return None;
        };
        record.settled = true;
        let packet = record.packet;
        let destination = packet.waiting.destination;
        if destination != Some(port) {
            self.outstanding -= 1;
            self.counts.misrouted += 1;
            violations.add(place, Some(number), Fault::Misrouted { destination });
            return None;
        }
        Some(packet)
    }

    /// Takes a packet after its last flit; gives it if it is delivered.
    fn close(&mut self, open: Open, place: Place, violations: &mut Violations) -> Option<Packet> {
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
        let destination = packet.waiting.destination?;
        let flow = (source * self.ports + destination) * MAX_VCS + usize::from(packet.departure.vc);
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

    /// Closes the books. `drop_counts` is what the chip counts as dropped for want of a route, by port.
    pub fn finish(
        mut self,
        cycle: u64,
        drop_counts: &[u32],
        violations: &mut Violations,
    ) -> Packets {
        let mut place = Place {
            cycle,
            link: None,
            vc: None,
        };
        for open in std::mem::take(&mut self.open).into_iter().flatten() {
            self.close(open, place, violations);
        }
        for (port, &counted) in drop_counts.iter().enumerate() {
            place.link = Some(Link::Rx(port));
            self.reconcile(port, counted, place, violations);
        }
        self.counts
    }

    /// Explains what a source sent and nobody received.
    fn reconcile(
        &mut self,
        source: usize,
        counted: u32,
        place: Place,
        violations: &mut Violations,
    ) {
        let missing: Vec<Packet> = self
            .window
            .iter()
            .filter(|record| !record.settled && record.packet.departure.source == source)
            .map(|record| record.packet)
            .collect();
        let sent = self.unrouted[source];
        if counted != sent {
            violations.add(place, None, Fault::DropCount { counted, sent });
        }
        // A packet that has a route and is dropped breaks a rule, but while it is counted it is not lost.
        let explained = (counted.saturating_sub(sent) as usize).min(missing.len());
        let lost = missing.len() - explained;
        let uncounted = sent.saturating_sub(counted);
        self.counts.dropped.no_route += u64::from(sent - uncounted) + explained as u64;
        self.counts.lost += u64::from(uncounted) + lost as u64;
        // Which of them were dropped the chip does not tell.
        for packet in missing.iter().filter(|_| lost > 0) {
            let place = Place {
                vc: Some(packet.departure.vc),
                ..place
            };
            let fault = Fault::Lost {
                destination: packet.waiting.destination,
                sent: packet.departure.sent,
            };
            violations.add(place, Some(packet.departure.number), fault);
        }
    }
}
