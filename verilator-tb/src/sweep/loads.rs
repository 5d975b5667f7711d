//! `Loads`: the loads of a sweep, as a list of numbers and ranges.

use std::fmt;
use std::str::FromStr;

use crate::traffic::{self, Load};

/// Most loads of a sweep.
const MOST: usize = 1000;

/// Loads in ascending order, each once.
#[derive(Debug, Clone, PartialEq)]
pub struct Loads {
    text: String,
    loads: Vec<Load>,
}

/// What is wrong with a list of loads.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InvalidLoads {
    #[error(transparent)]
    Load(#[from] traffic::Error),
    #[error("`{0}` is not a range of loads: write FROM..TO:STEP, such as 0.1..1.0:0.1")]
    Form(String),
    #[error("`{0}` is an empty range: TO is below FROM")]
    Empty(String),
    #[error("the step of `{0}` is not legal: above 0, and at most {MOST} loads")]
    Step(String),
}

impl Loads {
    pub fn as_slice(&self) -> &[Load] {
        &self.loads
    }
}

impl FromStr for Loads {
    type Err = InvalidLoads;

    fn from_str(text: &str) -> Result<Self, InvalidLoads> {
        let mut loads = Vec::new();
        for part in text.split(',').map(str::trim) {
            match part.split_once("..") {
                None => loads.push(part.parse()?),
                Some((from, rest)) => loads.extend(range(part, from, rest)?),
            }
        }
        loads.sort_by(|a: &Load, b: &Load| a.value().total_cmp(&b.value()));
        loads.dedup();
        Ok(Self {
            text: text.into(),
            loads,
        })
    }
}

/// As it was read.
impl fmt::Display for Loads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The loads of `FROM..TO:STEP`, whose ends count.
fn range(part: &str, from: &str, rest: &str) -> Result<Vec<Load>, InvalidLoads> {
    let form = || InvalidLoads::Form(part.into());
    let (to, step) = rest.split_once(':').ok_or_else(form)?;
    let (from, to): (Load, Load) = (from.parse()?, to.parse()?);
    let step: f64 = step.parse().map_err(|_| form())?;
    let (first, last) = (from.value(), to.value());
    if last < first {
        return Err(InvalidLoads::Empty(part.into()));
    }
    // A step that does not quite reach the end by rounding has reached it.
    let steps = ((last - first) / step + 1e-9).floor();
    if !(step > 0.0 && steps < MOST as f64) {
        return Err(InvalidLoads::Step(part.into()));
    }
    // Rounded, so that three times 0.1 is 0.3.
    let at = |place: usize| (1e9 * (first + place as f64 * step)).round() / 1e9;
    let loads = (0..=steps as usize).map(|place| Load::new(at(place)));
    Ok(loads.flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        let loads: Loads = text.parse().unwrap();
        loads.as_slice().iter().map(|load| load.value()).collect()
    }

    #[test]
    fn ranges_have_both_ends_and_lists_are_sorted() {
        assert_eq!(values("0.1..0.5:0.1"), [0.1, 0.2, 0.3, 0.4, 0.5]);
        assert_eq!(values("0.1..1.0:0.1").len(), 10);
        assert_eq!(values("0.1..0.45:0.2"), [0.1, 0.3]);
        assert_eq!(values("1.0, 0.2,0.5..0.5:0.1,0.2"), [0.2, 0.5, 1.0]);
        assert_eq!(
            "0.1..1.0:0.1".parse::<Loads>().unwrap().to_string(),
            "0.1..1.0:0.1"
        );
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, error) in [
            (
                "",
                "load `` is not legal: flits a cycle a port, above 0 and at most 1",
            ),
            (
                "0.5,2",
                "load `2` is not legal: flits a cycle a port, above 0 and at most 1",
            ),
            (
                "0..1:0.1",
                "load `0` is not legal: flits a cycle a port, above 0 and at most 1",
            ),
            (
                "0.1..1",
                "`0.1..1` is not a range of loads: write FROM..TO:STEP, such as 0.1..1.0:0.1",
            ),
            (
                "0.1..1:x",
                "`0.1..1:x` is not a range of loads: write FROM..TO:STEP, such as 0.1..1.0:0.1",
            ),
            (
                "0.9..0.1:0.1",
                "`0.9..0.1:0.1` is an empty range: TO is below FROM",
            ),
            (
                "0.1..1:0",
                "the step of `0.1..1:0` is not legal: above 0, and at most 1000 loads",
            ),
            (
                "0.1..1:-1",
                "the step of `0.1..1:-1` is not legal: above 0, and at most 1000 loads",
            ),
            (
                "0.1..1:1e-9",
                "the step of `0.1..1:1e-9` is not legal: above 0, and at most 1000 loads",
            ),
        ] {
            let told = text.parse::<Loads>().unwrap_err().to_string();
            assert_eq!(told, error);
        }
    }
}
