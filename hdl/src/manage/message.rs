//! Management packets: what a request and its reply are made of.
//!
//! A request asks one chip for accesses ([`command`](super::command)), and comes back as its own reply, flit for flit:
//!
//! | flit | in the request | in the reply |
//! |---|---|---|
//! | [header](crate::packet::header) | opcode [`REQUEST`], of which chip: see below | opcode [`REPLY`], source and destination exchanged |
//! | source route, if there is one | as of any packet | the same: the reply goes on by the rest of it |
//! | [`command`] | the key, the number of beats | what the chip is, and the port by which the request came |
//! | setup | as in [`setup`](super::command::setup) | the same |
//! | data, none to many | four words of 32 bits a flit, the lowest first | the same |
//! | [`tail`] | nothing | what went wrong, the number of values |
//!
//! Words stand where their answers come: the data of a beat is where its first value will be, so one word after the beat
//! before it if that writes or brings one value, else behind all its values. In the reply there are values; a word that
//! brought none is zero.
//!
//! A destination-routed request is for the chip whose GUID (register `IDENTITY`) is its destination. A source-routed one
//! is for the chip that it reaches with as many hops left as its `dst_queue` says, so it finds chips that have neither
//! GUID nor tables. That chip uses no byte of the route: it sends the reply back by the port by which the request came.

use super::command::status;
use crate::packet::header;
use crate::wire::Field;

/// Opcode of a request: message class 4, kind 0.
pub const REQUEST: u32 = 4 << 3;
/// Opcode of its reply.
pub const REPLY: u32 = REQUEST | 1;

/// In the header of a source-routed request: hops left where it arrives at the chip that it is for.
pub const TURN: Field = Field {
    offset: header::DST_QUEUE.offset,
    width: header::HOPS_LEFT.width,
};

/// Words of a flit.
pub const FLIT_WORDS: usize = 4;

/// Fields of the flit before the setup.
pub mod command {
    use super::Field;
    use crate::manage::command::KEY_BITS;
    use crate::manage::registers::identity;
    use crate::router::PORT_BITS;

    /// In the request: the key.
    pub const KEY: Field = Field {
        offset: 0,
        width: KEY_BITS,
    };
    /// In the reply: what JTAG's IDCODE says.
    pub const IDCODE: Field = KEY;
    /// Accesses that are asked for.
    pub const BEATS: Field = KEY.above(16);
    /// In the reply: the port by which the request came.
    pub const PORT: Field = BEATS.above(PORT_BITS);
    /// In the reply: rows and columns of the chip.
    pub const ROWS: Field = PORT.above(7);
    pub const COLUMNS: Field = ROWS.above(7);
    /// In the reply: register `IDENTITY` of that port.
    pub const IDENTITY: Field = COLUMNS.above(identity::BITS);
}

/// Fields of the last flit, below the packet's CRC.
pub mod tail {
    use super::Field;
    use crate::manage::command::STATUS_BITS;

    /// What went wrong, see [`status`](crate::manage::command::status); above that the marks of the message itself.
    pub const STATUS: Field = Field {
        offset: 0,
        width: STATUS_BITS,
    };
    /// There was no room for all values, or none for all beats.
    pub const TRUNCATED: Field = STATUS.above(1);
    /// The packet ended before its setup.
    pub const MALFORMED: Field = TRUNCATED.above(1);
    /// Values in the data.
    pub const VALUES: Field = Field {
        offset: 32,
        width: 16,
    };
}

const _: () = assert!(status::KEY >> tail::STATUS.width == 0, "a status has room");
