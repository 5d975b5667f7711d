//! `Crc32c`: CRC-32C (Castagnoli) of a stream, 16 bytes a cycle.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | rising edge; synchronous, active high: CRC of nothing, not `done` |
//! | `valid` | in | the word below counts |
//! | `first` | in | the word starts a new stream |
//! | `last` | in | the word ends the stream |
//! | `bytes` | in | valid bytes of the word, 0 to 16, any number in any word |
//! | `data` | in | the word; byte 0 (bits 7:0) is the first of the stream |
//! | `crc` | out | CRC of the stream up to the last valid word |
//! | `done` | out | that word was the last of its stream |
//!
//! Latency: `crc` and `done` one cycle after the word. One word a cycle.
//!
//! How one matrix serves every number of bytes: zeros in front of a message do not change a CRC that starts from zero.
//! So the state is first added to the first bytes of the data, which is what a CRC does with it anyway, then the valid
//! bytes are shifted to the end of the word, and the CRC of the whole word is taken from zero. Of fewer than four bytes
//! a part of the state is left over; it stays as it is, shifted.
//!
//! Invariant (the user's): `bytes <= 16`.

use super::{Crc32cWord, Flag, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

const WORD_BITS: usize = 128;
const ALL_ONES: u64 = u32::MAX as u64;

/// CRC-32C of bytes: polynomial 0x1EDC6F41, reflected, initial value and final XOR all ones.
pub fn crc32c(bytes: &[u8]) -> u32 {
    !advance(u32::MAX, bytes)
}

/// The state of the CRC after some more bytes.
pub(crate) fn advance(state: u32, bytes: &[u8]) -> u32 {
    const REFLECTED: u32 = 0x1EDC_6F41u32.reverse_bits();
    bytes.iter().fold(state, |state, &byte| {
        (0..8).fold(state ^ u32::from(byte), |state, _| match state & 1 {
            0 => state >> 1,
            _ => state >> 1 ^ REFLECTED,
        })
    })
}

/// A streaming CRC-32C; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Crc32c {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub valid: Signal<In, Bit>,
    pub first: Signal<In, Bit>,
    pub last: Signal<In, Bit>,
    pub bytes: Wire<In>,
    pub data: Wire<In>,
    pub crc: Wire<Out>,
    pub done: Signal<Out, Bit>,
    start: Wire<Local>,
    state: Register,
    ended: Flag,
    word: Crc32cWord,
}

impl Default for Crc32c {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            valid: Default::default(),
            first: Default::default(),
            last: Default::default(),
            bytes: Wire::new(5),
            data: Wire::new(WORD_BITS),
            crc: Wire::new(32),
            done: Default::default(),
            start: Wire::new(32),
            state: Register::with_reset(32, ALL_ONES),
            ended: Default::default(),
            word: Default::default(),
        }
    }
}

impl Logic for Crc32c {
    #[kernel]
    fn update(&mut self) {
        comment!("module: crc32c");
        registers!(self.state, self.ended);
        if self.first.val() {
            self.start.next = ALL_ONES.into();
        } else {
            self.start.next = self.state.q.val();
        }
        let valid_bits = self.bytes.val().resize(8) << 3;
        let summed = self.data.val() ^ self.start.val().resize(WORD_BITS);
        // The state is in the data already.
        self.word.state.next = 0.into();
        self.word.data.next = summed << (WORD_BITS as u64 - valid_bits);
        if self.valid.val() {
            self.state.d.next = self.word.next.val() ^ (self.start.val() >> valid_bits);
        }
        self.ended.d.next = self.valid.val() & self.last.val();
        self.crc.next = !self.state.q.val();
        self.done.next = self.ended.q.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{cycle, Random};
    use crate::wire::Value;

    /// The CRC of a stream that is cut into words of the given numbers of bytes.
    fn stream(block: &mut Crc32c, bytes: &[u8], cuts: &[usize]) -> u64 {
        let mut rest = bytes;
        for (i, &cut) in cuts.iter().enumerate() {
            let (now, later) = rest.split_at(cut);
            rest = later;
            // What stands beside the valid bytes must not matter.
            let mut word = [0xA5; 16];
            word[..cut].copy_from_slice(now);
            let words: Vec<u32> = word
                .chunks(4)
                .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
                .collect();
            block.data.next = Value::from_words(WORD_BITS, &words);
            block.bytes.next = (cut as u64).into();
            (block.valid.next, block.first.next) = (true, i == 0);
            block.last.next = i + 1 == cuts.len();
            cycle!(*block);
            assert_eq!(block.done.val(), i + 1 == cuts.len());
            // A pause changes nothing but `done`.
            block.valid.next = false;
            block.data.next = 0.into();
            let crc = block.crc.val();
            cycle!(*block);
            assert_eq!(block.crc.val(), crc);
            assert!(!block.done.val());
        }
        assert!(rest.is_empty());
        block.crc.val().to_u64()
    }

    #[test]
    fn check_value() {
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
        let mut block = Crc32c::default();
        block.connect_all();
        assert_eq!(stream(&mut block, b"123456789", &[9]), 0xE306_9283);
        assert_eq!(stream(&mut block, b"123456789", &[2, 4, 0, 3]), 0xE306_9283);
    }

    #[test]
    fn agrees_with_an_independent_crc_at_any_cut() {
        let reference = ::crc::Crc::<u32>::new(&::crc::CRC_32_ISCSI);
        let mut random = Random(32);
        let mut block = Crc32c::default();
        block.connect_all();
        for length in 1..=16 {
            for words in 1..5 {
                let mut cuts: Vec<usize> = (1..words).map(|_| random.below(17) as usize).collect();
                cuts.push(length);
                let bytes: Vec<u8> = (0..cuts.iter().sum())
                    .map(|_| random.next() as u8)
                    .collect();
                let expected = reference.checksum(&bytes);
                assert_eq!(crc32c(&bytes), expected);
                assert_eq!(stream(&mut block, &bytes, &cuts), u64::from(expected));
            }
        }
    }
}
