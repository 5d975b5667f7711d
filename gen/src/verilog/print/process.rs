//! Processes as Verilog text.

use super::lines::{comments, line, INDENT};
use super::Printer;
use crate::verilog::kernel::process::{Body, Process};
use crate::verilog::kernel::statement::{Kind, Stmt};
use std::fmt::Write;

impl Printer<'_> {
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
