//! Throughput, latency, and how full the buffers are.

use std::ops::Range;

use super::histogram::{Histogram, LatencyBin};
use super::packet::Packet;
use super::results::{Delivery, Latency, Occupancy, OccupancySample, PortResults};

/// How often the buffers are looked at.
const SAMPLES: u64 = 100;

/// Counts flits in the window of the measurement, latencies of packets that entered their queue in it, and before it
/// the latencies of heads in the idle chip.
#[derive(Debug)]
pub struct Statistics {
    window: Option<Range<u64>>,
    ports: Vec<Port>,
    latency: Histogram,
    head_zero_load: Histogram,
    /// Every packet that arrived, if that is asked for.
    deliveries: Option<Vec<Delivery>>,
    occupancy: Occupancy,
}

/// What is counted of one port.
#[derive(Debug, Clone, Default)]
struct Port {
    offered: u64,
    delivered_from: u64,
    accepted: u64,
    /// Packets out of the port, and the sum of their latencies.
    packets: u64,
    latencies: u64,
    busy: u64,
    stalled: u64,
    /// Blocks in use, summed over the samples.
    blocks: usize,
}

impl Statistics {
    /// `capacity`: blocks of an input buffer.
    pub fn new(ports: usize, capacity: usize) -> Self {
        Self {
            window: None,
            ports: vec![Port::default(); ports],
            latency: Histogram::default(),
            head_zero_load: Histogram::default(),
            deliveries: None,
            occupancy: Occupancy {
                capacity,
                samples: Vec::new(),
            },
        }
    }

    /// Remembers every packet that arrives, and not only what they are in sum.
    pub fn keep_deliveries(&mut self) {
        self.deliveries = Some(vec![]);
    }

    /// The packets that arrived, if they were to be remembered.
    pub fn take_deliveries(&mut self) -> Vec<Delivery> {
        self.deliveries.take().unwrap_or_default()
    }

    /// Says which cycles are measured; they are still to come.
    pub fn measure(&mut self, window: Range<u64>) {
        self.window = Some(window);
    }

    #[inline]
    fn measures(&self, cycle: u64) -> bool {
        matches!(&self.window, Some(window) if window.contains(&cycle))
    }

    /// Flits enter the queue of a port.
    #[inline]
    pub fn offer(&mut self, cycle: u64, port: usize, flits: usize) {
        if self.measures(cycle) {
            self.ports[port].offered += flits as u64;
        }
    }

    /// One cycle of the link into a port: `stalled` if a packet waits and the link carries nothing.
    #[inline]
    pub fn link_in(&mut self, cycle: u64, port: usize, stalled: bool) {
        self.ports[port].stalled += u64::from(stalled && self.measures(cycle));
    }

    /// One cycle of the link out of a port: it has a flit, which is taken or not.
    #[inline]
    pub fn link_out(&mut self, cycle: u64, port: usize, taken: bool) {
        if self.measures(cycle) {
            self.ports[port].busy += 1;
            self.ports[port].accepted += u64::from(taken);
        }
    }

    /// Whether the buffers are to be looked at in this cycle.
    #[inline]
    pub fn samples(&self, cycle: u64) -> bool {
        self.window.as_ref().is_some_and(|window| {
            let interval = (window.end - window.start).div_ceil(SAMPLES).max(1);
            window.contains(&cycle) && (cycle - window.start).is_multiple_of(interval)
        })
    }

    /// The blocks in use of every port's buffer.
    pub fn sample(&mut self, cycle: u64, blocks: impl Iterator<Item = usize>) {
        let start = self.window.as_ref().map_or(0, |window| window.start);
        let (mut sum, mut fullest) = (0, 0);
        for (port, blocks) in self.ports.iter_mut().zip(blocks) {
            port.blocks += blocks;
            sum += blocks;
            fullest = fullest.max(blocks);
        }
        self.occupancy.samples.push(OccupancySample {
            cycle: cycle - start,
            mean: sum as f64 / self.ports.len() as f64,
            fullest,
        });
    }

    /// The head of a packet arrives.
    #[inline]
    pub fn head(&mut self, cycle: u64, packet: &Packet) {
        if self.window.is_none() {
            self.head_zero_load.add(cycle - packet.departure.sent);
        }
    }

    /// A packet is complete at a port.
    #[inline]
    pub fn deliver(&mut self, cycle: u64, port: usize, packet: &Packet) {
        if let Some(deliveries) = &mut self.deliveries {
            deliveries.push(Delivery {
                packet: packet.departure.number,
                port,
                queued: packet.waiting.queued,
                sent: packet.departure.sent,
                arrived: cycle,
            });
        }
        if self.measures(cycle) {
            self.ports[packet.departure.source].delivered_from += packet.waiting.flits as u64;
        }
        if self.measures(packet.waiting.queued) {
            let latency = cycle - packet.waiting.queued;
            self.latency.add(latency);
            self.ports[port].packets += 1;
            self.ports[port].latencies += latency;
        }
    }

    pub fn latency(&self) -> Latency {
        Latency {
            head_zero_load: self.head_zero_load.max(),
            mean: self.latency.mean(),
            p50: self.latency.quantile(0.5),
            p90: self.latency.quantile(0.9),
            p99: self.latency.quantile(0.99),
            p999: self.latency.quantile(0.999),
            max: self.latency.max(),
        }
    }

    /// How many packets took how long.
    pub fn latency_bins(&self) -> Vec<LatencyBin> {
        self.latency.bins()
    }

    /// How full the buffers were.
    pub fn occupancy(&self) -> Occupancy {
        self.occupancy.clone()
    }

    /// Flits of the slowest source over those of the fastest.
    pub fn fairness(&self) -> Option<f64> {
        let delivered = || self.ports.iter().map(|port| port.delivered_from);
        let (slowest, fastest) = (delivered().min()?, delivered().max()?);
        (fastest > 0).then(|| slowest as f64 / fastest as f64)
    }

    /// What each port did.
    pub fn by_port(&self) -> Vec<PortResults> {
        let cycles = self
            .window
            .as_ref()
            .map_or(0, |window| window.end - window.start);
        let a_cycle = |count: u64| count as f64 / cycles.max(1) as f64;
        let samples = self.occupancy.samples.len().max(1);
        self.ports
            .iter()
            .map(|port| PortResults {
                offered: a_cycle(port.offered),
                delivered_from: a_cycle(port.delivered_from),
                accepted: a_cycle(port.accepted),
                latency: (port.packets > 0).then(|| port.latencies as f64 / port.packets as f64),
                busy: a_cycle(port.busy),
                stalled: a_cycle(port.stalled),
                occupancy: port.blocks as f64 / samples as f64,
            })
            .collect()
    }
}
