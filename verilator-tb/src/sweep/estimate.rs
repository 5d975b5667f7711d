//! `Estimate`: the mean of several runs that differ in their seed alone, and how far it may be off.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// How sure an interval is to hold the true mean.
const CONFIDENCE: f64 = 0.95;

/// A mean with its interval of confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub mean: f64,
    /// The true mean is so near with 95 % confidence, by Student's t distribution; none of a single run.
    pub margin: Option<f64>,
}

impl Estimate {
    /// `None` of nothing.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        match values.len() {
            0 => None,
            1 => Some(Self { mean, margin: None }),
            _ => {
                let squares = values.iter().map(|value| (value - mean).powi(2));
                let variance = squares.sum::<f64>() / (count - 1.0);
                Some(Self {
                    mean,
                    margin: Some(quantile(count - 1.0) * (variance / count).sqrt()),
                })
            }
        }
    }

    /// The interval; of a single run nothing but its value.
    pub fn interval(&self) -> (f64, f64) {
        let margin = self.margin.unwrap_or(0.0);
        (self.mean - margin, self.mean + margin)
    }
}

/// What Student's t exceeds on either side with what confidence leaves.
fn quantile(freedom: f64) -> f64 {
    let distribution = StudentsT::new(0.0, 1.0, freedom).expect("freedom of one or more");
    distribution.inverse_cdf(0.5 + CONFIDENCE / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the printed tables of Student's t.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, value) in [(1.0, 12.706), (2.0, 4.303), (4.0, 2.776), (30.0, 2.042)] {
            assert!((quantile(freedom) - value).abs() < 0.001, "{freedom}");
        }
    }

    #[test]
    fn a_mean_has_its_margin_of_two_values_or_more() {
        assert_eq!(Estimate::of(&[]), None);
        let one = Estimate::of(&[3.0]).unwrap();
        assert_eq!(
            (one.mean, one.margin, one.interval()),
            (3.0, None, (3.0, 3.0))
        );
        let same = Estimate::of(&[2.0, 2.0, 2.0]).unwrap();
        assert_eq!((same.mean, same.margin), (2.0, Some(0.0)));
        // Standard deviation 1, so the margin is 4.303 / √3.
        let three = Estimate::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(three.mean, 2.0);
        assert!((three.margin.unwrap() - 2.484).abs() < 0.001, "{three:?}");
    }
}
