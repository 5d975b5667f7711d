//! What management commands are made of.
//!
//! A source sends a **setup**, then a **beat** for each access: 32 bits of data, even if the access only reads. So one setup
//! and many beats are a stream, whose address goes up by itself. An **access** is what a beat comes to, with all that row
//! managers and agents need.

use crate::define_flags;
use crate::router::{bus, RouterParams};
use crate::wire::Field;

/// What an access does to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Writes the data.
    Write = 0,
    /// Reads.
    Read = 1,
    /// Reads, and leaves zero.
    ReadClear = 2,
    /// Reads, and takes those bits of the data that the mask has.
    Modify = 3,
}

impl Op {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Write, Self::Read, Self::ReadClear, Self::Modify];
}

/// What becomes of values read from several ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// All are given, in the order of the ports.
    Gather = 0,
    Or = 1,
    And = 2,
    Sum = 3,
}

impl Combine {
    /// Every one.
    pub const ALL: [Self; 4] = [Self::Gather, Self::Or, Self::And, Self::Sum];
}

const fn after(field: Field, width: usize) -> Field {
    Field {
        offset: field.offset + field.width,
        width,
    }
}

/// Fields of an access.
pub mod access {
    use super::{after, bus, Field};

    /// See [`Op`](super::Op).
    pub const OP: Field = Field {
        offset: 0,
        width: 2,
    };
    /// See [`Combine`](super::Combine).
    pub const COMBINE: Field = after(OP, 2);
    /// Address of the register.
    pub const ADDRESS: Field = after(COMBINE, bus::ADDRESS_BITS);
    /// Bits that a modification changes.
    pub const MASK: Field = after(ADDRESS, bus::DATA_BITS);
    /// What a write writes.
    pub const DATA: Field = after(MASK, bus::DATA_BITS);
    /// The source may write.
    pub const TRUSTED: Field = after(DATA, 1);
    /// Width of an access.
    pub const BITS: usize = TRUSTED.offset + TRUSTED.width;
}

/// Fields of a setup: those of an access but the data, how the stream goes on, then a bit for each port that is meant.
pub mod setup {
    use super::{access, after, bus, Field};

    /// The address goes up by one with each beat.
    pub const INCREMENT: Field = after(access::MASK, 1);
    /// Beats go to one row after another, the same address in each before it goes up.
    pub const SPREAD: Field = after(INCREMENT, 1);
    /// Words of an entry of a table: the address goes up to the next entry behind its last word; 0: there are no entries.
    pub const ENTRY: Field = after(SPREAD, ENTRY_BITS);
    /// Width of an address in an entry.
    pub const ENTRY_BITS: usize = bus::ENTRY_WORDS.trailing_zeros() as usize;
    /// First of the ports.
    pub const PORTS: usize = ENTRY.offset + ENTRY.width;
}

/// Width of a setup.
pub fn setup_bits(params: &RouterParams) -> usize {
    setup::PORTS + params.ports()
}

define_flags! {
    /// What went wrong with accesses; none: nothing.
    pub mod status {
        /// There is no register at the address.
        NO_REGISTER = 0, reset 0;
        /// The register cannot be read, or not be written.
        NOT_ALLOWED = 1, reset 0;
        /// The register is locked.
        LOCKED = 2, reset 0;
        /// None of the ports is one of the chip.
        NO_PORT = 3, reset 0;
        /// A write without the key.
        KEY = 4, reset 0;
    }
}

/// Width of a status.
pub const STATUS_BITS: usize = 5;
/// Width of the key that writes in band need.
pub const KEY_BITS: usize = 32;

/// A setup in software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    pub op: Op,
    pub combine: Combine,
    pub address: usize,
    pub mask: u32,
    pub increment: bool,
    pub spread: bool,
    /// Words of an entry; see [`setup::ENTRY`].
    pub entry: usize,
    /// A bit a port.
    pub ports: u64,
}

impl Setup {
    /// One access to ports at an address, or a stream from there on.
    pub fn new(op: Op, address: usize, ports: u64) -> Self {
        Self {
            op,
            combine: Combine::Gather,
            address,
            mask: u32::MAX,
            increment: true,
            spread: false,
            entry: 0,
            ports,
        }
    }

    /// The address after so many others.
    pub fn address_after(&self, steps: usize) -> usize {
        let (first, start) = (self.address, self.address % bus::ENTRY_WORDS);
        match (self.increment, self.entry) {
            (false, _) => first,
            (true, 0) => first + steps,
            (true, entry) => {
                let words = start + steps;
                first - start + words / entry * bus::ENTRY_WORDS + words % entry
            }
        }
    }

    /// As the hardware has it.
    pub fn to_bits(self) -> u128 {
        (self.op as u128) << access::OP.offset
            | (self.combine as u128) << access::COMBINE.offset
            | (self.address as u128) << access::ADDRESS.offset
            | u128::from(self.mask) << access::MASK.offset
            | u128::from(self.increment) << setup::INCREMENT.offset
            | u128::from(self.spread) << setup::SPREAD.offset
            | (self.entry as u128) << setup::ENTRY.offset
            | u128::from(self.ports) << setup::PORTS
    }
}
