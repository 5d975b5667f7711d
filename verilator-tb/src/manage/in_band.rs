//! Commands by packets through the links, from a host.

use anyhow::{ensure, Context, Result};
use fantree_hdl::manage::message::{FLIT_WORDS, TURN};
use fantree_hdl::manage::{Op, Setup};
use fantree_hdl::packet::header::{DST_QUEUE, MAX_HOPS};
use fantree_hdl::packet::Header;

use super::request::{route_flit, Reply, Request};
use super::transport::values_of_beat;
use super::{Answer, Network, Place, Transport};

/// Cycles after which a reply no longer comes.
const PATIENCE: u64 = 50_000;
/// Requests on their way at a time.
const WINDOW: usize = 4;

/// Output ports to a chip, one a chip before it; and back from there. None for the chip at which the host is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceRoute {
    pub there: Vec<usize>,
    pub back: Vec<usize>,
}

impl SourceRoute {
    /// To the chip behind a port of the one that is meant, which is reached by its port `entrance`.
    pub fn beyond(&self, port: usize, entrance: usize) -> Self {
        let (there, back) = (self.there.iter().copied(), self.back.iter().copied());
        Self {
            there: there.chain([port]).collect(),
            back: [entrance].into_iter().chain(back).collect(),
        }
    }
}

/// The way of a request to its chip, and of the reply back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Way {
    Source(SourceRoute),
    /// By tables: to a chip's GUID, and back to the host's.
    Tables {
        chip: u32,
        host: u32,
    },
}

impl Way {
    /// To the chip at which the host is.
    pub fn here() -> Self {
        Self::Source(SourceRoute::default())
    }

    /// What the header of a request says of it.
    pub(super) fn header(&self) -> Header {
        match self {
            Self::Source(SourceRoute { there, .. }) => Header {
                source_route: 1,
                dst_queue: (MAX_HOPS - there.len() as u32) << (TURN.offset - DST_QUEUE.offset),
                ..Header::default()
            },
            Self::Tables { chip, host } => Header {
                dst_guid: *chip,
                src_guid: *host,
                ..Header::default()
            },
        }
    }

    /// The flit with the source route. The chip that is meant uses no byte of it.
    pub(super) fn route(&self) -> Option<u128> {
        match self {
            Self::Source(SourceRoute { there, back }) => {
                let hops = there.iter().chain(&[0]).chain(back);
                Some(route_flit(hops.copied()))
            }
            Self::Tables { .. } => None,
        }
    }
}

/// A host that manages a chip; see the [module](self).
pub struct InBand<'a> {
    network: &'a mut Network,
    host: Place,
    way: Way,
    key: u32,
    message_id: u32,
}

impl<'a> InBand<'a> {
    /// From a host, with a key for writes.
    pub fn new(network: &'a mut Network, host: Place, way: Way, key: u32) -> Self {
        Self {
            network,
            host,
            way,
            key,
            message_id: 0,
        }
    }

    /// What is at the end of the way: a request without any access.
    pub fn identify(&mut self) -> Result<Reply> {
        let reply = self.probe(PATIENCE)?;
        reply.with_context(|| format!("no reply in {PATIENCE} cycles"))
    }

    /// What is at the end of the way; none if nobody answers in so many cycles.
    pub fn probe(&mut self, patience: u64) -> Result<Option<Reply>> {
        let request = self.request(&Setup::new(Op::Read, 0, 0), 0, Vec::new());
        let mut replies = self.exchange(&[request], patience)?;
        Ok(replies.pop())
    }

    /// A request of some beats.
    fn request(&mut self, setup: &Setup, beats: usize, words: Vec<u32>) -> Request {
        self.message_id = (self.message_id + 1) & 0xffff;
        Request {
            way: self.way.clone(),
            vc: self.network.params().request_vc() as u32,
            message_id: self.message_id,
            key: self.key,
            beats: beats as u32,
            setup: *setup,
            words,
        }
    }

    /// Sends requests, some ahead of their replies; gives these in the same order, up to the first that does not come in
    /// so many cycles.
    fn exchange(&mut self, requests: &[Request], patience: u64) -> Result<Vec<Reply>> {
        let mut replies = Vec::new();
        let mut sent = 0;
        let mut last = self.network.cycle();
        while replies.len() < requests.len() && self.network.cycle() - last < patience {
            while sent < requests.len() && sent < replies.len() + WINDOW {
                let packet = requests[sent].to_packet();
                self.network.host(self.host).send(packet);
                sent += 1;
            }
            self.network.step()?;
            let awaited = requests[replies.len()].message_id;
            let came = self.network.host(self.host).take(|packet| {
                Reply::is_one(&packet.flits)
                    && Header::decode(packet.flits[0]).message_id == awaited
            });
            if let Some(packet) = came {
                let reply = Reply::of_packet(&packet.flits)?;
                ensure!(!reply.malformed, "the chip finds the request malformed");
                replies.push(reply);
                last = self.network.cycle();
            }
        }
        Ok(replies)
    }
}

impl Transport for InBand<'_> {
    /// Streams that are longer than a packet go in several.
    fn run(&mut self, setup: &Setup, beats: &[u32]) -> Result<Answer> {
        let params = *self.network.params();
        let frame = Request::frame_flits(&self.way);
        let flits = params.max_packet_flits.saturating_sub(frame);
        let (values, slots) = (values_of_beat(setup), values_of_beat(setup).max(1));
        // The rows of a stream that is spread stay together.
        let group = if setup.spread { params.rows } else { 1 };
        let each = flits * FLIT_WORDS / slots / group * group;
        ensure!(each > 0, "packets of this chip have no room for a beat");
        let mut requests = Vec::new();
        for (i, part) in beats.chunks(each).enumerate() {
            let setup = Setup {
                address: setup.address_after(i * each / group),
                ..*setup
            };
            let mut words = vec![0; part.len() * slots];
            for (word, beat) in words.iter_mut().step_by(slots).zip(part) {
                *word = *beat;
            }
            requests.push(self.request(&setup, part.len(), words));
        }
        let mut answer = Answer {
            values: Vec::new(),
            status: 0,
        };
        let replies = self.exchange(&requests, PATIENCE)?;
        let (came, asked) = (replies.len(), requests.len());
        ensure!(came == asked, "no reply in {PATIENCE} cycles");
        for (reply, part) in replies.iter().zip(beats.chunks(each)) {
            ensure!(!reply.truncated, "the reply has no room for all values");
            let came = reply.words.get(..values * part.len());
            answer
                .values
                .extend(came.context("the reply is too short")?);
            answer.status |= reply.status;
        }
        Ok(answer)
    }

    fn cycle(&self) -> u64 {
        self.network.cycle()
    }
}
