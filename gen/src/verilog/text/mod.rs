//! A block that brings its own Verilog as a module: `Verilog::Custom`, `Wrapper`, `Blackbox`.
//!
//! The text is taken as it is, with two exceptions. Names change, where a port or a child's port needs another name in
//! Verilog than in the block tree. As in rust-hdl, the text writes the port `d` of the child `c` as `c$d`. And a literal
//! that is all a signal is assigned gets the signal's width: rust-hdl's own `DFF` writes the state of an enum in 64 bits.

pub mod tokens;

use crate::verilog::design::module::{self, Child, External, Lowered};
use crate::verilog::error::Cause;
use crate::verilog::expr::ConstName;
use crate::verilog::names::Names;
use crate::verilog::print::layout::{Declaration, Instance, Layout, Pin, INDENT};
use crate::verilog::scope::{Role, Scope, SigId, Types};
use crate::verilog::walk::AtomInfo;
use num_bigint::BigUint;
use rust_hdl::core::ast::{BlackBox, Wrapper};
use std::collections::{HashMap, HashSet};
use tokens::{procedural_targets, tokens, Kind, Token};

/// The module of a `Custom` text.
pub fn custom(
    text: &str,
    atoms: &[AtomInfo],
    children: &[Child],
    types: &Types,
) -> Result<Lowered, Vec<Cause>> {
    let scope = module::scope(atoms, children)?;
    let text = without_name(text);
    let page = Page::new(&text, &scope);
    let mut causes = Vec::new();
    for (id, signal) in scope.signals.iter().enumerate() {
        if matches!(signal.role, Role::ChildInput(_)) && !page.mentions(id) {
            causes.push(Cause::Undriven {
                signal: scope.rust_name(id),
            });
        }
    }
    if causes.is_empty() {
        Ok(page.lower(atoms, children, types, Vec::new()))
    } else {
        Err(causes)
    }
}

/// The module around external cores, whose declarations come along. It drives its outputs as nets and has neither
/// locals nor children of its own.
pub fn wrapper(
    wrapper: &Wrapper,
    atoms: &[AtomInfo],
    types: &Types,
) -> Result<Lowered, Vec<Cause>> {
    let ports: Vec<AtomInfo> = atoms
        .iter()
        .filter(|atom| atom.role != Role::Local)
        .cloned()
        .collect();
    let scope = module::scope(&ports, &[])?;
    let text = without_name(&wrapper.code);
    let mut page = Page::new(&text, &scope);
    page.procedural.clear();
    Ok(page.lower(&ports, &[], types, externals(&wrapper.cores)))
}

/// A black box has no module of ours, only its declaration.
pub fn black_box(black_box: &BlackBox, atoms: &[AtomInfo]) -> Result<Lowered, Vec<Cause>> {
    module::scope(atoms, &[])?;
    Ok(Lowered {
        ports: module::port_infos(atoms, |_, path| path.to_string()),
        names: Names::default(),
        pieces: Vec::new(),
        externals: vec![External {
            name: black_box.name.clone(),
            code: black_box.code.trim().to_string(),
        }],
    })
}

/// The modules in a text of declarations, each with what stands before it.
fn externals(code: &str) -> Vec<External> {
    let mut list = Vec::new();
    let (mut start, mut at, mut name) = (0, 0, None);
    let mut previous = "";
    for token in tokens(code) {
        at += token.text.len();
        if token.kind != Kind::Name {
            continue;
        }
        if previous == "module" {
            name = Some(token.text.to_string());
        }
        if token.text == "endmodule" {
            if let Some(name) = name.take() {
                let code = code[start..at].trim().to_string();
                list.push(External { name, code });
            }
            start = at;
        }
        previous = token.text;
    }
    list
}

/// The text without the comment that names the module.
fn without_name(text: &str) -> String {
    let is_name = |line: &str| {
        let comment = line.trim().strip_prefix("//");
        comment.is_some_and(|c| c.trim().starts_with("module:"))
    };
    let mut lines = text.lines().skip_while(|line| line.trim().is_empty());
    let first = lines.next().filter(|line| !is_name(line));
    let all: Vec<&str> = first.into_iter().chain(lines).collect();
    all.join("\n")
}

/// A text and what it says about the signals of its block.
struct Page<'a> {
    scope: &'a Scope,
    tokens: Vec<Token<'a>>,
    mentioned: HashSet<&'a str>,
    procedural: HashSet<&'a str>,
}

impl<'a> Page<'a> {
    fn new(text: &'a str, scope: &'a Scope) -> Self {
        let tokens = tokens(text);
        let names = tokens.iter().filter(|t| t.kind == Kind::Name);
        Page {
            scope,
            mentioned: names.map(|t| t.text).collect(),
            procedural: procedural_targets(&tokens).into_iter().collect(),
            tokens,
        }
    }

    fn mentions(&self, id: SigId) -> bool {
        self.mentioned
            .contains(self.scope.signals[id].path.as_str())
    }

    fn is_reg(&self, id: SigId) -> bool {
        self.procedural
            .contains(self.scope.signals[id].path.as_str())
    }

    fn lower(
        &self,
        atoms: &[AtomInfo],
        children: &[Child],
        types: &Types,
        externals: Vec<External>,
    ) -> Lowered {
        let mut names = Names::default();
        let signals = &self.scope.signals;
        let foreign = |name: &&&str| self.scope.find(name).is_none();
        names.reserve(self.mentioned.iter().filter(foreign).map(|n| n.to_string()));
        let mut renamed: HashMap<String, String> = HashMap::new();
        let mut layout = Layout::default();
        let ports = module::port_infos(atoms, |_, path| {
            let name = names.claim(path);
            renamed.insert(path.to_string(), name.clone());
            name
        });
        for ((id, _, atom), port) in module::ports(atoms).zip(&ports) {
            let unread = atom.role != Role::Output && !self.mentions(id);
            let signed = port.ty.is_signed();
            let declared = module::declare_port(port, self.is_reg(id), signed, unread);
            layout.ports.push(declared);
        }
        let instances: Vec<String> = children
            .iter()
            .map(|child| names.claim_apart(&child.name, &child.names))
            .collect();
        for (id, signal) in signals.iter().enumerate() {
            let is_port = matches!(signal.role, Role::Input | Role::Output | Role::InOut);
            if is_port || !self.mentions(id) {
                continue;
            }
            if let Role::Constant(_) = signal.role {
                let name = ConstName::Atom(id);
                let constant = module::constant(name, &mut names, self.scope, types);
                renamed.insert(signal.path.clone(), constant.0.clone());
                layout.constants.push(constant);
                continue;
            }
            let name = names.claim(&signal.path);
            renamed.insert(signal.path.clone(), name.clone());
            layout.nets.push(Declaration {
                direction: None,
                is_reg: self.is_reg(id),
                signed: signal.ty.is_signed(),
                width: signal.ty.width,
                name,
                partly_read: false,
            });
        }
        for id in &self.scope.enums {
            for (position, state) in types.get(*id).states.iter().enumerate() {
                let written = state.replace("::", "$");
                if self.mentioned.contains(written.as_str()) {
                    let name = ConstName::State(*id, position);
                    let constant = module::constant(name, &mut names, self.scope, types);
                    renamed.insert(written, constant.0.clone());
                    layout.constants.push(constant);
                }
            }
        }
        layout.instances = children
            .iter()
            .zip(instances)
            .map(|(child, name)| instance(child, name, &renamed))
            .collect();
        layout.logic.push(self.body(&renamed));
        Lowered {
            ports,
            names,
            pieces: layout.render(),
            externals,
        }
    }

    /// The literal at this place with the width of the signal that it alone is assigned to.
    fn fitted(&self, index: usize) -> Option<String> {
        let code = |token: &&Token| token.kind != Kind::Blank;
        let mut before = self.tokens[..index].iter().rev().filter(code);
        let assigns = matches!(before.next()?.text, "=" | "<=");
        let ends = self.tokens[index + 1..].iter().find(code)?.text == ";";
        let signal = self.scope.find(before.next()?.text)?;
        let width = self.scope.signals[signal].ty.width;
        (assigns && ends).then(|| resized(self.tokens[index].text, width))?
    }

    /// The text with the names of this module, at its indentation.
    fn body(&self, renamed: &HashMap<String, String>) -> String {
        let mut text = String::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let new = match token.kind {
                Kind::Name => renamed.get(token.text).cloned(),
                Kind::Other => self.fitted(index),
                Kind::Blank => None,
            };
            text.push_str(new.as_deref().unwrap_or(token.text));
        }
        let lines = || text.lines().filter(|line| !line.trim().is_empty());
        let margin = |line: &str| line.len() - line.trim_start().len();
        let margin = lines().map(margin).min().unwrap_or_default();
        let mut out = String::new();
        let body = text.trim_matches(|c: char| c.is_whitespace() && c != ' ');
        for line in body.trim_end().lines() {
            let line = line.get(margin..).unwrap_or_default().trim_end();
            let indent = if line.is_empty() { "" } else { INDENT };
            out.push_str(&format!("{indent}{line}\n"));
        }
        out
    }
}

/// A sized hexadecimal literal with another width, if it has a place in it.
fn resized(literal: &str, width: usize) -> Option<String> {
    let (size, digits) = literal.split_once("'h")?;
    let value = BigUint::parse_bytes(digits.as_bytes(), 16)?;
    let differs = size.parse() != Ok(width);
    (differs && value.bits() <= width as u64).then(|| format!("{width}'h{value:x}"))
}

fn instance(child: &Child, name: String, renamed: &HashMap<String, String>) -> Instance {
    let pins = child.ports.iter().map(|port| Pin {
        port: port.name.clone(),
        net: renamed
            .get(&format!("{}${}", child.name, port.path))
            .cloned(),
    });
    Instance {
        comments: Vec::new(),
        module: child.module.unwrap_or_default(),
        pins: pins.collect(),
        name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_resized_where_its_value_has_a_place() {
        assert_eq!(resized("64'h5", 3).as_deref(), Some("3'h5"));
        assert_eq!(resized("1'h1", 70).as_deref(), Some("70'h1"));
        for (literal, width) in [("64'h8", 3), ("3'h5", 3), ("5", 3), ("3'b101", 4), ("x", 1)] {
            assert_eq!(resized(literal, width), None, "{literal} in {width} bits");
        }
    }
}
