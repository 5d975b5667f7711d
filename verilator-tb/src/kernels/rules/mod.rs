//! What makes a kernel legal: what rustc, rust-hdl's simulation and the back end's documented rules ask for.
//!
//! The generator keeps these rules by construction; the shrinker asks here before it tries a smaller design.

mod coverage;
mod expression;

pub use coverage::places;

use super::tree::*;
use std::ops::Range;

/// `Bits` up to this width can be an index in Rust.
pub const WIDEST_INDEX: usize = 32;
/// rust-hdl's `Bits` shift by no more bits than this.
pub const WIDEST_AMOUNT: usize = 64;
/// Up to 32 bits, rust-hdl shifts to the left without end before it cuts; this many bits of amount are bearable.
pub const WIDEST_LEFT: usize = 12;
/// A literal of Rust has no more bits than this.
pub const WIDEST_LITERAL: u64 = 128;
/// The widest value of a `Wire`.
const WIDEST_WIRE: usize = fantree_hdl::wire::MAX_WIDTH;

/// Whether every block of the design is legal.
pub fn is_legal(design: &Design) -> bool {
    design.used_blocks().into_iter().all(|block| {
        let mut rules = Rules::new(design, block);
        rules.stmts(&design.blocks[block].body).is_some() && coverage::is_driven(design, block)
    })
}

/// Where an expression stands, as far as it matters.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// It is all that is assigned.
    Assigned,
    /// It is the argument of a cast.
    Cast,
    /// It is an operand beside one that has a width.
    Operand,
    Inside,
}

/// Checks one block. What is not legal has no type.
pub struct Rules<'a> {
    design: &'a Design,
    block: usize,
    vars: Vec<(usize, Range<usize>)>,
    lets: Vec<(usize, Type)>,
    /// Depth of calls that `#[hdl_gen]` evaluates outside of the loops.
    calls: usize,
    /// Loop variables and `let`s are taken to be right.
    trusting: bool,
}

impl<'a> Rules<'a> {
    pub fn new(design: &'a Design, block: usize) -> Rules<'a> {
        Rules {
            design,
            block,
            vars: vec![],
            lets: vec![],
            calls: 0,
            trusting: false,
        }
    }

    /// Tells types of what is legal, also in the middle of a kernel.
    pub fn trusting(design: &'a Design, block: usize) -> Rules<'a> {
        Rules {
            trusting: true,
            ..Rules::new(design, block)
        }
    }

    fn is_plain(&self) -> bool {
        self.design.style == Style::Plain
    }

    fn stmts(&mut self, stmts: &[Stmt]) -> Option<()> {
        let lets = self.lets.len();
        for stmt in stmts {
            self.stmt(stmt)?;
        }
        self.lets.truncate(lets);
        Some(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<()> {
        match stmt {
            Stmt::Assign {
                target,
                member,
                fit,
                value,
            } => {
                let target = self.written(target, *member)?;
                let ty = self.ty(value, Place::Assigned)?;
                let fits = match fit {
                    true => is_bits(ty) && is_bits(target),
                    false => ty == target,
                };
                fits.then_some(())
            }
            Stmt::If {
                test,
                then,
                otherwise,
            } => {
                self.is(test, Type::Bit)?;
                self.stmts(then)?;
                self.stmts(otherwise)
            }
            Stmt::Match { on, arms, default } => self.matching(on, arms, default.as_deref()),
            Stmt::For { var, range, body } => {
                self.vars.push((*var, range.clone()));
                let legal = self.stmts(body);
                self.vars.pop();
                legal
            }
            Stmt::Let { name, value } => {
                let ty = self.ty(value, Place::Inside)?;
                self.lets.push((*name, ty));
                Some(())
            }
        }
    }

    fn matching(&mut self, on: &Expr, arms: &[Arm], default: Option<&[Stmt]>) -> Option<()> {
        let ty = self.ty(on, Place::Inside)?;
        let count = match ty {
            Type::Bit => 2,
            Type::Bits(width) if self.is_plain() && width <= WIDEST_INDEX => 1 << width,
            Type::Named { .. } if !matches!(on.op, Op::State(..)) => self.design.states(ty).len(),
            _ => return None,
        };
        let named = !matches!(ty, Type::Bits(_));
        if default.is_none() && !(named && arms.len() == count) {
            return None;
        }
        for (at, arm) in arms.iter().enumerate() {
            let again = arms[..at].iter().any(|a| a.pattern == arm.pattern);
            if again || arm.pattern >= count {
                return None;
            }
            self.stmts(&arm.body)?;
        }
        default.map_or(Some(()), |body| self.stmts(body))
    }

    /// The type of a target of an assignment.
    fn written(&self, path: &Path, member: Option<usize>) -> Option<Type> {
        let role = &self.design.blocks[self.block].fields.get(&path.field)?.role;
        let writes = match &path.port {
            Port::Field => matches!(role, Role::Output | Role::Local),
            Port::D => matches!(role, Role::Register(_)),
            Port::Q => false,
            Port::Of(port, _) => self.port_role(role, *port)? == &Role::Input,
        };
        let ty = self.path(path)?;
        match member {
            _ if !writes => None,
            None => Some(ty),
            Some(_) if self.is_looped(path) => None,
            Some(member) => Some(self.design.members(ty).get(member)?.1),
        }
    }

    fn port_role(&self, role: &Role, port: usize) -> Option<&'a Role> {
        let Role::Child(child) = role else {
            return None;
        };
        let field = self.design.blocks[child.block].fields.get(&port)?;
        Some(&field.role)
    }

    /// The type of a signal that is read.
    fn read(&self, path: &Path) -> Option<Type> {
        let role = &self.design.blocks[self.block].fields.get(&path.field)?.role;
        let reads = match &path.port {
            Port::Field => !matches!(role, Role::Register(_) | Role::Child(_)),
            Port::Q => matches!(role, Role::Register(_)),
            Port::D => false,
            Port::Of(port, _) => self.port_role(role, *port)? == &Role::Output,
        };
        if !reads || self.calls > 0 && self.is_looped(path) {
            return None;
        }
        self.path(path)
    }

    fn is_looped(&self, path: &Path) -> bool {
        path.indexes().any(|at| !matches!(at, Index::Fixed(_)))
    }

    /// The type of a signal, if its indexes stay inside.
    pub fn path(&self, path: &Path) -> Option<Type> {
        let field = self.design.blocks[self.block].fields.get(&path.field)?;
        self.inside(&path.at, &field.dims)?;
        let (Role::Child(child), Port::Of(port, at)) = (&field.role, &path.port) else {
            return Some(field.ty);
        };
        let port = self.design.blocks[child.block].fields.get(port)?;
        self.inside(at, &port.dims)?;
        if port.ty != Type::Own {
            return Some(port.ty);
        }
        let first = child.instances.first()?.width;
        match path.at.first() {
            None => Some(Type::Bits(first)),
            Some(Index::Fixed(at)) => Some(Type::Bits(child.instances.get(*at)?.width)),
            // In a loop, the width differs from turn to turn.
            Some(_) => Some(Type::Own),
        }
    }

    fn inside(&self, at: &[Index], dims: &[usize]) -> Option<()> {
        let fits = |(index, dim): (&Index, &usize)| self.highest(*index).is_some_and(|h| h < *dim);
        (at.len() == dims.len() && at.iter().zip(dims).all(fits)).then_some(())
    }

    /// The highest value of an index over the loops around.
    fn highest(&self, index: Index) -> Option<usize> {
        let var = match index {
            Index::Fixed(n) => return Some(n),
            Index::Plus(i, _) | Index::From(_, i) | Index::Times(i, ..) | Index::Ring(i, ..) => i,
        };
        if self.trusting {
            return Some(0);
        }
        let (_, range) = self.vars.iter().rev().find(|(v, _)| *v == var)?;
        let value = |turn| index.value(&|_| Some(turn));
        range
            .clone()
            .map(value)
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .max()
    }
}

pub fn is_bits(ty: Type) -> bool {
    matches!(ty, Type::Bits(_) | Type::Own)
}
