//! When a source has a new packet.
//!
//! A load is in flits a cycle a port. Below 1.0 packets arrive at random, with a probability a cycle that makes the
//! flits offered match the load; at 1.0 a source always has a packet waiting.

use std::fmt;
use std::str::FromStr;

use rand::Rng;

use super::{Error, OnOff, Random};

/// Flits a cycle a port that sources offer: above 0, at most 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Load(f64);

impl Load {
    /// Sources always have a packet waiting.
    pub const FULL: Load = Load(1.0);
    /// Half of that, below the saturation of most patterns.
    pub const HALF: Load = Load(0.5);

    /// `None` outside the legal range.
    pub fn new(flits_a_cycle: f64) -> Option<Self> {
        (flits_a_cycle > 0.0 && flits_a_cycle <= 1.0).then_some(Self(flits_a_cycle))
    }

    /// The load as a number.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl FromStr for Load {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let number = text.parse().ok();
        number.and_then(Load::new).ok_or(Error::Load(text.into()))
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How packets arrive at a source, below full load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arrivals {
    /// In every cycle with the same probability.
    Bernoulli,
    /// In bursts. While one lasts, a source offers one flit a cycle (a packet every so many cycles on average, at
    /// random); the pauses between them make the average match the load.
    Bursty {
        /// Mean number of packets in a burst.
        packets: f64,
    },
}

impl Arrivals {
    /// Bursts of 16 packets on average.
    pub const BURSTY: Arrivals = Arrivals::Bursty { packets: 16.0 };
}

/// The arrivals of packets at one source.
#[derive(Debug, Clone)]
pub enum Injector {
    /// A packet is always waiting.
    Full,
    /// `probability` of an arrival in a cycle.
    Bernoulli { probability: f64 },
    /// While `burst` is on, `probability` of an arrival in a cycle.
    Bursty { burst: OnOff, probability: f64 },
}

impl Injector {
    /// The source offers `load` on average with packets of `mean_flits`.
    pub fn new(arrivals: Arrivals, load: Load, mean_flits: f64, random: &mut Random) -> Self {
        let load = load.value();
        match arrivals {
            _ if load == 1.0 => Injector::Full,
            Arrivals::Bernoulli => Injector::Bernoulli {
                probability: load / mean_flits,
            },
            Arrivals::Bursty { packets } => Injector::Bursty {
                burst: OnOff::new(load, packets * mean_flits, random),
                probability: 1.0 / mean_flits,
            },
        }
    }

    /// Whether a packet arrives in this cycle; called once a cycle. `full`: as many packets wait at the source as it has
    /// queues.
    #[inline]
    pub fn arrives(&mut self, full: bool, random: &mut Random) -> bool {
        match self {
            Injector::Full => !full,
            Injector::Bernoulli { probability } => random.gen_bool(*probability),
            Injector::Bursty { burst, probability } => {
                burst.next(random) && random.gen_bool(*probability)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::stream;

    const CYCLES: usize = 400_000;

    /// Whether a packet arrived, for each cycle.
    fn arrivals(arrivals: Arrivals, load: f64, mean_flits: f64) -> Vec<bool> {
        let mut random = stream(7, "injection", 0);
        let load = Load::new(load).unwrap();
        let mut injector = Injector::new(arrivals, load, mean_flits, &mut random);
        (0..CYCLES)
            .map(|_| injector.arrives(false, &mut random))
            .collect()
    }

    /// Variance of the number of packets in windows of 100 cycles, over its mean: 1 for a Poisson process.
    fn dispersion(arrivals: &[bool]) -> f64 {
        let counts: Vec<f64> = arrivals
            .chunks(100)
            .map(|window| window.iter().filter(|&&arrives| arrives).count() as f64)
            .collect();
        let mean = counts.iter().sum::<f64>() / counts.len() as f64;
        let squares = counts.iter().map(|count| (count - mean).powi(2));
        squares.sum::<f64>() / counts.len() as f64 / mean
    }

    #[test]
    fn the_load_offered_is_the_load_asked_for() {
        for kind in [Arrivals::Bernoulli, Arrivals::Bursty { packets: 4.0 }] {
            for load in [0.05, 0.5, 0.95, 0.999] {
                for flits in [1.0, 4.0] {
                    let packets = arrivals(kind, load, flits).iter().filter(|&&a| a).count();
                    let offered = packets as f64 * flits / CYCLES as f64;
                    assert!(
                        (offered - load).abs() < 0.03 * load.max(0.1),
                        "{kind:?} at {load} with {flits} flits offers {offered}"
                    );
                }
            }
        }
    }

    #[test]
    fn bursts_are_bursts() {
        let smooth = dispersion(&arrivals(Arrivals::Bernoulli, 0.4, 4.0));
        let bursty = dispersion(&arrivals(Arrivals::BURSTY, 0.4, 4.0));
        assert!((0.8..1.0).contains(&smooth), "binomial: {smooth}");
        assert!(bursty > 5.0, "{bursty}");
    }

    #[test]
    fn at_full_load_exactly_one_packet_waits() {
        let mut random = stream(1, "injection", 0);
        for kind in [Arrivals::Bernoulli, Arrivals::BURSTY] {
            let mut injector = Injector::new(kind, Load::FULL, 4.0, &mut random);
            assert!(injector.arrives(false, &mut random));
            assert!(!injector.arrives(true, &mut random));
        }
    }

    #[test]
    fn loads_outside_the_range_are_refused() {
        for text in ["0", "-0.1", "1.01", "NaN", "inf", "half"] {
            assert_eq!(text.parse::<Load>(), Err(Error::Load(text.into())));
        }
        assert_eq!("1.0".parse(), Ok(Load::FULL));
    }
}
