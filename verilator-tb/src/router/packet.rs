//! Packets of the bench: every bit follows from a short description, so every bit can be checked.
//!
//! | flit | bits |
//! |---|---|
//! | first | the header; `job` and `message_id` together are the packet's number |
//! | others | number (31:0), place in the packet (39:32), noise (127:40) |
//! | second, if source-routed | as above, with the output port in the lowest byte |
//! | last of several | as above, with the packet's CRC-32C in the last four bytes (127:96) |

use crc::{Crc, Table, CRC_32_ISCSI};
use fantree_hdl::packet::{header, Header};

use super::fate::{Damage, Fate, Way};
use super::Flit;

/// CRC-32C, as published.
static PACKET_CRC: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

/// Opcode of all packets: class write, kind 0.
const WRITE: u32 = 0b001_000;
/// A bit of a header that changes nothing but the header's CRC.
const DAMAGED_HEADER_BIT: usize = header::DST_QUEUE.offset;
/// A bit of a payload flit.
const DAMAGED_PAYLOAD_BIT: usize = 100;

/// A packet that waits in a source's queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    pub fate: Fate,
    pub way: Way,
    pub damage: Damage,
    /// The port that it is meant for: its first candidate, if it may leave on several.
    pub destination: usize,
    /// The address of its destination, or of its multicast group.
    pub guid: u32,
    pub flits: usize,
    /// Routers that it may still cross.
    pub hops: u32,
    /// Cycle in which it entered the queue.
    pub queued: u64,
}

/// How a waiting packet is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Departure {
    /// Counts all packets, in the order in which their heads are sent.
    pub number: u32,
    pub source: usize,
    /// The address of its source.
    pub guid: u32,
    pub vc: u8,
    /// Cycle in which its head is on the link.
    pub sent: u64,
}

/// A packet on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    pub waiting: Waiting,
    pub departure: Departure,
    salt: u64,
    header: u128,
    /// The header as a router sends it on, without and with a mark of congestion.
    forwarded: [u128; 2],
    crc: u32,
}

impl Packet {
    /// `salt` makes the contents differ from run to run.
    pub fn new(waiting: Waiting, departure: Departure, salt: u64) -> Self {
        let header = Header {
            opcode: WRITE,
            vc: departure.vc.into(),
            first: 1,
            last: 1,
            dst_guid: waiting.guid,
            src_guid: departure.guid,
            message_id: departure.number,
            job: departure.number >> header::MESSAGE_ID.width,
            flits_minus_one: waiting.flits as u32 - 1,
            hops_left: waiting.hops,
            adaptive: (waiting.way == Way::Adaptive).into(),
            source_route: matches!(waiting.way, Way::Source(_)).into(),
            multicast: (waiting.way == Way::Multicast).into(),
            ..Header::default()
        };
        let forwarded = |congestion| {
            // Without a hop left it is dropped.
            let hops_left = header.hops_left.saturating_sub(1);
            Header {
                hops_left,
                congestion,
                ..header
            }
            .sealed()
        };
        let mut packet = Self {
            waiting,
            departure,
            salt,
            header: header.sealed(),
            forwarded: [forwarded(0), forwarded(1)],
            crc: 0,
        };
        packet.crc = packet.check_sum(header);
        packet
    }

    /// The flit at a place in the packet, as it is sent.
    pub fn flit(&self, place: usize) -> Flit {
        let tail = place + 1 == self.waiting.flits;
        let mut data = match (place, tail) {
            (0, _) => self.header,
            (_, true) => self.payload(place) & (u128::MAX >> 32) | u128::from(self.crc) << 96,
            (_, false) => self.payload(place),
        };
        match self.waiting.damage {
            Damage::Header if place == 0 => data ^= 1 << DAMAGED_HEADER_BIT,
            Damage::Payload if tail => data ^= 1 << DAMAGED_PAYLOAD_BIT,
            _ => (),
        }
        Flit {
            data,
            head: place == 0,
            tail,
            bad: false,
            vc: self.departure.vc,
        }
    }

    /// The flit at a place in the packet, as it must come out; `seen` has come out, and tells what is free to differ.
    pub fn forwarded(&self, place: usize, seen: &Flit) -> Flit {
        let sent = self.flit(place);
        let data = match place {
            0 if self.is_head(seen.data) => seen.data,
            0 => self.forwarded[0],
            _ => sent.data,
        };
        Flit {
            data,
            bad: sent.tail && self.waiting.damage == Damage::Payload,
            ..sent
        }
    }

    /// Whether this is the packet's header, as a router sends it on.
    pub fn is_head(&self, data: u128) -> bool {
        self.forwarded.contains(&data)
    }

    fn payload(&self, place: usize) -> u128 {
        let label = u64::from(self.departure.number) | (place as u64) << 32;
        let noise = mix(label ^ self.salt);
        let low = label | noise << 40;
        let low = match self.waiting.way {
            // The first byte of the route is for the first router.
            Way::Source(port) if place == 1 => low & !0xff | port as u64,
            _ => low,
        };
        u128::from(low) | u128::from(mix(noise)) << 64
    }

    /// CRC-32C of all bytes before the last four, the fields that a router may change taken as zero.
    fn check_sum(&self, mut header: Header) -> u32 {
        header.vc = 0;
        header.hops_left = 0;
        header.congestion = 0;
        header.header_crc = 0;
        let mut digest = PACKET_CRC.digest();
        digest.update(&header.encode().to_le_bytes());
        let last = self.waiting.flits - 1;
        for place in 1..=last {
            let bytes = self.payload(place).to_le_bytes();
            digest.update(if place == last { &bytes[..12] } else { &bytes });
        }
        digest.finalize()
    }
}

/// The number of the packet that a header belongs to.
pub fn number(header: &Header) -> u32 {
    header.job << header::MESSAGE_ID.width | header.message_id
}

/// The mixing function of SplitMix64.
fn mix(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn packet(flits: usize) -> Packet {
        let waiting = Waiting {
            fate: Fate::port(3),
            way: Way::Deterministic,
            damage: Damage::None,
            destination: 3,
            guid: 0x1_2345,
            flits,
            hops: header::MAX_HOPS,
            queued: 7,
        };
        let departure = Departure {
            number: 0xabcd_1234,
            source: 1,
            guid: 0x2_0001,
            vc: 2,
            sent: 9,
        };
        Packet::new(waiting, departure, 0x5a17)
    }

    #[test]
    fn the_head_carries_a_sound_header() {
        for flits in [1, 2, 69] {
            let head = packet(flits).flit(0);
            assert!(head.head && Header::is_sound(head.data));
            assert_eq!(head.tail, flits == 1);
            let header = Header::decode(head.data);
            assert_eq!(number(&header), 0xabcd_1234);
            assert_eq!((header.dst_guid, header.src_guid), (0x1_2345, 0x2_0001));
            assert_eq!((header.flits(), header.vc), (flits, 2));
        }
    }

    #[test]
    fn the_last_four_bytes_are_the_published_crc_of_the_rest() {
        let packet = packet(4);
        let mut bytes: Vec<u8> = (0..4)
            .flat_map(|place| packet.flit(place).data.to_le_bytes())
            .collect();
        let crc = bytes.split_off(60);
        let mut header = Header::decode(packet.header);
        (header.vc, header.hops_left, header.header_crc) = (0, 0, 0);
        bytes[..16].copy_from_slice(&header.encode().to_le_bytes());
        // Bit by bit: CRC-32C reflected, all ones before and after.
        let plain = bytes.iter().fold(!0u32, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| {
                (crc >> 1) ^ ((crc & 1) * 0x82f6_3b78)
            })
        });
        assert_eq!(crc, (!plain).to_le_bytes());
    }

    #[test]
    fn no_two_flits_are_alike() {
        let packet = packet(69);
        let flits: HashSet<u128> = (0..69).map(|place| packet.flit(place).data).collect();
        assert_eq!(flits.len(), 69);
    }
}
