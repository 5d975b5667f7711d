//! Packet lengths in flits.

use std::fmt;
use std::str::FromStr;

use rand::Rng;

use super::{Error, Random};

/// Lengths that packets are drawn from, each entry equally often: `4`, or a mix such as `1,4,69`. An entry written
/// twice is drawn twice as often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lengths(Vec<usize>);

impl Lengths {
    /// All packets have the same length.
    pub fn fixed(flits: usize) -> Self {
        Self(vec![flits])
    }

    /// The mean length in flits.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<usize>() as f64 / self.0.len() as f64
    }

    /// The shortest length.
    pub fn shortest(&self) -> usize {
        self.0.iter().copied().min().unwrap_or(1)
    }

    /// Refuses lengths above `longest`, the most that a router takes.
    pub fn check(&self, longest: usize) -> Result<(), Error> {
        if self.0.iter().all(|&flits| flits <= longest) {
            return Ok(());
        }
        Err(Error::Length {
            text: self.to_string(),
            legal: format!("this router takes packets of 1 to {longest} flits"),
        })
    }

    /// The length of the next packet.
    pub fn draw(&self, random: &mut Random) -> usize {
        match self.0[..] {
            [only] => only,
            ref lengths => lengths[random.gen_range(0..lengths.len())],
        }
    }
}

impl FromStr for Lengths {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let parse = |entry: &str| entry.trim().parse().ok().filter(|&flits| flits >= 1);
        let lengths: Option<Vec<usize>> = text.split(',').map(parse).collect();
        lengths.map(Self).ok_or_else(|| Error::Length {
            text: text.into(),
            legal: "a number of flits from 1, or several with commas between".into(),
        })
    }
}

impl fmt::Display for Lengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries: Vec<_> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&entries.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::stream;

    #[test]
    fn a_mix_is_drawn_evenly() {
        let mix: Lengths = "1,4,69,4".parse().unwrap();
        assert_eq!((mix.mean(), mix.shortest()), (19.5, 1));
        let mut random = stream(1, "length", 0);
        let mut seen = [0; 70];
        for _ in 0..40_000 {
            seen[mix.draw(&mut random)] += 1;
        }
        for (flits, expected) in [(1, 10_000i32), (4, 20_000), (69, 10_000)] {
            assert!(
                (seen[flits] - expected).abs() < 400,
                "{flits}: {}",
                seen[flits]
            );
        }
        assert_eq!(seen.iter().sum::<i32>(), 40_000);
    }

    #[test]
    fn bad_lengths_are_refused() {
        for text in ["", "0", "4,", "four", "-1", "1;2"] {
            let error = text.parse::<Lengths>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("packet length `{text}` is not legal")),
                "{error}"
            );
        }
        let error = Lengths::fixed(70).check(69).unwrap_err();
        assert_eq!(
            error.to_string(),
            "packet length `70` is not legal: this router takes packets of 1 to 69 flits"
        );
    }

    #[test]
    fn text_survives_the_round_trip() {
        assert_eq!("1, 4,69".parse::<Lengths>().unwrap().to_string(), "1,4,69");
    }
}
