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
