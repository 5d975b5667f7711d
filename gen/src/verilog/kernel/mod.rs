//! A block with a kernel as a module: read, checked, sliced into processes, printed.

mod branch;
mod draft;
mod order;
pub mod process;
mod reader;
mod slices;
pub mod statement;
mod usage;

use crate::verilog::design::module::{self, Child, Lowered};
use crate::verilog::error::Cause;
use crate::verilog::expr::{Builder, Expr, Node};
use crate::verilog::scope::{Role, Scope, SigId, Types};
use crate::verilog::typing::Typer;
use crate::verilog::walk::AtomInfo;
use draft::Draft;
use process::{Body, Process};
use reader::{Pair, Reader};
use rust_hdl::core::ast::VerilogStatement;
use std::collections::{BTreeSet, HashMap, HashSet};
use usage::Usage;

/// The module of a kernel, or everything that is wrong with it.
pub fn lower(
    block: &[VerilogStatement],
    atoms: &[AtomInfo],
    children: &[Child],
    types: &Types,
) -> Result<Lowered, Vec<Cause>> {
    let mut scope = module::scope(atoms, children)?;
    let mut reader = Reader::new(Typer {
        builder: Builder::new(&mut scope),
        types,
        loops: Vec::new(),
    });
    let (stmts, remarks) = reader.kernel(block);
    let (pairs, mut causes) = (reader.pairs, reader.causes);
    let all_read = causes.is_empty();
    let mut builder = reader.typer.builder;
    order::check(&stmts, builder.scope, &builder.intermediates, &mut causes);
    let mut driven: HashSet<SigId> = statement::writes(&stmts).into_keys().collect();
    let processes = process::processes(stmts, &mut builder, &mut causes);
    driven.extend(processes.iter().map(|p| p.target));
    // A statement that could not be read may have been what drives a signal: that would be reported as missing.
    if all_read {
        check_driven(&scope, &driven, &processes, &mut causes);
    }
    causes.extend(order::find_loop(&processes, &scope));
    let nets = bidirectional(&scope, &pairs, &mut causes);
    if !causes.is_empty() {
        return Err(causes);
    }
    let usage = Usage::of(&processes, &scope);
    let mut processes: Vec<Process> = processes
        .into_iter()
        .zip(&usage.live)
        .filter_map(|(process, live)| live.then_some(process))
        .collect();
    let direct = direct_pins(&mut processes, &scope, &usage);
    let draft = Draft {
        scope: &scope,
        usage,
        processes,
        direct,
        nets,
    };
    Ok(draft.lower(atoms, children, types, remarks))
}

/// Outputs, inputs of children and the locals that are read must be driven.
fn check_driven(
    scope: &Scope,
    driven: &HashSet<SigId>,
    processes: &[Process],
    causes: &mut Vec<Cause>,
) {
    let mut missing = BTreeSet::new();
    for (id, signal) in scope.signals.iter().enumerate() {
        if matches!(signal.role, Role::Output | Role::ChildInput(_)) {
            missing.insert(id);
        }
    }
    for process in processes {
        process.for_each_expr(&mut |expr| {
            expr.for_each_read(&mut |id, _, _| {
                if scope.signals[id].role == Role::Local {
                    missing.insert(id);
                }
            });
        });
    }
    causes.extend(
        missing
            .difference(&driven.iter().copied().collect())
            .map(|id| Cause::Undriven {
                signal: scope.rust_name(*id),
            }),
    );
}

/// The net of every bidirectional signal: a port of the block if one is linked, else the first of the linked.
fn bidirectional(scope: &Scope, pairs: &[Pair], causes: &mut Vec<Cause>) -> HashMap<SigId, SigId> {
    let is_own = |id: SigId| scope.signals[id].role == Role::InOut;
    let mut nets: HashMap<SigId, SigId> = HashMap::new();
    for &(a, b) in pairs {
        let (a, b) = (*nets.get(&a).unwrap_or(&a), *nets.get(&b).unwrap_or(&b));
        if a != b && is_own(a) && is_own(b) {
            causes.push(Cause::LinkedInOuts {
                first: scope.rust_name(a),
                second: scope.rust_name(b),
            });
            continue;
        }
        let (net, other) = if is_own(b) { (b, a) } else { (a, b) };
        for old in nets.values_mut().filter(|old| **old == other) {
            *old = net;
        }
        nets.insert(net, net);
        nets.insert(other, net);
    }
    for (id, signal) in scope.signals.iter().enumerate() {
        if matches!(signal.role, Role::ChildInOut(_)) && !nets.contains_key(&id) {
            causes.push(Cause::UnlinkedInOut {
                signal: scope.rust_name(id),
            });
        }
    }
    nets
}

/// An input of a child that is driven by no more than a signal, and the comments of that.
struct Direct {
    value: Expr,
    comments: Vec<String>,
}

/// Takes out the processes that are no more than a connection of a child's input.
fn direct_pins(
    processes: &mut Vec<Process>,
    scope: &Scope,
    usage: &Usage,
) -> HashMap<SigId, Direct> {
    let mut direct = HashMap::new();
    processes.retain_mut(|process| {
        let Body::Always(value) = &process.body else {
            return true;
        };
        let plain = matches!(
            value.node,
            Node::Signal(_) | Node::Part { .. } | Node::Const { .. }
        );
        let input = matches!(scope.signals[process.target].role, Role::ChildInput(_));
        if !(plain && input) || usage.any(process.target) {
            return true;
        }
        let value = (**value).clone();
        let comments = std::mem::take(&mut process.comments);
        direct.insert(process.target, Direct { value, comments });
        false
    });
    direct
}
