//! [`Value`]: a bit vector whose width is a run-time value.
//!
//! The semantics are those of rust-hdl's `Bits<N>`: arithmetic wraps at the width, a shift by the width or more gives
//! zero, a slice past the end reads zeros, comparison is unsigned. A `Value` made from a plain number is *unsized* and
//! takes the width of what it meets, which it must fit, as literals do beside `Bits<N>`.
//!
//! Values are `Copy` and live in four words, because kernels read like rust-hdl's only if reading a signal copies it.

use num_bigint::BigUint;
use rust_hdl::prelude::*;
use std::cmp::Ordering;
use std::fmt;

/// Widest value, in bits. Wider buses are `Vec`s of wires.
pub const MAX_WIDTH: usize = 256;

pub(super) const LIMBS: usize = MAX_WIDTH / 64;

/// A bit vector of a run-time width, or an unsized literal (width 0).
#[derive(Clone, Copy)]
pub struct Value {
    pub(super) width: u16,
    pub(super) limbs: [u64; LIMBS],
}

/// A named slice: where a field stands in a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Lowest bit.
    pub offset: usize,
    /// Width in bits.
    pub width: usize,
}

impl Field {
    /// The field of `width` bits that follows this one.
    pub const fn above(self, width: usize) -> Self {
        Self {
            offset: self.offset + self.width,
            width,
        }
    }

    /// This field of a number, as software reads it; at most 32 bits wide.
    pub const fn get(self, bits: u128) -> u32 {
        (bits >> self.offset & ((1 << self.width) - 1)) as u32
    }

    /// A number with this value in the field, cut to its width, and zeros around it.
    pub const fn put(self, value: u32) -> u128 {
        (value as u128 & ((1 << self.width) - 1)) << self.offset
    }

    /// A value of `width` bits in which this field alone is set.
    pub fn mask(self, width: usize) -> Value {
        (!Value::zero(self.width)).resize(width) << self.offset as u64
    }
}

impl Value {
    /// Zero of `width` bits.
    ///
    /// # Panics
    /// If `width` is 0 or above [`MAX_WIDTH`].
    pub fn zero(width: usize) -> Self {
        assert!(
            (1..=MAX_WIDTH).contains(&width),
            "a value has 1 to {MAX_WIDTH} bits, not {width}"
        );
        Self {
            width: width as u16,
            limbs: [0; LIMBS],
        }
    }

    /// `value` cut or zero-extended to `width` bits.
    pub fn new(width: usize, value: impl Into<Value>) -> Self {
        value.into().resize(width)
    }

    /// The value whose 32-bit words, lowest first, are `words`.
    pub fn from_words(width: usize, words: &[u32]) -> Self {
        let mut value = Self::zero(width);
        for (i, &word) in words.iter().enumerate().take(LIMBS * 2) {
            value.limbs[i / 2] |= u64::from(word) << (32 * (i % 2));
        }
        value.masked()
    }

    /// The 32-bit words of the value, lowest first.
    pub fn to_words(self) -> Vec<u32> {
        (0..self.bits().div_ceil(32))
            .map(|i| (self.limbs[i / 2] >> (32 * (i % 2))) as u32)
            .collect()
    }

    /// Width in bits; 0 for an unsized literal.
    pub fn bits(&self) -> usize {
        self.width.into()
    }

    /// The low 64 bits.
    pub fn to_u64(self) -> u64 {
        self.limbs[0]
    }

    /// The low 128 bits.
    pub fn to_u128(self) -> u128 {
        u128::from(self.limbs[1]) << 64 | u128::from(self.limbs[0])
    }

    /// The whole number.
    pub fn to_biguint(self) -> BigUint {
        BigUint::new(self.to_words())
    }

    /// Cut or zero-extended to `width` bits.
    pub fn resize(self, width: usize) -> Self {
        let mut value = Self::zero(width);
        value.limbs = self.limbs;
        value.masked()
    }

    /// `width` bits from bit `offset` upwards; bits past the end are zero.
    pub fn slice(self, offset: usize, width: usize) -> Self {
        (self >> offset as u64).resize(width)
    }

    /// The bits that `field` names.
    pub fn field(self, field: Field) -> Self {
        self.slice(field.offset, field.width)
    }

    /// Bit `index`, which may be a hardware value; past the end it is zero.
    pub fn get_bit(self, index: impl Into<Value>) -> bool {
        match index.into().as_amount() {
            Some(i) if i < MAX_WIDTH => self.limbs[i / 64] >> (i % 64) & 1 == 1,
            _ => false,
        }
    }

    /// The value with bit `index` set to `bit`; an index past the end changes nothing.
    pub fn replace_bit(self, index: impl Into<Value>, bit: bool) -> Self {
        let mut value = self;
        if let Some(i) = index.into().as_amount().filter(|&i| i < MAX_WIDTH) {
            value.limbs[i / 64] &= !(1 << (i % 64));
            value.limbs[i / 64] |= u64::from(bit) << (i % 64);
        }
        value.masked()
    }

    /// Whether any bit is set.
    pub fn any(self) -> bool {
        self.limbs.iter().any(|&limb| limb != 0)
    }

    /// Whether every bit is set.
    pub fn all(self) -> bool {
        self == !Self::zero(self.bits())
    }

    /// Parity: whether an odd number of bits is set.
    pub fn xor(self) -> bool {
        self.limbs.iter().map(|l| l.count_ones()).sum::<u32>() % 2 == 1
    }

    /// As a shift amount or index; `None` when it is beyond any width.
    pub(super) fn as_amount(self) -> Option<usize> {
        let high = self.limbs[1..].iter().any(|&limb| limb != 0);
        (!high && self.limbs[0] <= MAX_WIDTH as u64).then_some(self.limbs[0] as usize)
    }

    /// Checks that a literal has no bits above the width it takes.
    pub(super) fn check_fits(&self, width: u16) {
        if self.width == 0 && width > 0 {
            let cut = Self { width, ..*self }.masked();
            assert!(
                cut.limbs == self.limbs,
                "the literal {:#x} does not fit {width} bits",
                self.resize(MAX_WIDTH).to_biguint()
            );
        }
    }

    /// Clears what stands above the width.
    pub(super) fn masked(mut self) -> Self {
        if self.width == 0 {
            return self;
        }
        let width = usize::from(self.width);
        for (i, limb) in self.limbs.iter_mut().enumerate() {
            let low = i * 64;
            if low >= width {
                *limb = 0;
            } else if width - low < 64 {
                *limb &= (1 << (width - low)) - 1;
            }
        }
        self
    }
}

impl Default for Value {
    fn default() -> Self {
        0.into()
    }
}

impl From<u64> for Value {
    fn from(literal: u64) -> Self {
        Self {
            width: 0,
            limbs: [literal, 0, 0, 0],
        }
    }
}

impl From<bool> for Value {
    fn from(bit: bool) -> Self {
        Self {
            width: 1,
            limbs: [bit.into(), 0, 0, 0],
        }
    }
}

impl From<Value> for VerilogLiteral {
    /// The number alone: rust-hdl keeps a literal's width to itself, so whoever needs it adds a cast.
    fn from(value: Value) -> Self {
        match value.bits() {
            0..=64 => value.to_u64().into(),
            65..=128 => value.to_u128().into(),
            _ => Bits::<MAX_WIDTH>::from(value.to_biguint()).into(),
        }
    }
}

impl PartialEq for Value {
    /// As for every operator, an unsized literal takes the width of the other side.
    fn eq(&self, other: &Self) -> bool {
        self.meets(other, "==");
        self.limbs == other.limbs
    }
}

impl PartialEq<u64> for Value {
    fn eq(&self, other: &u64) -> bool {
        *self == Value::from(*other)
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.meets(other, "compare");
        Some(self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd<u64> for Value {
    fn partial_cmp(&self, other: &u64) -> Option<Ordering> {
        self.partial_cmp(&Value::from(*other))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'h{:x}", self.width, self.to_biguint())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::One;

    /// Numbers with bits set at both ends of every limb, and others.
    fn samples(width: usize) -> Vec<Value> {
        let mut words = 0x9E37_79B9u32;
        let mut next = || {
            words = words.wrapping_mul(0x85EB_CA6B).rotate_left(13) ^ 0x27D4;
            words
        };
        let mut samples: Vec<_> = (0..12)
            .map(|_| {
                let words: Vec<u32> = (0..8).map(|_| next()).collect();
                Value::from_words(width, &words)
            })
            .collect();
        samples.extend([
            Value::zero(width),
            !Value::zero(width),
            Value::new(width, 1),
        ]);
        samples
    }

    fn big(value: Value) -> BigUint {
        value.to_biguint()
    }

    #[test]
    fn literals_take_the_width_of_what_they_meet() {
        assert!(Value::new(5, 3) == Value::from(3));
        assert!(Value::from(3) < Value::new(5, 4));
        assert!(Value::from(2) != Value::from(4));
    }

    #[test]
    fn literals_that_do_not_fit_are_refused() {
        let value = Value::new(2, 0);
        type Use = fn(Value) -> bool;
        let uses: [Use; 5] = [
            |value| value == 4,
            |value| value < 4,
            |value| (value + 4).any(),
            |value| (7u64 & value).any(),
            |value| Value::from(4) == value,
        ];
        for (number, wrong) in uses.into_iter().enumerate() {
            let refused = std::panic::catch_unwind(|| wrong(value)).unwrap_err();
            let text = refused.downcast_ref::<String>().unwrap();
            assert!(
                text.ends_with("does not fit 2 bits"),
                "use {number}: {text}"
            );
        }
        assert!(value != 3);
    }

    #[test]
    fn agrees_with_big_integers_at_every_width() {
        for width in [
            1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 200, 255, 256,
        ] {
            let modulus = BigUint::one() << width;
            for a in samples(width) {
                for b in samples(width) {
                    assert_eq!(big(a + b), (big(a) + big(b)) % &modulus, "{a:?} + {b:?}");
                    assert_eq!(
                        big(a - b),
                        (big(a) + &modulus - big(b)) % &modulus,
                        "{a:?} - {b:?}"
                    );
                    assert_eq!(big(a ^ b), big(a) ^ big(b));
                    assert_eq!(a < b, big(a) < big(b), "{a:?} < {b:?}");
                    assert_eq!(a == b, big(a) == big(b));
                }
                for amount in [0, 1, 31, 32, 63, 64, 65, 128, 200, 255, 256, 1000, u64::MAX] {
                    let by = amount.min(300) as usize;
                    assert_eq!(
                        big(a << amount),
                        (big(a) << by) % &modulus,
                        "{a:?} << {amount}"
                    );
                    assert_eq!(big(a >> amount), big(a) >> by, "{a:?} >> {amount}");
                    assert_eq!(a.get_bit(amount), big(a).bit(amount));
                    let set = a.replace_bit(amount, true);
                    let expected = if amount < width as u64 {
                        big(a) | BigUint::one() << by
                    } else {
                        big(a)
                    };
                    assert_eq!(big(set), expected, "{a:?} bit {amount}");
                }
                assert_eq!(a.any(), big(a) != BigUint::default());
                assert_eq!(a.all(), big(a) + 1u32 == modulus);
                assert_eq!(a.xor(), big(a).count_ones() % 2 == 1);
                assert_eq!(Value::from_words(width, &a.to_words()), a);
            }
        }
    }
}
