//! Arithmetic on constants, with the semantics of rust-hdl's `Bits`: everything wraps at the width.

use super::{Op, Reduction};
use crate::verilog::scope::Type;
use num_bigint::{BigInt, BigUint};

/// All ones.
pub fn mask(width: usize) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

pub fn not(a: &BigUint, width: usize) -> BigUint {
    mask(width) ^ a
}

pub fn slice(a: &BigUint, low: usize, width: usize) -> BigUint {
    (a >> low) & mask(width)
}

/// The bits of a number, two's complement when it is negative.
pub fn wrap(value: &BigInt, width: usize) -> BigUint {
    let modulus = BigInt::from(1) << width;
    let wrapped = ((value % &modulus) + &modulus) % &modulus;
    wrapped.magnitude().clone()
}

pub fn reduce(how: Reduction, a: &BigUint, width: usize) -> bool {
    match how {
        Reduction::And => *a == mask(width),
        Reduction::Or => a.bits() != 0,
        Reduction::Xor => a.count_ones() % 2 == 1,
    }
}

/// Both operands have the type `ty`.
pub fn binary(op: Op, a: &BigUint, b: &BigUint, ty: Type) -> BigUint {
    let (x, y) = (read(a, ty), read(b, ty));
    let number = match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::And | Op::LogicalAnd => x & y,
        Op::Or | Op::LogicalOr => x | y,
        Op::Xor => x ^ y,
        Op::Eq => u8::from(x == y).into(),
        Op::Ne => u8::from(x != y).into(),
        Op::Lt => u8::from(x < y).into(),
        Op::Le => u8::from(x <= y).into(),
        Op::Gt => u8::from(x > y).into(),
        Op::Ge => u8::from(x >= y).into(),
        Op::Shl | Op::Shr => {
            let amount = usize::try_from(b).unwrap_or(ty.width).min(ty.width);
            match op {
                Op::Shl => x << amount,
                _ => x >> amount,
            }
        }
    };
    wrap(&number, ty.width)
}

fn read(a: &BigUint, ty: Type) -> BigInt {
    let value = BigInt::from(a.clone());
    if ty.is_signed() && a.bit(ty.width as u64 - 1) {
        return value - (BigInt::from(1) << ty.width);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilog::scope::Form;

    fn fold(op: Op, a: u32, b: u32, signed: bool) -> BigUint {
        let form = if signed { Form::Signed } else { Form::Bits };
        binary(op, &a.into(), &b.into(), Type { width: 4, form })
    }

    #[test]
    fn arithmetic_wraps_at_the_width() {
        assert_eq!(fold(Op::Add, 15, 1, false), 0u8.into());
        assert_eq!(fold(Op::Sub, 0, 1, false), 15u8.into());
        assert_eq!(fold(Op::Mul, 7, 7, false), 1u8.into());
        assert_eq!(fold(Op::Shl, 9, 1, false), 2u8.into());
        assert_eq!(fold(Op::Shr, 9, 4, false), 0u8.into());
        assert_eq!(not(&5u8.into(), 4), 10u8.into());
    }

    #[test]
    fn only_signed_numbers_are_negative() {
        assert_eq!(fold(Op::Lt, 15, 0, false), 0u8.into());
        assert_eq!(fold(Op::Lt, 15, 0, true), 1u8.into());
        assert_eq!(fold(Op::Add, 15, 15, true), 14u8.into());
        assert_eq!(wrap(&(-3).into(), 4), 13u8.into());
    }

    #[test]
    fn reductions_see_every_bit() {
        assert!(reduce(Reduction::And, &15u8.into(), 4));
        assert!(!reduce(Reduction::And, &15u8.into(), 5));
        assert!(!reduce(Reduction::Or, &0u8.into(), 4));
        assert!(reduce(Reduction::Xor, &7u8.into(), 4));
    }
}
