//! Makes expressions: folds constants, and names what Verilog can slice only by name.
//!
//! Where a slice cannot be pushed down to signals (the upper bits of a sum, a variable shift), the expression gets a
//! name: an *intermediate* signal of the module.

use super::{fold, Expr, Node, Op, Reduction};
use crate::verilog::scope::{Role, Scope, SigId, Signal, Type};
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

    /// The expression as something that Verilog can slice.
    pub(super) fn name(&mut self, a: Expr) -> Expr {
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
