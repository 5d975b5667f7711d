//! A design that holds many faults, of which at most one is awake.

use std::collections::BTreeMap;

use super::Change;
use crate::verilog::{Design, Module};

/// Bits of the number of the mutant that is awake.
const SELECT_BITS: usize = 16;

/// The input that tells which fault is awake.
pub const SELECT: &str = "mutant";

/// The design with all these faults in it, each the changes of a [`Mutant`](super::Mutant) or others. The module `top`,
/// with which simulation starts, gets the input [`SELECT`]: where it is n, the n-th fault is awake, counted from 1; where
/// it is 0, the design is as it was.
///
/// # Panics
/// If there are more faults than numbers, or places of two overlap and are not the same.
pub fn weave(design: Design, faults: &[impl AsRef<[Change]>], top: &str) -> Design {
    assert!(faults.len() < 1 << SELECT_BITS, "too many faults");
    let select = format!("{top}.{SELECT}");
    let woven = design.with_texts(|module| woven(module, faults, &select));
    woven.with_input(top, SELECT, SELECT_BITS)
}

fn woven(module: &Module, faults: &[impl AsRef<[Change]>], select: &str) -> String {
    // By the end and the start of the expression: the number of each fault, and what it makes of it.
    let mut places: BTreeMap<(usize, usize), Vec<(usize, &str)>> = BTreeMap::new();
    for (number, fault) in (1..).zip(faults) {
        let here = |change: &&Change| change.module == module.name;
        for change in fault.as_ref().iter().filter(here) {
            let place = (change.range.end, change.range.start);
            let wrong = change.wrong.as_str();
            places.entry(place).or_default().push((number, wrong));
        }
    }
    let mut text = module.text.clone();
    let mut following = text.len();
    // From the last to the first, so that places stay where they are.
    for ((end, start), faults) in places.into_iter().rev() {
        assert!(end <= following, "{}: faults overlap", module.name);
        following = start;
        let faults: String = faults
            .iter()
            .map(|(number, wrong)| format!("{select} == {SELECT_BITS}'d{number} ? ({wrong}) :\n"))
            .collect();
        let choice = format!("({faults}({}))", &text[start..end]);
        text.replace_range(start..end, &choice);
    }
    text
}
