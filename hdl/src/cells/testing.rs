//! What the cells' own tests share.

use crate::wire::Value;

/// One clock cycle of a block: settles its inputs, then a rising edge.
macro_rules! cycle {
    ($block:expr) => {
        for level in [false, true] {
            $block.clock.next = level.into();
            assert!(simulate(&mut $block, 50), "the block settles");
        }
    };
}
pub(crate) use cycle;

/// A small deterministic generator (SplitMix64).
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A value of `width` bits.
    pub fn value(&mut self, width: usize) -> Value {
        let words: Vec<u32> = (0..width.div_ceil(32))
            .map(|_| self.next() as u32)
            .collect();
        Value::from_words(width, &words)
    }
}

/// Drives an arbiter with random requests against the definition of round-robin.
macro_rules! follow_round_robin {
    ($arbiter:expr, $requests:expr) => {
        let mut random = $crate::cells::testing::Random($requests as u64);
        let mut turn = 0;
        $arbiter.connect_all();
        for step in 0..300 {
            // Few requests, many, all, none.
            let request = (random.next() >> (64 - $requests))
                & match step % 4 {
                    0 => u64::MAX,
                    1 => random.next(),
                    2 => random.next() & random.next() & random.next(),
                    _ => 1 << random.below(64),
                };
            let advance = random.below(3) > 0;
            $arbiter.clock.next = false.into();
            $arbiter.request.next = request.into();
            $arbiter.advance.next = advance;
            assert!(simulate(&mut $arbiter, 50));
            let winner = (0..$requests)
                .map(|i| (turn + i) % $requests)
                .find(|i| request >> i & 1 == 1);
            let grant = winner.map_or(0, |i| 1 << i);
            assert_eq!($arbiter.grant.val(), grant, "step {step}");
            if let (true, Some(winner)) = (advance, winner) {
                turn = (winner + 1) % $requests;
            }
            $crate::cells::testing::cycle!($arbiter);
        }
    };
}
pub(crate) use follow_round_robin;
