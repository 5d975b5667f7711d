//! Exact statistics of latencies.

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
}
