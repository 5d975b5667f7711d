//! One process for each signal that a kernel drives.
//!
//! A kernel is one function, but as one `always @(*)` it would wake for every input and depend on itself through its
//! children: a false combinational loop. So the kernel is sliced by assigned signal, each with just the control flow
//! that writes it. What all signals of a slice read is their final value; that Rust reads the same is checked in
//! [`order`](super::order).

use super::build::Builder;
use super::error::{rust_name, Cause};
use super::expr::Expr;
use super::fold;
use super::scope::{Scope, SigId};
use super::statement::{Arm, Kind, Stmt};
use num_bigint::BigUint;
use std::collections::HashMap;
use std::rc::Rc;

/// What drives one signal.
#[derive(Debug)]
pub struct Process {
    pub target: SigId,
    pub comments: Vec<String>,
    pub body: Body,
}

/// How a signal is driven.
#[derive(Debug)]
pub enum Body {
    /// `assign`.
    Always(Rc<Expr>),
    /// `always @(*)`.
    Depends(Vec<Stmt>),
}

impl Process {
    /// Calls `f` with every expression read.
    pub fn for_each_expr(&self, f: &mut impl FnMut(&Expr)) {
        match &self.body {
            Body::Always(expr) => f(expr),
            Body::Depends(stmts) => each_expr(stmts, f),
        }
    }
}

fn each_expr(stmts: &[Stmt], f: &mut impl FnMut(&Expr)) {
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

/// The processes of a kernel, in the order of the first write.
pub fn processes(stmts: Vec<Stmt>, builder: &mut Builder, causes: &mut Vec<Cause>) -> Vec<Process> {
    let mut processes = Vec::new();
    for (target, stmts) in slice(stmts) {
        let width = builder.scope.ty(target).width;
        if coverage(&stmts, width) != fold::mask(width) {
            causes.push(Cause::Latch {
                signal: rust_name(&builder.scope.signals[target].path),
            });
            continue;
        }
        processes.push(process(target, live(stmts, width), builder));
    }
    let intermediates = std::mem::take(&mut builder.intermediates);
    processes.extend(intermediates.into_iter().map(|(target, expr)| Process {
        target,
        comments: Vec::new(),
        body: Body::Always(Rc::new(expr)),
    }));
    processes
}

/// Lists of statements by the signal they drive, ordered by the first statement.
#[derive(Default)]
struct Slices {
    list: Vec<(SigId, Vec<Stmt>)>,
    at: HashMap<SigId, usize>,
}

impl Slices {
    fn of(&mut self, target: SigId) -> &mut Vec<Stmt> {
        let next = self.list.len();
        let at = *self.at.entry(target).or_insert(next);
        if at == next {
            self.list.push((target, Vec::new()));
        }
        &mut self.list[at].1
    }

    fn take(&mut self, target: SigId) -> Vec<Stmt> {
        match self.at.get(&target) {
            Some(at) => std::mem::take(&mut self.list[*at].1),
            None => Vec::new(),
        }
    }
}

fn slice(stmts: Vec<Stmt>) -> Vec<(SigId, Vec<Stmt>)> {
    slices(stmts).list
}

fn slices(stmts: Vec<Stmt>) -> Slices {
    let mut all = Slices::default();
    for stmt in stmts {
        // The first slice keeps the comments.
        let mut comments = stmt.comments;
        let mut push = |target, kind| {
            let comments = std::mem::take(&mut comments);
            all.of(target).push(Stmt { comments, kind });
        };
        match stmt.kind {
            Kind::Assign { target, low, value } => {
                push(target, Kind::Assign { target, low, value })
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let mut branches = [slices(then), slices(otherwise)];
                for target in targets(&branches) {
                    let [then, otherwise] = &mut branches;
                    let kind = Kind::If {
                        condition: condition.clone(),
                        then: then.take(target),
                        otherwise: otherwise.take(target),
                    };
                    push(target, kind);
                }
            }
            Kind::Case {
                test,
                arms,
                otherwise,
            } => {
                let labels: Vec<Rc<Expr>> = arms.iter().map(|arm| arm.label.clone()).collect();
                let bodies = arms.into_iter().map(|arm| arm.body);
                let mut branches: Vec<Slices> = bodies.chain([otherwise]).map(slices).collect();
                for target in targets(&branches) {
                    let mut bodies = branches.iter_mut().map(|branch| branch.take(target));
                    let mut arms: Vec<Arm> = labels
                        .iter()
                        .cloned()
                        .zip(&mut bodies)
                        .map(|(label, body)| Arm { label, body })
                        .collect();
                    let otherwise = bodies.next().unwrap_or_default();
                    if otherwise.is_empty() {
                        arms.retain(|arm| !arm.body.is_empty());
                    }
                    let test = test.clone();
                    let kind = Kind::Case {
                        test,
                        arms,
                        otherwise,
                    };
                    push(target, kind);
                }
            }
        }
    }
    all
}

/// The signals that any of the branches drives, each once.
fn targets(branches: &[Slices]) -> Vec<SigId> {
    let mut seen = std::collections::HashSet::new();
    let all = branches.iter().flat_map(|branch| &branch.list);
    all.map(|(target, _)| *target)
        .filter(|target| seen.insert(*target))
        .collect()
}

/// The bits that are assigned on every path.
fn coverage(stmts: &[Stmt], width: usize) -> BigUint {
    let mut covered = BigUint::default();
    for stmt in stmts {
        covered |= match &stmt.kind {
            Kind::Assign { low, value, .. } => fold::mask(value.ty.width) << low,
            Kind::If {
                then, otherwise, ..
            } => coverage(then, width) & coverage(otherwise, width),
            Kind::Case {
                arms, otherwise, ..
            } => arms.iter().fold(coverage(otherwise, width), |all, arm| {
                all & coverage(&arm.body, width)
            }),
        };
    }
    covered
}

/// Without what a later assignment of the whole signal makes void.
fn live(mut stmts: Vec<Stmt>, width: usize) -> Vec<Stmt> {
    let whole =
        |stmt: &Stmt| matches!(&stmt.kind, Kind::Assign { value, .. } if value.ty.width == width);
    if let Some(last) = stmts.iter().rposition(whole) {
        let dead: Vec<String> = stmts.drain(..last).flat_map(|s| s.comments).collect();
        stmts[0].comments.splice(0..0, dead);
    }
    stmts
}

fn process(target: SigId, stmts: Vec<Stmt>, builder: &mut Builder) -> Process {
    let unconditional = |s: &Stmt| matches!(s.kind, Kind::Assign { .. });
    if !stmts.iter().all(unconditional) {
        return Process {
            target,
            comments: Vec::new(),
            body: Body::Depends(stmts),
        };
    }
    let (mut value, mut comments) = (None, Vec::new());
    for stmt in stmts {
        comments.extend(stmt.comments);
        if let Kind::Assign {
            low, value: new, ..
        } = stmt.kind
        {
            value = Some(match value {
                Some(old) => Rc::new(overwrite(old, low, &new, builder)),
                None => first(target, low, new, builder),
            });
        }
    }
    let body = value.map_or(Body::Depends(Vec::new()), Body::Always);
    Process {
        target,
        comments,
        body,
    }
}

/// The signal's value after the first of several assignments: the bits of the others are yet to come.
fn first(target: SigId, low: usize, value: Rc<Expr>, builder: &mut Builder) -> Rc<Expr> {
    let ty = builder.scope.ty(target);
    if value.ty.width == ty.width {
        return value;
    }
    Rc::new(overwrite(
        Rc::new(Expr::zero(ty.width)),
        low,
        &value,
        builder,
    ))
}

fn overwrite(old: Rc<Expr>, low: usize, new: &Expr, builder: &mut Builder) -> Expr {
    let (width, end) = (old.ty.width, low + new.ty.width);
    let mut parts = Vec::new();
    if end < width {
        parts.push(builder.slice((*old).clone(), end, width - end));
    }
    parts.push(new.clone());
    if low > 0 {
        parts.push(builder.slice((*old).clone(), 0, low));
    }
    builder.concat(parts)
}

/// The path of a signal, for messages.
pub fn path(scope: &Scope, id: SigId) -> String {
    rust_name(&scope.signals[id].path)
}
