//! A design as Rust source text: the text of a module file that needs nothing but the project's crates.

mod block;
mod expression;
mod statement;

use super::tree::*;

/// What every file begins with.
const HEAD: &str = "\
use fantree_hdl::cells::{Register, StateRegister};
use fantree_hdl::kernel;
use fantree_hdl::ports::{FromWords, Ports};
use fantree_hdl::wire::{any_of, bits_of, cat, or_of, replicate, Value, Wire};
use rust_hdl::prelude::*;

macro_rules! comment {
    ($($text:tt)*) => {};
}

fn many<T>(count: usize, make: impl FnMut(usize) -> T) -> Vec<T> {
    (0..count).map(make).collect()
}
";

/// The design as the text of a Rust file with a function `make` that gives the top block.
pub fn source(design: &Design) -> String {
    let mut text = String::from(HEAD);
    for block in design.used_blocks() {
        text += "\n";
        text += &Printer { design, block }.block();
    }
    let top = &design.blocks[design.top()].name;
    text += &format!(
        "\npub fn make() -> {top}::Unit {{\n    {top}::Unit::new({}, &{:?})\n}}\n",
        TOP.width, TOP.words
    );
    text
}

/// What the top is made with.
const TOP: Instance = Instance {
    width: 1,
    words: [
        0x9e37_79b9,
        0x7f4a_7c15,
        0xf39c_c060,
        0x5ced_c834,
        0x2545_f491,
    ],
};

/// Writes one block.
struct Printer<'a> {
    design: &'a Design,
    block: usize,
}

impl Printer<'_> {
    fn is_plain(&self) -> bool {
        self.design.style == Style::Plain
    }

    /// A type of some block, as this block calls it.
    fn type_name(&self, ty: Type) -> String {
        let name = self
            .design
            .definition(ty)
            .map_or("", |definition| &definition.name);
        match ty {
            Type::Named { block, .. } if block != self.block => {
                format!("{}::{name}", self.design.blocks[block].name)
            }
            _ => name.to_owned(),
        }
    }

    /// The signal, as in `self.fifo[i].data`.
    fn path(&self, path: &Path) -> String {
        let field = &self.design.blocks[self.block].fields[&path.field];
        let mut text = format!("self.{}{}", field.name, indexes(&path.at));
        match &path.port {
            Port::Field => {}
            Port::D => text += ".d",
            Port::Q => text += ".q",
            Port::Of(port, at) => {
                if let Role::Child(child) = &field.role {
                    let port = &self.design.blocks[child.block].fields[port];
                    text += &format!(".{}{}", port.name, indexes(at));
                }
            }
        }
        text
    }

    fn state(&self, ty: Type, state: usize) -> String {
        let states = self.design.states(ty);
        format!("{}::{}", self.type_name(ty), states[state])
    }
}

fn indexes(at: &[Index]) -> String {
    at.iter()
        .map(|index| format!("[{}]", index_text(*index)))
        .collect()
}

/// A loop variable.
fn variable(id: usize) -> String {
    const NAMES: [&str; 5] = ["i", "j", "k", "m", "n"];
    NAMES
        .get(id)
        .map_or_else(|| format!("i{id}"), |name| name.to_string())
}

fn index_text(index: Index) -> String {
    match index {
        Index::Fixed(n) => n.to_string(),
        Index::Plus(i, 0) => variable(i),
        Index::Plus(i, n) => format!("{} + {n}", variable(i)),
        Index::From(n, i) => format!("{n} - {}", variable(i)),
        Index::Times(i, n, 0) => format!("{} * {n}", variable(i)),
        Index::Times(i, n, m) => format!("{} * {n} + {m}", variable(i)),
        Index::Ring(i, n, m) => format!("({} + {n}) % {m}", variable(i)),
    }
}
