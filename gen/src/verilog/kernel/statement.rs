//! Statements of a kernel, with names resolved and expressions typed.

use crate::verilog::expr::Expr;
use crate::verilog::scope::SigId;
use std::collections::HashMap;
use std::rc::Rc;

/// A statement and the comments above it.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub comments: Vec<String>,
    pub kind: Kind,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum Kind {
    /// The bits of `target` from `low` upwards, as many as the value has.
    Assign {
        target: SigId,
        low: usize,
        value: Rc<Expr>,
    },
    If {
        condition: Rc<Expr>,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Case {
        test: Rc<Expr>,
        arms: Vec<Arm>,
        otherwise: Vec<Stmt>,
    },
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    pub label: Rc<Expr>,
    pub body: Vec<Stmt>,
}

/// Calls `f` with every expression read.
pub fn each_expr(stmts: &[Stmt], f: &mut impl FnMut(&Expr)) {
    for stmt in stmts {
        match &stmt.kind {
            Kind::Assign { value, .. } => f(value),
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                f(condition);
                each_expr(then, f);
                each_expr(otherwise, f);
            }
            Kind::Case {
                test,
                arms,
                otherwise,
            } => {
                f(test);
                for arm in arms {
                    f(&arm.label);
                    each_expr(&arm.body, f);
                }
                each_expr(otherwise, f);
            }
        }
    }
}

/// The signals that are assigned, and how many assignments each has.
pub fn writes(stmts: &[Stmt]) -> HashMap<SigId, usize> {
    let mut counts = HashMap::new();
    count_writes(stmts, &mut counts);
    counts
}

fn count_writes(stmts: &[Stmt], counts: &mut HashMap<SigId, usize>) {
    for stmt in stmts {
        match &stmt.kind {
            Kind::Assign { target, .. } => *counts.entry(*target).or_default() += 1,
            Kind::If {
                then, otherwise, ..
            } => {
                count_writes(then, counts);
                count_writes(otherwise, counts);
            }
            Kind::Case {
                arms, otherwise, ..
            } => {
                arms.iter().for_each(|arm| count_writes(&arm.body, counts));
                count_writes(otherwise, counts);
            }
        }
    }
}
