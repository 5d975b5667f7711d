//! Makes a failing design as small as it gets.

mod fields;
mod statements;
mod widths;

use super::rules::is_legal;
use super::source::source;
use super::tree::*;
use std::collections::HashSet;

/// Runs after which the design is small enough whatever is left to try.
const MOST_RUNS: usize = 60;

/// The smallest design found that still fails. `fails` gives the first of the designs that does, the smallest of which
/// come first; it is given at most `batch` at once.
pub fn shrink<E>(
    mut design: Design,
    batch: usize,
    fails: &mut impl FnMut(&[Design]) -> Result<Option<usize>, E>,
) -> Result<Design, E> {
    let mut tried = HashSet::new();
    let mut runs = 0;
    loop {
        let mut candidates = smaller(&design);
        candidates.retain(|candidate| !tried.contains(&source(candidate)));
        let count = candidates.len().div_ceil(batch);
        let mut found = None;
        for start in 0..count {
            // Of all sizes: small ones make big steps, those near to the design fail more often.
            let candidates: Vec<Design> = candidates
                .iter()
                .skip(start)
                .step_by(count)
                .cloned()
                .collect();
            tried.extend(candidates.iter().map(source));
            runs += 1;
            if let Some(first) = fails(&candidates)? {
                found = candidates.into_iter().nth(first);
                break;
            }
            if runs == MOST_RUNS {
                break;
            }
        }
        match found {
            Some(smaller) if runs < MOST_RUNS => design = smaller,
            Some(smaller) => return Ok(smaller),
            None => return Ok(design),
        }
    }
}

/// All smaller designs, the smallest first.
fn smaller(design: &Design) -> Vec<Design> {
    let mut all = fields::without_some(design);
    all.extend(statements::changed(design));
    all.extend(widths::narrower(design));
    let before = design.size();
    let mut all: Vec<(usize, Design)> = all
        .into_iter()
        .map(fields::tidy)
        .map(|design| (design.size(), design))
        .filter(|(size, design)| *size < before && is_legal(design))
        .collect();
    // Stable, so that the order is the same in every run.
    all.sort_by_key(|(size, _)| *size);
    all.into_iter().map(|(_, design)| design).collect()
}

/// The plainest value of a type, if there is one that can stand everywhere.
fn zero(ty: Type, design: &Design) -> Option<Expr> {
    match ty {
        Type::Bit | Type::Bits(_) | Type::Own => {
            Some(Expr::leaf(Op::Number(ty, Default::default())))
        }
        Type::Named { .. } if !design.states(ty).is_empty() => Some(Expr::leaf(Op::State(ty, 0))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::design;

    /// Shrinks a design as long as its text has some words.
    fn shrunk(number: usize, words: &[&str]) -> Option<String> {
        let first = design(1, number);
        let has_all = |text: &str| words.iter().all(|word| text.contains(word));
        if !has_all(&source(&first)) {
            return None;
        }
        let mut fails = |designs: &[Design]| {
            assert!(designs.iter().all(is_legal));
            Ok::<_, std::convert::Infallible>(
                designs.iter().position(|design| has_all(&source(design))),
            )
        };
        let Ok(last) = shrink(first, 20, &mut fails);
        Some(source(&last))
    }

    #[test]
    fn little_is_left_around_what_fails() {
        let mut found = 0;
        for number in 0..40 {
            for words in [
                &[" >> "][..],
                &[" - ", ".any()"],
                &["match "],
                &["replace_bit"],
            ] {
                if let Some(text) = shrunk(number, words) {
                    let kernel = text.lines().skip_while(|line| !line.contains("fn update"));
                    let lines = kernel.count();
                    assert!(
                        lines < 24,
                        "kernel {number}, {words:?}: {lines} lines\n{text}"
                    );
                    found += 1;
                }
            }
        }
        assert!(found > 40, "{found} kernels were shrunk");
    }
}
