//! The results of a run, as `fantree sim --json` prints them.

use fantree_hdl::router::DropCause;
use serde::{Deserialize, Serialize, Serializer};

use super::{LatencyBin, Violation};
use crate::coverage::Functional;
use crate::traffic::Lengths;

/// What a run found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Results {
    pub ports: usize,
    pub rows: usize,
    pub columns: usize,
    pub pattern: String,
    /// Flits a cycle a port that entered the sources' queues in the measurement; 1 at full load.
    pub offered: f64,
    /// Flits a cycle a port that came out of the chip in the measurement.
    pub accepted: f64,
    pub packets: Packets,
    pub latency: Latency,
    /// Flits of the slowest source over those of the fastest; none if nothing was delivered.
    pub fairness: Option<f64>,
    /// Cycles of the measurement.
    pub cycles: u64,
    /// All cycles, from reset to the end.
    pub simulated_cycles: u64,
    pub seed: u64,
    pub by_port: Vec<PortResults>,
    /// How many of the packets of [`Latency`] took how long.
    pub latency_bins: Vec<LatencyBin>,
    pub occupancy: Occupancy,
    /// Broken rules, and the first of each kind in words.
    /// Every arrival, in a run with a wave.
    #[serde(skip)]
    pub deliveries: Vec<Delivery>,
    pub violation_count: usize,
    pub violations: Vec<Violation>,
    /// What the monitors have seen.
    #[serde(skip)]
    pub coverage: Functional,
}

/// A packet's arrival at a port. Cycles are those since the reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivery {
    /// Its number, in the order in which packets were sent.
    pub packet: u32,
    pub port: usize,
    /// It entered its source's queue; its head was on the link into the chip; its tail on the link out of it.
    pub queued: u64,
    pub sent: u64,
    pub arrived: u64,
}

/// How many packets went which way, in the whole run. A multicast packet counts once for each port it goes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Packets {
    pub sent: u64,
    /// Arrived where they belong, unchanged.
    pub delivered: u64,
    pub dropped: Dropped,
    /// Neither arrived nor counted as dropped.
    pub lost: u64,
    pub duplicated: u64,
    pub misrouted: u64,
    pub corrupted: u64,
    /// Delivered after a later packet of their source, destination and virtual channel.
    pub reordered: u64,
}

/// Packets that the chip counts as dropped, by cause.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dropped([u64; DropCause::ALL.len()]);

impl Dropped {
    /// Packets dropped for a cause.
    pub fn of(&self, cause: DropCause) -> u64 {
        self.0[cause as usize - 1]
    }

    /// Packets dropped for any cause.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(super) fn add(&mut self, cause: DropCause, packets: u64) {
        self.0[cause as usize - 1] += packets;
    }
}

/// As a map from the causes' names.
impl Serialize for Dropped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(DropCause::ALL.map(|cause| (cause.name(), self.of(cause))))
    }
}

/// Latencies in cycles; none where no packet was measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Latency {
    /// Head in to head out of the idle chip: the greatest of all pairs of ports, of 64 random pairs in a large chip.
    pub head_zero_load: Option<u64>,
    /// From entry into the source's queue to tail out, of packets that entered in the measurement.
    pub mean: Option<f64>,
    pub p50: Option<u64>,
    pub p90: Option<u64>,
    pub p99: Option<u64>,
    pub p999: Option<u64>,
    pub max: Option<u64>,
}

/// One port in the measurement. Rates are in flits a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PortResults {
    /// Entered this port's source queue.
    pub offered: f64,
    /// Delivered from this port, anywhere; whole packets.
    pub delivered_from: f64,
    /// Came out of this port.
    pub accepted: f64,
    /// Mean latency of the packets that came out of this port; none if there were none.
    pub latency: Option<f64>,
    /// Share of the cycles in which the link out of this port has a flit, taken or not.
    pub busy: f64,
    /// Share of the cycles in which a packet waits at this port's source and the link into the chip carries nothing, most
    /// often because credits are missing.
    pub stalled: f64,
    /// Blocks of this port's input buffer that are in use or on the way back: their mean.
    pub occupancy: f64,
}

/// The input buffers of all ports over time, by the credits of those who send to them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Occupancy {
    /// Blocks of one buffer.
    pub capacity: usize,
    pub samples: Vec<OccupancySample>,
}

/// The input buffers in one cycle, in blocks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OccupancySample {
    /// Since the start of the measurement.
    pub cycle: u64,
    pub mean: f64,
    /// Of the fullest one.
    pub fullest: usize,
}

impl Latency {
    /// The latency of a mean packet through the idle chip, its tail included; none where that was not measured.
    pub fn without_load(&self, lengths: &Lengths) -> Option<f64> {
        self.head_zero_load
            .map(|head| head as f64 + lengths.mean() - 1.0)
    }
}

impl Results {
    /// No rule was broken and no packet came to harm.
    pub fn passed(&self) -> bool {
        self.violation_count == 0
    }
}
