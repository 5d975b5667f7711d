//! What a run of the link's bench does.

use std::ops::{Range, RangeInclusive};

use fantree_hdl::link::LinkParams;

/// What a channel does to what it carries.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Faults {
    /// Errors a bit. An error spoils `burst` bits, the first one surely, the others half of them.
    pub rate: f64,
    pub burst: usize,
    /// Share of frames that are lost as a whole, and that come twice.
    pub lost: f64,
    pub doubled: f64,
}

impl Faults {
    /// Single wrong bits.
    pub fn bits(rate: f64) -> Self {
        Self {
            rate,
            burst: 1,
            ..Self::default()
        }
    }
}

/// A time in which a direction carries nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Outage {
    /// The end that sends in this direction.
    pub from: usize,
    pub cycles: Range<u64>,
}

/// A run.
#[derive(Debug, Clone)]
pub struct Options {
    pub params: LinkParams,
    /// Cycles that a word is on its way, at least 1.
    pub delay: usize,
    /// By the end that sends.
    pub faults: [Faults; 2],
    /// Share of the cycles in which an end wants to begin a packet when it has none; 1.0: a packet always waits.
    pub load: [f64; 2],
    pub packet_flits: RangeInclusive<usize>,
    /// Chance that a virtual channel's buffer frees a block in a cycle.
    pub drain: f64,
    pub outages: Vec<Outage>,
    /// Cycles without a word after which a link is down.
    pub silence_limit: u16,
    /// Cycles in which packets are sent; then all that is on its way arrives.
    pub cycles: u64,
    pub seed: u64,
}

impl Options {
    /// Full load both ways over a short line that does nothing wrong.
    pub fn new(params: LinkParams) -> Self {
        Self {
            params,
            delay: 1,
            faults: [Faults::default(); 2],
            load: [1.0; 2],
            packet_flits: 1..=params.max_packet_flits,
            drain: 1.0,
            outages: Vec::new(),
            silence_limit: 2000,
            cycles: 20_000,
            seed: 1,
        }
    }
}
