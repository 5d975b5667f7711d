//! Streams of random numbers that are the same on every machine and in every version.

use rand::SeedableRng;
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// A stream of random numbers: fast, and fixed by its seed for ever, unlike `rand`'s own small generator.
pub type Random = Xoshiro256PlusPlus;

/// The stream of one user of random numbers: `purpose` tells kinds of users apart, `index` users of one kind.
pub fn stream(seed: u64, purpose: &str, index: usize) -> Random {
    let mixed = purpose
        .bytes()
        .map(u64::from)
        .chain([index as u64])
        .fold(seed, |state, next| mix(state ^ next));
    Random::seed_from_u64(mixed)
}

/// One step of SplitMix64: each bit of the result depends on every bit of `state`.
fn mix(state: u64) -> u64 {
    use rand::RngCore;
    SplitMix64::seed_from_u64(state).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngCore;
    use std::collections::HashSet;

    #[test]
    fn streams_differ_by_seed_purpose_and_index_only() {
        let mut first = HashSet::new();
        for seed in 0..20 {
            for purpose in ["length", "stall"] {
                for index in 0..64 {
                    let number = stream(seed, purpose, index).next_u64();
                    assert_eq!(number, stream(seed, purpose, index).next_u64());
                    assert!(first.insert(number), "seed {seed}, {purpose} {index}");
                }
            }
        }
    }

    #[test]
    fn a_stream_never_changes() {
        assert_eq!(stream(1, "length", 0).next_u64(), 0xdf5c_6abf_7426_47da);
    }
}
