//! Walks a tree of blocks with rust-hdl's `Probe` and notes what each block is made of.

use super::expr::fold;
use super::scope::{EnumId, Role, Type, Types};
use super::typing::literal;
use rust_hdl::core::ast::{Verilog, VerilogStatement};
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::block::Block;
use rust_hdl::core::probe::Probe;

/// A signal as a block has it.
#[derive(Clone, Debug)]
pub struct AtomInfo {
    pub path: String,
    pub role: Role,
    pub ty: Type,
    pub enums: Vec<EnumId>,
}

/// A block whose children have all been seen.
pub struct Seen<C> {
    /// Instance names from the top to this block.
    pub trail: Vec<String>,
    pub hdl: Verilog,
    pub atoms: Vec<AtomInfo>,
    pub children: Vec<C>,
}

/// Receives the blocks, children first.
pub trait Visitor {
    /// What a parent needs to know of a child.
    type Child;

    /// A block is complete; `name` is its name in its parent.
    fn block(&mut self, name: String, seen: Seen<Self::Child>, types: &Types) -> Self::Child;
}

struct Frame<C> {
    name: String,
    hdl: Verilog,
    namespaces: Vec<String>,
    atoms: Vec<AtomInfo>,
    children: Vec<C>,
}

struct Walker<'a, V: Visitor> {
    visitor: &'a mut V,
    types: Types,
    frames: Vec<Frame<V::Child>>,
    roots: Vec<V::Child>,
    stray: bool,
}

/// Visits every block of the tree. Gives the topmost ones, which is one for a proper block, and whether there are
/// signals outside of all blocks.
pub fn walk<V: Visitor>(block: &dyn Block, name: &str, visitor: &mut V) -> (Vec<V::Child>, bool) {
    let mut walker = Walker {
        visitor,
        types: Types::default(),
        frames: Vec::new(),
        roots: Vec::new(),
        stray: false,
    };
    block.accept(name, &mut walker);
    (walker.roots, walker.stray)
}

impl<V: Visitor> Walker<'_, V> {
    /// The name with the interfaces around it.
    fn full_name(&self, name: &str) -> String {
        match self.frames.last() {
            Some(frame) if !frame.namespaces.is_empty() => {
                format!("{}${name}", frame.namespaces.join("$"))
            }
            _ => name.to_string(),
        }
    }
}

impl<V: Visitor> Probe for Walker<'_, V> {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let name = self.full_name(name);
        self.frames.push(Frame {
            name,
            hdl: node.hdl(),
            namespaces: Vec::new(),
            atoms: Vec::new(),
            children: Vec::new(),
        });
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        match self.frames.last_mut() {
            Some(frame) => frame.namespaces.push(name.to_string()),
            None => self.stray = true,
        }
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let path = self.full_name(name);
        let width = signal.bits();
        let mut enums = Vec::new();
        let ty = Type {
            width,
            ..self.types.describe(&signal.descriptor(), &mut enums)
        };
        let role = match signal.kind() {
            AtomKind::InputParameter | AtomKind::StubInputSignal => Role::Input,
            AtomKind::OutputParameter
            | AtomKind::OutputPassthrough
            | AtomKind::StubOutputSignal => Role::Output,
            AtomKind::InOutParameter => Role::InOut,
            AtomKind::LocalSignal => Role::Local,
            AtomKind::Constant => {
                let (value, _) = literal::read(&signal.verilog());
                Role::Constant(fold::wrap(&value, width))
            }
        };
        match self.frames.last_mut() {
            Some(frame) => frame.atoms.push(AtomInfo {
                path,
                role,
                ty,
                enums,
            }),
            None => self.stray = true,
        }
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        if let Some(frame) = self.frames.last_mut() {
            frame.namespaces.pop();
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        let trail = self.frames.iter().map(|f| f.name.clone()).collect();
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let seen = Seen {
            trail,
            hdl: frame.hdl,
            atoms: frame.atoms,
            children: frame.children,
        };
        let child = self.visitor.block(frame.name, seen, &self.types);
        match self.frames.last_mut() {
            Some(parent) => parent.children.push(child),
            None => self.roots.push(child),
        }
    }
}

/// The module name that a block declares for itself.
pub fn declared_name(hdl: &Verilog) -> Option<String> {
    let text = match hdl {
        Verilog::Combinatorial(block) => match block.first() {
            Some(VerilogStatement::Comment(text)) => comment_text(text),
            _ => return None,
        },
        Verilog::Custom(text) => first_comment(text)?,
        Verilog::Wrapper(wrapper) => first_comment(&wrapper.code)?,
        Verilog::Blackbox(black_box) => return Some(black_box.name.clone()),
        Verilog::Empty => return None,
    };
    let name = text.strip_prefix("module:")?.trim();
    (!name.is_empty()).then(|| name.to_string())
}

/// What a `comment!` says. rust-hdl's macro cuts the call away by text, but spells it as Rust printed tokens in 2022;
/// with a newer Rust the call is left in front.
pub fn comment_text(text: &str) -> &str {
    let text = text.trim();
    for name in ["comment", "println"] {
        let inside = text.strip_prefix(name).and_then(|rest| {
            let rest = rest.trim_start().strip_prefix('!')?.trim_start();
            rest.strip_prefix('(')?.trim_start().strip_prefix('"')
        });
        if let Some(inside) = inside {
            return inside;
        }
    }
    text
}

fn first_comment(text: &str) -> Option<&str> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    Some(line.trim().strip_prefix("//")?.trim())
}
