//! Types of expressions.

use super::*;

impl Rules<'_> {
    /// The type of two operands, which must be one.
    pub fn operands(&mut self, a: &Expr, b: &Expr) -> Option<Type> {
        let beside = |other: &Expr| match other.is_numeric() {
            true => Place::Inside,
            false => Place::Operand,
        };
        let (left, right) = (self.ty(a, beside(b))?, self.ty(b, beside(a))?);
        (left == right).then_some(left)
    }

    pub fn is(&mut self, expr: &Expr, ty: Type) -> Option<()> {
        (self.ty(expr, Place::Inside)? == ty).then_some(())
    }

    /// The type of an expression, if it is legal.
    pub fn ty(&mut self, expr: &Expr, place: Place) -> Option<Type> {
        let plain = self.is_plain();
        let args = expr.args.as_slice();
        match (&expr.op, args) {
            (Op::Read(path), []) => self.read(path),
            (Op::Member(path, member), []) if !self.is_looped(path) => {
                let ty = self.read(path)?;
                Some(self.design.members(ty).get(*member)?.1)
            }
            (Op::Number(ty, value), []) => {
                let fits = match ty {
                    Type::Own => true,
                    Type::Signed(width) => {
                        plain && place == Place::Assigned && *width <= WIDEST_INDEX
                    }
                    Type::Named { .. } => false,
                    _ => value.bits() <= self.design.width(*ty)? as u64,
                };
                (fits && (!plain || value.bits() <= WIDEST_LITERAL)).then_some(*ty)
            }
            (Op::State(ty, state), []) => (*state < self.design.states(*ty).len()).then_some(*ty),
            // To the back end of plain rust-hdl it is a number without a width.
            (Op::Loop(..), []) if plain && !matches!(place, Place::Assigned | Place::Operand) => {
                None
            }
            (Op::Loop(var, width), []) if self.calls == 0 => {
                let fits = self.highest(Index::Plus(*var, 0))? >> (*width).min(63) == 0;
                fits.then_some(Type::Bits(*width))
            }
            (Op::Is(var, _), []) if self.calls == 0 => {
                self.highest(Index::Plus(*var, 0))?;
                Some(Type::Bit)
            }
            (Op::Let(name, ty), []) => {
                let known = self.trusting || self.lets.contains(&(*name, *ty));
                known.then_some(*ty)
            }
            (Op::Not, [a]) => {
                let ty = self.ty(a, Place::Inside)?;
                (ty == Type::Bit || is_bits(ty)).then_some(ty)
            }
            (Op::Neg, [a]) => {
                let ty = self.ty(a, Place::Inside)?;
                matches!(ty, Type::Signed(_)).then_some(ty)
            }
            (Op::All | Op::Any | Op::Parity, [a]) => {
                is_bits(self.ty(a, Place::Inside)?).then_some(Type::Bit)
            }
            (Op::Signed, [a]) if plain => match self.ty(a, Place::Inside)? {
                Type::Bits(width) => Some(Type::Signed(width)),
                _ => None,
            },
            (Op::Unsigned, [a]) if plain => match self.ty(a, Place::Inside)? {
                Type::Signed(width) => Some(Type::Bits(width)),
                _ => None,
            },
            (Op::Into, [a]) if place != Place::Inside => {
                let ty = self.ty(a, Place::Inside)?;
                let converts = match ty {
                    Type::Bit => !a.is_numeric(),
                    Type::Named { .. } => plain && !matches!(a.op, Op::State(..)),
                    _ => false,
                };
                let width = self.design.width(ty)?;
                converts.then_some(Type::Bits(width))
            }
            (Op::Cast(to), [a]) => {
                self.calls += usize::from(plain);
                let from = self.ty(a, if plain { Place::Cast } else { Place::Inside });
                self.calls -= usize::from(plain);
                is_bits(from?).then_some(*to)
            }
            (Op::Copies(width), [a]) if !plain && *width <= WIDEST_WIRE => {
                self.is(a, Type::Bit)?;
                Some(Type::Bits(*width))
            }
            (Op::AnyOf(var, range) | Op::OrOf(var, range) | Op::BitsOf(var, range), [a])
                if !plain && !range.is_empty() =>
            {
                self.vars.push((*var, range.clone()));
                let ty = self.ty(a, Place::Inside);
                self.vars.pop();
                match (&expr.op, ty?) {
                    (Op::AnyOf(..), Type::Bit) => Some(Type::Bit),
                    (Op::OrOf(..), ty @ (Type::Bits(_) | Type::Own)) => Some(ty),
                    (Op::BitsOf(..), Type::Bit) => Some(Type::Bits(range.len())),
                    _ => None,
                }
            }
            (Op::And | Op::Or | Op::Xor, [a, b]) => {
                let ty = self.operands(a, b)?;
                (ty == Type::Bit || is_bits(ty)).then_some(ty)
            }
            (Op::Add | Op::Sub, [a, b]) => {
                let ty = self.operands(a, b)?;
                (is_bits(ty) || matches!(ty, Type::Signed(_))).then_some(ty)
            }
            (Op::AddBit, [a, b]) if plain => {
                let ty = self.ty(a, Place::Inside)?;
                self.is(b, Type::Bit)?;
                is_bits(ty).then_some(ty)
            }
            (Op::Compare(how), [a, b]) => {
                let ty = self.operands(a, b)?;
                let equality = matches!(how, Compare::Eq | Compare::Ne);
                let is_state = |e: &Expr| matches!(e.op, Op::State(..));
                let legal = match ty {
                    Type::Named { .. } => equality && !(is_state(a) && is_state(b)),
                    _ => true,
                };
                legal.then_some(Type::Bit)
            }
            (Op::Both | Op::Either, [a, b]) => {
                self.is(a, Type::Bit)?;
                self.is(b, Type::Bit)?;
                Some(Type::Bit)
            }
            (Op::Cat, [a, b]) if !plain => {
                let (a, b) = (self.ty(a, Place::Inside)?, self.ty(b, Place::Inside)?);
                let part = |ty| (ty == Type::Bit || is_bits(ty)).then_some(self.design.width(ty)?);
                let width = part(a)? + part(b)?;
                (width <= WIDEST_WIRE).then_some(Type::Bits(width))
            }
            (Op::Left(at) | Op::Right(at), [a, place @ ..]) => {
                let ty = self.ty(a, Place::Inside)?;
                let is_left = matches!(expr.op, Op::Left(_));
                let widest = match self.design.width(ty) {
                    Some(1..=32) if is_left => WIDEST_LEFT,
                    _ => WIDEST_AMOUNT,
                };
                self.amount(*at, place, widest)?;
                is_bits(ty).then_some(ty)
            }
            (Op::Bit(at), [a, place @ ..]) => {
                let ty = self.ty(a, Place::Inside)?;
                self.index(*at, place, ty, 1)?;
                (is_bits(ty) || matches!(ty, Type::Signed(_))).then_some(Type::Bit)
            }
            (Op::Slice(at, width), [a, place @ ..]) if plain || *at != At::Value => {
                let ty = self.ty(a, Place::Inside)?;
                self.index(*at, place, ty, 0)?;
                match ty {
                    Type::Signed(_) => Some(Type::Signed(*width)),
                    _ => is_bits(ty).then_some(Type::Bits(*width)),
                }
            }
            (Op::Replace(at), [a, bit, place @ ..]) => {
                let ty = self.ty(a, Place::Inside)?;
                self.is(bit, Type::Bit)?;
                self.index(*at, place, ty, 1)?;
                is_bits(ty).then_some(ty)
            }
            _ => None,
        }
    }

    /// The greatest value a place can have, if that is a small number.
    pub fn amount(&mut self, at: At, value: &[Expr], widest: usize) -> Option<usize> {
        match (at, value) {
            (At::Fixed(n), []) => Some(n),
            // `#[hdl_gen]` takes no `%` outside of brackets.
            (At::Loop(Index::Ring(..)), _) if self.is_plain() => None,
            (At::Loop(index), []) if self.calls == 0 => self.highest(index),
            (At::Value, [value]) => {
                let ty = self.ty(value, Place::Inside)?;
                let width = match ty {
                    Type::Own if !self.is_plain() => return Some(usize::MAX),
                    Type::Bits(width) => width,
                    _ => return None,
                };
                let narrow = !self.is_plain() || width <= widest;
                narrow.then_some(
                    1usize
                        .checked_shl(width as u32)
                        .map_or(usize::MAX, |n| n - 1),
                )
            }
            _ => None,
        }
    }

    /// An index of a bit. Past the end rust-hdl's `Bits` panic; they allow a slice of nothing but what is past it.
    pub fn index(&mut self, at: At, value: &[Expr], of: Type, least: usize) -> Option<()> {
        let highest = self.amount(at, value, WIDEST_INDEX)?;
        let inside = !self.is_plain() || highest.checked_add(least)? <= self.design.width(of)?;
        inside.then_some(())
    }
}
