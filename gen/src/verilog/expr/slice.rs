//! Slices: pushed down to the signals where that gives the same bits, else of a named expression.

use super::{fold, Builder, Expr, Node, Op};
use crate::verilog::scope::{Form, Type};

impl Builder<'_> {
    /// Zero-extended or cut to `width` bits.
    pub fn resize(&mut self, a: Expr, width: usize) -> Expr {
        self.slice(a, 0, width).with_type(Type::bits(width))
    }

    /// Sign-extended to `width` bits.
    pub fn sign_extend(&mut self, a: Expr, width: usize) -> Expr {
        let ty = Type {
            width,
            form: Form::Signed,
        };
        let more = width - a.ty.width;
        if more == 0 {
            return a;
        }
        let a = self.name(a);
        let sign = self.slice(a.clone(), a.ty.width - 1, 1);
        let signs = self.repeat(more, sign);
        self.concat(vec![signs, a]).with_type(ty)
    }

    /// `width` bits from bit `low` upwards; bits past the end are zero.
    pub fn slice(&mut self, a: Expr, low: usize, width: usize) -> Expr {
        let full = a.ty.width;
        if low == 0 && width == full {
            return a;
        }
        if low >= full {
            return Expr::zero(width);
        }
        if low + width > full {
            let missing = low + width - full;
            let there = self.slice(a, low, full - low);
            return self.concat(vec![Expr::zero(missing), there]);
        }
        let ty = Type::bits(width);
        let node = match a.node {
            Node::Const { value, .. } => {
                return Expr::constant(fold::slice(&value, low, width), ty);
            }
            Node::Signal(of) => Node::Part { of, low },
            Node::Part { of, low: base } => Node::Part {
                of,
                low: base + low,
            },
            Node::Not(a) => Node::Not(Box::new(self.slice(*a, low, width))),
            Node::Binary(op @ (Op::And | Op::Or | Op::Xor), a, b) => {
                let (a, b) = (self.slice(*a, low, width), self.slice(*b, low, width));
                return self.binary(op, a, b);
            }
            Node::Binary(op @ (Op::Add | Op::Sub | Op::Mul), a, b) if low == 0 => {
                let (a, b) = (self.slice(*a, 0, width), self.slice(*b, 0, width));
                return self.binary(op, a, b);
            }
            Node::Neg(a) if low == 0 => Node::Neg(Box::new(self.slice(*a, 0, width))),
            Node::Binary(Op::Shr, a, by) if by.value().is_some() => {
                let by = by.value().and_then(|v| usize::try_from(v).ok());
                return self.slice(*a, low + by.unwrap_or(full), width);
            }
            Node::Binary(Op::Shl, a, amount) if low == 0 => {
                let a = self.slice(*a, 0, width);
                return self.shift(Op::Shl, a, *amount);
            }
            Node::Concat(parts) => return self.slice_concat(parts, full, low, width),
            Node::Repeat(_, a) if a.ty.width == 1 => {
                return match width {
                    1 => a.with_type(ty),
                    _ => self.repeat(width, *a),
                }
            }
            Node::Mux(c, a, b) => Node::Mux(
                c,
                Box::new(self.slice(*a, low, width)),
                Box::new(self.slice(*b, low, width)),
            ),
            node => {
                let whole = Expr { ty: a.ty, node };
                // The bits above the slice do not matter to the lower ones of a sum: compute no more than needed.
                let whole = match whole.node {
                    Node::Binary(Op::Add | Op::Sub | Op::Mul | Op::Shl, ..) | Node::Neg(_)
                        if low + width < full =>
                    {
                        self.slice(whole, 0, low + width)
                    }
                    _ => whole,
                };
                let named = self.name(whole);
                return self.slice(named, low, width);
            }
        };
        Expr { ty, node }
    }

    fn slice_concat(&mut self, parts: Vec<Expr>, full: usize, low: usize, width: usize) -> Expr {
        let mut kept = Vec::new();
        let mut top = full;
        for part in parts {
            let bottom = top - part.ty.width;
            let (from, to) = (bottom.max(low), top.min(low + width));
            if from < to {
                kept.push(self.slice(part, from - bottom, to - from));
            }
            top = bottom;
        }
        self.concat(kept)
    }
}
