//! A block with a kernel as a module.

use super::build::Builder;
use super::error::Cause;
use super::expr::{ConstName, Expr, Node};
use super::layout::{Declaration, Instance, Layout, Pin};
use super::module::{self, Child, Lowered};
use super::names::Names;
use super::order;
use super::print::Printer;
use super::process::{self, path, Body, Process};
use super::scope::{Enums, Role, Scope, SigId};
use super::statement::{Pair, Reader};
use super::typing::Typer;
use super::usage::Usage;
use super::walk::AtomInfo;
use rust_hdl::core::ast::VerilogStatement;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The module of a kernel, or everything that is wrong with it.
pub fn lower(
    block: &[VerilogStatement],
    atoms: &[AtomInfo],
    children: &[Child],
    enums: &Enums,
) -> Result<Lowered, Vec<Cause>> {
    let mut scope = module::scope(atoms, children)?;
    let mut reader = Reader::new(Typer {
        builder: Builder::new(&mut scope),
        enums,
        loops: Vec::new(),
    });
    let (stmts, remarks) = reader.kernel(block);
    let (pairs, mut causes) = (reader.pairs, reader.causes);
    let all_read = causes.is_empty();
    let mut builder = reader.typer.builder;
    order::check(&stmts, builder.scope, &builder.intermediates, &mut causes);
    let mut driven: HashSet<SigId> = order::writes(&stmts).into_keys().collect();
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
    Ok(draft.lower(atoms, children, enums, remarks))
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
                signal: path(scope, *id),
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
                first: path(scope, a),
                second: path(scope, b),
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
                signal: path(scope, id),
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

/// A checked kernel, about to be printed.
struct Draft<'a> {
    scope: &'a Scope,
    usage: Usage,
    processes: Vec<Process>,
    direct: HashMap<SigId, Direct>,
    nets: HashMap<SigId, SigId>,
}

impl Draft<'_> {
    fn lower(
        mut self,
        atoms: &[AtomInfo],
        children: &[Child],
        enums: &Enums,
        remarks: Vec<String>,
    ) -> Lowered {
        let mut names = Names::default();
        let mut printer = Printer {
            scope: self.scope,
            signals: vec![String::new(); self.scope.signals.len()],
            constants: HashMap::new(),
        };
        let ports = module::port_infos(atoms, |id, path| {
            printer.signals[id] = names.claim(path);
            printer.signals[id].clone()
        });
        let instances: Vec<String> = children.iter().map(|c| names.claim(&c.name)).collect();
        let mut layout = Layout {
            remarks,
            ..Layout::default()
        };
        let regs: HashSet<SigId> = self
            .processes
            .iter()
            .filter(|p| matches!(p.body, Body::Depends(_)))
            .map(|p| p.target)
            .collect();
        for ((id, _, atom), port) in module::ports(atoms).zip(&ports) {
            let read = match atom.role {
                Role::Output => true,
                Role::InOut => self.nets.contains_key(&id),
                _ => self.usage.all(id, port.ty.width),
            };
            let declared = module::declare_port(port, regs.contains(&id), false, !read);
            layout.ports.push(declared);
        }
        self.name_nets(&mut names, &mut printer, &regs, &mut layout);
        for name in self.constants() {
            let constant = module::constant(name, &mut names, self.scope, enums);
            printer.constants.insert(name, constant.0.clone());
            layout.constants.push(constant);
        }
        layout.instances = self.instances(children, instances, &printer);
        layout.logic = self.processes.iter().map(|p| printer.process(p)).collect();
        Lowered {
            ports,
            pieces: layout.render(),
            externals: Vec::new(),
        }
    }

    /// Names and declares what is neither port nor pruned.
    fn name_nets(
        &self,
        names: &mut Names,
        printer: &mut Printer,
        regs: &HashSet<SigId>,
        layout: &mut Layout,
    ) {
        let driven: HashSet<SigId> = self.processes.iter().map(|p| p.target).collect();
        for (id, signal) in self.scope.signals.iter().enumerate() {
            let width = signal.ty.width;
            let needed = match signal.role {
                Role::Local | Role::Intermediate | Role::ChildInput(_) => driven.contains(&id),
                Role::ChildOutput(_) => self.usage.any(id),
                Role::ChildInOut(_) => self.nets[&id] == id,
                Role::Input | Role::Output | Role::InOut | Role::Constant(_) => false,
            };
            if !needed {
                continue;
            }
            printer.signals[id] = names.claim(&signal.path);
            let through_pin = matches!(signal.role, Role::ChildInput(_) | Role::ChildInOut(_));
            layout.nets.push(Declaration {
                direction: None,
                is_reg: regs.contains(&id),
                signed: false,
                width,
                name: printer.signals[id].clone(),
                partly_read: !through_pin && !self.usage.all(id, width),
            });
        }
        for (id, net) in &self.nets {
            printer.signals[*id] = printer.signals[*net].clone();
        }
    }

    fn constants(&self) -> BTreeSet<ConstName> {
        let mut used = BTreeSet::new();
        for process in &self.processes {
            process.for_each_expr(&mut |expr| {
                expr.for_each_name(&mut |name| {
                    used.insert(name);
                })
            });
        }
        for pin in self.direct.values() {
            pin.value.for_each_name(&mut |name| {
                used.insert(name);
            });
        }
        used
    }

    fn instances(
        &mut self,
        children: &[Child],
        names: Vec<String>,
        printer: &Printer,
    ) -> Vec<Instance> {
        let mut instances = Vec::new();
        let first = |role: &Role| {
            matches!(
                role,
                Role::ChildInput(_) | Role::ChildOutput(_) | Role::ChildInOut(_)
            )
        };
        let mut id = self
            .scope
            .signals
            .iter()
            .position(|s| first(&s.role))
            .unwrap_or_default();
        for (child, name) in children.iter().zip(names) {
            let mut comments = Vec::new();
            let mut pins = Vec::new();
            for port in child.ports.iter() {
                let net = match self.direct.remove(&id) {
                    Some(pin) => {
                        comments.extend(pin.comments);
                        printer.expr(&pin.value)
                    }
                    None => printer.signals[id].clone(),
                };
                pins.push(Pin {
                    port: port.name.clone(),
                    net: (!net.is_empty()).then_some(net),
                });
                id += 1;
            }
            instances.push(Instance {
                comments,
                module: child.module.unwrap_or_default(),
                name,
                pins,
            });
        }
        instances
    }
}
