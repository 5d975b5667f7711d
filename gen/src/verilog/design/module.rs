//! What the two kinds of modules, kernels and texts, have in common: how they are made, and what is known of them.

use crate::verilog::error::{rust_name, Cause};
use crate::verilog::expr::ConstName;
use crate::verilog::names::Names;
use crate::verilog::print;
use crate::verilog::print::layout::{Declaration, Direction, ModId, Piece};
use crate::verilog::scope::{EnumId, Role, Scope, SigId, Signal, Type, Types};
use crate::verilog::walk::AtomInfo;
use std::rc::Rc;

/// A port of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct PortInfo {
    /// Its name in the block tree.
    pub path: String,
    /// Its name in Verilog.
    pub name: String,
    pub direction: Direction,
    pub ty: Type,
    pub enums: Vec<EnumId>,
}

/// A child of a block: its instance name, its module (none if it has faults) and its ports.
#[derive(Clone)]
pub struct Child {
    pub name: String,
    pub module: Option<ModId>,
    pub ports: Rc<Vec<PortInfo>>,
    /// The names inside its module.
    pub names: Rc<Names>,
}

/// Verilog text of an external module.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    pub name: String,
    pub code: String,
}

/// A block as a module without a name.
pub struct Lowered {
    pub ports: Vec<PortInfo>,
    pub names: Names,
    pub pieces: Vec<Piece>,
    pub externals: Vec<External>,
}

/// The signals of a block and of its children's ports.
pub fn scope(atoms: &[AtomInfo], children: &[Child]) -> Result<Scope, Vec<Cause>> {
    let mut scope = Scope::default();
    for atom in atoms {
        scope.see(&atom.enums);
        scope.add(Signal {
            path: atom.path.clone(),
            role: atom.role.clone(),
            ty: atom.ty,
        });
    }
    for (i, child) in children.iter().enumerate() {
        for port in child.ports.iter() {
            scope.see(&port.enums);
            scope.add(Signal {
                path: format!("{}${}", child.name, port.path),
                role: match port.direction {
                    Direction::Input => Role::ChildInput(i),
                    Direction::Output => Role::ChildOutput(i),
                    Direction::InOut => Role::ChildInOut(i),
                },
                ty: port.ty,
            });
        }
    }
    let empty = scope.signals.iter().filter(|s| s.ty.width == 0);
    let faults: Vec<Cause> = empty
        .map(|s| Cause::NoWidth {
            signal: rust_name(&s.path),
        })
        .collect();
    if faults.is_empty() {
        Ok(scope)
    } else {
        Err(faults)
    }
}

/// The atoms that are ports.
pub fn ports(atoms: &[AtomInfo]) -> impl Iterator<Item = (SigId, Direction, &AtomInfo)> {
    atoms.iter().enumerate().filter_map(|(id, atom)| {
        let direction = match atom.role {
            Role::Input => Direction::Input,
            Role::Output => Direction::Output,
            Role::InOut => Direction::InOut,
            _ => return None,
        };
        Some((id, direction, atom))
    })
}

/// The ports with the names they get.
pub fn port_infos(
    atoms: &[AtomInfo],
    mut name: impl FnMut(SigId, &str) -> String,
) -> Vec<PortInfo> {
    ports(atoms)
        .map(|(id, direction, atom)| PortInfo {
            name: name(id, &atom.path),
            path: atom.path.clone(),
            direction,
            ty: atom.ty,
            enums: atom.enums.clone(),
        })
        .collect()
}

/// The declaration of a port.
pub fn declare_port(port: &PortInfo, is_reg: bool, signed: bool, partly_read: bool) -> Declaration {
    Declaration {
        direction: Some(port.direction),
        is_reg,
        signed,
        width: port.ty.width,
        name: port.name.clone(),
        partly_read,
    }
}

/// Name, width and value of a named constant.
pub fn constant(
    name: ConstName,
    names: &mut Names,
    scope: &Scope,
    types: &Types,
) -> (String, usize, String) {
    let (wish, width, value) = match name {
        ConstName::Atom(id) => {
            let signal = &scope.signals[id];
            let value = match &signal.role {
                Role::Constant(value) => value.clone(),
                _ => Default::default(),
            };
            (signal.path.clone(), signal.ty.width, value)
        }
        ConstName::State(id, position) => {
            let kind = types.get(id);
            let wish = kind.states[position].replace("::", "_");
            (wish, kind.width(), position.into())
        }
    };
    (names.claim(&wish), width, print::constant(&value, width))
}
