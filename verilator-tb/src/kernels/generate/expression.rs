//! Expressions of a wanted type.

use super::body::{Body, Bundle};
use crate::kernels::tree::*;
use rand::Rng;

impl Body<'_> {
    /// An expression that is assigned.
    pub fn assigned(&mut self, ty: Type) -> Expr {
        match ty {
            Type::Signed(width) if width <= 31 && self.maker.chance(15) => self.number(ty),
            Type::Bits(width) if self.maker.chance(15) => {
                let converted = self.converted(width);
                converted.unwrap_or_else(|| self.expr(ty, 4))
            }
            Type::Bits(width @ 4..) if self.loop_fits(width) && self.maker.chance(10) => {
                self.loop_value(width)
            }
            _ => self.expr(ty, 4),
        }
    }

    /// A bit, a state or a struct as bits of this width, if there is one.
    pub fn converted(&mut self, width: usize) -> Option<Expr> {
        let design = &self.maker.design;
        let fits = |bundle: &&Bundle| match bundle.ty {
            Type::Bit => width == 1,
            ty @ Type::Named { .. } => self.maker.is_plain() && design.width(ty) == Some(width),
            _ => false,
        };
        let sources: Vec<Bundle> = self.sources.iter().filter(fits).cloned().collect();
        let source = self.read_one(&sources)?;
        Some(Expr::new(Op::Into, vec![source]))
    }

    pub fn expr(&mut self, ty: Type, depth: usize) -> Expr {
        match ty {
            Type::Bit => self.bit(depth),
            Type::Bits(_) | Type::Own => self.bits(ty, depth),
            Type::Signed(width) => self.signed(width, depth),
            Type::Named { .. } => self.named(ty),
        }
    }

    pub fn binary(&mut self, op: Op, ty: Type, depth: usize) -> Expr {
        let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
        Expr::new(op, vec![a, b])
    }

    pub fn bits(&mut self, ty: Type, depth: usize) -> Expr {
        if depth == 0 || self.maker.chance(15) {
            return self.leaf(ty);
        }
        let plain = self.maker.is_plain();
        let width = match ty {
            Type::Bits(width) => width,
            _ => 0,
        };
        match self.maker.rng.gen_range(0..24) {
            0 => self.binary(Op::And, ty, depth),
            1 => self.binary(Op::Or, ty, depth),
            2 => self.binary(Op::Xor, ty, depth),
            3 | 4 => self.binary(Op::Add, ty, depth),
            5 | 6 => self.binary(Op::Sub, ty, depth),
            7 | 8 => {
                let op = [Op::And, Op::Or, Op::Xor, Op::Add, Op::Sub]
                    [self.maker.rng.gen_range(0..5)]
                .clone();
                self.beside_number(op, ty, depth)
            }
            9 => Expr::new(Op::Not, vec![self.bits(ty, depth - 1)]),
            10..=12 => self.shift(ty, depth),
            13 | 14 => {
                let from = self.some_bits();
                Expr::new(Op::Cast(ty), vec![self.inside_call(from, depth - 1)])
            }
            15 | 16 if width > 0 => self.slice(width, depth),
            17 => {
                let value = self.bits(ty, depth - 1);
                let (at, mut place) = self.place(self.maker.design.width(ty), depth - 1);
                let bit = self.bit(depth - 1);
                place.splice(0..0, [value, bit]);
                Expr::new(Op::Replace(at), place)
            }
            18 if plain => {
                let (a, b) = (self.bits(ty, depth - 1), self.bit(depth - 1));
                Expr::new(Op::AddBit, vec![a, b])
            }
            19 if plain => Expr::new(Op::Unsigned, vec![self.signed(width, depth - 1)]),
            20 if plain => {
                let names = self.sources.clone();
                let named = names
                    .into_iter()
                    .filter(|b| matches!(b.ty, Type::Named { .. } | Type::Bit));
                let named: Vec<Bundle> = named.collect();
                self.closed += 1;
                let source = self.read_one(&named);
                self.closed -= 1;
                match source {
                    Some(source) => {
                        Expr::new(Op::Cast(ty), vec![Expr::new(Op::Into, vec![source])])
                    }
                    None => self.leaf(ty),
                }
            }
            18 | 19 if width > 1 => {
                let high = self.maker.rng.gen_range(1..width);
                let part = |body: &mut Self, width| match width == 1 && body.maker.chance(70) {
                    true => body.bit(depth - 1),
                    false => body.bits(Type::Bits(width), depth - 1),
                };
                let parts = vec![part(self, high), part(self, width - high)];
                Expr::new(Op::Cat, parts)
            }
            20 if width > 0 => Expr::new(Op::Copies(width), vec![self.bit(depth - 1)]),
            21 if !plain && (1..=16).contains(&width) => {
                self.fold(Op::BitsOf(0, 0..width), Type::Bit, depth)
            }
            22 if !plain => self.fold(Op::OrOf(0, 0..0), ty, depth),
            _ => self.leaf(ty),
        }
    }

    pub fn bit(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.maker.chance(15) {
            return self.leaf(Type::Bit);
        }
        match self.maker.rng.gen_range(0..16) {
            0..=4 => self.comparison(depth),
            5 => {
                let how = [Op::Any, Op::All, Op::Parity][self.maker.rng.gen_range(0..3)].clone();
                let ty = self.some_bits();
                Expr::new(how, vec![self.bits(ty, depth - 1)])
            }
            6 | 7 => {
                let ty = self.some_bits();
                let value = self.bits(ty, depth - 1);
                let (at, mut place) = self.place(self.maker.design.width(ty), depth - 1);
                place.insert(0, value);
                Expr::new(Op::Bit(at), place)
            }
            8 => Expr::new(Op::Not, vec![self.bit(depth - 1)]),
            9 => self.binary(Op::And, Type::Bit, depth),
            10 => self.binary(Op::Or, Type::Bit, depth),
            11 => self.binary(Op::Xor, Type::Bit, depth),
            12 => self.binary(Op::Both, Type::Bit, depth),
            13 => self.binary(Op::Either, Type::Bit, depth),
            14 if !self.maker.is_plain() => self.fold(Op::AnyOf(0, 0..0), Type::Bit, depth),
            _ => self.leaf(Type::Bit),
        }
    }

    pub fn comparison(&mut self, depth: usize) -> Expr {
        use Compare::*;
        let equality = [Eq, Ne][self.maker.rng.gen_range(0..2)];
        let how = [Eq, Ne, Lt, Le, Gt, Ge][self.maker.rng.gen_range(0..6)];
        let named: Vec<Type> = self
            .sources
            .iter()
            .map(|b| b.ty)
            .filter(|t| matches!(t, Type::Named { .. }))
            .collect();
        let choice = self.maker.rng.gen_range(0..10);
        match choice {
            0 | 1 if !named.is_empty() => {
                let ty = named[self.maker.rng.gen_range(0..named.len())];
                let (Some(a), b) = (self.source(ty), self.named(ty)) else {
                    return self.leaf(Type::Bit);
                };
                Expr::new(Op::Compare(equality), vec![a, b])
            }
            2 if self.maker.is_plain() => {
                let width = self.maker.width();
                let (a, b) = (self.signed(width, depth - 1), self.signed(width, depth - 1));
                Expr::new(Op::Compare(how), vec![a, b])
            }
            3 => self.binary(Op::Compare(how), Type::Bit, depth),
            4..=6 => {
                let ty = self.some_bits();
                self.beside_number(Op::Compare(how), ty, depth)
            }
            _ => {
                let ty = self.some_bits();
                self.binary(Op::Compare(how), ty, depth)
            }
        }
    }

    pub fn signed(&mut self, width: usize, depth: usize) -> Expr {
        let ty = Type::Signed(width);
        let source = self.source(ty);
        match self.maker.rng.gen_range(0..8) {
            0 if depth > 0 => self.binary(Op::Add, ty, depth),
            1 if depth > 0 => self.binary(Op::Sub, ty, depth),
            2 if depth > 0 => Expr::new(Op::Neg, vec![self.signed(width, depth - 1)]),
            _ => source.unwrap_or_else(|| {
                let value = self.bits(Type::Bits(width), depth.saturating_sub(1));
                Expr::new(Op::Signed, vec![value])
            }),
        }
    }

    pub fn named(&mut self, ty: Type) -> Expr {
        let states = self.maker.design.states(ty).len();
        match self.source(ty) {
            Some(source) if states == 0 || self.maker.chance(60) => source,
            _ => Expr::leaf(Op::State(ty, self.maker.rng.gen_range(0..states.max(1)))),
        }
    }
}
