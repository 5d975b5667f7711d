//! Shifts and single bits, at amounts and indexes that may be beyond the width.

use super::{Builder, Expr, Node, Op, Reduction};
use crate::verilog::scope::Type;

impl Builder<'_> {
    /// `a << amount` or `a >> amount`; zero when the amount is the width or more.
    pub fn shift(&mut self, op: Op, a: Expr, amount: Expr) -> Expr {
        let (width, ty) = (a.ty.width, a.ty);
        if let Some(amount) = amount.value() {
            let amount = usize::try_from(amount).unwrap_or(usize::MAX);
            return self.shift_by(op, a, amount);
        }
        // Verilator shifts by 32 bits at most.
        const LIMIT: usize = 32;
        if amount.ty.width > LIMIT {
            let (low, high) = (
                self.slice(amount.clone(), 0, LIMIT),
                self.slice(amount.clone(), LIMIT, amount.ty.width - LIMIT),
            );
            let beyond = self.reduce(Reduction::Or, high);
            let shifted = self.shift(op, a, low);
            let zero = Expr::zero(width).with_type(ty);
            let node = Node::Mux(Box::new(beyond), Box::new(zero), Box::new(shifted));
            return Expr { ty, node };
        }
        Expr {
            ty,
            node: Node::Binary(op, Box::new(a), Box::new(amount)),
        }
    }

    fn shift_by(&mut self, op: Op, a: Expr, amount: usize) -> Expr {
        let (width, ty) = (a.ty.width, a.ty);
        if amount == 0 {
            return a;
        }
        if amount >= width {
            return Expr::zero(width).with_type(ty);
        }
        // Of a concatenation or a constant the result is known part by part.
        if matches!(a.node, Node::Concat(_) | Node::Const { .. }) {
            let parts = match op {
                Op::Shl => vec![self.slice(a, 0, width - amount), Expr::zero(amount)],
                _ => vec![Expr::zero(amount), self.slice(a, amount, width - amount)],
            };
            return self.concat(parts).with_type(ty);
        }
        let amount = Expr::constant(amount.into(), Type::bits(32));
        Expr {
            ty,
            node: Node::Binary(op, Box::new(a), Box::new(amount)),
        }
    }

    /// Bit `index` of `a`; zero past the end.
    pub fn bit(&mut self, a: Expr, index: Expr) -> Expr {
        let width = a.ty.width;
        if let Some(index) = index.value() {
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            let index = index.min(width);
            return self.slice(a, index, 1).with_type(Type::BOOL);
        }
        let needed = rust_hdl::core::bits::clog2(width);
        match a.node {
            Node::Signal(of) if width.is_power_of_two() && index.ty.width <= needed => {
                // Verilator wants the index as wide as it takes to reach every bit.
                let index = self.resize(index, needed);
                Expr {
                    ty: Type::BOOL,
                    node: Node::Bit {
                        of,
                        index: Box::new(index),
                    },
                }
            }
            _ => {
                let shifted = self.shift(Op::Shr, a, index);
                let one = Expr::constant(1u8.into(), shifted.ty);
                let lowest = self.binary(Op::And, shifted, one);
                self.reduce(Reduction::Or, lowest)
            }
        }
    }

    /// `a` with bit `index` set to `bit`; an index past the end changes nothing.
    pub fn replace_bit(&mut self, a: Expr, index: Expr, bit: Expr) -> Expr {
        let (width, ty) = (a.ty.width, a.ty);
        if let Some(index) = index.value() {
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            if index >= width {
                return a;
            }
            if matches!(
                a.node,
                Node::Signal(_) | Node::Part { .. } | Node::Concat(_)
            ) {
                let mut parts = Vec::new();
                if index + 1 < width {
                    parts.push(self.slice(a.clone(), index + 1, width - index - 1));
                }
                parts.push(bit);
                if index > 0 {
                    parts.push(self.slice(a, 0, index));
                }
                return self.concat(parts).with_type(ty);
            }
        }
        let one = Expr::constant(1u8.into(), ty);
        let place = self.shift(Op::Shl, one, index.clone());
        let bit = self.resize(bit, width).with_type(ty);
        let bit = self.shift(Op::Shl, bit, index);
        let hole = self.not(place);
        let others = self.binary(Op::And, a, hole);
        self.binary(Op::Or, others, bit)
    }
}
