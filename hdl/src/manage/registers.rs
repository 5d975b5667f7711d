//! Registers of a chip: those of the router's ports, and in a managed chip the agents' own.

use crate::registers::{Access, RegisterMap, Shape};
use crate::router::{bus, RouterParams};
use crate::{define_flags, define_registers};

define_registers! {
    groups(_params: &RouterParams) -> Vec<Group>;

    /// The management agent of a port.
    agent {
        /// Registers that writes are refused to.
        LOCK = 0xC000: Shape::fields(Access::ReadWrite, lock::fields());
        /// Accesses that the agent has refused; stops at its largest value.
        REFUSED = 0xC001: Shape::number(Access::ReadClear, REFUSED_BITS);
        /// Who the chip is in the network, so that management packets to it reach it by this port.
        IDENTITY = 0xC002: Shape::fields(Access::ReadWrite, identity::fields());
    }
}

/// Width of [`REFUSED`].
pub const REFUSED_BITS: usize = 16;

define_flags! {
    /// Fields of [`LOCK`].
    pub mod lock {
        /// Routing tables and multicast groups.
        TABLES = 0, reset 0;
        /// Settings.
        SETTINGS = 1, reset 0;
    }
}

/// Fields of [`IDENTITY`].
pub mod identity {
    use crate::packet::header;
    use crate::registers::FieldSpec;
    use crate::wire::Field;

    /// The chip's GUID.
    pub const GUID: Field = Field {
        offset: 0,
        width: header::DST_GUID.width,
    };
    /// It has one.
    pub const VALID: Field = GUID.above(1);
    /// Width of the register.
    pub const BITS: usize = VALID.offset + VALID.width;

    pub(super) fn fields() -> Vec<FieldSpec> {
        vec![
            FieldSpec::new("guid", GUID, "The chip's GUID: supernode above number."),
            FieldSpec::new("valid", VALID, "It has one."),
        ]
    }

    /// The register's value for a GUID.
    pub const fn of(guid: u32) -> u32 {
        1 << VALID.offset | guid
    }
}

/// The registers of a port of a chip: those of its tile, and in a managed chip its agent's.
pub fn chip_register_map(params: &RouterParams) -> RegisterMap {
    let mut map = bus::register_map(params);
    if params.managed {
        map.groups.extend(groups(params));
    }
    map
}
