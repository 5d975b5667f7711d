//! Exact statistics of latencies.

use serde::{Deserialize, Serialize};

/// Bins of one width that show where most latencies are.
const BINS: u64 = 40;
/// What they show: all but this share of the packets, which share a last bin.
const TAIL: f64 = 0.001;

/// Packets whose latency is in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatencyBin {
    /// The least latency, in cycles.
    pub from: u64,
    /// The greatest.
    pub to: u64,
    pub packets: u64,
}

/// How often each latency occurred, in cycles.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    counts: Vec<u64>,
    total: u64,
    sum: u64,
}

impl Histogram {
    #[inline]
    pub fn add(&mut self, cycles: u64) {
        let index = cycles as usize;
        if index >= self.counts.len() {
            self.counts.resize(index + 1, 0);
        }
        self.counts[index] += 1;
        self.total += 1;
        self.sum += cycles;
    }

    /// The mean; `None` if there is nothing.
    pub fn mean(&self) -> Option<f64> {
        (self.total > 0).then(|| self.sum as f64 / self.total as f64)
    }

    /// The least latency that `share` of all do not exceed; `None` if there is nothing.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let wanted = ((share * self.total as f64).ceil() as u64).max(1);
        let mut reached = 0;
        let found = self.counts.iter().position(|count| {
            reached += count;
            reached >= wanted
        });
        found.map(|cycles| cycles as u64)
    }

    /// The greatest; `None` if there is nothing.
    pub fn max(&self) -> Option<u64> {
        self.counts.len().checked_sub(1).map(|cycles| cycles as u64)
    }

    /// Bins of one width, from the least latency to what a packet in a thousand exceeds; these few are the last bin.
    pub fn bins(&self) -> Vec<LatencyBin> {
        let (Some(least), Some(shown), Some(max)) =
            (self.quantile(0.0), self.quantile(1.0 - TAIL), self.max())
        else {
            return Vec::new();
        };
        let width = (shown - least + 1).div_ceil(BINS);
        let starts = (least..=shown).step_by(width as usize);
        let mut ranges: Vec<_> = starts.map(|from| (from, from + width - 1)).collect();
        let tail = ranges.last().map_or(max, |&(_, to)| to + 1);
        if tail <= max {
            ranges.push((tail, max));
        }
        let count = |from: u64, to: u64| {
            let to = to.min(max) as usize;
            self.counts[from as usize..=to].iter().sum()
        };
        ranges
            .into_iter()
            .map(|(from, to)| LatencyBin {
                from,
                to,
                packets: count(from, to),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_nothing_are_none() {
        let nothing = Histogram::default();
        assert_eq!(
            (nothing.mean(), nothing.quantile(0.5), nothing.max()),
            (None, None, None)
        );
        assert!(nothing.bins().is_empty());
    }

    #[test]
    fn statistics_are_exact() {
        let mut histogram = Histogram::default();
        (1..=200).rev().for_each(|cycles| histogram.add(cycles));
        assert_eq!(histogram.mean(), Some(100.5));
        assert_eq!(histogram.quantile(0.5), Some(100));
        assert_eq!(histogram.quantile(0.99), Some(198));
        assert_eq!(histogram.quantile(0.991), Some(199));
        assert_eq!(histogram.quantile(0.0), Some(1));
        assert_eq!(histogram.max(), Some(200));
    }

    #[test]
    fn bins_hold_every_packet_once_and_the_few_slow_ones_together() {
        let mut histogram = Histogram::default();
        (10..=109).for_each(|cycles| (0..20).for_each(|_| histogram.add(cycles)));
        histogram.add(5000);
        let bins = histogram.bins();
        let (tail, body) = bins.split_last().unwrap();
        assert_eq!((tail.to, tail.packets), (5000, 1));
        assert_eq!((body[0].from, body[0].to, body[0].packets), (10, 12, 60));
        assert!(body.len() <= BINS as usize, "{}", body.len());
        for pair in bins.windows(2) {
            assert_eq!(pair[0].to + 1, pair[1].from);
        }
        let packets: u64 = bins.iter().map(|bin| bin.packets).sum();
        assert_eq!(packets, 2001);
    }

    #[test]
    fn equal_latencies_are_one_bin() {
        let mut histogram = Histogram::default();
        (0..5).for_each(|_| histogram.add(9));
        let bin = LatencyBin {
            from: 9,
            to: 9,
            packets: 5,
        };
        assert_eq!(histogram.bins(), [bin]);
    }
}
