//! Names of a kernel: signals, loop variables, states.

use super::{index, Operand, Typer};
use crate::verilog::error::{rust_name, Cause};
use crate::verilog::expr::{ConstName, Expr, Node};
use crate::verilog::scope::{Form, Role, Type};

impl Typer<'_> {
    pub(super) fn name(&mut self, name: &str) -> Result<Operand, Cause> {
        let resolved = self.resolve(name)?;
        let variable = self.loops.iter().rev().find(|(n, _)| *n == resolved);
        let signal = self.builder.scope.find(&resolved);
        match (variable, signal) {
            (Some(_), Some(_)) => Err(Cause::AmbiguousName { name: resolved }),
            (Some((_, value)), None) => Ok(Operand::Number((*value).into())),
            (None, Some(id)) => {
                let signal = &self.builder.scope.signals[id];
                let ty = signal.ty;
                Ok(Operand::Typed(match &signal.role {
                    Role::Constant(value) => Expr {
                        ty,
                        node: Node::Const {
                            value: value.clone(),
                            name: Some(ConstName::Atom(id)),
                        },
                    },
                    _ => Expr::signal(id, ty),
                }))
            }
            (None, None) => {
                let enums = &self.builder.scope.enums;
                let known = enums
                    .iter()
                    .any(|id| self.types.get(*id).position(&resolved).is_some());
                match known {
                    true => Ok(Operand::State(resolved)),
                    false => Err(Cause::UnknownName {
                        name: rust_name(&resolved),
                    }),
                }
            }
        }
    }

    /// The name as the block tree has it: indexes resolved, paths joined by `$`.
    pub fn resolve(&self, name: &str) -> Result<String, Cause> {
        let clean: String = name.split_whitespace().collect();
        let clean = clean.trim_start_matches('.').replace("::", "$");
        let resolved = index::resolve(&clean, &self.loops).map_err(|why| Cause::Index {
            name: rust_name(&clean),
            why,
        })?;
        Ok(resolved.replace('.', "$"))
    }

    /// A state as a constant; `wanted` is the type of what it meets.
    ///
    /// A name without its enum is a state only where a state is wanted: elsewhere it may be a constant of Rust.
    pub fn state(&self, name: &str, wanted: Option<Type>) -> Result<Expr, Cause> {
        let candidates = match wanted.map(|ty| ty.form) {
            Some(Form::Enum(id)) => vec![id],
            _ if name.contains('$') => self.builder.scope.enums.clone(),
            _ => Vec::new(),
        };
        let mut found = candidates.iter().filter_map(|id| {
            let position = self.types.get(*id).position(name)?;
            Some((*id, position))
        });
        let Some((id, position)) = found.next() else {
            return Err(Cause::UnknownName {
                name: rust_name(name),
            });
        };
        let width = self.types.get(id).width();
        if found.any(|(other, p)| p != position || self.types.get(other).width() != width) {
            return Err(Cause::AmbiguousState {
                name: rust_name(name),
            });
        }
        Ok(Expr {
            ty: Type {
                width,
                form: Form::Enum(id),
            },
            node: Node::Const {
                value: position.into(),
                name: Some(ConstName::State(id, position)),
            },
        })
    }
}
