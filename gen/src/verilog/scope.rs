//! The signals a block can name, and the types they have.

use super::error::rust_name;
use num_bigint::BigUint;
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeKind};
use std::collections::HashMap;
use std::hash::Hash;

/// Index of an enum in [`Types`].
pub type EnumId = usize;
/// Index of a struct in [`Types`].
pub type StructId = usize;
/// Index of a signal in its [`Scope`].
pub type SigId = usize;

/// How a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Rust's `bool`, and a clock.
    Bool,
    Bits,
    /// `Signed`, two's complement.
    Signed,
    /// A state of an enum, encoded by its position.
    Enum(EnumId),
    /// A struct, its first field in the lowest bits.
    Struct(StructId),
}

/// Width and form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub width: usize,
    pub form: Form,
}

impl Type {
    pub const BOOL: Type = Type {
        width: 1,
        form: Form::Bool,
    };

    pub fn bits(width: usize) -> Type {
        Type {
            width,
            form: Form::Bits,
        }
    }

    pub fn is_signed(self) -> bool {
        self.form == Form::Signed
    }
}

/// An enum: its name and its states, as rust-hdl describes them (`State::Idle`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enum {
    pub states: Vec<String>,
}

impl Enum {
    /// Bits of a state.
    pub fn width(&self) -> usize {
        rust_hdl::core::bits::clog2(self.states.len())
    }

    /// Position of a state written as `State$Idle`, or as `Idle` where the enum is known.
    pub fn position(&self, name: &str) -> Option<usize> {
        let same = |state: &str| match state.rsplit_once("::") {
            Some((kind, last)) => {
                last == name
                    || name
                        .strip_suffix(last)
                        .and_then(|n| n.strip_suffix('$'))
                        .is_some_and(|n| n == kind || n.ends_with(&format!("${kind}")))
            }
            None => state == name,
        };
        self.states.iter().position(|state| same(state))
    }
}

/// Every enum and every struct of the design, each once.
#[derive(Default)]
pub struct Types {
    enums: Interned<Enum>,
    /// The types of their fields.
    structs: Interned<Vec<Type>>,
}

impl Types {
    pub fn get(&self, id: EnumId) -> &Enum {
        &self.enums.list[id]
    }

    /// The type of the field of a struct that has these bits.
    pub fn field(&self, id: StructId, low: usize, width: usize) -> Option<Type> {
        let mut at = 0;
        let field = self.structs.list[id].iter().find(|field| {
            let start = at;
            at += field.width;
            (start, field.width) == (low, width)
        });
        field.copied()
    }

    /// The type that a descriptor describes; the enums inside it are noted.
    pub fn describe(&mut self, descriptor: &TypeDescriptor, found: &mut Vec<EnumId>) -> Type {
        match &descriptor.kind {
            TypeKind::Bits(1) if descriptor.name == "Bit" || descriptor.name == "clock" => {
                Type::BOOL
            }
            TypeKind::Bits(width) => Type::bits(*width),
            TypeKind::Signed(width) => Type {
                width: *width,
                form: Form::Signed,
            },
            TypeKind::Enum(states) => {
                let new = Enum {
                    states: states.clone(),
                };
                let width = new.width();
                let id = self.enums.intern(new);
                found.push(id);
                Type {
                    width,
                    form: Form::Enum(id),
                }
            }
            TypeKind::Composite(fields) => {
                let types: Vec<Type> = fields
                    .iter()
                    .map(|field| self.describe(&field.kind, found))
                    .collect();
                Type {
                    width: types.iter().map(|ty| ty.width).sum(),
                    form: Form::Struct(self.structs.intern(types)),
                }
            }
        }
    }
}

/// Things by number, equal ones by the same.
struct Interned<T> {
    list: Vec<T>,
    ids: HashMap<T, usize>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            ids: HashMap::new(),
        }
    }
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn intern(&mut self, new: T) -> usize {
        let next = self.list.len();
        *self.ids.entry(new).or_insert_with_key(|new| {
            self.list.push(new.clone());
            next
        })
    }
}

/// What a signal is to the block whose scope it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    Input,
    Output,
    InOut,
    Local,
    Constant(BigUint),
    /// Ports of the child of that index.
    ChildInput(usize),
    ChildOutput(usize),
    ChildInOut(usize),
    /// Not in the Rust source: names a part of an expression that Verilog cannot slice without a name.
    Intermediate,
}

/// A signal.
#[derive(Clone, Debug)]
pub struct Signal {
    /// Its name in the block tree, such as `fifo$0$write$data`; a wish for a name if it is an intermediate.
    pub path: String,
    pub role: Role,
    pub ty: Type,
}

/// All the signals of a block, and the enums its kernel can name.
#[derive(Default)]
pub struct Scope {
    pub signals: Vec<Signal>,
    by_path: HashMap<String, SigId>,
    pub enums: Vec<EnumId>,
}

impl Scope {
    pub fn add(&mut self, signal: Signal) -> SigId {
        let id = self.signals.len();
        if signal.role != Role::Intermediate {
            self.by_path.insert(signal.path.clone(), id);
        }
        self.signals.push(signal);
        id
    }

    /// Makes enums known to the kernel.
    pub fn see(&mut self, enums: &[EnumId]) {
        for id in enums {
            if !self.enums.contains(id) {
                self.enums.push(*id);
            }
        }
    }

    pub fn find(&self, path: &str) -> Option<SigId> {
        self.by_path.get(path).copied()
    }

    pub fn ty(&self, id: SigId) -> Type {
        self.signals[id].ty
    }

    /// The signal as it is written in the kernel.
    pub fn rust_name(&self, id: SigId) -> String {
        rust_name(&self.signals[id].path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_by_path_and_by_last_name() {
        let states = ["State::Idle", "State::Busy"].map(String::from).to_vec();
        let state = Enum { states };
        for name in ["State$Busy", "Busy", "fifo$State$Busy"] {
            assert_eq!(state.position(name), Some(1), "{name}");
        }
        for name in ["Other$Busy", "SubState$Busy", "sy", "State", "$Busy"] {
            assert_eq!(state.position(name), None, "{name}");
        }
        assert_eq!(state.width(), 1);
    }
}
