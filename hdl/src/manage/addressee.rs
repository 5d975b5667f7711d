//! `Addressee`: whether a packet is a management request for this chip.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `header` | in | the header of a packet, as it came |
//! | `identity` | in | the chip's, see [`identity`] |
//! | `here` | out | it is a request for this chip, see [`message`](super::message) |
//!
//! Latency: 0 cycles.

use super::message;
use super::registers::identity;
use crate::kernel;
use crate::packet::{header, HEADER_BITS};
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// Whether a packet is for this chip; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Addressee {
    pub header: Wire<In>,
    pub identity: Wire<In>,
    pub here: Signal<Out, Bit>,
}

impl Default for Addressee {
    fn default() -> Self {
        Self {
            header: Wire::new(HEADER_BITS),
            identity: Wire::new(identity::BITS),
            here: Default::default(),
        }
    }
}

impl Logic for Addressee {
    #[kernel]
    fn update(&mut self) {
        comment!("module: addressee");
        let header = self.header.val();
        let hop = header.field(header::HOPS_LEFT) == header.field(message::TURN);
        let name = self.identity.val().field(identity::VALID).any()
            & (self.identity.val().field(identity::GUID) == header.field(header::DST_GUID));
        self.here.next = (header.field(header::OPCODE) == u64::from(message::REQUEST))
            & !header.field(header::MULTICAST).any()
            & ((header.field(header::SOURCE_ROUTE).any() & hop)
                | (!header.field(header::SOURCE_ROUTE).any() & name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::Header;
    use crate::wire::Value;

    /// The block's answer about a header to a chip of GUID 9, or of none.
    fn is_here(header: Header, named: bool) -> bool {
        let mut block = Addressee::default();
        block.connect_all();
        let words: Vec<u32> = (0..4)
            .map(|i| (header.sealed() >> (32 * i)) as u32)
            .collect();
        block.header.next = Value::from_words(HEADER_BITS, &words);
        let name = if named { identity::of(9) } else { 9 };
        block.identity.next = u64::from(name).into();
        assert!(simulate(&mut block, 10));
        block.here.val()
    }

    #[test]
    fn requests_are_for_the_chip_of_their_hop_or_of_their_destination() {
        let request = Header {
            opcode: message::REQUEST,
            dst_guid: 9,
            hops_left: 13,
            ..Header::default()
        };
        assert!(is_here(request, true));
        assert!(!is_here(request, false), "the chip has no GUID yet");
        assert!(!is_here(
            Header {
                dst_guid: 8,
                ..request
            },
            true
        ));
        assert!(!is_here(
            Header {
                multicast: 1,
                ..request
            },
            true
        ));
        let reply = Header {
            opcode: message::REPLY,
            ..request
        };
        assert!(!is_here(reply, true), "a reply has had its turn");

        let routed = Header {
            source_route: 1,
            dst_queue: 13,
            ..request
        };
        assert!(is_here(routed, false), "no GUID is needed");
        let later = Header {
            dst_queue: 12,
            ..routed
        };
        assert!(!is_here(later, true), "it is for the next chip");
    }
}
