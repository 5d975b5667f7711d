//! Branches of a kernel: `if` and `match`, decided at once where only numbers decide.

use super::reader::Reader;
use super::statement::{Arm, Kind, Stmt};
use crate::verilog::error::Cause;
use crate::verilog::expr::Expr;
use crate::verilog::scope::Type;
use crate::verilog::typing::{literal, source, Operand};
use rust_hdl::core::ast::{VerilogBlockOrConditional, VerilogConditional, VerilogMatch};
use std::rc::Rc;

impl Reader<'_> {
    pub(super) fn conditional(
        &mut self,
        c: &VerilogConditional,
        out: &mut Vec<Stmt>,
    ) -> Result<(), Cause> {
        let condition = self.typer.condition(&c.test)?;
        // A condition on numbers alone, such as a loop variable, is decided now.
        if let Some(value) = condition.value() {
            match (value.bits() == 0, &c.otherwise) {
                (false, _) => self.block(&c.then, out),
                (true, VerilogBlockOrConditional::Block(block)) => self.block(block, out),
                (true, VerilogBlockOrConditional::Conditional(next)) => {
                    self.statement(next, out)?
                }
                (true, VerilogBlockOrConditional::None) => {}
            }
            return Ok(());
        }
        let comments = std::mem::take(&mut self.comments);
        let then = self.nested(&c.then);
        let otherwise = match &c.otherwise {
            VerilogBlockOrConditional::Block(block) => self.nested(block),
            VerilogBlockOrConditional::Conditional(next) => {
                self.nested(std::slice::from_ref(&**next))
            }
            VerilogBlockOrConditional::None => Vec::new(),
        };
        let kind = Kind::If {
            condition: Rc::new(condition),
            then,
            otherwise,
        };
        self.push(comments, kind, out);
        Ok(())
    }

    pub(super) fn case(&mut self, m: &VerilogMatch, out: &mut Vec<Stmt>) -> Result<(), Cause> {
        let test = self.typer.operand(&m.test)?;
        let ty = match &test {
            Operand::Typed(expr) => expr.ty,
            _ => Type::bits(64),
        };
        let test = match test {
            Operand::Typed(expr) => expr,
            Operand::State(name) => self.typer.state(&name, None)?,
            Operand::Number(value) => {
                let number = self.typer.number(&value, ty);
                number.ok_or_else(|| Cause::Literal {
                    literal: value.to_string(),
                    width: ty.width,
                    expression: source::text(&m.test),
                })?
            }
        };
        let comments = std::mem::take(&mut self.comments);
        let mut arms: Vec<Arm> = Vec::new();
        let mut otherwise = None;
        for case in &m.cases {
            if case.condition == "default" {
                otherwise = Some(self.nested(&case.block));
                break;
            }
            // A number beyond the width, or one that an arm above has taken, is never matched.
            let Some(label) = self.label(&case.condition, ty)? else {
                continue;
            };
            if arms.iter().any(|arm| arm.label.value() == label.value()) {
                continue;
            }
            if test.value().is_some_and(|v| Some(v) == label.value()) {
                otherwise = Some(self.nested(&case.block));
                arms.clear();
                break;
            }
            if test.value().is_none() {
                let body = self.nested(&case.block);
                let label = Rc::new(label);
                arms.push(Arm { label, body });
            }
        }
        // Rust's `match` is complete: without `_`, the last arm is what remains, also for encodings no state has.
        let otherwise = match otherwise {
            Some(body) => body,
            None => arms.pop().map(|last| last.body).unwrap_or_default(),
        };
        if arms.is_empty() {
            let mut decided = otherwise;
            if let Some(first) = decided.first_mut() {
                first.comments.splice(0..0, comments);
            }
            out.extend(decided);
            return Ok(());
        }
        let kind = Kind::Case {
            test: Rc::new(test),
            arms,
            otherwise,
        };
        self.push(comments, kind, out);
        Ok(())
    }

    /// The label of an arm; `None` for a number that the test cannot have.
    fn label(&mut self, pattern: &str, ty: Type) -> Result<Option<Expr>, Cause> {
        match pattern {
            "true" => return Ok(Some(Expr::bool(true))),
            "false" => return Ok(Some(Expr::bool(false))),
            _ => {}
        }
        if let Some(value) = literal::parse(pattern) {
            return Ok(self.typer.number(&value, ty));
        }
        self.typer.state(pattern, Some(ty)).map(Some)
    }
}
