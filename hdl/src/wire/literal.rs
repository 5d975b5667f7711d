//! Rust values as literals of rust-hdl's syntax tree; the `kernel` attribute calls this.

use super::Value;
use rust_hdl::core::ast::{VerilogExpression, VerilogLiteral};

/// What a kernel may use as a constant.
pub trait Literal {
    /// The expression that stands for the value.
    fn literal(self) -> VerilogExpression;
}

/// The expression that stands for a Rust value.
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
            width => VerilogExpression::Cast(Box::new(number(self)), width),
        }
    }
}
