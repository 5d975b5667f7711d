//! The flit as it travels inside the chip: 128 bits of data and the marks beside them.
//!
//! The virtual channel is not part of it: inside the chip it travels as one bit a channel, because every user of it
//! wants it that way.

use crate::wire::Field;

/// The 16 bytes that packets are made of.
pub const DATA: Field = Field {
    offset: 0,
    width: 128,
};
/// First flit of a packet: its data is the header.
pub const HEAD: Field = Field {
    offset: 128,
    width: 1,
};
/// Last flit of a packet.
pub const TAIL: Field = Field {
    offset: 129,
    width: 1,
};
/// Set with the tail: the packet was damaged on its way.
pub const BAD: Field = Field {
    offset: 130,
    width: 1,
};

/// Width of a flit with its marks.
pub const FLIT_BITS: usize = BAD.offset + BAD.width;
