//! Numbers of rust-hdl's syntax tree.
//!
//! The fields of a `VerilogLiteral` are private, but its `Display` has both of them.

use num_bigint::BigInt;
use rust_hdl::core::ast::VerilogLiteral;

/// Value and width of a literal. The width says which Rust type it had: 1 is `bool`, everything else a number that
/// adapts to what it meets.
pub fn read(literal: &VerilogLiteral) -> (BigInt, usize) {
    let text = literal.to_string();
    let (width, digits) = text.split_once('\'').unwrap_or((&text, ""));
    let (base, digits) = digits.split_at(digits.len().min(1));
    let radix = if base == "b" { 2 } else { 16 };
    let value = BigInt::parse_bytes(digits.as_bytes(), radix);
    // `Display` of rust-hdl 0.46 is frozen, so both parses succeed; zero is only there to have no panic.
    (value.unwrap_or_default(), width.parse().unwrap_or_default())
}

/// A number as it is written in a match pattern or an index: `12`, `0x1f`, `0b1_0`, `3u8`, `-1`.
pub fn parse(text: &str) -> Option<BigInt> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let text = text.replace('_', "");
    let (radix, digits) = match text.get(..2) {
        Some("0x") => (16, &text[2..]),
        Some("0b") => (2, &text[2..]),
        Some("0o") => (8, &text[2..]),
        _ => (10, &text[..]),
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let is_suffix = suffix.is_empty() || suffix.starts_with(['u', 'i']);
    if digits.is_empty() || !is_suffix {
        return None;
    }
    let value = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_hdl::prelude::*;

    #[test]
    fn literals_keep_value_and_width() {
        assert_eq!(read(&true.into()), (1.into(), 1));
        assert_eq!(read(&0xdead_u32.into()), (0xdead.into(), 32));
        assert_eq!(read(&bits::<5>(9).into()), (9.into(), 5));
        assert_eq!(read(&Signed::<8>::from(-3).into()), ((-3).into(), 8));
        assert_eq!(read(&u128::MAX.into()), (u128::MAX.into(), 128));
    }

    #[test]
    fn patterns_are_read_as_rust_writes_them() {
        for (text, value) in [
            ("12", 12),
            ("0x1f", 31),
            ("0b1_0", 2),
            ("3u8", 3),
            ("-1", -1),
        ] {
            assert_eq!(parse(text), Some(value.into()), "{text}");
        }
        for text in ["", "N", "1x", "0x"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
