//! What a router's bench covers: the points that its monitors sample, in every run.
//!
//! | group | sampled by | when |
//! |---|---|---|
//! | [`LinkHead`], [`LinkCycle`] | `LinkMonitor` | a head is taken; every cycle |
//! | [`Sent`], [`Arrived`] | `Scoreboard` | a packet starts; it has arrived whole |
//! | [`Drops`] | `Bench` | at the end, what the chip has counted |
//! | [`Traffic`], [`Setting`], [`Structure`] | `Bench` | once |

mod chip;
mod link;
mod packet;
mod setting;
mod traffic;

use fantree_hdl::packet::Header;
use fantree_hdl::router::{DropCause, RouterParams};

use super::fate::Way;
use super::scoreboard::DropCounts;
use super::{Options, Store};
use crate::coverage::{point, Counter, Functional};

pub use chip::{Cause, Drops, Structure};
pub use link::{
    Buffer, CreditsLeft, Handshake, LinkCycle, LinkHead, Mark, Open, Others, Returned, Share, Side,
    Wait,
};
pub use packet::{Arrived, Choice, End, FanOut, Forwarding, Integrity, Place, Sent};
pub use setting::Setting;
pub use traffic::Traffic;

/// The counters of a run.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    pub link_heads: Counter<LinkHead>,
    pub link_cycles: Counter<LinkCycle>,
    pub sent: Counter<Sent>,
    pub arrived: Counter<Arrived>,
    pub drops: Counter<Drops>,
    pub traffic: Counter<Traffic>,
    pub settings: Counter<Setting>,
    pub structure: Counter<Structure>,
}

impl Coverage {
    /// Nothing yet, but how the chip is built and the run is set.
    pub fn of(params: &RouterParams, options: &Options) -> Self {
        let mut coverage = Self::default();
        coverage.structure.sample(Structure::of(params));
        coverage.settings.sample(Setting::of(params, options));
        coverage.traffic.sample(Traffic::of(options));
        coverage
    }

    /// What the chip has counted as dropped by a port.
    pub fn drops(&mut self, port: usize, counts: &DropCounts, store: Store) {
        for (&cause, &count) in DropCause::ALL.iter().zip(counts) {
            let drop = Drops {
                cause: Cause::of(cause),
                forwarding: Forwarding::of(store, port),
            };
            self.drops.sample_times(drop, count.into());
        }
    }

    /// What was counted.
    pub fn functional(&self) -> Functional {
        Functional::from_iter([
            self.link_heads.counts(),
            self.link_cycles.counts(),
            self.sent.counts(),
            self.arrived.counts(),
            self.drops.counts(),
            self.traffic.counts(),
            self.settings.counts(),
            self.structure.counts(),
        ])
    }
}

point! {
    /// The virtual channel, by its place among those of the router.
    pub enum Channel: "virtual channel" {
        Only = "the only one",
        First = "first",
        Inner = "inner",
        Last = "last",
    }
}

point! {
    /// The flits of a packet, against blocks and the longest packet.
    pub enum Length: "length" {
        Single = "one flit",
        Block = "up to a block",
        Blocks = "several blocks",
        Longest = "the longest",
    }
}

point! {
    /// How a packet is routed.
    pub enum Route: "route" {
        Deterministic = "deterministic",
        Adaptive = "adaptive",
        Source = "source",
        Multicast = "multicast",
    }
}

/// The sizes of a router against which its packets are judged.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub rows: usize,
    pub columns: usize,
    pub vcs: usize,
    pub block_flits: usize,
    pub longest: usize,
}

impl Sizes {
    pub fn of(params: &RouterParams) -> Self {
        Self {
            rows: params.rows,
            columns: params.columns,
            vcs: params.virtual_channels,
            block_flits: params.block_flits,
            longest: params.max_packet_flits,
        }
    }

    #[inline]
    pub fn channel(&self, vc: usize) -> Channel {
        match vc {
            _ if self.vcs == 1 => Channel::Only,
            0 => Channel::First,
            vc if vc + 1 == self.vcs => Channel::Last,
            _ => Channel::Inner,
        }
    }

    #[inline]
    pub fn length(&self, flits: usize) -> Length {
        match flits {
            1 => Length::Single,
            flits if flits == self.longest => Length::Longest,
            flits if flits <= self.block_flits => Length::Block,
            _ => Length::Blocks,
        }
    }

    pub fn ports(&self) -> usize {
        self.rows * self.columns
    }
}

impl Route {
    /// That which a header names.
    pub fn of_header(header: &Header) -> Self {
        match header {
            Header { multicast: 1, .. } => Route::Multicast,
            Header {
                source_route: 1, ..
            } => Route::Source,
            Header { adaptive: 1, .. } => Route::Adaptive,
            _ => Route::Deterministic,
        }
    }

    pub fn of(way: Way) -> Self {
        match way {
            Way::Deterministic => Route::Deterministic,
            Way::Adaptive => Route::Adaptive,
            Way::Source(_) => Route::Source,
            Way::Multicast => Route::Multicast,
        }
    }
}
