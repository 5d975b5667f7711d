//! Makes expressions: folds constants, and turns slices into what Verilog can slice.
//!
//! A slice of an expression is pushed down to the signals in it where that gives the same bits; where it does not (the
//! upper bits of a sum, a variable shift), the expression gets a name: an *intermediate* signal of the module.

use super::expr::{Expr, Node, Op, Reduction};
use super::fold;
use super::scope::{Form, Role, Scope, SigId, Signal, Type};
use std::collections::HashMap;

/// Makes the expressions of one block.
pub struct Builder<'a> {
    pub scope: &'a mut Scope,
    /// The intermediates and what they stand for, in the order they were needed.
    pub intermediates: Vec<(SigId, Expr)>,
    known: HashMap<Expr, SigId>,
}

impl<'a> Builder<'a> {
    pub fn new(scope: &'a mut Scope) -> Self {
        Self {
            scope,
            intermediates: Vec::new(),
            known: HashMap::new(),
        }
    }

    pub fn not(&self, a: Expr) -> Expr {
        let ty = a.ty;
        match a.node {
            Node::Const { value, .. } => Expr::constant(fold::not(&value, ty.width), ty),
            Node::Not(inner) => inner.with_type(ty),
            _ => Expr {
                ty,
                node: Node::Not(Box::new(a)),
            },
        }
    }

    pub fn neg(&self, a: Expr) -> Expr {
        Expr {
            ty: a.ty,
            node: Node::Neg(Box::new(a)),
        }
    }

    pub fn reduce(&self, how: Reduction, a: Expr) -> Expr {
        match a.value() {
            Some(value) => Expr::bool(fold::reduce(how, value, a.ty.width)),
            None if a.ty.width == 1 => a.with_type(Type::BOOL),
            None => Expr {
                ty: Type::BOOL,
                node: Node::Reduce(how, Box::new(a)),
            },
        }
    }

    /// An operator on operands of one width; shifts have their own function.
    pub fn binary(&self, op: Op, a: Expr, b: Expr) -> Expr {
        let ty = match op {
            _ if op.is_comparison() => Type::BOOL,
            Op::LogicalAnd | Op::LogicalOr => Type::BOOL,
            _ => a.ty,
        };
        if let (Some(x), Some(y)) = (a.value(), b.value()) {
            return Expr::constant(fold::binary(op, x, y, a.ty), ty);
        }
        match op {
            Op::LogicalAnd | Op::LogicalOr => {
                // `true && x` is `x`; `true || x` is `true`.
                let neutral = u8::from(op == Op::LogicalAnd);
                match (a.value(), b.value()) {
                    (Some(x), _) if *x == neutral.into() => return b,
                    (_, Some(y)) if *y == neutral.into() => return a,
                    (Some(_), _) => return a,
                    (_, Some(_)) => return b,
                    _ => {}
                }
            }
            Op::Or => {
                if let Some(merged) = self.merge(&a, &b) {
                    return merged.with_type(ty);
                }
            }
            // A bit copied: `0 - {zeros, bit}`.
            Op::Sub if a.is_zero() => {
                if let Node::Concat(parts) = &b.node {
                    if let [zeros, bit] = parts.as_slice() {
                        if zeros.is_zero() && bit.ty.width == 1 {
                            return self.repeat(a.ty.width, bit.clone());
                        }
                    }
                }
            }
            _ => {}
        }
        Expr {
            ty,
            node: Node::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    fn repeat(&self, count: usize, a: Expr) -> Expr {
        Expr {
            ty: Type::bits(count * a.ty.width),
            node: Node::Repeat(count, Box::new(a)),
        }
    }

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

    /// The parts side by side, highest first; neighbours that belong together are joined.
    pub fn concat(&self, parts: Vec<Expr>) -> Expr {
        let mut flat: Vec<Expr> = Vec::new();
        for part in parts {
            let inner = match part.node {
                Node::Concat(inner) => inner,
                _ => vec![part],
            };
            for part in inner {
                match flat.last().and_then(|last| self.joined(last, &part)) {
                    Some(joined) => *flat.last_mut().unwrap_or(&mut Expr::zero(1)) = joined,
                    None => flat.push(part),
                }
            }
        }
        if flat.len() == 1 {
            return flat.remove(0);
        }
        Expr {
            ty: Type::bits(flat.iter().map(|p| p.ty.width).sum()),
            node: Node::Concat(flat),
        }
    }

    /// Two neighbours as one: constants, and slices of one signal that meet.
    fn joined(&self, high: &Expr, low: &Expr) -> Option<Expr> {
        let width = high.ty.width + low.ty.width;
        let ty = Type::bits(width);
        match (&high.node, &low.node) {
            (Node::Const { value: h, .. }, Node::Const { value: l, .. }) => {
                Some(Expr::constant((h << low.ty.width) | l, ty))
            }
            (Node::Part { of, low: from }, Node::Part { of: other, low: at })
                if of == other && at + low.ty.width == *from =>
            {
                let whole = *at == 0 && width == self.scope.ty(*of).width;
                let node = match whole {
                    true => Node::Signal(*of),
                    false => Node::Part { of: *of, low: *at },
                };
                Some(Expr { ty, node })
            }
            _ => None,
        }
    }

    /// `a | b` as one concatenation, when wherever one has bits the other has constant zeros.
    fn merge(&self, a: &Expr, b: &Expr) -> Option<Expr> {
        let parts = |e: &Expr| match &e.node {
            Node::Concat(parts) => Some(parts.clone()),
            _ => None,
        };
        let (mut left, mut right) = (parts(a)?, parts(b)?);
        let mut merged = Vec::new();
        left.reverse();
        right.reverse();
        while let (Some(x), Some(y)) = (left.pop(), right.pop()) {
            let width = x.ty.width.min(y.ty.width);
            let (zero, other, zeros) = match (x.is_zero(), y.is_zero()) {
                (true, _) if y.ty.width == width => (x, y, &mut left),
                (_, true) if x.ty.width == width => (y, x, &mut right),
                _ => return None,
            };
            if zero.ty.width > width {
                zeros.push(Expr::zero(zero.ty.width - width));
            }
            merged.push(other);
        }
        Some(self.concat(merged))
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

    /// The expression as something that Verilog can slice.
    fn name(&mut self, a: Expr) -> Expr {
        if matches!(
            a.node,
            Node::Signal(_) | Node::Part { .. } | Node::Const { .. } | Node::Concat(_)
        ) {
            return a;
        }
        let ty = a.ty;
        let id = match self.known.get(&a) {
            Some(id) => *id,
            None => {
                let id = self.scope.add(Signal {
                    path: self.wish(&a),
                    role: Role::Intermediate,
                    ty,
                });
                self.known.insert(a.clone(), id);
                self.intermediates.push((id, a));
                id
            }
        };
        Expr::signal(id, ty)
    }

    /// A readable name: the first signal of the expression and what is done to it.
    fn wish(&self, a: &Expr) -> String {
        let mut first = None;
        a.for_each_read(&mut |id, _, _| first = first.or(Some(id)));
        let done = match &a.node {
            Node::Binary(Op::Add, ..) => "sum",
            Node::Binary(Op::Sub, ..) => "difference",
            Node::Binary(Op::Mul, ..) => "product",
            Node::Binary(Op::Shl | Op::Shr, ..) | Node::Mux(..) => "shifted",
            Node::Neg(_) => "negated",
            _ => "value",
        };
        match first {
            Some(id) => format!("{}_{done}", self.scope.signals[id].path),
            None => done.to_string(),
        }
    }
}
