//! Gives every expression of a kernel its type, and checks what Rust would have checked.
//!
//! rust-hdl's syntax tree has no types: they come back from the signals. Numbers and states have none until they meet
//! something that has ([`Operand`]), as a literal beside `Bits` in Rust.

mod index;
pub mod literal;
mod lookup;
mod operators;
pub mod source;

use crate::verilog::error::Cause;
use crate::verilog::expr::{fold, Builder, Expr, Op};
use crate::verilog::scope::{Form, StructId, Type, Types};
use num_bigint::BigInt;
use rust_hdl::core::ast::VerilogExpression as Ast;

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
    pub types: &'a Types,
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

    fn slice(&mut self, whole: &Ast, inner: &Ast, width: usize, low: &Ast) -> Result<Expr, Cause> {
        if width == 0 {
            return Err(unsupported(whole, "a slice of no bits"));
        }
        let inner = self.typed(inner)?;
        let low = self.amount(low)?;
        let fixed = low.value().map(|low| {
            let low = usize::try_from(low).unwrap_or(usize::MAX);
            low.min(inner.ty.width)
        });
        let ty = match (inner.ty.form, fixed) {
            // rust-hdl writes a field of a struct as the slice where it stands.
            (Form::Struct(id), Some(low)) => self.field(id, low, width),
            (Form::Signed, _) => Type {
                width,
                form: Form::Signed,
            },
            _ => Type::bits(width),
        };
        let slice = match fixed {
            Some(low) => self.builder.slice(inner, low, width),
            None => {
                let shifted = self.builder.shift(Op::Shr, inner, low);
                self.builder.slice(shifted, 0, width)
            }
        };
        Ok(slice.with_type(ty))
    }

    /// The type of a slice of a struct: that of the field which it is, if it is one.
    pub fn field(&self, id: StructId, low: usize, width: usize) -> Type {
        let field = self.types.field(id, low, width);
        field.unwrap_or(Type::bits(width))
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
}

fn unsupported(ast: &Ast, why: &'static str) -> Cause {
    Cause::Unsupported {
        expression: source::text(ast),
        why,
    }
}
