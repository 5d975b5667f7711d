//! Designs with one statement or expression less.

use super::zero;
use crate::kernels::rules::{Place, Rules};
use crate::kernels::tree::*;
use crate::traffic::Random;
use rand::seq::IteratorRandom;
use rand::Rng;

/// Every change of one statement or one expression.
pub fn changed(design: &Design) -> Vec<Design> {
    let mut all = vec![];
    for block in design.used_blocks() {
        let changes = Changes { design, block };
        for body in changes.lists(&design.blocks[block].body) {
            let mut design = design.clone();
            design.blocks[block].body = body;
            all.push(design);
        }
    }
    all
}

/// With one branch for each control flow, and a part for each expression, with this chance in percent.
pub fn without_many(design: &Design, chance: u32, rng: &mut Random) -> Design {
    let mut fewer = design.clone();
    for block in design.used_blocks() {
        let mut thinner = Thinner {
            rules: Rules::trusting(design, block),
            design,
            chance,
            rng,
        };
        fewer.blocks[block].body = thinner.stmts(&design.blocks[block].body);
    }
    fewer
}

struct Thinner<'a> {
    design: &'a Design,
    rules: Rules<'a>,
    chance: u32,
    rng: &'a mut Random,
}

impl Thinner<'_> {
    fn hits(&mut self) -> bool {
        self.rng.gen_range(0..100) < self.chance
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        let mut all = vec![];
        for stmt in stmts {
            let lists = stmt.lists();
            if !matches!(stmt, Stmt::For { .. }) && !lists.is_empty() && self.hits() {
                let kept = lists[self.rng.gen_range(0..lists.len())];
                all.extend(self.stmts(kept));
                continue;
            }
            let mut stmt = stmt.clone();
            if let Some(expr) = stmt.expr_mut() {
                self.expr(expr);
            }
            for list in stmt.lists_mut() {
                *list = self.stmts(list);
            }
            all.push(stmt);
        }
        all
    }

    fn expr(&mut self, expr: &mut Expr) {
        if self.hits() {
            let ty = self.rules.ty(expr, Place::Cast);
            let args = expr.args.iter();
            let mut same: Vec<Expr> = args
                .filter(|arg| self.rules.ty(arg, Place::Inside) == ty)
                .cloned()
                .collect();
            if same.is_empty() && !expr.args.is_empty() {
                same.extend(ty.and_then(|ty| zero(ty, self.design)));
            }
            if let Some(part) = same.into_iter().choose(self.rng) {
                *expr = part;
            }
        }
        expr.args.iter_mut().for_each(|arg| self.expr(arg));
    }
}

struct Changes<'a> {
    design: &'a Design,
    block: usize,
}

impl Changes<'_> {
    fn lists(&self, stmts: &[Stmt]) -> Vec<Vec<Stmt>> {
        let mut all = vec![];
        for (at, stmt) in stmts.iter().enumerate() {
            for new in self.stmts(stmt) {
                all.push([&stmts[..at], &new, &stmts[at + 1..]].concat());
            }
        }
        all
    }

    /// What may stand for a statement.
    fn stmts(&self, stmt: &Stmt) -> Vec<Vec<Stmt>> {
        // Nothing, or what is inside.
        let mut all = vec![vec![]];
        all.extend(stmt.lists().into_iter().cloned());
        for (at, list) in stmt.lists().into_iter().enumerate() {
            for new in self.lists(list) {
                let mut stmt = stmt.clone();
                *stmt.lists_mut()[at] = new;
                all.push(vec![stmt]);
            }
        }
        match stmt {
            Stmt::If {
                test,
                then,
                otherwise,
            } if !otherwise.is_empty() => all.push(vec![Stmt::If {
                test: test.clone(),
                then: then.clone(),
                otherwise: vec![],
            }]),
            Stmt::Match { on, arms, default } => {
                for arm in 0..arms.len() {
                    let mut arms = arms.clone();
                    arms.remove(arm);
                    all.push(vec![Stmt::Match {
                        on: on.clone(),
                        arms,
                        default: default.clone(),
                    }]);
                }
            }
            _ => {}
        }
        for new in stmt.expr().map_or(vec![], |expr| self.exprs(expr)) {
            let mut stmt = stmt.clone();
            if let Some(expr) = stmt.expr_mut() {
                *expr = new;
            }
            all.push(vec![stmt]);
        }
        all
    }

    /// What may stand for an expression: a part of it, a plain value, itself with a simpler part.
    fn exprs(&self, expr: &Expr) -> Vec<Expr> {
        let mut all = expr.args.clone();
        let ty = Rules::trusting(self.design, self.block).ty(expr, Place::Cast);
        all.extend(ty.and_then(|ty| zero(ty, self.design)));
        if let Op::Number(ty, value) = &expr.op {
            let fewer = [1u8.into(), value >> (value.bits() / 2), value >> 1];
            all.extend(
                fewer
                    .into_iter()
                    .map(|value| Expr::leaf(Op::Number(*ty, value))),
            );
        }
        let fixed = match expr.op {
            Op::Left(At::Value) => Some(Op::Left(At::Fixed(1))),
            Op::Right(At::Value) => Some(Op::Right(At::Fixed(1))),
            Op::Bit(At::Value) => Some(Op::Bit(At::Fixed(0))),
            Op::Slice(At::Value, width) => Some(Op::Slice(At::Fixed(0), width)),
            Op::Replace(At::Value) => Some(Op::Replace(At::Fixed(0))),
            _ => None,
        };
        if let Some(fixed) = fixed {
            let args = expr.args[..expr.args.len() - 1].to_vec();
            all.push(Expr::new(fixed, args));
        }
        for (at, arg) in expr.args.iter().enumerate() {
            for new in self.exprs(arg) {
                let mut expr = expr.clone();
                expr.args[at] = new;
                all.push(expr);
            }
        }
        all
    }
}
