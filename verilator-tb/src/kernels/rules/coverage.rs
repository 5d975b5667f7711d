//! Whether a block drives all that it must, on every path: what is not assigned on one would be a latch.

use crate::kernels::tree::*;
use std::collections::HashSet;

/// A signal or a member of it, as numbers.
type Element = Vec<usize>;

/// Whether outputs, locals, registers that do not hold, and inputs of children are driven on every path.
pub fn is_driven(design: &Design, block: usize) -> bool {
    let coverage = Coverage { design, block };
    let driven = coverage.driven(&design.blocks[block].body, &mut vec![]);
    coverage.required().is_subset(&driven)
}

struct Coverage<'a> {
    design: &'a Design,
    block: usize,
}

impl Coverage<'_> {
    fn required(&self) -> HashSet<Element> {
        let mut all = HashSet::new();
        for (&id, field) in &self.design.blocks[self.block].fields {
            for at in places(&field.dims) {
                let own = |port| element(id, &at, port, &[]);
                match &field.role {
                    Role::Output | Role::Local => {
                        all.extend(self.members(own(Port::Field), field.ty));
                    }
                    Role::Register(register) if !register.hold => {
                        all.extend(self.members(own(Port::D), field.ty));
                    }
                    Role::Child(child) => {
                        let ports = &self.design.blocks[child.block].fields;
                        let inputs = ports.iter().filter(|(_, port)| port.role == Role::Input);
                        for (&port, input) in inputs {
                            for inner in places(&input.dims) {
                                let input_at = element(id, &at, Port::Of(port, vec![]), &inner);
                                all.extend(self.members(input_at, input.ty));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        all
    }

    /// The parts that can be assigned apart.
    fn members(&self, signal: Element, ty: Type) -> Vec<Element> {
        let count = self.design.members(ty).len().max(1);
        let member = |member| [signal.as_slice(), &[member]].concat();
        (0..count).map(member).collect()
    }

    fn driven(&self, stmts: &[Stmt], vars: &mut Vec<(usize, usize)>) -> HashSet<Element> {
        let mut driven = HashSet::new();
        for stmt in stmts {
            match stmt {
                Stmt::Assign { target, member, .. } => {
                    driven.extend(self.assigned(target, *member, vars));
                }
                Stmt::If {
                    then, otherwise, ..
                } => {
                    let then = self.driven(then, vars);
                    let otherwise = self.driven(otherwise, vars);
                    driven.extend(then.intersection(&otherwise).cloned());
                }
                Stmt::Match { .. } => {
                    let lists = stmt.lists();
                    let paths = lists.iter().map(|list| self.driven(list, vars));
                    let common = paths.reduce(|a, b| &a & &b);
                    driven.extend(common.unwrap_or_default());
                }
                Stmt::For { var, range, body } => {
                    for turn in range.clone() {
                        vars.push((*var, turn));
                        driven.extend(self.driven(body, vars));
                        vars.pop();
                    }
                }
                Stmt::Let { .. } => {}
            }
        }
        driven
    }

    fn assigned(
        &self,
        target: &Path,
        member: Option<usize>,
        vars: &[(usize, usize)],
    ) -> Vec<Element> {
        let value = |index: &Index| {
            let var = |id| vars.iter().rev().find(|(var, _)| *var == id).map(|v| v.1);
            index.value(&var).unwrap_or(usize::MAX)
        };
        let at: Vec<usize> = target.at.iter().map(value).collect();
        let inner: Vec<usize> = match &target.port {
            Port::Of(_, at) => at.iter().map(value).collect(),
            _ => vec![],
        };
        let signal = element(target.field, &at, target.port.clone(), &inner);
        let fields = &self.design.blocks[self.block].fields;
        let ty = match (&target.port, fields.get(&target.field)) {
            (
                Port::Of(port, _),
                Some(Field {
                    role: Role::Child(child),
                    ..
                }),
            ) => {
                let field = self.design.blocks[child.block].fields.get(port);
                field.map_or(Type::Bit, |field| field.ty)
            }
            (_, field) => field.map_or(Type::Bit, |field| field.ty),
        };
        match member {
            Some(member) => vec![[signal.as_slice(), &[member]].concat()],
            None => self.members(signal, ty),
        }
    }
}

fn element(field: usize, at: &[usize], port: Port, inner: &[usize]) -> Element {
    let port = match port {
        Port::Field | Port::D | Port::Q => 0,
        Port::Of(port, _) => port + 1,
    };
    [&[field][..], at, &[port], inner].concat()
}

/// All indexes of nested `Vec`s.
pub fn places(dims: &[usize]) -> Vec<Vec<usize>> {
    dims.iter().fold(vec![vec![]], |places, &dim| {
        let longer = |place: &Vec<usize>| {
            let place = place.clone();
            (0..dim)
                .map(move |at| [place.as_slice(), &[at]].concat())
                .collect::<Vec<_>>()
        };
        places.iter().flat_map(longer).collect()
    })
}
