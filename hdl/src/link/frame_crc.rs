//! `FrameCrc`: the step of a frame's CRC over one word.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `state` | in | the CRC's state before the word; all ones before the first |
//! | `word`, `kind` | in | the word |
//! | `next` | out | the state after it |
//!
//! Latency: 0 cycles. CRC-32C of 17 bytes a word, the last one its kind: a wrong kind is an error like any other. Up to
//! five wrong bits in a frame are always found, and every burst of up to 32.

use super::frame::{KIND_BITS, WORD_BITS};
use crate::cells::{crc32c_advance, xor_rows};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{bits_of, Value, Wire};
use rust_hdl::prelude::*;

/// Width of the CRC.
pub const CRC_BITS: usize = 32;
/// State of a CRC before the first word.
pub const CRC_START: u64 = u32::MAX as u64;

/// A step of a frame's CRC; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct FrameCrc {
    pub state: Wire<In>,
    pub word: Wire<In>,
    pub kind: Wire<In>,
    pub next: Wire<Out>,
    summed: Wire<Local>,
    _word_rows: Vec<Value>,
    _kind_rows: Vec<Value>,
}

/// The state of a frame's CRC after some more words.
pub fn frame_crc(state: u32, words: &[(u128, u8)]) -> u32 {
    words.iter().fold(state, |state, &(word, kind)| {
        crc32c_advance(crc32c_advance(state, &word.to_le_bytes()), &[kind])
    })
}

impl Default for FrameCrc {
    fn default() -> Self {
        Self {
            state: Wire::new(CRC_BITS),
            word: Wire::new(WORD_BITS),
            kind: Wire::new(KIND_BITS),
            next: Wire::new(CRC_BITS),
            summed: Wire::new(WORD_BITS),
            _word_rows: xor_rows(WORD_BITS, CRC_BITS, |word| frame_crc(0, &[(word, 0)])),
            _kind_rows: xor_rows(KIND_BITS, CRC_BITS, |kind| frame_crc(0, &[(0, kind as u8)])),
        }
    }
}

impl Logic for FrameCrc {
    #[kernel]
    fn update(&mut self) {
        comment!("module: frame_crc");
        self.summed.next = self.word.val() ^ self.state.val().resize(WORD_BITS);
        self.next.next = bits_of(0..CRC_BITS, |bit| {
            (self.summed.val() & self._word_rows[bit]).xor()
                ^ (self.kind.val() & self._kind_rows[bit]).xor()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::Random;

    #[test]
    fn agrees_with_an_independent_crc() {
        let reference = ::crc::Crc::<u32>::new(&::crc::CRC_32_ISCSI);
        let mut random = Random(17);
        let mut step = FrameCrc::default();
        step.connect_all();
        for words in 1..6 {
            let mut bytes = Vec::new();
            let mut state = u64::from(u32::MAX);
            for _ in 0..words {
                let (word, kind) = (random.value(WORD_BITS), random.below(4));
                step.state.next = Value::new(CRC_BITS, state);
                step.word.next = word;
                step.kind.next = kind.into();
                assert!(simulate(&mut step, 10));
                state = step.next.val().to_u64();
                bytes.extend(word.to_u128().to_le_bytes());
                bytes.push(kind as u8);
            }
            assert_eq!(!state as u32, reference.checksum(&bytes), "{words} words");
        }
    }
}
