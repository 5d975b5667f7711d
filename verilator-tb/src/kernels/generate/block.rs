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
        let most = [2, 1, 0][level];
        let count = self.rng.gen_range(0..=most);
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
        let own = level > 0 && !self.is_plain() && children.is_empty() && self.chance(60);
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
        let ins = self.rng.gen_range(2..=5);
        let outs = self.rng.gen_range(1..=4);
        let locals = self.rng.gen_range(0..=3);
        let constants = self.rng.gen_range(0..=1);
        let registers = self.rng.gen_range(0..=2);
        // At least a word and a bit to work with.
        let ty = if own {
            Type::Own
        } else {
            Type::Bits(self.width())
        };
        self.field(block, Role::Input, ty, vec![]);
        self.field(block, Role::Input, Type::Bit, vec![]);
        for _ in 1..ins {
            self.signal(block, Role::Input, own);
        }
        for _ in 0..constants {
            let ty = match self.some_type(block, own) {
                Type::Named { .. } if !self.is_plain() => Type::Bit,
                ty => ty,
            };
            self.field(block, Role::Constant, ty, vec![]);
        }
        for _ in 0..locals {
            self.signal(block, Role::Local, own);
        }
        for _ in 0..registers {
            let ty = self.some_type(block, own);
            let wire = !self.is_plain() && matches!(ty, Type::Bits(_) | Type::Own);
            // A `StateRegister` is at most as wide as a `Wire`.
            let wide = self
                .design
                .width(ty)
                .is_some_and(|width| width > fantree_hdl::wire::MAX_WIDTH);
            let storage = match wide || !wire && self.chance(50) {
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
            let count = if self.chance(60) {
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
            self.signal(block, Role::Output, own);
        }
    }

    fn instance(&mut self) -> Instance {
        Instance {
            width: self.width(),
            words: self.rng.gen(),
        }
    }

    fn signal(&mut self, block: usize, role: Role, own: bool) {
        let ty = self.some_type(block, own);
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
    fn some_type(&mut self, block: usize, own: bool) -> Type {
        let named = self.named_types(block);
        match self.rng.gen_range(0..20) {
            0..=3 => Type::Bit,
            4 if self.is_plain() => Type::Signed(self.width()),
            5..=9 if !named.is_empty() => named[self.rng.gen_range(0..named.len())],
            5..=12 if own => Type::Own,
            _ => Type::Bits(self.width()),
        }
    }

    /// The block's own types and those at the ports of its children.
    fn named_types(&self, block: usize) -> Vec<Type> {
        let count = self.design.blocks[block].types.len();
        let mut types: Vec<Type> = (0..count)
            .map(|index| Type::Named { block, index })
            .collect();
        for field in self.design.blocks[block].fields.values() {
            if let Role::Child(child) = &field.role {
                let ports = self.design.blocks[child.block].fields.values();
                let ports = ports.filter(|port| matches!(port.role, Role::Input | Role::Output));
                types.extend(
                    ports
                        .map(|port| port.ty)
                        .filter(|ty| matches!(ty, Type::Named { .. })),
                );
            }
        }
        types
    }
}
