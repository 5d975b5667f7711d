//! Expressions of rust-hdl's syntax tree as text, for messages.

use super::literal;
use crate::verilog::error::rust_name;
use rust_hdl::core::ast::{VerilogExpression as Ast, VerilogOp, VerilogOpUnary};

/// The expression, much as it stands in the kernel.
pub fn text(e: &Ast) -> String {
    match e {
        Ast::Signal(name) => rust_name(name),
        Ast::Literal(value) => literal::read(value).0.to_string(),
        Ast::Cast(e, width) => format!("bit_cast::<{width}>({})", text(e)),
        Ast::Signed(e) => format!("signed_cast({})", text(e)),
        Ast::Unsigned(e) => format!("unsigned_cast({})", text(e)),
        Ast::Paren(e) => format!("({})", text(e)),
        Ast::Binary(a, op, b) => format!("{} {} {}", text(a), operator(op), text(b)),
        Ast::Unary(VerilogOpUnary::Not, e) => format!("!{}", text(e)),
        Ast::Unary(VerilogOpUnary::Neg, e) => format!("-{}", text(e)),
        Ast::Unary(VerilogOpUnary::All, e) => format!("{}.all()", text(e)),
        Ast::Unary(VerilogOpUnary::Any, e) => format!("{}.any()", text(e)),
        Ast::Unary(VerilogOpUnary::Xor, e) => format!("{}.xor()", text(e)),
        Ast::Index(e, index) => format!("{}.get_bit({})", text(e), text(index)),
        Ast::Slice(e, width, low) => format!("{}.get_bits::<{width}>({})", text(e), text(low)),
        Ast::IndexReplace(e, index, bit) => {
            format!("{}.replace_bit({}, {})", text(e), text(index), text(bit))
        }
    }
}

fn operator(op: &VerilogOp) -> &'static str {
    match op {
        VerilogOp::Add => "+",
        VerilogOp::Sub => "-",
        VerilogOp::Mul => "*",
        VerilogOp::LogicalAnd => "&&",
        VerilogOp::LogicalOr => "||",
        VerilogOp::BitXor => "^",
        VerilogOp::BitAnd => "&",
        VerilogOp::BitOr => "|",
        VerilogOp::Shl => "<<",
        VerilogOp::Shr => ">>",
        VerilogOp::Eq => "==",
        VerilogOp::Lt => "<",
        VerilogOp::Le => "<=",
        VerilogOp::Ne => "!=",
        VerilogOp::Ge => ">=",
        VerilogOp::Gt => ">",
    }
}
