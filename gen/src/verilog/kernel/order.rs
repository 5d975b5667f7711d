//! Where a Rust kernel and its processes could differ: the order of reads and writes.
//!
//! A process reads final values. Rust reads what stands there: for an input, also of a child, the settled value, which
//! is final; for the block's own outputs and locals the latest write. The two are the same unless a read stands between
//! two writes. A read before the only write is final too, because rust-hdl updates until nothing changes.

use super::process::Process;
use super::statement::{writes, Kind, Stmt};
use crate::verilog::error::Cause;
use crate::verilog::expr::Expr;
use crate::verilog::scope::{Role, Scope, SigId};
use std::collections::{HashMap, HashSet};

/// Faults of order: a read between writes.
pub fn check(
    stmts: &[Stmt],
    scope: &Scope,
    intermediates: &[(SigId, Expr)],
    causes: &mut Vec<Cause>,
) {
    let reads_back = |id: &SigId| matches!(scope.signals[*id].role, Role::Output | Role::Local);
    let watched: HashSet<SigId> = writes(stmts)
        .into_iter()
        .filter(|(id, count)| *count > 1 && reads_back(id))
        .map(|(id, _)| id)
        .collect();
    if watched.is_empty() {
        return;
    }
    let mut checker = Checker {
        scope,
        watched,
        intermediates: intermediates.iter().map(|(id, e)| (*id, e)).collect(),
        found: Vec::new(),
    };
    checker.walk(stmts, &mut State::default());
    causes.append(&mut checker.found);
}

/// What may have happened on the way to a statement.
#[derive(Clone, Default)]
struct State {
    written: HashSet<SigId>,
    /// Signals read since they were written, and by what.
    read: HashMap<SigId, String>,
}

impl State {
    fn merge(&mut self, other: State) {
        self.written.extend(other.written);
        for (id, by) in other.read {
            self.read.entry(id).or_insert(by);
        }
    }
}

struct Checker<'a> {
    scope: &'a Scope,
    watched: HashSet<SigId>,
    intermediates: HashMap<SigId, &'a Expr>,
    found: Vec<Cause>,
}

impl Checker<'_> {
    fn walk(&mut self, stmts: &[Stmt], state: &mut State) {
        for stmt in stmts {
            match &stmt.kind {
                Kind::Assign { target, value, .. } => {
                    self.read(value, state, || {
                        format!("the assignment to {}", self.scope.rust_name(*target))
                    });
                    self.write(*target, state);
                }
                Kind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.read(condition, state, || "the condition of an if".to_string());
                    let mut other = state.clone();
                    self.walk(then, state);
                    self.walk(otherwise, &mut other);
                    state.merge(other);
                }
                Kind::Case {
                    test,
                    arms,
                    otherwise,
                } => {
                    self.read(test, state, || "the value of a match".to_string());
                    let before = state.clone();
                    self.walk(otherwise, state);
                    for arm in arms {
                        let mut other = before.clone();
                        self.walk(&arm.body, &mut other);
                        state.merge(other);
                    }
                }
            }
        }
    }

    fn read(&self, expr: &Expr, state: &mut State, by: impl Fn() -> String) {
        self.each_watched(expr, &mut |id| {
            if state.written.contains(&id) {
                state.read.entry(id).or_insert_with(&by);
            }
        });
    }

    fn each_watched(&self, expr: &Expr, f: &mut impl FnMut(SigId)) {
        let mut inner = Vec::new();
        expr.for_each_read(&mut |id, _, _| match self.intermediates.get(&id) {
            Some(expr) => inner.push(*expr),
            None if self.watched.contains(&id) => f(id),
            None => {}
        });
        for expr in inner {
            self.each_watched(expr, f);
        }
    }

    fn write(&mut self, target: SigId, state: &mut State) {
        if !self.watched.contains(&target) {
            return;
        }
        if let Some(expression) = state.read.remove(&target) {
            self.found.push(Cause::ReadBetweenWrites {
                signal: self.scope.rust_name(target),
                expression,
            });
        }
        state.written.insert(target);
    }
}

/// A combinational loop among the signals that this kernel drives, if there is one.
pub fn find_loop(processes: &[Process], scope: &Scope) -> Option<Cause> {
    let by_target: HashMap<SigId, usize> = processes
        .iter()
        .enumerate()
        .map(|(i, process)| (process.target, i))
        .collect();
    let mut search = Search {
        reads: processes.iter().map(|p| reads(p, &by_target)).collect(),
        marks: vec![Mark::New; processes.len()],
        trail: Vec::new(),
    };
    let found = (0..processes.len()).find_map(|i| search.visit(i))?;
    let name = |i: &usize| scope.rust_name(processes[*i].target);
    Some(Cause::Loop {
        signals: found.iter().map(name).collect(),
    })
}

fn reads(process: &Process, by_target: &HashMap<SigId, usize>) -> Vec<usize> {
    let mut found = Vec::new();
    process.for_each_expr(&mut |expr| {
        expr.for_each_read(&mut |id, _, _| found.extend(by_target.get(&id)));
    });
    found.sort_unstable();
    found.dedup();
    found
}

struct Search {
    reads: Vec<Vec<usize>>,
    marks: Vec<Mark>,
    trail: Vec<usize>,
}

/// How far the depth-first search has come with a process.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    OnTrail,
    Done,
}

impl Search {
    fn visit(&mut self, process: usize) -> Option<Vec<usize>> {
        match self.marks[process] {
            Mark::Done => return None,
            Mark::OnTrail => {
                let start = self.trail.iter().position(|p| *p == process)?;
                let mut found = self.trail[start..].to_vec();
                found.push(process);
                return Some(found);
            }
            Mark::New => self.marks[process] = Mark::OnTrail,
        }
        self.trail.push(process);
        for read in std::mem::take(&mut self.reads[process]) {
            if let Some(found) = self.visit(read) {
                return Some(found);
            }
        }
        self.trail.pop();
        self.marks[process] = Mark::Done;
        None
    }
}
