//! Where a source's packets go.

use rand::seq::SliceRandom;
use rand::Rng;

use super::{stream, Error, Pattern, Random, Shape};

/// A pattern on a given array: draws the destinations.
#[derive(Debug, Clone)]
pub struct Destinations {
    shape: Shape,
    rule: Rule,
}

#[derive(Debug, Clone)]
enum Rule {
    Uniform,
    Fixed(Vec<usize>),
    Hotspot { port: usize, share: f64 },
    RowToColumn,
}

impl Destinations {
    /// `seed` fixes a random permutation.
    pub fn new(pattern: Pattern, shape: Shape, seed: u64) -> Result<Self, Error> {
        pattern.check(shape)?;
        let ports = shape.ports();
        let fixed = |rule: &dyn Fn(usize) -> usize| Rule::Fixed((0..ports).map(rule).collect());
        let rule = match pattern {
            Pattern::Uniform | Pattern::Bursty => Rule::Uniform,
            Pattern::Permutation => {
                let mut permutation: Vec<usize> = (0..ports).collect();
                permutation.shuffle(&mut stream(seed, "permutation", 0));
                Rule::Fixed(permutation)
            }
            Pattern::Complement => fixed(&|i| ports - 1 - i),
            Pattern::Tornado => fixed(&|i| (i + ports.div_ceil(2) - 1) % ports),
            Pattern::Transpose => fixed(&|i| i % shape.columns * shape.rows + i / shape.columns),
            Pattern::Shuffle => {
                let half = ports.div_ceil(2);
                fixed(&|i| if i < half { 2 * i } else { 2 * (i - half) + 1 })
            }
            Pattern::BitReverse => {
                // Of 0 bits nothing is left to reverse: a single port sends to itself.
                let unused = usize::BITS - ports.trailing_zeros();
                fixed(&|i| i.reverse_bits().checked_shr(unused).unwrap_or(0))
            }
            Pattern::Neighbour => fixed(&|i| (i + 1) % ports),
            Pattern::Hotspot { port, share } => Rule::Hotspot { port, share },
            Pattern::RowToColumn => Rule::RowToColumn,
            Pattern::AllToOne { port } => fixed(&|_| port),
        };
        Ok(Self { shape, rule })
    }

    /// The destination of the next packet of `source`.
    #[inline]
    pub fn draw(&self, source: usize, random: &mut Random) -> usize {
        let Shape { rows, columns } = self.shape;
        match &self.rule {
            Rule::Hotspot { port, share } if random.gen_bool(*share) => *port,
            Rule::Uniform | Rule::Hotspot { .. } => random.gen_range(0..rows * columns),
            Rule::Fixed(destinations) => destinations[source],
            Rule::RowToColumn => random.gen_range(0..rows) * columns + source / columns % columns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [(usize, usize); 8] = [
        (1, 2),
        (2, 2),
        (1, 5),
        (4, 2),
        (3, 3),
        (5, 8),
        (4, 16),
        (8, 8),
    ];

    fn shapes() -> impl Iterator<Item = Shape> {
        SHAPES
            .into_iter()
            .map(|(rows, columns)| Shape { rows, columns })
    }

    /// Packets from each source (first index) to each port, `draws` a source.
    fn count(pattern: Pattern, shape: Shape, draws: usize) -> Vec<Vec<usize>> {
        let destinations = Destinations::new(pattern, shape, 3).unwrap();
        (0..shape.ports())
            .map(|source| {
                let mut random = stream(5, "destination", source);
                let mut counts = vec![0; shape.ports()];
                for _ in 0..draws {
                    counts[destinations.draw(source, &mut random)] += 1;
                }
                counts
            })
            .collect()
    }

    /// The one destination of each source.
    fn fixed(pattern: Pattern, shape: Shape) -> Vec<usize> {
        let counts = count(pattern, shape, 10);
        let only = |counts: &Vec<usize>| counts.iter().position(|&count| count == 10);
        counts
            .iter()
            .map(|counts| only(counts).unwrap_or_else(|| panic!("{pattern} varies: {counts:?}")))
            .collect()
    }

    #[test]
    fn permutations_are_bijections() {
        for shape in shapes() {
            for pattern in [
                Pattern::Permutation,
                Pattern::Complement,
                Pattern::Tornado,
                Pattern::Transpose,
                Pattern::Shuffle,
                Pattern::BitReverse,
                Pattern::Neighbour,
            ] {
                if pattern.check(shape).is_ok() {
                    let mut reached = fixed(pattern, shape);
                    reached.sort();
                    let all: Vec<_> = (0..shape.ports()).collect();
                    assert_eq!(reached, all, "{pattern} on {shape:?}");
                }
            }
        }
    }

    #[test]
    fn permutations_are_the_ones_of_their_names() {
        let (rows, columns) = (2, 4);
        let eight = Shape { rows, columns };
        assert_eq!(fixed(Pattern::Complement, eight), [7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(fixed(Pattern::Tornado, eight), [3, 4, 5, 6, 7, 0, 1, 2]);
        assert_eq!(fixed(Pattern::Transpose, eight), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(fixed(Pattern::Shuffle, eight), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(fixed(Pattern::BitReverse, eight), [0, 4, 2, 6, 1, 5, 3, 7]);
        assert_eq!(fixed(Pattern::Neighbour, eight), [1, 2, 3, 4, 5, 6, 7, 0]);
        let (rows, columns) = (3, 3);
        let square = Shape { rows, columns };
        assert_eq!(
            fixed(Pattern::Transpose, square),
            [0, 3, 6, 1, 4, 7, 2, 5, 8]
        );
        assert_eq!(fixed(Pattern::Shuffle, square), [0, 2, 4, 6, 8, 1, 3, 5, 7]);
    }

    #[test]
    fn the_seed_fixes_a_random_permutation() {
        let (rows, columns) = (5, 8);
        let shape = Shape { rows, columns };
        let draw = |seed| {
            let destinations = Destinations::new(Pattern::Permutation, shape, seed).unwrap();
            let mut random = stream(seed, "destination", 0);
            (0..40)
                .map(|source| destinations.draw(source, &mut random))
                .collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn uniform_reaches_every_port_equally() {
        let (rows, columns) = (5, 8);
        for pattern in [Pattern::Uniform, Pattern::Bursty] {
            for counts in count(pattern, Shape { rows, columns }, 40_000) {
                assert!(
                    counts.iter().all(|count| (850..1150).contains(count)),
                    "{counts:?}"
                );
            }
        }
    }

    #[test]
    fn a_hotspot_has_its_share_and_its_part_of_the_rest() {
        let (rows, columns) = (5, 8);
        let pattern = Pattern::Hotspot {
            port: 7,
            share: 0.1,
        };
        for counts in count(pattern, Shape { rows, columns }, 40_000) {
            // 0.1 + 0.9/40
            assert!((4600..5200).contains(&counts[7]), "{}", counts[7]);
            assert!(counts.iter().all(|&count| count > 750), "{counts:?}");
        }
    }

    #[test]
    fn a_row_meets_in_a_column() {
        for shape in shapes() {
            for (source, counts) in count(Pattern::RowToColumn, shape, 2000).iter().enumerate() {
                let column = source / shape.columns % shape.columns;
                for (port, &count) in counts.iter().enumerate() {
                    let reached = port % shape.columns == column;
                    assert_eq!(count > 0, reached, "{source} to {port} of {shape:?}");
                }
            }
        }
    }

    #[test]
    fn all_go_to_one() {
        let (rows, columns) = (4, 2);
        assert_eq!(
            fixed(Pattern::AllToOne { port: 3 }, Shape { rows, columns }),
            [3; 8]
        );
    }
}
