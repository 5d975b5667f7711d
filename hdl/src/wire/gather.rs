//! Functions that put values together; the `kernel` attribute knows each of them by name.

use super::Value;
use std::ops::Range;

/// `high` above `low`, in one value as wide as both.
pub fn cat(high: impl Into<Value>, low: impl Into<Value>) -> Value {
    let (high, low) = (high.into(), low.into());
    let width = high.bits() + low.bits();
    high.resize(width) << low.bits() as u64 | low.resize(width)
}

/// `width` copies of `bit`.
pub fn replicate(bit: bool, width: usize) -> Value {
    Value::new(width, 0) - Value::new(width, bit)
}

/// Whether `bit` holds for any index of `range`.
pub fn any_of(range: Range<usize>, bit: impl Fn(usize) -> bool) -> bool {
    // Not `any`: hardware has no short cut, so a kernel's mistakes show at every index.
    range.map(bit).fold(false, |a, b| a | b)
}

/// The OR of `value` over `range`, all of one width.
///
/// # Panics
/// If the range is empty: nothing would give the width.
pub fn or_of(range: Range<usize>, value: impl Fn(usize) -> Value) -> Value {
    range
        .map(value)
        .reduce(|a, b| a | b)
        .expect("`or_of` joins at least one term")
}

/// A value of one bit an index of `range`; the first is the lowest.
///
/// # Panics
/// If the range is empty or longer than the widest value.
pub fn bits_of(range: Range<usize>, bit: impl Fn(usize) -> bool) -> Value {
    let zero = Value::zero(range.len());
    range.enumerate().fold(zero, |bits, (position, i)| {
        bits.replace_bit(position as u64, bit(i))
    })
}
