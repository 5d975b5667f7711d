//! Blocks and their fields.

use super::{shuffled, Maker, NAMES};
use crate::kernels::tree::*;
use rand::Rng;
use std::collections::BTreeMap;

/// Names of types; the same in every block, so that they meet.
const TYPES: [&str; 2] = ["State", "Mode"];
const STRUCTS: [&str; 2] = ["Packet", "Frame"];
const STATES: &str = "Idle Busy Done Wait Send Stop Hold";

impl Maker {
    /// Makes a block, its children first; gives its number.
    pub fn block(&mut self, level: usize) -> usize {
        let count = match level {
            0 => [0, 0, 0, 1, 1, 2][self.rng.gen_range(0..6)],
            1 => usize::from(self.chance(25)),
            _ => 0,
        };
        let children: Vec<usize> = (0..count).map(|_| self.block(level + 1)).collect();
        self.names = shuffled(NAMES, &mut self.rng);
        let name = match level {
            0 => "top".to_owned(),
            _ => self.modules.pop().unwrap_or_else(|| "extra".to_owned()),
        };
        let index = self.design.blocks.len();
        let types = self.types(index);
        let declared = self.chance(70);
        self.design.blocks.push(Block {
            name,
            declared,
            types,
            fields: BTreeMap::new(),
            body: vec![],
        });
        let own = level > 0 && !self.is_plain() && children.is_empty() && self.chance(80);
        self.fields(index, own, &children);
        self.design.blocks[index].body = self.body(index);
        index
    }

    fn types(&mut self, block: usize) -> Vec<TypeDef> {
        let mut types = vec![];
        for name in TYPES.iter().take(self.rng.gen_range(0..=2)) {
            let mut states = shuffled(STATES, &mut self.rng);
            states.truncate(self.rng.gen_range(2..=6));
            types.push(TypeDef {
                name: name.to_string(),
                kind: Kind::Enum(states),
            });
        }
        let structs = if self.is_plain() {
            self.rng.gen_range(0..=2)
        } else {
            0
        };
        for name in STRUCTS.iter().take(structs) {
            let count = self.rng.gen_range(2..=4);
            let names = shuffled("head tail kind body flag table", &mut self.rng);
            let members = names.into_iter().take(count).map(|name| {
                let ty = match self.rng.gen_range(0..6) {
                    0 => Type::Bit,
                    1 | 2 if !types.is_empty() => Type::Named {
                        block,
                        index: self.rng.gen_range(0..types.len()),
                    },
                    _ => Type::Bits(self.width()),
                };
                (name, ty)
            });
            let kind = Kind::Struct(members.collect());
            types.push(TypeDef {
                name: name.to_string(),
                kind,
            });
        }
        types
    }

    fn fields(&mut self, block: usize, own: bool, children: &[usize]) {
        let ins = self.rng.gen_range(1..=3);
        let outs = self.rng.gen_range(1..=2);
        let locals = self.rng.gen_range(0..=2);
        let constants = self.rng.gen_range(0..=1);
        let registers = self.rng.gen_range(0..=1);
        // At least a word and a bit to work with.
        let ty = if own {
            Type::Own
        } else {
            Type::Bits(self.width())
        };
        self.field(block, Role::Input, ty, vec![]);
        self.field(block, Role::Input, Type::Bit, vec![]);
        // A struct in a struct can only be copied.
        for ty in self.named_types(block, children) {
            if !self.design.members(ty).is_empty() {
                self.field(block, Role::Input, ty, vec![]);
            }
        }
        for _ in 1..ins {
            self.signal(block, Role::Input, own, children);
        }
        for _ in 0..constants {
            let ty = match self.some_type(block, own, children) {
                Type::Named { .. } if !self.is_plain() => Type::Bit,
                ty => ty,
            };
            self.field(block, Role::Constant, ty, vec![]);
        }
        for _ in 0..locals {
            self.signal(block, Role::Local, own, children);
        }
        for _ in 0..registers {
            let ty = self.some_type(block, own, children);
            let wire = !self.is_plain() && matches!(ty, Type::Bits(_) | Type::Own);
            // A `StateRegister` is at most as wide as a `Wire`.
            let wide = self
                .design
                .width(ty)
                .is_some_and(|width| width > fantree_hdl::wire::MAX_WIDTH);
            // The text that rust-hdl's `DFF` of an enum brings has a literal of 64 bits, which linters do not like.
            let is_enum = !self.design.states(ty).is_empty();
            let storage = match wide || !wire && !is_enum && self.chance(50) {
                true => Storage::Dff,
                false => Storage::Reset,
            };
            let hold = self.chance(60);
            let dims = if self.chance(25) {
                vec![self.rng.gen_range(2..=4)]
            } else {
                vec![]
            };
            self.field(block, Role::Register(Register { storage, hold }), ty, dims);
        }
        for &child in children {
            let count = if self.chance(70) {
                self.rng.gen_range(2..=3)
            } else {
                1
            };
            let instances = (0..count).map(|_| self.instance()).collect();
            let dims = if count > 1 { vec![count] } else { vec![] };
            let role = Role::Child(Child {
                block: child,
                instances,
            });
            self.field(block, role, Type::Bit, dims);
        }
        for _ in 0..outs {
            self.signal(block, Role::Output, own, children);
        }
    }

    fn instance(&mut self) -> Instance {
        Instance {
            width: self.width(),
            words: self.rng.gen(),
        }
    }

    fn signal(&mut self, block: usize, role: Role, own: bool, children: &[usize]) {
        let ty = self.some_type(block, own, children);
        let dims = match self.rng.gen_range(0..20) {
            0..=2 => vec![self.rng.gen_range(2..=4)],
            3 => vec![2, self.rng.gen_range(2..=3)],
            _ => vec![],
        };
        self.field(block, role, ty, dims);
    }

    fn field(&mut self, block: usize, role: Role, ty: Type, dims: Vec<usize>) {
        let name = self.names.pop().unwrap_or_default();
        let fields = &mut self.design.blocks[block].fields;
        let field = Field {
            name,
            role,
            ty,
            dims,
        };
        fields.insert(fields.len(), field);
    }

    /// A type that a signal of the block can have.
    fn some_type(&mut self, block: usize, own: bool, children: &[usize]) -> Type {
        let named = self.named_types(block, children);
        match self.rng.gen_range(0..20) {
            0..=3 => Type::Bit,
            4 if self.is_plain() => Type::Signed(self.width()),
            5..=9 if !named.is_empty() => named[self.rng.gen_range(0..named.len())],
            5..=12 if own => Type::Own,
            _ => Type::Bits(self.width()),
        }
    }

    /// The block's own types and those at the ports of its children.
    fn named_types(&self, block: usize, children: &[usize]) -> Vec<Type> {
        let count = self.design.blocks[block].types.len();
        let mut types: Vec<Type> = (0..count)
            .map(|index| Type::Named { block, index })
            .collect();
        for child in children {
            let ports = self.design.blocks[*child].fields.values();
            let ports = ports.filter(|port| matches!(port.role, Role::Input | Role::Output));
            let named = ports
                .map(|port| port.ty)
                .filter(|ty| matches!(ty, Type::Named { .. }));
            types.extend(named);
        }
        types.sort();
        types.dedup();
        types
    }
}
