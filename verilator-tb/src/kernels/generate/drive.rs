//! Control flow: statements that drive signals on every path, or on some.

use super::body::{Body, Target};
use crate::kernels::tree::*;
use rand::Rng;

impl Body<'_> {
    /// Statements that drive every target on every path. `exact`: nothing around writes the targets again, so that
    /// what is written here can be read right behind it.
    pub fn drive(&mut self, targets: &[Target], depth: usize, exact: bool) -> Vec<Stmt> {
        let choice = if depth == 0 {
            0
        } else {
            self.maker.rng.gen_range(0..10)
        };
        match choice {
            0..=3 => self.assign_all(targets, exact),
            4..=6 => {
                let mut stmts = self.assign_all(targets, false);
                stmts.extend(self.overrides(targets, depth));
                stmts
            }
            7 | 8 => {
                let test = self.test();
                let then = self.drive(targets, depth - 1, exact);
                let otherwise = self.drive(targets, depth - 1, exact);
                vec![Stmt::If {
                    test,
                    then,
                    otherwise,
                }]
            }
            _ => {
                let each = |body: &mut Self| body.drive(targets, depth - 1, exact);
                vec![self.matching(each, true)]
            }
        }
    }

    /// Statements that drive some targets on some paths.
    pub fn overrides(&mut self, targets: &[Target], depth: usize) -> Vec<Stmt> {
        let count = self.maker.rng.gen_range(1..=2);
        (0..count)
            .map(|_| self.override_once(targets, depth))
            .collect()
    }

    fn override_once(&mut self, targets: &[Target], depth: usize) -> Stmt {
        let some = |body: &mut Self| {
            let at = body.maker.rng.gen_range(0..targets.len());
            let some = match body.maker.chance(50) {
                true => &targets[at..=at],
                false => targets,
            };
            match depth > 1 && body.maker.chance(40) {
                true => body.overrides(some, depth - 1),
                false => body.assign_all(some, false),
            }
        };
        if self.maker.chance(25) {
            return self.matching(some, false);
        }
        let test = self.test();
        let then = some(self);
        let otherwise = match self.maker.rng.gen_range(0..4) {
            0 => some(self),
            1 if depth > 1 => vec![self.override_once(targets, depth - 1)],
            _ => vec![],
        };
        Stmt::If {
            test,
            then,
            otherwise,
        }
    }

    /// The condition of an `if`; in a loop sometimes one on its variable, which is decided when the kernel is printed.
    fn test(&mut self) -> Expr {
        if !self.vars.is_empty() && self.maker.chance(25) {
            let at = self.maker.rng.gen_range(0..self.vars.len());
            let (var, range) = self.vars[at].clone();
            return Expr::leaf(Op::Is(var, self.maker.rng.gen_range(range)));
        }
        self.expr(Type::Bit, 3)
    }

    /// A `match` with these bodies; a full one has a body for every value.
    fn matching(&mut self, mut body: impl FnMut(&mut Self) -> Vec<Stmt>, full: bool) -> Stmt {
        let (on, ty) = self.matched();
        let count = match ty {
            Type::Bit => 2,
            Type::Bits(width) => 1usize << width.min(16),
            _ => self.maker.design.states(ty).len(),
        };
        let named = !matches!(ty, Type::Bits(_));
        let mut patterns: Vec<usize> = (0..self.maker.rng.gen_range(1..=3))
            .map(|_| self.maker.rng.gen_range(0..count))
            .collect();
        let without_default = named && self.maker.chance(30);
        if without_default {
            patterns = (0..count).collect();
        }
        patterns.sort_unstable();
        patterns.dedup();
        let arms = patterns
            .into_iter()
            .map(|pattern| Arm {
                pattern,
                body: match full || self.maker.chance(75) {
                    true => body(self),
                    false => vec![],
                },
            })
            .collect();
        let default = match without_default {
            true => None,
            false if full => Some(body(self)),
            false => Some(vec![]),
        };
        Stmt::Match { on, arms, default }
    }

    /// What a `match` is about.
    fn matched(&mut self) -> (Expr, Type) {
        let named = self.enum_sources();
        if !named.is_empty() && self.maker.chance(60) {
            let at = self.maker.rng.gen_range(0..named.len());
            return named[at].clone();
        }
        if self.maker.is_plain() && self.maker.chance(80) {
            let width = self.maker.rng.gen_range(1..=4);
            let wide = self.maker.width();
            let ty = Type::Bits(if wide <= 32 && self.maker.chance(40) {
                wide
            } else {
                width
            });
            return (self.expr(ty, 2), ty);
        }
        (self.expr(Type::Bit, 2), Type::Bit)
    }

    fn assign_all(&mut self, targets: &[Target], exact: bool) -> Vec<Stmt> {
        let mut stmts = vec![];
        let before = self.fresh.len();
        for target in targets {
            stmts.extend(self.assign(target));
            if exact && target.path.port == Port::Field {
                self.fresh.push(target.clone());
            }
        }
        self.fresh.truncate(before);
        stmts
    }

    fn assign(&mut self, target: &Target) -> Vec<Stmt> {
        let stmt = |member, value| Stmt::Assign {
            target: target.path.clone(),
            member,
            fit: target.fit,
            value,
        };
        if target.fit {
            let ty = Type::Bits(self.maker.width());
            return vec![stmt(None, self.expr(ty, 3))];
        }
        let members = self.maker.design.members(target.ty).to_vec();
        if members.is_empty() {
            return vec![stmt(None, self.assigned(target.ty))];
        }
        let source = self.source(target.ty);
        let fixed = target
            .path
            .indexes()
            .all(|at| matches!(at, Index::Fixed(_)));
        match source {
            Some(source) if self.maker.chance(50) || !fixed => vec![stmt(None, source)],
            _ => (0..members.len())
                .map(|member| stmt(Some(member), self.assigned(members[member].1)))
                .collect(),
        }
    }
}
