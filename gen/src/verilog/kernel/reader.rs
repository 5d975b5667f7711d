//! Statements of a kernel: loops unrolled, names resolved, expressions typed, decided branches taken.

use super::statement::{Kind, Stmt};
use crate::verilog::error::{rust_name, Cause};
use crate::verilog::scope::{Form, Role, SigId, Type};
use crate::verilog::typing::{literal, source, Operand, Typer};
use crate::verilog::walk::comment_text;
use num_bigint::BigInt;
use rust_hdl::core::ast::{
    VerilogExpression as Ast, VerilogLink, VerilogLinkDetails, VerilogLoop, VerilogStatement,
};
use std::rc::Rc;

/// Two ends of a bidirectional link, as the block tree names them.
pub type Pair = (SigId, SigId);

/// Reads the statements of one kernel.
pub struct Reader<'a> {
    pub typer: Typer<'a>,
    /// Bidirectional links, which are nets, not statements.
    pub pairs: Vec<Pair>,
    pub causes: Vec<Cause>,
    pub(super) comments: Vec<String>,
}

impl<'a> Reader<'a> {
    pub fn new(typer: Typer<'a>) -> Self {
        Self {
            typer,
            pairs: Vec::new(),
            causes: Vec::new(),
            comments: Vec::new(),
        }
    }

    /// The statements of the kernel, and the comments after the last.
    pub fn kernel(&mut self, block: &[VerilogStatement]) -> (Vec<Stmt>, Vec<String>) {
        let mut stmts = Vec::new();
        self.block(block, &mut stmts);
        (stmts, std::mem::take(&mut self.comments))
    }

    pub(super) fn nested(&mut self, block: &[VerilogStatement]) -> Vec<Stmt> {
        let outer = std::mem::take(&mut self.comments);
        let mut stmts = Vec::new();
        self.block(block, &mut stmts);
        // A comment after the last statement of a block goes to what follows the block.
        let left = std::mem::replace(&mut self.comments, outer);
        self.comments.extend(left);
        stmts
    }

    pub(super) fn block(&mut self, block: &[VerilogStatement], out: &mut Vec<Stmt>) {
        for statement in block {
            if let Err(cause) = self.statement(statement, out) {
                self.causes.push(cause);
            }
        }
    }

    pub(super) fn push(&mut self, comments: Vec<String>, kind: Kind, out: &mut Vec<Stmt>) {
        out.push(Stmt { comments, kind });
    }

    pub(super) fn statement(
        &mut self,
        stmt: &VerilogStatement,
        out: &mut Vec<Stmt>,
    ) -> Result<(), Cause> {
        match stmt {
            VerilogStatement::Comment(text) => {
                let text = comment_text(text);
                self.comments.extend(text.lines().map(str::to_string));
                Ok(())
            }
            VerilogStatement::Macro(block) => {
                self.block(block, out);
                Ok(())
            }
            VerilogStatement::Assignment(target, value) => {
                let target = self.target(target)?;
                let ty = self.typer.builder.scope.ty(target);
                self.assign(target, 0, ty, value, out)
            }
            VerilogStatement::SliceAssignment {
                base,
                width,
                offset,
                replacement,
            } => {
                let target = self.target(base)?;
                let low = match self.typer.operand(offset)? {
                    Operand::Number(low) => usize::try_from(low).ok(),
                    Operand::Typed(low) => low.value().and_then(|v| usize::try_from(v).ok()),
                    Operand::State(_) => None,
                };
                let fits = |low: &usize| low + width <= self.typer.builder.scope.ty(target).width;
                let low = low.filter(fits).ok_or_else(|| Cause::Unsupported {
                    expression: source::text(offset),
                    why: "a field is assigned at a constant offset inside the signal",
                })?;
                let ty = match self.typer.builder.scope.ty(target).form {
                    Form::Struct(id) => self.typer.field(id, low, *width),
                    _ => Type::bits(*width),
                };
                self.assign(target, low, ty, replacement, out)
            }
            VerilogStatement::If(conditional) => self.conditional(conditional, out),
            VerilogStatement::Match(m) => self.case(m, out),
            VerilogStatement::Loop(l) => self.unroll(l, out),
            VerilogStatement::Link(links) => {
                for link in links {
                    if let Err(cause) = self.link(link, out) {
                        self.causes.push(cause);
                    }
                }
                Ok(())
            }
        }
    }

    fn assign(
        &mut self,
        target: SigId,
        low: usize,
        ty: Type,
        value: &Ast,
        out: &mut Vec<Stmt>,
    ) -> Result<(), Cause> {
        let comments = std::mem::take(&mut self.comments);
        let expr = self.typer.at_type(value, ty)?;
        if expr.ty.width != ty.width {
            return Err(Cause::AssignedWidth {
                signal: self.path(target),
                width: ty.width,
                expression: source::text(value),
                found: expr.ty.width,
            });
        }
        let value = Rc::new(expr);
        self.push(comments, Kind::Assign { target, low, value }, out);
        Ok(())
    }

    fn unroll(&mut self, l: &VerilogLoop, out: &mut Vec<Stmt>) -> Result<(), Cause> {
        let bound = |literal| {
            let (value, _): (BigInt, usize) = literal::read(literal);
            i64::try_from(value).map_err(|_| Cause::Unsupported {
                expression: l.index.clone(),
                why: "a loop bound that is no number of 63 bits",
            })
        };
        for value in bound(&l.from)?..bound(&l.to)? {
            self.typer.loops.push((l.index.clone(), value));
            self.block(&l.block, out);
            self.typer.loops.pop();
        }
        Ok(())
    }

    fn link(&mut self, link: &VerilogLink, out: &mut Vec<Stmt>) -> Result<(), Cause> {
        let ends = |details: &VerilogLinkDetails| {
            let end = |side: &str| match details.my_name.trim_start_matches('.') {
                "" => side.to_string(),
                field => format!("{side}${field}"),
            };
            (end(&details.owner_name), end(&details.other_name))
        };
        let (target, value) = match link {
            VerilogLink::Forward(details) => {
                let (owner, other) = ends(details);
                (other, owner)
            }
            VerilogLink::Backward(details) => ends(details),
            VerilogLink::Bidirectional(details) => {
                let (owner, other) = ends(details);
                let pair = (self.signal(&owner)?, self.signal(&other)?);
                self.pairs.push(pair);
                return Ok(());
            }
        };
        let target = self.target(&Ast::Signal(target))?;
        let ty = self.typer.builder.scope.ty(target);
        self.assign(target, 0, ty, &Ast::Signal(value), out)
    }

    fn signal(&self, name: &str) -> Result<SigId, Cause> {
        let resolved = self.typer.resolve(name)?;
        let unknown = || Cause::UnknownName {
            name: rust_name(&resolved),
        };
        self.typer.builder.scope.find(&resolved).ok_or_else(unknown)
    }

    /// The signal that an assignment drives.
    fn target(&self, target: &Ast) -> Result<SigId, Cause> {
        let Ast::Signal(name) = target else {
            return Err(Cause::Unsupported {
                expression: source::text(target),
                why: "only a signal can be assigned",
            });
        };
        // rust-hdl writes `signal$next`, and a signal may itself be called `next`.
        let short = name.trim_end().strip_suffix("$next").unwrap_or(name);
        let id = self
            .signal(short)
            .or_else(|_| self.signal(name))
            .map_err(|_| {
                self.signal(short).err().unwrap_or(Cause::UnknownName {
                    name: rust_name(short),
                })
            })?;
        let signal = self.path(id);
        match self.typer.builder.scope.signals[id].role {
            Role::Output | Role::Local | Role::ChildInput(_) | Role::Intermediate => Ok(id),
            Role::Input => Err(Cause::WrittenInput { signal }),
            Role::ChildOutput(_) => Err(Cause::WrittenOutput { signal }),
            Role::Constant(_) => Err(Cause::WrittenConstant { signal }),
            Role::InOut | Role::ChildInOut(_) => Err(Cause::WrittenInOut { signal }),
        }
    }

    fn path(&self, id: SigId) -> String {
        self.typer.builder.scope.rust_name(id)
    }
}
