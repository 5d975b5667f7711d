//! The signals a block can name, and the types they have.

use super::error::rust_name;
use num_bigint::BigUint;
use rust_hdl::core::type_descriptor::{TypeDescriptor, TypeKind};
use std::collections::HashMap;

/// Index of an enum in [`Enums`].
pub type EnumId = usize;
/// Index of a signal in its [`Scope`].
pub type SigId = usize;

/// How a value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Rust's `bool`, and a clock.
    Bool,
    /// `Bits`, and a struct seen as its bits.
    Bits,
    /// `Signed`, two's complement.
    Signed,
    /// A state of an enum, encoded by its position.
    Enum(EnumId),
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

/// Every enum of the design, each once.
#[derive(Default)]
pub struct Enums {
    list: Vec<Enum>,
    ids: HashMap<Enum, EnumId>,
}

impl Enums {
    fn intern(&mut self, states: &[String]) -> EnumId {
        let new = Enum {
            states: states.to_vec(),
        };
        let next = self.list.len();
        *self.ids.entry(new).or_insert_with_key(|new| {
            self.list.push(new.clone());
            next
        })
    }

    pub fn get(&self, id: EnumId) -> &Enum {
        &self.list[id]
    }

    /// The type of an atom, and the enums inside it.
    pub fn describe(&mut self, descriptor: &TypeDescriptor, width: usize) -> (Type, Vec<EnumId>) {
        let mut inside = Vec::new();
        self.collect(descriptor, &mut inside);
        let form = match &descriptor.kind {
            TypeKind::Bits(1) if descriptor.name == "Bit" || descriptor.name == "clock" => {
                Form::Bool
            }
            TypeKind::Bits(_) | TypeKind::Composite(_) => Form::Bits,
            TypeKind::Signed(_) => Form::Signed,
            TypeKind::Enum(_) => Form::Enum(inside[0]),
        };
        (Type { width, form }, inside)
    }

    fn collect(&mut self, descriptor: &TypeDescriptor, found: &mut Vec<EnumId>) {
        match &descriptor.kind {
            TypeKind::Enum(states) => found.push(self.intern(states)),
            TypeKind::Composite(fields) => {
                for field in fields {
                    self.collect(&field.kind, found);
                }
            }
            TypeKind::Bits(_) | TypeKind::Signed(_) => {}
        }
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
