//! Check codes of header and packet.

use super::header::{self, Header};
use crate::cells::crc32c;
use crate::wire::Field;

/// CRC-8, polynomial 0x1D, initial value 0xFF, final XOR 0xFF, of the header's 16 bytes, byte 0 (bits 7:0) first and
/// each byte from its high bit.
///
/// The initial value makes an all-zero header a bad one.
pub fn header_crc(header: u128) -> u8 {
    let crc = header.to_le_bytes().iter().fold(0xFF, |crc: u8, byte| {
        (0..8).fold(crc ^ byte, |crc, _| match crc & 0x80 {
            0 => crc << 1,
            _ => crc << 1 ^ 0x1D,
        })
    });
    !crc
}

/// CRC-32C of a packet of two flits or more: over all its bytes but the last four, where it stands, with those fields of
/// the header as zero that a router changes.
pub fn packet_crc(flits: &[u128]) -> u32 {
    let mask = |field: Field| ((1u128 << field.width) - 1) << field.offset;
    let changed = header::CHANGED_BY_ROUTERS.map(mask);
    let mut bytes: Vec<u8> = flits.iter().flat_map(|flit| flit.to_le_bytes()).collect();
    if let Some(head) = flits.first() {
        let head = changed.iter().fold(*head, |head, mask| head & !mask);
        bytes[..16].copy_from_slice(&head.to_le_bytes());
    }
    crc32c(&bytes[..bytes.len().saturating_sub(4)])
}

/// The flits of a packet: the header with its length and CRC filled in, the body with the packet's CRC in its last four
/// bytes.
///
/// # Panics
/// If the packet is longer than a header can say.
pub fn sealed_packet(header: &Header, body: &[u128]) -> Vec<u128> {
    let flits_minus_one = u32::try_from(body.len()).expect("a packet's length");
    assert!(
        flits_minus_one < 1 << header::FLITS_MINUS_ONE.width,
        "a packet has at most 256 flits"
    );
    let head = Header {
        flits_minus_one,
        ..*header
    };
    let mut flits = vec![head.sealed()];
    flits.extend(body);
    if flits.len() > 1 {
        let crc = packet_crc(&flits);
        let last = flits.last_mut().expect("more than one");
        *last = *last << 32 >> 32 | u128::from(crc) << 96;
    }
    flits
}

/// Whether the packet's CRC is right; a packet of one flit has none.
pub fn is_packet_sound(flits: &[u128]) -> bool {
    flits.len() < 2
        || flits
            .last()
            .is_some_and(|last| (last >> 96) as u32 == packet_crc(flits))
}
