//! Expressions that need something beside their operands: a number, a place, a loop.

use super::body::{Body, Bundle};
use crate::kernels::rules::{is_bits, WIDEST_AMOUNT, WIDEST_LEFT};
use crate::kernels::tree::*;
use rand::Rng;

impl Body<'_> {
    /// An operator of an expression and a number, on either side.
    pub fn beside_number(&mut self, op: Op, ty: Type, depth: usize) -> Expr {
        let value = self.bits(ty, depth - 1);
        let number = match ty {
            Type::Bits(width)
                if !value.is_numeric() && self.loop_fits(width) && self.maker.chance(30) =>
            {
                self.loop_value(width)
            }
            _ => self.number(ty),
        };
        match self.maker.chance(70) {
            true => Expr::new(op, vec![value, number]),
            false => Expr::new(op, vec![number, value]),
        }
    }

    pub fn shift(&mut self, ty: Type, depth: usize) -> Expr {
        let value = self.bits(ty, depth - 1);
        let width = self.maker.design.width(ty).unwrap_or(8);
        let (at, mut place) = match self.maker.rng.gen_range(0..10) {
            0..=4 => (At::Fixed(self.maker.rng.gen_range(0..=width + 1)), vec![]),
            5 if self.loop_index(64).is_some() => self.place(Some(64), 0),
            _ => {
                let by = match self.maker.chance(50) {
                    true => self.maker.rng.gen_range(1..=8),
                    false => self.maker.width().min(WIDEST_AMOUNT),
                };
                let by = if width <= 32 { by.min(WIDEST_LEFT) } else { by };
                (At::Value, vec![self.bits(Type::Bits(by), depth - 1)])
            }
        };
        place.insert(0, value);
        match self.maker.rng.gen() {
            true => Expr::new(Op::Left(at), place),
            false => Expr::new(Op::Right(at), place),
        }
    }

    pub fn slice(&mut self, width: usize, depth: usize) -> Expr {
        let from = self.some_bits();
        let value = self.bits(from, depth - 1);
        let (mut at, mut place) = self.place(self.maker.design.width(from), depth - 1);
        if !self.maker.is_plain() && at == At::Value {
            (at, place) = (At::Fixed(self.maker.rng.gen_range(0..8)), vec![]);
        }
        place.insert(0, value);
        Expr::new(Op::Slice(at, width), place)
    }

    /// A place in a value of this width, and the expression for it if it is one.
    pub fn place(&mut self, width: Option<usize>, depth: usize) -> (At, Vec<Expr>) {
        let plain = self.maker.is_plain();
        let width = width.unwrap_or(8);
        match self.maker.rng.gen_range(0..10) {
            0..=3 => {
                let loose = if plain { 0 } else { 2 };
                (
                    At::Fixed(self.maker.rng.gen_range(0..width + loose)),
                    vec![],
                )
            }
            4 | 5 => match self.loop_index(width) {
                Some(index) if !plain || !matches!(index, Index::Ring(..)) => {
                    (At::Loop(index), vec![])
                }
                _ => (At::Fixed(self.maker.rng.gen_range(0..width)), vec![]),
            },
            // Bits of rust-hdl have no index past their end.
            _ if plain && width == 1 => (At::Fixed(0), vec![]),
            _ => {
                let reach = if plain { width.ilog2() as usize } else { 9 };
                let bits = self.maker.rng.gen_range(1..=reach);
                (At::Value, vec![self.bits(Type::Bits(bits), depth.min(2))])
            }
        }
    }

    /// A fold over a range of a new variable.
    pub fn fold(&mut self, op: Op, ty: Type, depth: usize) -> Expr {
        let var = self.vars.len();
        let range = match op {
            Op::BitsOf(_, ref range) => 0..range.len(),
            _ => 0..self.maker.rng.gen_range(2..=4),
        };
        self.vars.push((var, range.clone()));
        let body = self.expr(ty, depth.min(2));
        self.vars.pop();
        let op = match op {
            Op::BitsOf(..) => Op::BitsOf(var, range),
            Op::OrOf(..) => Op::OrOf(var, range),
            _ => Op::AnyOf(var, range),
        };
        Expr::new(op, vec![body])
    }

    /// An argument of a call, which `#[hdl_gen]` evaluates outside of all loops.
    pub fn inside_call(&mut self, ty: Type, depth: usize) -> Expr {
        let closed = usize::from(self.maker.is_plain());
        self.closed += closed;
        let value = self.bits(ty, depth);
        self.closed -= closed;
        value
    }

    /// A type of bits: one of the group's, or of something that can be read.
    pub fn some_bits(&mut self) -> Type {
        let owns = self.owns;
        let usable = |ty: &Type| matches!(ty, Type::Bits(_)) || owns && *ty == Type::Own;
        let types: Vec<Type> = self.sources.iter().map(|b| b.ty).filter(usable).collect();
        match types.is_empty() || self.maker.chance(25) {
            true => Type::Bits(self.maker.width()),
            false => types[self.maker.rng.gen_range(0..types.len())],
        }
    }

    pub fn leaf(&mut self, ty: Type) -> Expr {
        if self.maker.chance(if ty == Type::Bit { 5 } else { 15 }) {
            return self.number(ty);
        }
        if let Some(source) = self.source(ty) {
            return source;
        }
        let others: Vec<Bundle> = self
            .sources
            .iter()
            .filter(|b| is_bits(b.ty))
            .cloned()
            .collect();
        let closed = usize::from(self.maker.is_plain());
        self.closed += closed;
        let source = self.read_one(&others);
        self.closed -= closed;
        match source {
            Some(source) if ty != Type::Bit => Expr::new(Op::Cast(ty), vec![source]),
            _ => self.number(ty),
        }
    }
}
