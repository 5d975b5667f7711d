//! Verilog text: expressions here, [`process`]es and the [`layout`] of a module beside it.

pub mod layout;
mod lines;
mod process;

use crate::verilog::expr::{ConstName, Expr, Node, Op, Reduction};
use crate::verilog::scope::{Scope, SigId};
use num_bigint::BigUint;
use std::collections::HashMap;

/// Knows the names of a module.
pub struct Printer<'a> {
    pub scope: &'a Scope,
    /// By signal; empty for what is not printed.
    pub signals: Vec<String>,
    pub constants: HashMap<ConstName, String>,
}

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
}

/// A sized constant.
pub fn constant(value: &BigUint, width: usize) -> String {
    match width {
        1 => format!("1'b{value}"),
        _ if *value < 10u8.into() => format!("{width}'d{value}"),
        _ => format!("{width}'h{value:x}"),
    }
}
