//! Values of an option in a plan: some to choose from, of which some depend on the chip.

use fantree_hdl::router::RouterParams;
use rand::Rng;

use crate::traffic::Random;

/// Reads a size of the chip.
type Size = fn(&RouterParams) -> usize;

/// Sizes of the chip that a value may name in braces, such as `{longest}`.
const SIZES: [(&str, Size); 5] = [
    ("ports", |params| params.ports()),
    ("channels", |params| params.virtual_channels),
    // Flits of the longest packet, and of the longest that may go to a group.
    ("longest", |params| params.max_packet_flits),
    ("multicast", |params| params.max_multicast_flits()),
    ("candidates", |params| params.candidates.min(params.ports())),
];

/// What stands between the bounds of a range, both of which belong to it.
const RANGE: &str = "..=";

/// A value as the plan has it: `true`, `0.5`, `uniform`, `1,4,{longest}`, `200..=1500`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value(String);

impl Value {
    /// Refuses a text that names what is no size, or a range whose bounds are no numbers.
    pub fn new(text: &str, params: &RouterParams) -> Result<Self, String> {
        let value = Self(text.into());
        let filled = value.filled(params);
        if filled.contains(['{', '}']) {
            let known = SIZES.map(|(name, _)| format!("{{{name}}}")).join(", ");
            return Err(format!("text in which only {known} stand in braces"));
        }
        match (filled.contains(RANGE), range(&filled)) {
            (true, None) => Err("FROM..=TO, two whole numbers of which TO is not the less".into()),
            _ => Ok(value),
        }
    }

    /// The texts that it may become on a chip: the bounds of a range stand for all of it.
    pub fn extremes(&self, params: &RouterParams) -> Vec<String> {
        let filled = self.filled(params);
        match range(&filled) {
            Some((from, to)) => vec![from.to_string(), to.to_string()],
            None => vec![filled],
        }
    }

    /// The text on a chip; one of a range at random.
    pub fn draw(&self, params: &RouterParams, random: &mut Random) -> String {
        let filled = self.filled(params);
        match range(&filled) {
            Some((from, to)) => random.gen_range(from..=to).to_string(),
            None => filled,
        }
    }

    fn filled(&self, params: &RouterParams) -> String {
        SIZES.iter().fold(self.0.clone(), |text, (name, size)| {
            text.replace(&format!("{{{name}}}"), &size(params).to_string())
        })
    }
}

fn range(text: &str) -> Option<(u64, u64)> {
    let (from, to) = text.split_once(RANGE)?;
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from <= to).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::stream;

    fn params() -> RouterParams {
        fantree_gen::config::Router::default().params()
    }

    #[test]
    fn sizes_are_those_of_the_chip() {
        let value = Value::new("1,{longest},{multicast}", &params()).unwrap();
        assert_eq!(value.extremes(&params()), ["1,69,16"]);
        let value = Value::new("1..={candidates}", &params()).unwrap();
        assert_eq!(value.extremes(&params()), ["1", "8"]);
    }

    #[test]
    fn a_range_is_drawn_from_end_to_end() {
        let value = Value::new("3..=6", &params()).unwrap();
        let mut random = stream(1, "value", 0);
        let mut seen: Vec<String> = (0..100)
            .map(|_| value.draw(&params(), &mut random))
            .collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen, ["3", "4", "5", "6"]);
    }

    #[test]
    fn what_is_no_size_and_no_range_is_refused() {
        for text in ["{length}", "1..=", "5..=4", "a..=b", "1..={shortest}"] {
            assert!(Value::new(text, &params()).is_err(), "{text}");
        }
    }
}
