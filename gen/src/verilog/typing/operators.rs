//! Operators: their operands brought to one type.

use super::{source, unsupported, Operand, Typer};
use crate::verilog::error::Cause;
use crate::verilog::expr::{Expr, Op, Reduction};
use crate::verilog::scope::{Form, Type};
use num_bigint::BigInt;
use rust_hdl::core::ast::{VerilogExpression as Ast, VerilogOp, VerilogOpUnary};

impl Typer<'_> {
    pub(super) fn unary(
        &mut self,
        whole: &Ast,
        op: &VerilogOpUnary,
        inner: &Ast,
    ) -> Result<Operand, Cause> {
        let inner = match (op, self.operand(inner)?) {
            (VerilogOpUnary::Neg, Operand::Number(value)) => return Ok(Operand::Number(-value)),
            (_, Operand::Typed(expr)) => expr,
            _ => return Err(unsupported(whole, "the number has no width here")),
        };
        Ok(Operand::Typed(match op {
            VerilogOpUnary::Not if inner.ty.is_signed() => {
                return Err(unsupported(whole, "`!` of a signed value"))
            }
            VerilogOpUnary::Not => self.builder.not(inner),
            VerilogOpUnary::Neg => self.builder.neg(inner),
            VerilogOpUnary::All => self.builder.reduce(Reduction::And, inner),
            VerilogOpUnary::Any => self.builder.reduce(Reduction::Or, inner),
            VerilogOpUnary::Xor => self.builder.reduce(Reduction::Xor, inner),
        }))
    }

    pub(super) fn binary(
        &mut self,
        whole: &Ast,
        a: &Ast,
        op: &VerilogOp,
        b: &Ast,
    ) -> Result<Operand, Cause> {
        let op = operator(op);
        if matches!(op, Op::LogicalAnd | Op::LogicalOr) {
            let (a, b) = (self.condition(a)?, self.condition(b)?);
            return Ok(Operand::Typed(self.builder.binary(op, a, b)));
        }
        let (left, right) = (self.operand(a)?, self.operand(b)?);
        if let (Operand::Number(x), Operand::Number(y)) = (&left, &right) {
            return numbers(op, x, y).ok_or_else(|| unsupported(whole, "Rust cannot compute this"));
        }
        if matches!(op, Op::Shl | Op::Shr) {
            return self.shift(whole, op, left, b).map(Operand::Typed);
        }
        let (x, y) = match (left, right) {
            (Operand::Typed(x), right) => {
                let y = self.fix(right, x.ty, whole)?;
                (x, y)
            }
            (left, Operand::Typed(y)) => {
                let x = self.fix(left, y.ty, whole)?;
                (x, y)
            }
            _ => return Err(unsupported(whole, "neither operand has a width")),
        };
        self.operate(whole, op, x, y).map(Operand::Typed)
    }

    fn shift(&mut self, whole: &Ast, op: Op, left: Operand, amount: &Ast) -> Result<Expr, Cause> {
        let left = match left {
            // A number shifted by `Bits` is a `Bits<64>` in rust-hdl.
            Operand::Number(value) => self
                .number(&value, Type::bits(64))
                .ok_or_else(|| unsupported(whole, "only a `u64` can be shifted"))?,
            Operand::Typed(expr) => expr,
            Operand::State(name) => self.state(&name, None)?,
        };
        if left.ty.is_signed() {
            return Err(unsupported(whole, "a shift of a signed value"));
        }
        let amount = self.amount(amount)?;
        Ok(self.builder.shift(op, left, amount))
    }

    fn operate(&mut self, whole: &Ast, op: Op, x: Expr, y: Expr) -> Result<Expr, Cause> {
        // `Bits + bool` is rust-hdl's one operator of two widths.
        let carry_in = op == Op::Add && x.ty.form == Form::Bits && y.ty.form == Form::Bool;
        let y = match carry_in {
            true => self.builder.resize(y, x.ty.width),
            false => y,
        };
        if x.ty.width != y.ty.width {
            return Err(Cause::Widths {
                expression: source::text(whole),
                left: x.ty.width,
                right: y.ty.width,
            });
        }
        if op == Op::Mul {
            // The only product of rust-hdl: of two `Signed<16>`, with all its bits.
            if !(x.ty.is_signed() && x.ty.width == 16) {
                return Err(unsupported(whole, "rust-hdl multiplies `Signed<16>` only"));
            }
            let (x, y) = (
                self.builder.sign_extend(x, 32),
                self.builder.sign_extend(y, 32),
            );
            return Ok(self.builder.binary(op, x, y));
        }
        Ok(self.builder.binary(op, x, y))
    }
}

/// Numbers of Rust computed by Rust's rules, as long as nothing overflows a `u64`.
fn numbers(op: Op, x: &BigInt, y: &BigInt) -> Option<Operand> {
    if op.is_comparison() {
        return Some(Operand::Typed(Expr::bool(match op {
            Op::Eq => x == y,
            Op::Ne => x != y,
            Op::Lt => x < y,
            Op::Le => x <= y,
            Op::Gt => x > y,
            _ => x >= y,
        })));
    }
    let value = match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::And => x & y,
        Op::Or => x | y,
        Op::Xor => x ^ y,
        Op::Shl => x << u8::try_from(y).ok().filter(|&n| n < 64)?,
        Op::Shr => x >> u8::try_from(y).ok().filter(|&n| n < 64)?,
        _ => return None,
    };
    (value.bits() <= 64).then_some(Operand::Number(value))
}

fn operator(op: &VerilogOp) -> Op {
    match op {
        VerilogOp::Add => Op::Add,
        VerilogOp::Sub => Op::Sub,
        VerilogOp::Mul => Op::Mul,
        VerilogOp::LogicalAnd => Op::LogicalAnd,
        VerilogOp::LogicalOr => Op::LogicalOr,
        VerilogOp::BitXor => Op::Xor,
        VerilogOp::BitAnd => Op::And,
        VerilogOp::BitOr => Op::Or,
        VerilogOp::Shl => Op::Shl,
        VerilogOp::Shr => Op::Shr,
        VerilogOp::Eq => Op::Eq,
        VerilogOp::Lt => Op::Lt,
        VerilogOp::Le => Op::Le,
        VerilogOp::Ne => Op::Ne,
        VerilogOp::Ge => Op::Ge,
        VerilogOp::Gt => Op::Gt,
    }
}
