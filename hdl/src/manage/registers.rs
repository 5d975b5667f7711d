//! Registers of a managed chip: those of the router's ports, and the agent's own.

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

/// The registers of a port of a managed chip.
pub fn managed_register_map(params: &RouterParams) -> RegisterMap {
    let mut map = bus::register_map(params);
    map.groups.extend(groups(params));
    map
}
