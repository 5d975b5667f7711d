//! A checked kernel becomes a module: names are given, everything is printed.

use super::process::{Body, Process};
use super::usage::Usage;
use super::Direct;
use crate::verilog::design::module::{self, Child, Lowered};
use crate::verilog::expr::ConstName;
use crate::verilog::names::Names;
use crate::verilog::print::layout::{Declaration, Instance, Layout, Pin};
use crate::verilog::print::Printer;
use crate::verilog::scope::{Role, Scope, SigId, Types};
use crate::verilog::walk::AtomInfo;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A checked kernel, about to be printed.
pub struct Draft<'a> {
    pub scope: &'a Scope,
    pub usage: Usage,
    pub processes: Vec<Process>,
    pub direct: HashMap<SigId, Direct>,
    pub nets: HashMap<SigId, SigId>,
}

impl Draft<'_> {
    /// The module.
    pub fn lower(
        mut self,
        atoms: &[AtomInfo],
        children: &[Child],
        types: &Types,
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
        let instances: Vec<String> = children
            .iter()
            .map(|child| names.claim_apart(&child.name, &child.names))
            .collect();
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
            let constant = module::constant(name, &mut names, self.scope, types);
            printer.constants.insert(name, constant.0.clone());
            layout.constants.push(constant);
        }
        layout.instances = self.instances(children, instances, &printer);
        layout.logic = self.processes.iter().map(|p| printer.process(p)).collect();
        Lowered {
            ports,
            names,
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
