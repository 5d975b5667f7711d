//! A register map as data: what the hardware decodes, software writes and documents show comes from one definition.
//!
//! A definition is Rust, not a table in a file: sizes and reset values depend on a chip's configuration, and the doc comment
//! of an address constant is the register's description ([`define_registers`](crate::define_registers)).
//!
//! | type | is |
//! |---|---|
//! | [`RegisterMap`] | all registers that an address can mean, in [groups](Group) |
//! | [`RegisterSpec`] | a register, or an array of equal ones |
//! | [`FieldSpec`] | bits of it that mean something; all others are reserved: they read as zero, writes leave them |
//! | [`Access`] | what reads and writes do |

mod access;
mod define;
mod spec;

pub use access::Access;
pub use spec::{ArraySpec, FieldSpec, RegisterSpec, Shape};

use serde::Serialize;
use std::collections::BTreeSet;

/// Registers that belong together.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub name: String,
    pub about: String,
    pub registers: Vec<RegisterSpec>,
}

/// All registers that an address can mean.
#[derive(Clone, Debug, Serialize)]
pub struct RegisterMap {
    /// Width of an address; every address is a whole register.
    pub address_bits: usize,
    /// Width of a register.
    pub data_bits: usize,
    pub groups: Vec<Group>,
}

/// One register of the map: a register, or a place in an array.
#[derive(Clone, Debug)]
pub struct Place<'a> {
    pub spec: &'a RegisterSpec,
    pub address: usize,
    /// As `private_blocks[2]`.
    pub name: String,
}

impl RegisterMap {
    /// The registers, arrays as one.
    pub fn registers(&self) -> impl Iterator<Item = &RegisterSpec> {
        self.groups.iter().flat_map(|group| &group.registers)
    }

    /// Every single register, in the order of the definition.
    pub fn places(&self) -> impl Iterator<Item = Place<'_>> {
        self.registers().flat_map(|spec| {
            (0..spec.count()).map(move |index| Place {
                spec,
                address: spec.address_of(index),
                name: spec.name_of(index),
            })
        })
    }

    /// Addresses of no register that a decoder would most easily take for one: those after registers, and those that differ
    /// from one in a single bit.
    pub fn beside(&self) -> BTreeSet<usize> {
        let near = |address: usize| {
            let other_bit = (0..self.address_bits).map(move |bit| address ^ 1 << bit);
            other_bit.chain([address + 1])
        };
        self.places()
            .flat_map(|place| near(place.address))
            .filter(|&address| self.at(address).is_none())
            .collect()
    }

    /// What stands at an address.
    pub fn at(&self, address: usize) -> Option<&RegisterSpec> {
        self.registers()
            .find(|spec| (0..spec.count()).any(|index| spec.address_of(index) == address))
    }
}
