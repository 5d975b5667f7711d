//! The register bus that reaches every tile, and its addresses.

/// Width of a register address.
pub const ADDRESS_BITS: usize = 16;
/// Width of a register.
pub const DATA_BITS: usize = 32;

/// First entry of the in-supernode table.
pub const IN_SUPERNODE_TABLE: usize = 0x0000;
/// First entry of the out-of-supernode table.
pub const OUT_SUPERNODE_TABLE: usize = 0x4000;
/// The supernode that this port belongs to.
pub const SUPERNODE: usize = 0x8000;
/// Packets dropped because their table entry is not valid; read only.
pub const DROPPED_NO_ROUTE: usize = 0x8001;

/// A routing table entry: output port, and whether there is one.
pub mod entry {
    use crate::router::PORT_BITS;
    use crate::wire::Field;

    /// Output port.
    pub const PORT: Field = Field {
        offset: 0,
        width: PORT_BITS,
    };
    /// Set when the entry names a port.
    pub const VALID: Field = Field {
        offset: PORT_BITS,
        width: 1,
    };
    /// Width of an entry.
    pub const BITS: usize = PORT_BITS + 1;

    /// The entry that sends to `port`.
    pub fn to_port(port: usize) -> u32 {
        (1 << VALID.offset) | port as u32
    }
}
