//! Throughput and latency.

use std::ops::Range;

use super::histogram::Histogram;
use super::packet::Packet;
use super::results::{Delivery, Latency, PortResults};

/// Counts flits in the window of the measurement, latencies of packets that entered their queue in it, and before it
/// the latencies of heads in the idle chip.
#[derive(Debug)]
pub struct Statistics {
    window: Option<Range<u64>>,
    offered: Vec<u64>,
    delivered_from: Vec<u64>,
    accepted: Vec<u64>,
    latency: Histogram,
    head_zero_load: Histogram,
    /// Every packet that arrived, if that is asked for.
    deliveries: Option<Vec<Delivery>>,
}

impl Statistics {
    pub fn new(ports: usize) -> Self {
        Self {
            window: None,
            offered: vec![0; ports],
            delivered_from: vec![0; ports],
            accepted: vec![0; ports],
            latency: Histogram::default(),
            head_zero_load: Histogram::default(),
            deliveries: None,
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
            self.offered[port] += flits as u64;
        }
    }

    /// A flit comes out of a port.
    #[inline]
    pub fn accept(&mut self, cycle: u64, port: usize) {
        self.accepted[port] += u64::from(self.measures(cycle));
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
            self.delivered_from[packet.departure.source] += packet.waiting.flits as u64;
        }
        if self.measures(packet.waiting.queued) {
            self.latency.add(cycle - packet.waiting.queued);
        }
    }

    pub fn latency(&self) -> Latency {
        Latency {
            head_zero_load: self.head_zero_load.max(),
            mean: self.latency.mean(),
            p50: self.latency.quantile(0.5),
            p99: self.latency.quantile(0.99),
            max: self.latency.max(),
        }
    }

    /// Flits of the slowest source over those of the fastest.
    pub fn fairness(&self) -> Option<f64> {
        let fastest = *self.delivered_from.iter().max()?;
        let slowest = *self.delivered_from.iter().min()?;
        (fastest > 0).then(|| slowest as f64 / fastest as f64)
    }

    /// Throughput of each port.
    pub fn by_port(&self) -> Vec<PortResults> {
        let cycles = self
            .window
            .as_ref()
            .map_or(0, |window| window.end - window.start);
        let rate = |flits: u64| flits as f64 / cycles.max(1) as f64;
        (0..self.offered.len())
            .map(|port| PortResults {
                offered: rate(self.offered[port]),
                delivered_from: rate(self.delivered_from[port]),
                accepted: rate(self.accepted[port]),
            })
            .collect()
    }
}
