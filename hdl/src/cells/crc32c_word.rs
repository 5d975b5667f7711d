//! `Crc32cWord`: the step of CRC-32C over one whole word.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `state` | in | the CRC's state before the word; all ones before the first |
//! | `data` | in | 16 bytes; byte 0 (bits 7:0) is the first of the stream |
//! | `next` | out | the state after the word |
//!
//! Latency: 0 cycles. The state is not inverted: [`RESIDUE`] is what it is after any stream and its CRC.

use super::{crc32c, xor_matrix};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{bits_of, Value, Wire};
use rust_hdl::prelude::*;

const WORD_BITS: usize = 128;

/// State after a stream that ends with its own CRC, low byte first.
pub const RESIDUE: u64 = 0xB798_B438;

/// A step of CRC-32C; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Crc32cWord {
    pub state: Wire<In>,
    pub data: Wire<In>,
    pub next: Wire<Out>,
    summed: Wire<Local>,
    _rows: Vec<Value>,
}

impl Default for Crc32cWord {
    fn default() -> Self {
        Self {
            state: Wire::new(32),
            data: Wire::new(WORD_BITS),
            next: Wire::new(32),
            summed: Wire::new(WORD_BITS),
            _rows: xor_matrix::rows(WORD_BITS, 32, |word| {
                crc32c::advance(0, &word.to_le_bytes())
            }),
        }
    }
}

impl Logic for Crc32cWord {
    #[kernel]
    fn update(&mut self) {
        comment!("module: crc32c_word");
        self.summed.next = self.data.val() ^ self.state.val().resize(WORD_BITS);
        self.next.next = bits_of(0..32, |bit| (self.summed.val() & self._rows[bit]).xor());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::Random;

    #[test]
    fn leaves_the_residue_after_a_stream_and_its_crc() {
        let mut random = Random(32);
        let mut word = Crc32cWord::default();
        word.connect_all();
        for words in 1..6 {
            let mut bytes: Vec<u8> = (0..words * 16).map(|_| random.below(256) as u8).collect();
            let end = bytes.len() - 4;
            let crc = crc32c::crc32c(&bytes[..end]);
            bytes[end..].copy_from_slice(&crc.to_le_bytes());
            let mut state = Value::new(32, u64::from(u32::MAX));
            for chunk in bytes.chunks(16) {
                let words: Vec<u32> = chunk
                    .chunks(4)
                    .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                    .collect();
                word.state.next = state;
                word.data.next = Value::from_words(WORD_BITS, &words);
                assert!(simulate(&mut word, 10));
                state = word.next.val();
            }
            assert_eq!(state, RESIDUE, "{words} words");
        }
    }
}
