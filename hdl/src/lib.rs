//! Hardware of the fantree interconnect, written as rust-hdl blocks.
//!
//! | folder | holds |
//! |---|---|
//! | [`cells`] | small blocks that every unit is built of |
//! | [`link`] | frames, replay and bring-up of a link |
//! | [`manage`] | management: JTAG to registers |
//! | [`packet`] | the packet and its header |
//! | [`ports`] | reaching a block's ports from a bench |
//! | [`registers`] | register maps as data, and how they are defined |
//! | [`router`] | the router chip |
//! | [`wire`] | signals whose width is a run-time value |

extern crate self as fantree_hdl;

pub mod cells;
pub mod link;
pub mod manage;
pub mod packet;
pub mod ports;
pub mod registers;
pub mod router;
pub mod wire;

pub use fantree_hdl_macros::kernel;
