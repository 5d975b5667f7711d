//! Typed expressions, as Verilog will have them.
//!
//! Every node knows its width, and the widths of operands are equal, so that Verilog's rule of widening operands to the
//! width of their context never widens anything: what Rust computes at a width, Verilog computes at that width. Only
//! signals are sliced, as Verilog demands; [`Builder`] gives names to what else must be.

mod build;
mod concat;
pub mod fold;
mod shift;
mod slice;

pub use build::Builder;

use crate::verilog::scope::{EnumId, SigId, Type};
use num_bigint::BigUint;

/// An expression and its type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    pub ty: Type,
    pub node: Node,
}

/// What an expression does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Const {
        value: BigUint,
        name: Option<ConstName>,
    },
    Signal(SigId),
    /// The bits of a signal from `low` upwards, as many as the type has.
    Part {
        of: SigId,
        low: usize,
    },
    /// One bit of a signal; the index is exactly as wide as it takes to reach every bit.
    Bit {
        of: SigId,
        index: Box<Expr>,
    },
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Reduce(Reduction, Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    /// Highest part first.
    Concat(Vec<Expr>),
    /// So many copies.
    Repeat(usize, Box<Expr>),
    Mux(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// A constant that has a name of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConstName {
    Atom(SigId),
    State(EnumId, usize),
}

/// Reductions of all bits to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    And,
    Or,
    Xor,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    LogicalAnd,
    LogicalOr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
}

impl Op {
    pub fn symbol(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::And => "&",
            Op::Or => "|",
            Op::Xor => "^",
            Op::LogicalAnd => "&&",
            Op::LogicalOr => "||",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::Shl => "<<",
            Op::Shr => ">>",
        }
    }

    pub fn is_comparison(self) -> bool {
        matches!(self, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge)
    }

    /// Whether `a op b op c` needs no parentheses.
    pub fn chains(self) -> bool {
        matches!(
            self,
            Op::Add | Op::And | Op::Or | Op::Xor | Op::LogicalAnd | Op::LogicalOr
        )
    }
}

impl Expr {
    pub fn signal(id: SigId, ty: Type) -> Expr {
        let node = Node::Signal(id);
        Expr { ty, node }
    }

    pub fn constant(value: BigUint, ty: Type) -> Expr {
        let node = Node::Const { value, name: None };
        Expr { ty, node }
    }

    pub fn zero(width: usize) -> Expr {
        Expr::constant(BigUint::default(), Type::bits(width))
    }

    pub fn bool(value: bool) -> Expr {
        Expr::constant(u8::from(value).into(), Type::BOOL)
    }

    /// The value of a constant.
    pub fn value(&self) -> Option<&BigUint> {
        match &self.node {
            Node::Const { value, .. } => Some(value),
            _ => None,
        }
    }

    pub fn is_zero(&self) -> bool {
        self.value().is_some_and(|v| v.bits() == 0)
    }

    /// The same bits, read in another way.
    pub fn with_type(mut self, ty: Type) -> Expr {
        debug_assert_eq!(self.ty.width, ty.width);
        self.ty = ty;
        self
    }

    /// Calls `f` with every read of a signal: the signal, its lowest bit and the number of bits.
    pub fn for_each_read(&self, f: &mut impl FnMut(SigId, usize, usize)) {
        match &self.node {
            Node::Const { .. } => {}
            Node::Signal(id) => f(*id, 0, self.ty.width),
            Node::Part { of, low } => f(*of, *low, self.ty.width),
            Node::Bit { of, index } => {
                f(*of, 0, 1 << index.ty.width);
                index.for_each_read(f);
            }
            Node::Not(a) | Node::Neg(a) | Node::Reduce(_, a) | Node::Repeat(_, a) => {
                a.for_each_read(f)
            }
            Node::Binary(_, a, b) => {
                a.for_each_read(f);
                b.for_each_read(f);
            }
            Node::Concat(parts) => parts.iter().for_each(|p| p.for_each_read(f)),
            Node::Mux(c, a, b) => {
                c.for_each_read(f);
                a.for_each_read(f);
                b.for_each_read(f);
            }
        }
    }

    /// Calls `f` with every named constant.
    pub fn for_each_name(&self, f: &mut impl FnMut(ConstName)) {
        match &self.node {
            Node::Const { name, .. } => {
                if let Some(name) = name {
                    f(*name);
                }
            }
            Node::Signal(_) | Node::Part { .. } => {}
            Node::Bit { index: a, .. }
            | Node::Not(a)
            | Node::Neg(a)
            | Node::Reduce(_, a)
            | Node::Repeat(_, a) => a.for_each_name(f),
            Node::Binary(_, a, b) => {
                a.for_each_name(f);
                b.for_each_name(f);
            }
            Node::Concat(parts) => parts.iter().for_each(|p| p.for_each_name(f)),
            Node::Mux(c, a, b) => {
                c.for_each_name(f);
                a.for_each_name(f);
                b.for_each_name(f);
            }
        }
    }
}
