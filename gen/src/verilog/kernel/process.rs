//! One process for each signal that a kernel drives.
//!
//! A kernel is one function, but as one `always @(*)` it would wake for every input and depend on itself through its
//! children: a false combinational loop. So the kernel is sliced by assigned signal, each with just the control flow
//! that writes it. What all signals of a slice read is their final value; that Rust reads the same is checked in
//! [`order`](super::order).

use super::slices::{coverage, slice};
use super::statement::{each_expr, Kind, Stmt};
use crate::verilog::error::Cause;
use crate::verilog::expr::{fold, Builder, Expr};
use crate::verilog::scope::SigId;
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

/// The processes of a kernel, in the order of the first write.
pub fn processes(stmts: Vec<Stmt>, builder: &mut Builder, causes: &mut Vec<Cause>) -> Vec<Process> {
    let mut processes = Vec::new();
    for (target, stmts) in slice(stmts) {
        let width = builder.scope.ty(target).width;
        if coverage(&stmts) != fold::mask(width) {
            causes.push(Cause::Latch {
                signal: builder.scope.rust_name(target),
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
