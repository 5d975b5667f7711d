//! When a router is saturated, and the search for the load from which on it is.

use serde::{Deserialize, Serialize};

use crate::router::Results;
use crate::traffic::Load;

/// When a run counts as saturated; see the module.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Criterion {
    /// Share of what is offered that is not accepted.
    pub shortfall: f64,
    /// Mean latency over that without load.
    pub latency_factor: f64,
}

/// A criterion, or a resolution, that is out of range.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum InvalidCriterion {
    #[error("a shortfall of {0} is not legal: above 0 and below 1")]
    Shortfall(f64),
    #[error("{0} times the latency without load is not legal: above 1")]
    LatencyFactor(f64),
    #[error("a resolution of {0} is not legal: 0.001 to 0.5")]
    Resolution(f64),
}

impl Default for Criterion {
    fn default() -> Self {
        Self {
            shortfall: 0.05,
            latency_factor: 10.0,
        }
    }
}

impl Criterion {
    /// Refuses a criterion that every run meets, or none.
    pub fn check(&self) -> Result<(), InvalidCriterion> {
        if !(self.shortfall > 0.0 && self.shortfall < 1.0) {
            return Err(InvalidCriterion::Shortfall(self.shortfall));
        }
        match self.latency_factor > 1.0 {
            true => Ok(()),
            false => Err(InvalidCriterion::LatencyFactor(self.latency_factor)),
        }
    }

    /// Whether a run was saturated; `zero_load` is its latency without load, if that is known.
    pub fn is_met(&self, results: &Results, zero_load: Option<f64>) -> bool {
        let falls_short = results.accepted < (1.0 - self.shortfall) * results.offered;
        let is_slow = match (results.latency.mean, zero_load) {
            (Some(mean), Some(zero_load)) => mean > self.latency_factor * zero_load,
            _ => false,
        };
        falls_short || is_slow
    }
}

/// How near the search comes to the saturation point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resolution {
    /// Loads are multiples of one over this.
    parts: u32,
}

/// Where a router saturates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// The greatest load that was carried; 0 if there was none.
    pub carried: f64,
    /// The least that was not; none if all below full load were carried.
    pub saturating: Option<f64>,
}

impl Resolution {
    /// `step` between loads, rounded so that a whole number of them is full load.
    pub fn new(step: f64) -> Result<Self, InvalidCriterion> {
        match (0.001..=0.5).contains(&step) {
            true => Ok(Self {
                parts: (1.0 / step).round() as u32,
            }),
            false => Err(InvalidCriterion::Resolution(step)),
        }
    }

    /// Most runs of a search.
    pub fn runs(self) -> usize {
        self.parts.next_power_of_two().ilog2() as usize
    }

    /// Bisection: every load below the saturation point is taken to be carried, every load above it not. Full load is
    /// never tried, since there packets do not arrive but are always there.
    pub fn search<E>(
        self,
        mut saturates: impl FnMut(Load) -> Result<bool, E>,
    ) -> Result<Bounds, E> {
        let load = |place: u32| f64::from(place) / f64::from(self.parts);
        let (mut carried, mut saturating) = (0, self.parts);
        while saturating - carried > 1 {
            let middle = (carried + saturating) / 2;
            let tried = Load::new(load(middle)).expect("between nothing and full load");
            match saturates(tried)? {
                true => saturating = middle,
                false => carried = middle,
            }
        }
        Ok(Bounds {
            carried: load(carried),
            saturating: (saturating < self.parts).then(|| load(saturating)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// The bounds of a router that carries less than `limit`, and the runs that it took.
    fn search(step: f64, limit: f64) -> (Bounds, usize) {
        let mut runs = 0;
        let resolution = Resolution::new(step).unwrap();
        let found = resolution.search(|load| {
            runs += 1;
            Ok::<_, Infallible>(load.value() >= limit)
        });
        let Ok(bounds) = found;
        assert!(runs <= resolution.runs(), "{runs}");
        (bounds, runs)
    }

    #[test]
    fn the_search_finds_every_limit_to_its_resolution() {
        for step in [0.5, 0.1, 0.01, 0.003] {
            let parts = (1.0_f64 / step).round();
            for place in 1..parts as u32 {
                let limit = f64::from(place) / parts;
                let (bounds, _) = search(step, limit);
                assert_eq!(bounds.saturating, Some(limit), "{step}");
                assert!((limit - bounds.carried - 1.0 / parts).abs() < 1e-12);
            }
        }
        assert!(search(0.01, 0.5).1 <= 7);
    }

    #[test]
    fn a_router_may_carry_everything_or_nothing() {
        let (all, _) = search(0.01, 2.0);
        assert_eq!((all.carried, all.saturating), (0.99, None));
        let (nothing, _) = search(0.01, 0.0);
        assert_eq!((nothing.carried, nothing.saturating), (0.0, Some(0.01)));
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        for step in [0.0, -0.1, 0.6, f64::NAN] {
            assert!(Resolution::new(step).is_err(), "{step}");
        }
        let criterion = |shortfall, latency_factor| Criterion {
            shortfall,
            latency_factor,
        };
        assert!(criterion(0.05, 10.0).check().is_ok());
        for wrong in [
            criterion(0.0, 10.0),
            criterion(1.0, 10.0),
            criterion(0.05, 1.0),
            criterion(f64::NAN, 10.0),
            criterion(0.05, f64::NAN),
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
    }
}
