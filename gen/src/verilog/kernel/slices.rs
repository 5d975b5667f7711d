//! Slices a kernel by assigned signal.

use super::statement::{Arm, Kind, Stmt};
use crate::verilog::expr::{fold, Expr};
use crate::verilog::scope::SigId;
use num_bigint::BigUint;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

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

/// The statements that drive each signal, in the order of the first.
pub fn slice(stmts: Vec<Stmt>) -> Vec<(SigId, Vec<Stmt>)> {
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
    let mut seen = HashSet::new();
    let all = branches.iter().flat_map(|branch| &branch.list);
    all.map(|(target, _)| *target)
        .filter(|target| seen.insert(*target))
        .collect()
}

/// The bits that are assigned on every path.
pub fn coverage(stmts: &[Stmt]) -> BigUint {
    let mut covered = BigUint::default();
    for stmt in stmts {
        covered |= match &stmt.kind {
            Kind::Assign { low, value, .. } => fold::mask(value.ty.width) << low,
            Kind::If {
                then, otherwise, ..
            } => coverage(then) & coverage(otherwise),
            Kind::Case {
                arms, otherwise, ..
            } => arms
                .iter()
                .fold(coverage(otherwise), |all, arm| all & coverage(&arm.body)),
        };
    }
    covered
}
