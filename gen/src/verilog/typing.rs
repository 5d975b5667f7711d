//! Gives every expression of a kernel its type, and checks what Rust would have checked.
//!
//! rust-hdl's syntax tree has no types: they come back from the signals. Numbers and states have none until they meet
//! something that has ([`Operand`]), as a literal beside `Bits` in Rust.

use super::build::Builder;
use super::error::Cause;
use super::expr::{ConstName, Expr, Node, Op, Reduction};
use super::scope::{Enums, Form, Role, Type};
use super::{fold, index, literal, source};
use num_bigint::BigInt;
use rust_hdl::core::ast::{VerilogExpression as Ast, VerilogOp, VerilogOpUnary};

/// A value whose type may still be open.
pub enum Operand {
    Typed(Expr),
    /// A number of Rust, such as a literal or a loop variable.
    Number(BigInt),
    /// A state of an enum, by name.
    State(String),
}

/// Gives expressions their types.
pub struct Typer<'a> {
    pub builder: Builder<'a>,
    pub enums: &'a Enums,
    /// Variables of the loops around, innermost last.
    pub loops: Vec<(String, i64)>,
}

impl Typer<'_> {
    /// The expression at the type of what it is assigned to or compared with.
    pub fn at_type(&mut self, ast: &Ast, ty: Type) -> Result<Expr, Cause> {
        let operand = self.operand(ast)?;
        self.fix(operand, ty, ast)
    }

    /// An expression whose type its own signals give.
    pub fn typed(&mut self, ast: &Ast) -> Result<Expr, Cause> {
        match self.operand(ast)? {
            Operand::Typed(expr) => Ok(expr),
            Operand::State(name) => self.state(&name, None),
            Operand::Number(_) => Err(unsupported(ast, "the number has no width here")),
        }
    }

    /// A condition: one bit.
    pub fn condition(&mut self, ast: &Ast) -> Result<Expr, Cause> {
        let expr = self.typed(ast)?;
        match expr.ty.width {
            1 => Ok(expr),
            width => Err(Cause::NotOneBit {
                expression: source::text(ast),
                width,
            }),
        }
    }

    pub fn operand(&mut self, ast: &Ast) -> Result<Operand, Cause> {
        let expr = match ast {
            Ast::Signal(name) => return self.name(name),
            Ast::Literal(value) => {
                let (value, width) = literal::read(value);
                return Ok(match width {
                    1 => Operand::Typed(Expr::bool(value != BigInt::default())),
                    _ => Operand::Number(value),
                });
            }
            Ast::Paren(inner) => return self.operand(inner),
            Ast::Cast(inner, width) => self.cast(ast, inner, *width)?,
            Ast::Signed(inner) => return self.signed(ast, inner),
            Ast::Unsigned(inner) => {
                let inner = self.typed(inner)?;
                let ty = Type::bits(inner.ty.width);
                inner.with_type(ty)
            }
            Ast::Unary(op, inner) => return self.unary(ast, op, inner),
            Ast::Binary(a, op, b) => return self.binary(ast, a, op, b),
            Ast::Index(inner, at) => {
                let inner = self.typed(inner)?;
                let at = self.amount(at)?;
                self.builder.bit(inner, at)
            }
            Ast::Slice(inner, width, low) => self.slice(ast, inner, *width, low)?,
            Ast::IndexReplace(inner, at, bit) => {
                let inner = self.typed(inner)?;
                let at = self.amount(at)?;
                let bit = self.condition(bit)?;
                self.builder.replace_bit(inner, at, bit)
            }
        };
        Ok(Operand::Typed(expr))
    }

    fn name(&mut self, name: &str) -> Result<Operand, Cause> {
        let resolved = self.resolve(name)?;
        let variable = self.loops.iter().rev().find(|(n, _)| *n == resolved);
        let signal = self.builder.scope.find(&resolved);
        match (variable, signal) {
            (Some(_), Some(_)) => Err(Cause::AmbiguousName { name: resolved }),
            (Some((_, value)), None) => Ok(Operand::Number((*value).into())),
            (None, Some(id)) => {
                let signal = &self.builder.scope.signals[id];
                let ty = signal.ty;
                Ok(Operand::Typed(match &signal.role {
                    Role::Constant(value) => Expr {
                        ty,
                        node: Node::Const {
                            value: value.clone(),
                            name: Some(ConstName::Atom(id)),
                        },
                    },
                    _ => Expr::signal(id, ty),
                }))
            }
            (None, None) => {
                let enums = &self.builder.scope.enums;
                let known = enums
                    .iter()
                    .any(|id| self.enums.get(*id).position(&resolved).is_some());
                match known {
                    true => Ok(Operand::State(resolved)),
                    false => Err(Cause::UnknownName {
                        name: super::error::rust_name(&resolved),
                    }),
                }
            }
        }
    }

    /// The name as the block tree has it: indexes resolved, paths joined by `$`.
    pub fn resolve(&self, name: &str) -> Result<String, Cause> {
        let clean: String = name.split_whitespace().collect();
        let clean = clean.trim_start_matches('.').replace("::", "$");
        let resolved = index::resolve(&clean, &self.loops).map_err(|why| Cause::Index {
            name: clean.clone(),
            why,
        })?;
        Ok(resolved.replace('.', "$"))
    }

    /// A state as a constant; `wanted` is the enum of what it meets.
    pub fn state(&self, name: &str, wanted: Option<Type>) -> Result<Expr, Cause> {
        let candidates = match wanted.map(|ty| ty.form) {
            Some(Form::Enum(id)) => vec![id],
            _ => self.builder.scope.enums.clone(),
        };
        let mut found = candidates.iter().filter_map(|id| {
            let position = self.enums.get(*id).position(name)?;
            Some((*id, position))
        });
        let Some((id, position)) = found.next() else {
            return Err(Cause::UnknownName {
                name: super::error::rust_name(name),
            });
        };
        let width = self.enums.get(id).width();
        if found.any(|(other, p)| p != position || self.enums.get(other).width() != width) {
            return Err(Cause::AmbiguousState {
                name: super::error::rust_name(name),
            });
        }
        Ok(Expr {
            ty: Type {
                width,
                form: Form::Enum(id),
            },
            node: Node::Const {
                value: position.into(),
                name: Some(ConstName::State(id, position)),
            },
        })
    }

    /// Gives an operand the type it must have.
    fn fix(&mut self, operand: Operand, ty: Type, whole: &Ast) -> Result<Expr, Cause> {
        let expr = match operand {
            Operand::Number(value) => {
                let literal = self.number(&value, ty);
                return literal.ok_or_else(|| Cause::Literal {
                    literal: value.to_string(),
                    width: ty.width,
                    expression: source::text(whole),
                });
            }
            Operand::State(name) => self.state(&name, Some(ty))?,
            Operand::Typed(expr) => expr,
        };
        if expr.ty.width == ty.width && expr.ty.is_signed() != ty.is_signed() {
            return Err(Cause::Signedness {
                expression: source::text(whole),
            });
        }
        Ok(expr)
    }

    /// A number at a type, if it fits: where it does not, rust-hdl panics up to 32 bits and cuts above, and neither is
    /// what was meant.
    pub fn number(&self, value: &BigInt, ty: Type) -> Option<Expr> {
        let half = BigInt::from(1) << (ty.width - 1);
        let (low, high) = match ty.is_signed() {
            true => (-half.clone(), half),
            false => (BigInt::default(), half * 2),
        };
        let fits = low <= *value && *value < high;
        fits.then(|| Expr::constant(fold::wrap(value, ty.width), ty))
    }

    fn cast(&mut self, whole: &Ast, inner: &Ast, width: usize) -> Result<Expr, Cause> {
        if width == 0 {
            return Err(unsupported(whole, "a value of no bits"));
        }
        match self.operand(inner)? {
            Operand::Number(value) => {
                Ok(Expr::constant(fold::wrap(&value, width), Type::bits(width)))
            }
            Operand::State(name) => {
                let state = self.state(&name, None)?;
                Ok(self.builder.resize(state, width))
            }
            Operand::Typed(expr) if expr.ty.is_signed() => {
                Err(unsupported(whole, "bit_cast of a signed value"))
            }
            Operand::Typed(expr) => Ok(self.builder.resize(expr, width)),
        }
    }

    /// `signed_cast`, `to_signed_bits` or `signed_bit_cast`, which look alike in the tree. The first two keep the
    /// width; the third takes a signed operand, and its width is lost.
    fn signed(&mut self, whole: &Ast, inner: &Ast) -> Result<Operand, Cause> {
        match self.operand(inner)? {
            Operand::Number(value) => Ok(Operand::Number(value)),
            Operand::Typed(expr) if !expr.ty.is_signed() => {
                let ty = Type {
                    width: expr.ty.width,
                    form: Form::Signed,
                };
                Ok(Operand::Typed(expr.with_type(ty)))
            }
            _ => Err(Cause::SignedCast {
                expression: source::text(whole),
            }),
        }
    }

    fn unary(&mut self, whole: &Ast, op: &VerilogOpUnary, inner: &Ast) -> Result<Operand, Cause> {
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

    fn slice(&mut self, whole: &Ast, inner: &Ast, width: usize, low: &Ast) -> Result<Expr, Cause> {
        if width == 0 {
            return Err(unsupported(whole, "a slice of no bits"));
        }
        let inner = self.typed(inner)?;
        let form = match inner.ty.is_signed() {
            true => Form::Signed,
            false => Form::Bits,
        };
        let low = self.amount(low)?;
        let slice = match low.value() {
            Some(low) => {
                let low = usize::try_from(low).unwrap_or(usize::MAX);
                let low = low.min(inner.ty.width);
                self.builder.slice(inner, low, width)
            }
            None => {
                let shifted = self.builder.shift(Op::Shr, inner, low);
                self.builder.slice(shifted, 0, width)
            }
        };
        Ok(slice.with_type(Type { width, form }))
    }

    /// A shift amount or index: any number of bits, not signed.
    fn amount(&mut self, ast: &Ast) -> Result<Expr, Cause> {
        match self.operand(ast)? {
            Operand::Number(value) => match value.to_biguint() {
                Some(value) => Ok(Expr::constant(value, Type::bits(64))),
                None => Err(unsupported(ast, "a negative amount")),
            },
            Operand::Typed(expr) if !expr.ty.is_signed() => Ok(expr),
            _ => Err(unsupported(ast, "an amount is unsigned")),
        }
    }

    fn binary(&mut self, whole: &Ast, a: &Ast, op: &VerilogOp, b: &Ast) -> Result<Operand, Cause> {
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

fn unsupported(ast: &Ast, why: &'static str) -> Cause {
    Cause::Unsupported {
        expression: source::text(ast),
        why,
    }
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
