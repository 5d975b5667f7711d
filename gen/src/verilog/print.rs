//! Expressions and processes as Verilog text.

use super::expr::{ConstName, Expr, Node, Op, Reduction};
use super::layout::INDENT;
use super::process::{Body, Process};
use super::scope::{Scope, SigId};
use super::statement::{Kind, Stmt};
use std::collections::HashMap;
use std::fmt::Write;

/// Knows the names of a module.
pub struct Printer<'a> {
    pub scope: &'a Scope,
    /// By signal; empty for what is not printed.
    pub signals: Vec<String>,
    pub constants: HashMap<ConstName, String>,
}

/// A line longer than this is broken.
const LINE: usize = 110;

impl Printer<'_> {
    /// The expression, without parentheses around it.
    pub fn expr(&self, e: &Expr) -> String {
        let mut out = String::new();
        self.write(&mut out, e);
        out
    }

    fn name(&self, id: SigId) -> &str {
        &self.signals[id]
    }

    fn write(&self, out: &mut String, e: &Expr) {
        match &e.node {
            Node::Const { value, name } => match name.and_then(|n| self.constants.get(&n)) {
                Some(name) => out.push_str(name),
                None => out.push_str(&constant(value, e.ty.width)),
            },
            Node::Signal(id) => out.push_str(self.name(*id)),
            Node::Part { of, low } => {
                let name = self.name(*of);
                let text = match e.ty.width {
                    1 => format!("{name}[{low}]"),
                    width => format!("{name}[{}:{low}]", low + width - 1),
                };
                out.push_str(&text);
            }
            Node::Bit { of, index } => {
                out.push_str(self.name(*of));
                out.push('[');
                self.write(out, index);
                out.push(']');
            }
            Node::Not(a) => {
                out.push(if a.ty.width == 1 { '!' } else { '~' });
                self.primary(out, a);
            }
            Node::Neg(a) => {
                out.push('-');
                self.primary(out, a);
            }
            Node::Reduce(how, a) => {
                out.push(match how {
                    Reduction::And => '&',
                    Reduction::Or => '|',
                    Reduction::Xor => '^',
                });
                self.primary(out, a);
            }
            Node::Binary(op, a, b) => self.binary(out, *op, a, b),
            Node::Concat(parts) => {
                out.push('{');
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.write(out, part);
                }
                out.push('}');
            }
            Node::Repeat(count, a) => {
                out.push_str(&format!("{{{count}{{"));
                self.write(out, a);
                out.push_str("}}");
            }
            Node::Mux(condition, a, b) => {
                self.operand(out, condition);
                out.push_str(" ? ");
                self.operand(out, a);
                out.push_str(" : ");
                self.operand(out, b);
            }
        }
    }

    fn binary(&self, out: &mut String, op: Op, a: &Expr, b: &Expr) {
        let ordered = matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge);
        let shift = matches!(op, Op::Shl | Op::Shr);
        if ordered && a.ty.is_signed() {
            out.push_str("$signed(");
            self.write(out, a);
            out.push_str(&format!(") {} $signed(", op.symbol()));
            self.write(out, b);
            out.push(')');
            return;
        }
        match &a.node {
            Node::Binary(inner, ..) if *inner == op && op.chains() => self.write(out, a),
            _ => self.operand(out, a),
        }
        out.push(' ');
        out.push_str(op.symbol());
        out.push(' ');
        match b.value() {
            Some(amount) if shift => out.push_str(&amount.to_string()),
            _ => self.operand(out, b),
        }
    }

    /// The expression as an operand of an operator of two: in parentheses unless nothing could tear it apart.
    fn operand(&self, out: &mut String, e: &Expr) {
        match e.node {
            Node::Not(_) => self.write(out, e),
            _ => self.primary(out, e),
        }
    }

    /// The expression as an operand of a prefix: Verilog has no prefix before a prefix.
    fn primary(&self, out: &mut String, e: &Expr) {
        let is_primary = matches!(
            e.node,
            Node::Const { .. }
                | Node::Signal(_)
                | Node::Part { .. }
                | Node::Bit { .. }
                | Node::Concat(_)
                | Node::Repeat(..)
        );
        if is_primary {
            self.write(out, e);
        } else {
            out.push('(');
            self.write(out, e);
            out.push(')');
        }
    }

    /// The process as a paragraph of the module.
    pub fn process(&self, process: &Process) -> String {
        let mut out = String::new();
        comments(&mut out, &process.comments, 1);
        match &process.body {
            Body::Always(value) => {
                let name = self.name(process.target);
                line(
                    &mut out,
                    1,
                    &format!("assign {name} = {};", self.expr(value)),
                );
            }
            Body::Depends(stmts) => {
                line(&mut out, 1, "always @(*) begin");
                self.stmts(&mut out, stmts, 2);
                line(&mut out, 1, "end");
            }
        }
        out
    }

    fn stmts(&self, out: &mut String, stmts: &[Stmt], depth: usize) {
        for stmt in stmts {
            comments(out, &stmt.comments, depth);
            self.stmt(out, stmt, depth, "");
        }
    }

    /// `before` stands in front of the statement on its first line, such as `end else `.
    fn stmt(&self, out: &mut String, stmt: &Stmt, depth: usize, before: &str) {
        match &stmt.kind {
            Kind::Assign { target, low, value } => {
                let (name, width) = (self.name(*target), value.ty.width);
                let place = match (width, self.scope.ty(*target).width == width) {
                    (_, true) => name.to_string(),
                    (1, _) => format!("{name}[{low}]"),
                    _ => format!("{name}[{}:{low}]", low + width - 1),
                };
                line(out, depth, &format!("{place} = {};", self.expr(value)));
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let mut test = self.expr(condition);
                let (then, otherwise) = match then.is_empty() {
                    true => {
                        test = format!("!({test})");
                        (otherwise, then)
                    }
                    false => (then, otherwise),
                };
                line(out, depth, &format!("{before}if ({test}) begin"));
                self.stmts(out, then, depth + 1);
                match otherwise.as_slice() {
                    [] => line(out, depth, "end"),
                    [next] if matches!(next.kind, Kind::If { .. }) && next.comments.is_empty() => {
                        self.stmt(out, next, depth, "end else ")
                    }
                    _ => {
                        line(out, depth, "end else begin");
                        self.stmts(out, otherwise, depth + 1);
                        line(out, depth, "end");
                    }
                }
            }
            Kind::Case {
                test,
                arms,
                otherwise,
            } => {
                line(out, depth, &format!("case ({})", self.expr(test)));
                for arm in arms {
                    self.arm(out, &self.expr(&arm.label), &arm.body, depth + 1);
                }
                self.arm(out, "default", otherwise, depth + 1);
                line(out, depth, "endcase");
            }
        }
    }

    fn arm(&self, out: &mut String, label: &str, body: &[Stmt], depth: usize) {
        match body {
            [] => line(out, depth, &format!("{label}: ;")),
            [only] if matches!(only.kind, Kind::Assign { .. }) && only.comments.is_empty() => {
                let mut text = String::new();
                self.stmt(&mut text, only, depth, "");
                let _ = write!(
                    out,
                    "{}{label}: {}",
                    INDENT.repeat(depth),
                    text.trim_start()
                );
            }
            _ => {
                line(out, depth, &format!("{label}: begin"));
                self.stmts(out, body, depth + 1);
                line(out, depth, "end");
            }
        }
    }
}

/// A sized constant.
pub fn constant(value: &num_bigint::BigUint, width: usize) -> String {
    match width {
        1 => format!("1'b{value}"),
        _ if *value < 10u8.into() => format!("{width}'d{value}"),
        _ => format!("{width}'h{value:x}"),
    }
}

/// Comment lines.
pub fn comments(out: &mut String, comments: &[String], depth: usize) {
    for comment in comments {
        let _ = writeln!(out, "{}// {}", INDENT.repeat(depth), comment.trim());
    }
}

/// One line of code, broken at spaces if it is long.
pub fn line(out: &mut String, depth: usize, code: &str) {
    let mut indent = INDENT.repeat(depth);
    let mut rest = code;
    while indent.len() + rest.len() > LINE {
        let limit = LINE - indent.len().min(LINE / 2);
        let Some(at) = rest[..limit.min(rest.len())]
            .rfind(' ')
            .or_else(|| rest.find(' '))
        else {
            break;
        };
        let _ = writeln!(out, "{indent}{}", &rest[..at]);
        indent = INDENT.repeat(depth + 2);
        rest = &rest[at + 1..];
    }
    let _ = writeln!(out, "{indent}{rest}");
}
