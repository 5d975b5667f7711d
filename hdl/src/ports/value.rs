//! Values as 32-bit words and back.

use num_bigint::BigUint;
use rust_hdl::prelude::*;

/// A type that an input port can carry.
///
/// Derive it for a `LogicStruct` (each field takes its slice) and for a `LogicState` (a number beyond the last state is
/// taken modulo their count).
pub trait FromWords: Synth {
    /// The value in the low `BITS` bits of `words`, the lowest word first.
    fn from_words(words: &[u32]) -> Self;

    /// The type is a clock.
    const IS_CLOCK: bool = false;
}

impl FromWords for Bit {
    fn from_words(words: &[u32]) -> Self {
        words[0] & 1 == 1
    }
}

impl FromWords for Clock {
    fn from_words(words: &[u32]) -> Self {
        bool::from_words(words).into()
    }

    const IS_CLOCK: bool = true;
}

impl<const N: usize> FromWords for Bits<N> {
    fn from_words(words: &[u32]) -> Self {
        let mut words = words.to_vec();
        mask(&mut words, N);
        match N {
            0..=32 => u64::from(words[0]).into(),
            _ => BigUint::new(words).into(),
        }
    }
}

impl<const N: usize> FromWords for Signed<N> {
    fn from_words(words: &[u32]) -> Self {
        signed_cast(Bits::from_words(words))
    }
}

/// The words of a value, as many as its width needs.
pub fn to_words<T: Synth>(value: T) -> Vec<u32> {
    words_of_literal(&value.verilog(), T::BITS)
}

/// rust-hdl keeps a literal's number to itself and shows it only as text, such as `8'hff`.
fn words_of_literal(literal: &VerilogLiteral, width: usize) -> Vec<u32> {
    let text = format!("{literal:x}");
    let digits = text.rsplit('h').next().unwrap_or_default().as_bytes();
    let mut words: Vec<u32> = digits
        .rchunks(8)
        .map(|chunk| {
            let digit = |&byte: &u8| (byte as char).to_digit(16).expect("a hexadecimal literal");
            chunk
                .iter()
                .map(digit)
                .fold(0, |word, digit| word << 4 | digit)
        })
        .collect();
    words.resize(width.div_ceil(32), 0);
    words
}

/// Clears the bits from `width` upwards, and brings `words` to the length of the width.
pub(super) fn mask(words: &mut Vec<u32>, width: usize) {
    words.resize(width.div_ceil(32), 0);
    if let (Some(last), 1..) = (words.last_mut(), width % 32) {
        *last &= (1 << (width % 32)) - 1;
    }
}

/// Takes fields off words, the lowest first; the derived [`FromWords`] of a struct uses it.
pub struct Slices<'a> {
    words: &'a [u32],
    offset: usize,
}

impl<'a> Slices<'a> {
    /// All of `words`.
    pub fn new(words: &'a [u32]) -> Self {
        Self { words, offset: 0 }
    }

    /// The next `T::BITS` bits as a value.
    pub fn take<T: FromWords>(&mut self) -> T {
        let word = |index: usize| u64::from(self.words.get(index).copied().unwrap_or(0));
        let (first, shift) = (self.offset / 32, self.offset % 32);
        let slice: Vec<u32> = (first..first + T::BITS.div_ceil(32).max(1))
            .map(|at| ((word(at) | word(at + 1) << 32) >> shift) as u32)
            .collect();
        self.offset += T::BITS;
        T::from_words(&slice)
    }
}
