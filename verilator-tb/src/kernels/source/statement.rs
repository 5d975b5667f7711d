//! Statements.

use super::expression::Position;
use super::{variable, Printer};
use crate::kernels::tree::*;

impl Printer<'_> {
    pub fn stmts(&self, stmts: &[Stmt], depth: usize) -> String {
        let indent = "    ".repeat(depth);
        let line = |stmt| format!("{indent}{}\n", self.stmt(stmt, depth));
        stmts.iter().map(line).collect()
    }

    /// The statement; its first line without indentation, its last without an end of line.
    fn stmt(&self, stmt: &Stmt, depth: usize) -> String {
        let list = |stmts| {
            format!(
                "{{\n{}{}}}",
                self.stmts(stmts, depth + 1),
                "    ".repeat(depth)
            )
        };
        match stmt {
            Stmt::Assign {
                target,
                member,
                fit,
                value,
            } => {
                let path = self.path(target);
                let value = match fit {
                    true => format!("{}.resize({path}.bits())", self.receiver(value)),
                    false => self.text(value, Position::Assigned),
                };
                let member = member.map_or(String::new(), |member| self.member(target, member));
                format!("{path}.next{member} = {value};")
            }
            Stmt::If {
                test,
                then,
                otherwise,
            } => {
                let test = self.text(test, Position::Operand);
                let otherwise = match otherwise.as_slice() {
                    [] => String::new(),
                    [next @ Stmt::If { .. }] => format!(" else {}", self.stmt(next, depth)),
                    _ => format!(" else {}", list(otherwise)),
                };
                format!("if {test} {}{otherwise}", list(then))
            }
            Stmt::Match { on, arms, default } => {
                let ty = self.type_of(on);
                let test = match ty {
                    Type::Bits(_) => format!("{}.index()", self.receiver(on)),
                    _ => self.text(on, Position::Operand),
                };
                let inner = "    ".repeat(depth + 1);
                let body = |stmts| format!("{{\n{}{inner}}}\n", self.stmts(stmts, depth + 2));
                let mut text = format!("match {test} {{\n");
                for arm in arms {
                    let pattern = match ty {
                        Type::Bit => (arm.pattern == 1).to_string(),
                        Type::Named { .. } => self.state(ty, arm.pattern),
                        _ => arm.pattern.to_string(),
                    };
                    text += &format!("{inner}{pattern} => {}", body(&arm.body));
                }
                if let Some(default) = default {
                    text += &format!("{inner}_ => {}", body(default));
                }
                format!("{text}{}}}", "    ".repeat(depth))
            }
            Stmt::For { var, range, body } => {
                let (var, Range { start, end }) = (variable(*var), range);
                format!("for {var} in {start}..{end} {}", list(body))
            }
            Stmt::Let { name, value } => {
                format!("let x{name} = {};", self.text(value, Position::Sized))
            }
        }
    }

    /// `.member` of a signal that is a struct.
    pub fn member(&self, path: &Path, member: usize) -> String {
        let ty = self.path_type(path);
        format!(".{}", self.design.members(ty)[member].0)
    }
}

use std::ops::Range;
