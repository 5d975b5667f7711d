//! Management packets in software: a request from its parts, a reply into its parts.

use anyhow::{ensure, Result};
use fantree_hdl::manage::message::{command, tail, FLIT_WORDS, REPLY, REQUEST};
use fantree_hdl::manage::registers::identity;
use fantree_hdl::manage::Setup;
use fantree_hdl::packet::header::MAX_HOPS;
use fantree_hdl::packet::{is_packet_sound, sealed_packet, Header};

use super::Way;

/// Bytes of a source route.
const ROUTE_BYTES: usize = 16;

/// A request.
#[derive(Debug, Clone)]
pub struct Request {
    pub way: Way,
    pub vc: u32,
    /// The reply has the same.
    pub message_id: u32,
    pub key: u32,
    pub beats: u32,
    pub setup: Setup,
    /// Words, a whole number of flits of them once they are sent.
    pub words: Vec<u32>,
}

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub header: Header,
    pub idcode: u32,
    /// The port by which the request came.
    pub port: usize,
    pub rows: usize,
    pub columns: usize,
    /// Register `IDENTITY` of that port.
    pub identity: u32,
    /// The data's words; the first `values` that beats have brought are values.
    pub words: Vec<u32>,
    pub status: u32,
    pub truncated: bool,
    pub malformed: bool,
    pub values: usize,
}

impl Request {
    /// The packet's flits.
    pub fn to_packet(&self) -> Vec<u128> {
        let header = Header {
            opcode: REQUEST,
            vc: self.vc,
            message_id: self.message_id,
            hops_left: MAX_HOPS,
            ..self.way.header()
        };
        let mut body: Vec<u128> = self.way.route().into_iter().collect();
        body.push(command::KEY.put(self.key) | command::BEATS.put(self.beats));
        body.push(self.setup.to_bits());
        body.extend(self.words.chunks(FLIT_WORDS).map(|words| {
            let words = words.iter().rev();
            words.fold(0, |flit, &word| flit << 32 | u128::from(word))
        }));
        body.push(0);
        sealed_packet(&header, &body)
    }

    /// Flits of a request around its data.
    pub fn frame_flits(way: &Way) -> usize {
        4 + way.route().iter().count()
    }
}

impl Reply {
    /// Whether a packet is a reply.
    pub fn is_one(packet: &[u128]) -> bool {
        Header::decode(packet[0]).opcode == REPLY
    }

    /// The parts of a packet.
    pub fn of_packet(packet: &[u128]) -> Result<Self> {
        let header = Header::decode(packet[0]);
        ensure!(Header::is_sound(packet[0]), "the reply's header is damaged");
        ensure!(is_packet_sound(packet), "the reply is damaged");
        ensure!(
            packet.len() == header.flits(),
            "the reply's length is wrong"
        );
        let body = &packet[1 + header.source_route as usize..];
        ensure!(!body.is_empty(), "the reply has no end");
        let (end, rest) = (body[body.len() - 1], &body[..body.len() - 1]);
        let first = rest.first().copied().unwrap_or(0);
        let words = |flit: &u128| -> [u32; FLIT_WORDS] {
            std::array::from_fn(|i| (flit >> (32 * i)) as u32)
        };
        Ok(Self {
            header,
            idcode: command::IDCODE.get(first),
            port: command::PORT.get(first) as usize,
            rows: command::ROWS.get(first) as usize,
            columns: command::COLUMNS.get(first) as usize,
            identity: command::IDENTITY.get(first),
            words: rest.iter().skip(2).flat_map(words).collect(),
            status: tail::STATUS.get(end),
            truncated: tail::TRUNCATED.get(end) == 1,
            malformed: tail::MALFORMED.get(end) == 1,
            values: tail::VALUES.get(end) as usize,
        })
    }

    /// The chip's GUID, if it has one.
    pub fn guid(&self) -> Option<u32> {
        let bits = u128::from(self.identity);
        (identity::VALID.get(bits) == 1).then(|| identity::GUID.get(bits))
    }
}

/// A source route: an output port a byte, the first hop lowest.
pub(super) fn route_flit(ports: impl IntoIterator<Item = usize>) -> u128 {
    let hops = ports.into_iter().take(ROUTE_BYTES).enumerate();
    hops.fold(0, |flit, (hop, port)| flit | (port as u128) << (8 * hop))
}
