//! What stands behind a link: a buffer that frees its blocks in its own time.

use std::collections::VecDeque;

use fantree_hdl::link::LinkParams;
use fantree_hdl::packet::Header;
use rand::Rng;

use super::violation::Fault;
use crate::router::Flit;
use crate::traffic::Random;

/// The packet that is coming on a virtual channel, and the blocks that its buffer holds.
#[derive(Default)]
struct Channel {
    announced: usize,
    arrived: usize,
    /// Blocks, each with whether it is complete.
    blocks: VecDeque<bool>,
}

/// An end's buffer.
pub struct Sink {
    params: LinkParams,
    drain: f64,
    random: Random,
    channels: Vec<Channel>,
}

impl Sink {
    pub fn new(params: LinkParams, drain: f64, random: Random) -> Self {
        Self {
            params,
            drain,
            random,
            channels: (0..params.virtual_channels)
                .map(|_| Channel::default())
                .collect(),
        }
    }

    /// Blocks that are held.
    pub fn held(&self) -> usize {
        self.channels
            .iter()
            .map(|channel| channel.blocks.len())
            .sum()
    }

    /// Whether a packet of the virtual channel has begun and not ended.
    pub fn is_open(&self, vc: u8) -> bool {
        self.channels[usize::from(vc)].announced > 0
    }

    /// A flit comes.
    pub fn receive(&mut self, flit: &Flit) -> Option<Fault> {
        let vc = usize::from(flit.vc);
        let channel = &mut self.channels[vc];
        if flit.head {
            channel.announced = Header::decode(flit.data).flits();
            channel.arrived = 0;
        }
        if channel.arrived.is_multiple_of(self.params.block_flits) {
            channel.blocks.push_back(false);
        }
        channel.arrived += 1;
        let full = channel.arrived.is_multiple_of(self.params.block_flits);
        if let Some(last) = channel.blocks.back_mut() {
            *last = full || flit.tail;
        }
        let (announced, arrived) = (channel.announced, channel.arrived);
        if flit.tail {
            channel.announced = 0;
            if arrived != announced {
                return Some(Fault::WrongLength { announced, arrived });
            }
        }
        let share = self.params.input_buffer_blocks / self.channels.len();
        (self.channels[vc].blocks.len() > share).then_some(Fault::Overflow { vc })
    }

    /// Blocks that come free in this cycle, a bit for each virtual channel.
    pub fn free(&mut self) -> u8 {
        let mut freed = 0;
        for (vc, channel) in self.channels.iter_mut().enumerate() {
            if channel.blocks.front() == Some(&true) && self.random.gen_bool(self.drain) {
                channel.blocks.pop_front();
                freed |= 1 << vc;
            }
        }
        freed
    }
}
