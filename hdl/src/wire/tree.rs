//! Builders of rust-hdl's syntax tree that the code made by the `kernel` attribute calls.
//!
//! Functions, and never inlined, because kernels call them by the thousand: building the nodes in place made this crate
//! several times slower to compile.

use super::Value;
use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression,
    VerilogLiteral, VerilogMatch, VerilogOp, VerilogOpUnary, VerilogStatement,
};

/// What a kernel may use as a constant.
pub trait Literal {
    /// The expression that stands for the value.
    fn literal(self) -> VerilogExpression;
}

/// The expression that stands for a Rust value.
#[inline(never)]
pub fn literal(value: impl Literal) -> VerilogExpression {
    value.literal()
}

fn number(value: impl Into<VerilogLiteral>) -> VerilogExpression {
    VerilogExpression::Literal(value.into())
}

impl Literal for u64 {
    fn literal(self) -> VerilogExpression {
        number(self)
    }
}

impl Literal for usize {
    fn literal(self) -> VerilogExpression {
        number(self)
    }
}

impl Literal for bool {
    fn literal(self) -> VerilogExpression {
        number(self)
    }
}

impl Literal for Value {
    fn literal(self) -> VerilogExpression {
        match self.bits() {
            0 => number(self),
            width => cast(number(self), width),
        }
    }
}

#[inline(never)]
pub fn signal(name: String) -> VerilogExpression {
    VerilogExpression::Signal(name)
}

#[inline(never)]
pub fn paren(inner: VerilogExpression) -> VerilogExpression {
    VerilogExpression::Paren(Box::new(inner))
}

#[inline(never)]
pub fn unary(op: VerilogOpUnary, operand: VerilogExpression) -> VerilogExpression {
    VerilogExpression::Unary(op, Box::new(operand))
}

#[inline(never)]
pub fn binary(
    left: VerilogExpression,
    op: VerilogOp,
    right: VerilogExpression,
) -> VerilogExpression {
    VerilogExpression::Binary(Box::new(left), op, Box::new(right))
}

#[inline(never)]
pub fn cast(operand: VerilogExpression, width: usize) -> VerilogExpression {
    VerilogExpression::Cast(Box::new(operand), width)
}

#[inline(never)]
pub fn slice(operand: VerilogExpression, offset: usize, width: usize) -> VerilogExpression {
    VerilogExpression::Slice(Box::new(operand), width, Box::new(literal(offset)))
}

#[inline(never)]
pub fn get_bit(operand: VerilogExpression, index: VerilogExpression) -> VerilogExpression {
    VerilogExpression::Index(Box::new(operand), Box::new(index))
}

#[inline(never)]
pub fn replace_bit(
    operand: VerilogExpression,
    index: VerilogExpression,
    bit: VerilogExpression,
) -> VerilogExpression {
    VerilogExpression::IndexReplace(Box::new(operand), Box::new(index), Box::new(bit))
}

/// `high << width of low | low`, at the width of both: the tree has no concatenation.
#[inline(never)]
pub fn cat(
    high: VerilogExpression,
    high_width: usize,
    low: VerilogExpression,
    low_width: usize,
) -> VerilogExpression {
    let total = high_width + low_width;
    let shifted = binary(cast(high, total), VerilogOp::Shl, literal(low_width));
    binary(paren(shifted), VerilogOp::BitOr, cast(low, total))
}

/// `0 - bit`: all ones or all zeros.
#[inline(never)]
pub fn replicate(bit: VerilogExpression, width: usize) -> VerilogExpression {
    binary(cast(literal(0u64), width), VerilogOp::Sub, cast(bit, width))
}

/// A bit of the terms that make a value, at its place.
#[inline(never)]
pub fn placed(bit: VerilogExpression, position: usize, width: usize) -> VerilogExpression {
    binary(cast(bit, width), VerilogOp::Shl, literal(position))
}

/// All terms, joined by `|`.
///
/// # Panics
/// If there are none.
#[inline(never)]
pub fn joined(terms: Vec<VerilogExpression>) -> VerilogExpression {
    terms
        .into_iter()
        .map(paren)
        .reduce(|a, b| binary(a, VerilogOp::BitOr, b))
        .expect("a kernel joins at least one term")
}

#[inline(never)]
pub fn assign(target: String, value: VerilogExpression) -> VerilogStatement {
    VerilogStatement::Assignment(signal(target), value)
}

#[inline(never)]
pub fn conditional(
    test: VerilogExpression,
    then: VerilogBlock,
    otherwise: Option<VerilogBlock>,
) -> VerilogStatement {
    let otherwise = match otherwise {
        None => VerilogBlockOrConditional::None,
        // An `if` alone in an `else` is an `else if`.
        Some(mut block) => match block.pop() {
            Some(only @ VerilogStatement::If(_)) if block.is_empty() => {
                VerilogBlockOrConditional::Conditional(Box::new(only))
            }
            last => {
                block.extend(last);
                VerilogBlockOrConditional::Block(block)
            }
        },
    };
    VerilogStatement::If(VerilogConditional {
        test,
        then,
        otherwise,
    })
}

#[inline(never)]
pub fn match_of(test: VerilogExpression, cases: Vec<(&str, VerilogBlock)>) -> VerilogStatement {
    let case = |(condition, block): (&str, _)| VerilogCase {
        condition: condition.to_string(),
        block,
    };
    let cases = cases.into_iter().map(case).collect();
    VerilogStatement::Match(VerilogMatch { test, cases })
}
