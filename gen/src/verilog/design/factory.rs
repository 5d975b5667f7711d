//! Makes the modules of a design.
//!
//! Blocks come children first, so a module's content is known by its own text and the hashes of its children's. Blocks
//! of one content become one module. Two look-ups keep this fast: one by what rust-hdl says of the block, before
//! anything is printed, one by the printed content.

use super::module::{self, Child, External, Lowered, PortInfo};
use super::{Design, Module, Port};
use crate::verilog::error::{rust_name, Cause, EmitError, Fault};
use crate::verilog::names::module_name;
use crate::verilog::print::layout::{ModId, Piece};
use crate::verilog::scope::Types;
use crate::verilog::walk::{self, declared_name, Seen, Visitor};
use crate::verilog::{kernel, text};
use rust_hdl::core::ast::Verilog;
use rust_hdl::core::block::Block;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// Emits a block and everything below it; see [`emit`](crate::verilog::emit).
pub fn emit(block: &dyn Block, top_name: &str) -> Result<Design, EmitError> {
    let mut factory = Factory::default();
    if module_name(top_name) != top_name {
        let cause = Cause::TopName(top_name.to_string());
        factory.fault(&[top_name.to_string()], None, cause);
    }
    let (roots, stray) = walk::walk(block, top_name, &mut factory);
    if stray || roots.len() != 1 {
        factory.fault(&[top_name.to_string()], None, Cause::NotOneBlock);
    }
    if factory.faults.is_empty() {
        Ok(factory.finish(top_name))
    } else {
        Err(EmitError {
            faults: factory.faults,
        })
    }
}

/// A module without a name.
struct Unnamed {
    base: String,
    declared: Option<String>,
    hash: String,
    ports: Rc<Vec<PortInfo>>,
    pieces: Vec<Piece>,
    /// The name of the external module that this stands for.
    external: Option<String>,
    instances: usize,
}

/// Makes modules of blocks.
#[derive(Default)]
struct Factory {
    modules: Vec<Unnamed>,
    by_source: HashMap<String, Child>,
    by_hash: HashMap<String, ModId>,
    externals: BTreeMap<String, External>,
    faults: Vec<Fault>,
}

impl Visitor for Factory {
    type Child = Child;

    fn block(&mut self, name: String, seen: Seen<Child>, types: &Types) -> Child {
        let source = source(&seen);
        if let Some(known) = self.by_source.get(&source) {
            return Child {
                name,
                ..known.clone()
            };
        }
        let child = self.new_block(name, &seen, types);
        self.by_source.insert(source, child.clone());
        child
    }
}

/// Everything that shapes a module, as text.
fn source(seen: &Seen<Child>) -> String {
    let children: Vec<(&str, Option<ModId>)> = seen
        .children
        .iter()
        .map(|child| (child.name.as_str(), child.module))
        .collect();
    format!("{:?}\n{:?}\n{children:?}", seen.hdl, seen.atoms)
}

impl Factory {
    fn fault(&mut self, trail: &[String], module: Option<String>, cause: Cause) {
        let names: Vec<String> = trail.iter().map(|name| rust_name(name)).collect();
        self.faults.push(Fault {
            block: names.join("."),
            module,
            cause,
        });
    }

    fn new_block(&mut self, name: String, seen: &Seen<Child>, types: &Types) -> Child {
        let declared = declared_name(&seen.hdl);
        let is_top = seen.trail.len() == 1;
        let (atoms, children) = (&seen.atoms, &seen.children);
        let lowered = match &seen.hdl {
            Verilog::Empty => kernel::lower(&[], atoms, children, types),
            Verilog::Combinatorial(block) => {
                let named = usize::from(declared.is_some());
                kernel::lower(&block[named..], atoms, children, types)
            }
            Verilog::Custom(code) => text::custom(code, atoms, children, types),
            Verilog::Wrapper(wrapper) => text::wrapper(wrapper, atoms, types),
            Verilog::Blackbox(_) if is_top => Err(vec![Cause::TopIsBlackBox]),
            Verilog::Blackbox(black_box) => text::black_box(black_box, atoms),
        };
        let mut lowered = match lowered {
            Ok(lowered) => lowered,
            Err(causes) => {
                for cause in causes {
                    self.fault(&seen.trail, declared.clone(), cause);
                }
                return Child {
                    name,
                    module: None,
                    ports: Rc::new(module::port_infos(atoms, |_, path| path.to_string())),
                    names: Rc::default(),
                };
            }
        };
        let ports = Rc::new(lowered.ports.clone());
        let names = Rc::new(std::mem::take(&mut lowered.names));
        let sound = children.iter().all(|child| child.module.is_some());
        let external = match &seen.hdl {
            Verilog::Blackbox(black_box) => Some(black_box.name.clone()),
            _ => None,
        };
        for external in &lowered.externals {
            self.external(external.clone(), &seen.trail);
        }
        let base = declared.clone().unwrap_or_else(|| field(&name).to_string());
        let module = sound.then(|| self.intern(base, declared, lowered, ports.clone(), external));
        Child {
            name,
            module,
            ports,
            names,
        }
    }

    fn external(&mut self, new: External, trail: &[String]) {
        let known = self.externals.get(&new.name);
        if known.is_some_and(|known| *known != new) {
            let name = new.name.clone();
            self.fault(trail, None, Cause::ExternalClash { name });
        }
        self.externals.insert(new.name.clone(), new);
    }

    fn intern(
        &mut self,
        base: String,
        declared: Option<String>,
        lowered: Lowered,
        ports: Rc<Vec<PortInfo>>,
        external: Option<String>,
    ) -> ModId {
        let mut hasher = Sha256::new();
        hasher.update(declared.as_deref().unwrap_or_default());
        hasher.update([0]);
        hasher.update(external.as_deref().unwrap_or_default());
        for piece in &lowered.pieces {
            match piece {
                Piece::Text(text) => hasher.update(text),
                Piece::Module(id) => hasher.update(&self.modules[*id].hash),
            }
        }
        let digest = hasher.finalize();
        let hash: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let next = self.modules.len();
        let id = *self.by_hash.entry(hash.clone()).or_insert(next);
        if id == next {
            self.modules.push(Unnamed {
                base: module_name(&base),
                declared,
                hash,
                ports,
                pieces: lowered.pieces,
                external,
                instances: 0,
            });
        }
        id
    }

    fn finish(mut self, top_name: &str) -> Design {
        let top = self.modules.len() - 1;
        self.modules[top].base = top_name.to_string();
        self.count(top);
        let names = self.names(top);
        let mut modules: Vec<Module> = self.externals.values().map(external_module).collect();
        for (unnamed, name) in self.modules.iter().zip(&names) {
            if unnamed.external.is_some() {
                let external = modules.iter_mut().find(|m| m.name == *name);
                if let Some(module) = external {
                    module.instances += unnamed.instances;
                }
                continue;
            }
            let (mut text, mut children) = (format!("module {name}"), Vec::new());
            for piece in &unnamed.pieces {
                match piece {
                    Piece::Text(piece) => text.push_str(piece),
                    Piece::Module(id) => {
                        text.push_str(&names[*id]);
                        children.push(names[*id].clone());
                    }
                }
            }
            modules.push(Module {
                name: name.clone(),
                declared: unnamed.declared.clone(),
                text,
                instances: unnamed.instances,
                children,
                ports: unnamed.ports.iter().map(port).collect(),
                hash: unnamed.hash.clone(),
                is_external: false,
            });
        }
        Design { modules }
    }

    /// Counts instances from the top down: parents stand behind their children.
    fn count(&mut self, top: ModId) {
        self.modules[top].instances = 1;
        for id in (0..=top).rev() {
            let count = self.modules[id].instances;
            for piece in 0..self.modules[id].pieces.len() {
                if let Piece::Module(child) = self.modules[id].pieces[piece] {
                    self.modules[child].instances += count;
                }
            }
        }
    }

    /// The base name where it is free, else with so much of the hash as it takes.
    fn names(&self, top: ModId) -> Vec<String> {
        let mut wanted: HashMap<&str, usize> = HashMap::new();
        for module in &self.modules {
            if module.external.is_none() {
                *wanted.entry(&module.base).or_default() += 1;
            }
        }
        let mut taken: HashSet<String> = self.externals.keys().cloned().collect();
        taken.insert(self.modules[top].base.clone());
        let mut names = Vec::new();
        for (id, module) in self.modules.iter().enumerate() {
            if let Some(name) = &module.external {
                names.push(name.clone());
                continue;
            }
            if id == top {
                names.push(module.base.clone());
                continue;
            }
            let clash = wanted[module.base.as_str()] > 1 || taken.contains(&module.base);
            let mut name = module.base.clone();
            let mut digits = 6;
            while clash && (digits == 6 || taken.contains(&name)) {
                let end = digits.min(module.hash.len());
                name = format!("{}_{}", module.base, &module.hash[..end]);
                digits += 2;
            }
            taken.insert(name.clone());
            names.push(name);
        }
        names
    }
}

fn external_module(external: &External) -> Module {
    let digest = Sha256::digest(external.code.as_bytes());
    Module {
        name: external.name.clone(),
        declared: None,
        text: format!("{}\n", external.code),
        instances: 0,
        children: Vec::new(),
        ports: Vec::new(),
        hash: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        is_external: true,
    }
}

fn port(port: &PortInfo) -> Port {
    Port {
        name: port.name.clone(),
        rust_name: port.path.clone(),
        direction: port.direction,
        width: port.ty.width,
    }
}

/// An instance name without the index of a vector: `tile$3` is a `tile`.
fn field(name: &str) -> &str {
    let mut name = name;
    while let Some((front, last)) = name.rsplit_once('$') {
        if last.is_empty() || !last.bytes().all(|b| b.is_ascii_digit()) {
            break;
        }
        name = front;
    }
    name
}
