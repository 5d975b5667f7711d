//! What stands before a link: packets of every virtual channel, and the credits that they need.
//!
//! As an output unit does, it shows a flit until the link takes it, and begins a packet only with credits for all of it.
//! When the link goes down it drops what has not started and, of the packets that have, some at once; of others the rest
//! comes when the link is up again, as from a chip in which they are still on their way.

use std::collections::VecDeque;

use fantree_hdl::link::LinkParams;
use fantree_hdl::packet::Header;
use rand::Rng;

use super::violation::Fault;
use crate::router::Flit;
use crate::traffic::Random;

/// Packets of a virtual channel.
#[derive(Default)]
struct Channel {
    /// The rest of the packet that has started, or all of the next one.
    packet: VecDeque<Flit>,
    in_use: usize,
}

/// An end's packets.
pub struct Sender {
    params: LinkParams,
    lengths: std::ops::RangeInclusive<usize>,
    load: f64,
    random: Random,
    channels: Vec<Channel>,
    shown: Option<Flit>,
    packets: u32,
}

impl Sender {
    pub fn new(
        params: LinkParams,
        lengths: std::ops::RangeInclusive<usize>,
        load: f64,
        random: Random,
    ) -> Self {
        Self {
            params,
            lengths,
            load,
            random,
            channels: (0..params.virtual_channels)
                .map(|_| Channel::default())
                .collect(),
            shown: None,
            packets: 0,
        }
    }

    /// The flit at the link.
    pub fn shown(&self) -> Option<Flit> {
        self.shown
    }

    /// Blocks that are not free at the other end.
    pub fn in_use(&self) -> usize {
        self.channels.iter().map(|channel| channel.in_use).sum()
    }

    /// Nothing has started that has not ended.
    pub fn is_idle(&self) -> bool {
        self.shown.is_none()
            && self
                .channels
                .iter()
                .all(|channel| channel.packet.is_empty())
    }

    /// Blocks that come free.
    pub fn credit(&mut self, credits: u8) -> Option<Fault> {
        let mut fault = None;
        for (vc, channel) in self.channels.iter_mut().enumerate() {
            if credits >> vc & 1 == 1 {
                match channel.in_use.checked_sub(1) {
                    Some(left) => channel.in_use = left,
                    None => fault = Some(Fault::ExtraCredit { vc }),
                }
            }
        }
        fault
    }

    /// The cycle ends: what was shown is taken or stays; another flit may come. Nothing begins unless `generating`.
    pub fn advance(&mut self, taken: bool, up: bool, generating: bool) {
        if taken {
            self.shown = None;
        }
        if !up {
            self.drop_packets();
            return;
        }
        if self.shown.is_none() {
            let first = self.random.gen_range(0..self.channels.len());
            let count = self.channels.len();
            let mut order = (0..count).map(|i| (first + i) % count);
            self.shown = order.find_map(|vc| self.next(vc, generating));
        }
    }

    fn drop_packets(&mut self) {
        for channel in &mut self.channels {
            let started = channel.packet.front().is_some_and(|flit| !flit.head);
            if !started || self.random.gen() {
                channel.packet.clear();
            }
        }
    }

    fn next(&mut self, vc: usize, generating: bool) -> Option<Flit> {
        if self.channels[vc].packet.is_empty() && generating && self.random.gen_bool(self.load) {
            self.channels[vc].packet = self.packet(vc);
        }
        let share = self.params.input_buffer_blocks / self.channels.len();
        let blocks = self.channels[vc]
            .packet
            .len()
            .div_ceil(self.params.block_flits);
        let channel = &mut self.channels[vc];
        if channel.packet.front()?.head {
            if channel.in_use + blocks > share {
                return None;
            }
            channel.in_use += blocks;
        }
        channel.packet.pop_front()
    }

    /// A packet that no other is like.
    fn packet(&mut self, vc: usize) -> VecDeque<Flit> {
        let length = self.random.gen_range(self.lengths.clone());
        self.packets += 1;
        let header = Header {
            vc: vc as u32,
            flits_minus_one: length as u32 - 1,
            message_id: self.packets & 0xffff,
            job: self.packets >> 16,
            ..Header::default()
        };
        let bad = self.random.gen_bool(0.05);
        (0..length)
            .map(|i| Flit {
                data: match i {
                    0 => header.encode(),
                    _ => self.random.gen(),
                },
                head: i == 0,
                tail: i + 1 == length,
                bad: bad && i + 1 == length,
                vc: vc as u8,
            })
            .collect()
    }
}
