//! `ReplyHeader`: the header of a reply, from that of its request.
//!
//! The kind changes, source and destination are exchanged. The header's CRC follows by the difference that these changes
//! make, so an error from before stays visible.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `request` | in | header of a request |
//! | `reply` | out | header of its reply |
//!
//! Latency: 0 cycles.

use super::message;
use crate::cells::Crc8;
use crate::kernel;
use crate::packet::{header, header_crc, HEADER_BITS};
use crate::ports::Ports;
use crate::wire::{Value, Wire};
use rust_hdl::prelude::*;

/// The header of a reply; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct ReplyHeader {
    pub request: Wire<In>,
    pub reply: Wire<Out>,
    /// Bits that change, each at its place.
    change: Wire<Local>,
    change_crc: Crc8,
}

impl Default for ReplyHeader {
    fn default() -> Self {
        Self {
            request: Wire::new(HEADER_BITS),
            reply: Wire::new(HEADER_BITS),
            change: Wire::new(HEADER_BITS),
            change_crc: Default::default(),
        }
    }
}

impl Logic for ReplyHeader {
    #[kernel]
    fn update(&mut self) {
        comment!("module: reply_header");
        let request = self.request.val();
        let guids =
            (request.field(header::DST_GUID) ^ request.field(header::SRC_GUID)).resize(HEADER_BITS);
        let kinds = Value::new(HEADER_BITS, u64::from(message::REQUEST ^ message::REPLY));
        self.change.next = (guids << header::DST_GUID.offset as u64)
            | (guids << header::SRC_GUID.offset as u64)
            | (kinds << header::OPCODE.offset as u64);
        self.change_crc.data.next = self.change.val();
        // The CRC is linear but for a constant, which is that of no change.
        let crc = (self.change_crc.crc.val() ^ u64::from(header_crc(0))).resize(HEADER_BITS);
        self.reply.next = request ^ self.change.val() ^ (crc << header::HEADER_CRC.offset as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::Header;

    fn reply(request: u128) -> u128 {
        let mut block = ReplyHeader::default();
        block.connect_all();
        let words: Vec<u32> = (0..4).map(|i| (request >> (32 * i)) as u32).collect();
        block.request.next = Value::from_words(HEADER_BITS, &words);
        assert!(simulate(&mut block, 10));
        block.reply.val().to_u128()
    }

    #[test]
    fn exchanges_the_ends_and_keeps_the_rest_and_earlier_errors() {
        let request = Header {
            opcode: message::REQUEST,
            vc: 3,
            dst_guid: 0x2_a5c3,
            src_guid: 0x1_0f0f,
            message_id: 0xbeef,
            hops_left: 9,
            ..Header::default()
        };
        let expected = Header {
            opcode: message::REPLY,
            dst_guid: request.src_guid,
            src_guid: request.dst_guid,
            ..request
        };
        assert_eq!(reply(request.sealed()), expected.sealed());
        let damaged = request.sealed() ^ 1 << header::JOB.offset;
        assert!(!Header::is_sound(reply(damaged)));
    }
}
