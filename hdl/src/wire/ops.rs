//! Operators of [`Value`]: both sides have one width, or one of them is an unsized literal.

use super::value::{Value, LIMBS};
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr, Sub};

impl Value {
    /// Checks that two operands may meet, and gives the width of the result.
    ///
    /// Unequal widths, and a literal that does not fit the other side, are mistakes in a kernel, never something to
    /// paper over: the message names both. The back end refuses the same.
    pub(super) fn meets(&self, other: &Value, what: &str) -> u16 {
        assert!(
            self.width == other.width || self.width == 0 || other.width == 0,
            "{what}: operands of {} and {} bits; resize one of them",
            self.width,
            other.width
        );
        let width = self.width.max(other.width);
        self.check_fits(width);
        other.check_fits(width);
        width
    }

    fn bitwise(self, rhs: Value, what: &str, op: fn(u64, u64) -> u64) -> Value {
        let width = self.meets(&rhs, what);
        let mut limbs = [0; LIMBS];
        for (i, limb) in limbs.iter_mut().enumerate() {
            *limb = op(self.limbs[i], rhs.limbs[i]);
        }
        Value { width, limbs }.masked()
    }

    fn sum(self, rhs: Value, what: &str, invert: bool) -> Value {
        let width = self.meets(&rhs, what);
        let mut limbs = [0; LIMBS];
        let mut carry = invert;
        for (i, limb) in limbs.iter_mut().enumerate() {
            let addend = if invert { !rhs.limbs[i] } else { rhs.limbs[i] };
            let (partial, first) = self.limbs[i].overflowing_add(addend);
            let (total, second) = partial.overflowing_add(carry.into());
            *limb = total;
            carry = first | second;
        }
        Value { width, limbs }.masked()
    }
}

macro_rules! binary {
    ($($trait:ident $method:ident $apply:expr;)*) => {$(
        impl $trait for Value {
            type Output = Value;
            fn $method(self, rhs: Value) -> Value {
                let apply: fn(Value, Value) -> Value = $apply;
                apply(self, rhs)
            }
        }
        impl $trait<u64> for Value {
            type Output = Value;
            fn $method(self, rhs: u64) -> Value {
                $trait::$method(self, Value::from(rhs))
            }
        }
        impl $trait<Value> for u64 {
            type Output = Value;
            fn $method(self, rhs: Value) -> Value {
                $trait::$method(Value::from(self), rhs)
            }
        }
    )*};
}

binary! {
    Add add |a, b| a.sum(b, "+", false);
    Sub sub |a, b| a.sum(b, "-", true);
    BitAnd bitand |a, b| a.bitwise(b, "&", |x, y| x & y);
    BitOr bitor |a, b| a.bitwise(b, "|", |x, y| x | y);
    BitXor bitxor |a, b| a.bitwise(b, "^", |x, y| x ^ y);
}

impl Not for Value {
    type Output = Value;
    fn not(self) -> Value {
        Value {
            width: self.width,
            limbs: self.limbs.map(|limb| !limb),
        }
        .masked()
    }
}

impl<T: Into<Value>> Shl<T> for Value {
    type Output = Value;
    fn shl(self, amount: T) -> Value {
        let mut limbs = [0; LIMBS];
        if let Some(amount) = amount.into().as_amount() {
            let (whole, part) = (amount / 64, amount % 64);
            for (i, limb) in limbs.iter_mut().enumerate().skip(whole) {
                *limb = self.limbs[i - whole] << part;
                if part > 0 && i > whole {
                    *limb |= self.limbs[i - whole - 1] >> (64 - part);
                }
            }
        }
        Value {
            width: self.width,
            limbs,
        }
        .masked()
    }
}

impl<T: Into<Value>> Shr<T> for Value {
    type Output = Value;
    fn shr(self, amount: T) -> Value {
        let mut limbs = [0; LIMBS];
        if let Some(amount) = amount.into().as_amount() {
            let (whole, part) = (amount / 64, amount % 64);
            for (i, limb) in limbs
                .iter_mut()
                .enumerate()
                .take(LIMBS.saturating_sub(whole))
            {
                *limb = self.limbs[i + whole] >> part;
                if part > 0 && i + whole + 1 < LIMBS {
                    *limb |= self.limbs[i + whole + 1] << (64 - part);
                }
            }
        }
        Value {
            width: self.width,
            limbs,
        }
    }
}
