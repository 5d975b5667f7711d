//! Makes a failing design as small as it gets.

mod fields;
mod statements;
mod widths;

use super::rules::is_legal;
use super::source::source;
use super::tree::*;
use crate::traffic::{stream, Random};
use std::collections::HashSet;

/// Runs after which the design is small enough whatever is left to try.
const MOST_RUNS: usize = 60;
/// Chances, in percent, of a part to go in a big step: most parts have nothing to do with what fails.
const CHANCES: [u32; 5] = [80, 50, 25, 12, 5];
/// Big steps of each chance.
const TRIES: usize = 6;

/// The smallest design found that still fails. `fails` gives the first of the designs that does; small ones come first,
/// and at most `batch` at once.
pub fn shrink<E>(
    design: Design,
    batch: usize,
    fails: &mut impl FnMut(&[Design]) -> Result<Option<usize>, E>,
) -> Result<Design, E> {
    let tidied = fields::tidy(design.clone());
    let mut shrinker = Shrinker {
        // What nobody reads may be what the back end refuses.
        tidy: fails(std::slice::from_ref(&tidied))?.is_some(),
        batch,
        fails,
        tried: HashSet::new(),
        runs: 0,
    };
    let mut design = if shrinker.tidy { tidied } else { design };
    let mut rng = stream(0, "shrink", 0);
    while let Some(smaller) = shrinker.first(&design, big_steps(&design, &mut rng))? {
        design = smaller;
    }
    while let Some(smaller) = shrinker.first(&design, steps(&design))? {
        design = smaller;
    }
    Ok(design)
}

struct Shrinker<'a, F> {
    batch: usize,
    fails: &'a mut F,
    /// Whether designs are left without what nobody reads.
    tidy: bool,
    tried: HashSet<String>,
    runs: usize,
}

impl<E, F: FnMut(&[Design]) -> Result<Option<usize>, E>> Shrinker<'_, F> {
    /// The first of the steps, smallest designs first, that still fails.
    fn first(&mut self, before: &Design, steps: Vec<Design>) -> Result<Option<Design>, E> {
        let taken = |step: Design| {
            let after = if self.tidy { fields::tidy(step) } else { step };
            (after.size() < before.size() && is_legal(&after)).then_some(after)
        };
        let mut all: Vec<Design> = steps.into_iter().filter_map(taken).collect();
        // Stable, so that the order is the same in every run.
        all.sort_by_key(Design::size);
        all.retain(|design| self.tried.insert(source(design)));
        for designs in all.chunks(self.batch) {
            if self.runs == MOST_RUNS {
                break;
            }
            self.runs += 1;
            if let Some(first) = (self.fails)(designs)? {
                return Ok(designs.get(first).cloned());
            }
        }
        Ok(None)
    }
}

/// Designs without many of their parts, or without a field.
fn big_steps(design: &Design, rng: &mut Random) -> Vec<Design> {
    let mut all = fields::without_some(design);
    for chance in CHANCES {
        for _ in 0..TRIES {
            let fewer = fields::without_many(design, chance / 2, rng);
            all.push(statements::without_many(&fewer, chance, rng));
        }
    }
    all
}

/// Designs with one thing less.
fn steps(design: &Design) -> Vec<Design> {
    let mut all = fields::without_some(design);
    all.extend(statements::changed(design));
    all.extend(widths::narrower(design));
    all
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

    /// Shrinks a design as long as its text has this word, if it has.
    fn shrunk(number: usize, word: &str) -> Option<String> {
        let first = design(1, number);
        if !source(&first).contains(word) {
            return None;
        }
        let mut fails = |designs: &[Design]| {
            assert!(designs.iter().all(is_legal));
            let fails = |design: &Design| source(design).contains(word);
            Ok::<_, std::convert::Infallible>(designs.iter().position(fails))
        };
        let Ok(last) = shrink(first, 40, &mut fails);
        Some(source(&last))
    }

    #[test]
    fn little_is_left_around_what_fails() {
        let mut found = 0;
        for number in 0..6 {
            for word in [" >> ", "match ", "replace_bit", ".all()"] {
                let Some(text) = shrunk(number, word) else {
                    continue;
                };
                found += 1;
                let kernels: Vec<&str> = text.split("fn update").skip(1).collect();
                let statements: usize = kernels
                    .iter()
                    .map(|kernel| kernel.matches(';').count())
                    .sum();
                // Blocks around the one with the word, each with a statement for each port.
                assert!(statements < 16, "kernel {number}, `{word}`:\n{text}");
            }
        }
        assert!(found > 12, "{found} kernels were shrunk");
    }
}
