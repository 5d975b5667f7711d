//! Which clocks rise in a cycle.

use crate::traffic::Random;
use rand::Rng;
use std::ops::Range;

/// Cycles until random rates change.
const PHASE: Range<usize> = 20..200;

/// How one clock rises.
#[derive(Debug, Clone, Copy)]
enum Rhythm {
    /// Every so many cycles, from a phase.
    Periodic { period: u32, phase: u32 },
    /// With this chance in eighths.
    Random { eighths: u32 },
}

/// The clocks of a block.
#[derive(Debug)]
pub struct Clocks {
    rhythms: Vec<Rhythm>,
    cycle: u32,
    left: usize,
    rng: Random,
}

impl Clocks {
    /// One clock a period; `None` means a random and changing rate, or every cycle for the only clock.
    pub fn new(periods: &[Option<u32>], mut rng: Random) -> Clocks {
        let alone = periods.len() == 1;
        let rhythm = |period: &Option<u32>| match (period, alone) {
            (Some(period), _) => Rhythm::Periodic {
                period: *period,
                phase: rng.gen_range(0..*period),
            },
            (None, true) => Rhythm::Periodic {
                period: 1,
                phase: 0,
            },
            (None, false) => Rhythm::Random { eighths: 4 },
        };
        Clocks {
            rhythms: periods.iter().map(rhythm).collect(),
            cycle: 0,
            left: 0,
            rng,
        }
    }

    /// Which clocks rise next, in the order given to [`Clocks::new`].
    pub fn next(&mut self) -> Vec<bool> {
        if self.left == 0 {
            self.left = self.rng.gen_range(PHASE);
            for rhythm in &mut self.rhythms {
                if let Rhythm::Random { eighths } = rhythm {
                    *eighths = self.rng.gen_range(1..=8);
                }
            }
        }
        self.left -= 1;
        self.cycle = self.cycle.wrapping_add(1);
        let (cycle, rng) = (self.cycle, &mut self.rng);
        self.rhythms
            .iter()
            .map(|rhythm| match *rhythm {
                Rhythm::Periodic { period, phase } => cycle % period == phase,
                Rhythm::Random { eighths } => rng.gen_range(0..8) < eighths,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::stream;

    fn rises(periods: &[Option<u32>]) -> Vec<Vec<bool>> {
        let mut clocks = Clocks::new(periods, stream(1, "clocks", 0));
        (0..2000).map(|_| clocks.next()).collect()
    }

    #[test]
    fn the_only_clock_always_rises() {
        assert!(rises(&[None]).iter().all(|clocks| clocks[0]));
    }

    #[test]
    fn two_clocks_meet_in_all_ways() {
        let seen = rises(&[None, None]);
        for wanted in [[false, false], [false, true], [true, false], [true, true]] {
            assert!(seen.iter().any(|clocks| clocks[..] == wanted), "{wanted:?}");
        }
    }

    #[test]
    fn a_period_is_kept() {
        let seen = rises(&[Some(3), Some(5)]);
        for (clock, period) in [(0, 3), (1, 5)] {
            let at: Vec<usize> = (0..2000).filter(|&cycle| seen[cycle][clock]).collect();
            assert!(at.len() >= 2000 / period);
            assert!(at.windows(2).all(|pair| pair[1] - pair[0] == period));
        }
    }
}
