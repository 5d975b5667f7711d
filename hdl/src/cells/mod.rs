//! Small blocks that every unit is built of.
//!
//! | cell | what for | latency | size | LUT4 | FF | DPR16X4 | DP16KD |
//! |---|---|---|---|---|---|---|---|
//! | [`Register`], [`Flag`], [`StateRegister`] | state with a reset | 1 | 8 bits | 0 | 8 | 0 | 0 |
//! | [`FallingFlag`] | an output that changes with the falling edge | ½ | 1 bit | 0 | 1 | 0 | 0 |
//! | [`ModuloCounter`] | counts to any limit | 1 | limit 5 | 3 | 3 | 0 | 0 |
//! | [`GrayCounter`] | a count that another clock can sample | 1 | 5 bits | 11 | 9 | 0 | 0 |
//! | [`LutRam`] | small memory, read in the same cycle | 0 | 16 × 134 bits | 0 | 0 | 34 | 0 |
//! | [`Ram`] | block memory, one read port | 1 | 512 × 36 bits, without collisions | 0 | 0 | 0 | 1 |
//! | [`Ram2`] | block memory, two read ports | 1 | 512 × 36 bits, without collisions | 0 | 0 | 0 | 2 |
//! | [`Fifo`] | queue, first word falls through, any depth | 1 | 16 × 134 bits | 26 | 17 | 34 | 0 |
//! | [`AsyncFifo`] | queue between two clocks | 2 to 3 | 16 × 134 bits | 33 | 38 | 34 | 0 |
//! | [`Synchronizer`] | a signal into another clock | 2 | 5 bits | 0 | 10 | 0 | 0 |
//! | [`CreditCounter`] | free places of the next buffer | 1 | 16 places | 11 | 6 | 0 | 0 |
//! | [`RoundRobinArbiter`] | fair choice, few requests | 0 | 8 requests | 27 | 8 | 0 | 0 |
//! | [`HierarchicalArbiter`] | the same choice, many requests | 0 | 64 requests | 299 | 64 | 0 | 0 |
//! | [`WeightedArbiter`] | choice in given shares | 0 | 5 requests, weights of 4 bits | 113 | 25 | 0 | 0 |
//! | [`OneHotEncoder`] | one-hot to binary | 0 | 64 inputs | 49 | 0 | 0 | 0 |
//! | [`OneHotMux`] | value by one-hot select | 0 | 8 × 134 bits | 670 | 0 | 0 | 0 |
//! | [`Crc8`] | check code of a header ([`header_crc`](crate::packet::header_crc)) | 0 | 128 bits | 190 | 0 | 0 | 0 |
//! | [`Crc32cWord`] | one step of it, whole words only | 0 | 16 bytes | 659 | 0 | 0 | 0 |
//! | [`Crc32c`] | check code of a packet ([`crc32c`]) | 1 | 16 bytes a cycle | 1391 | 33 | 0 | 0 |
//!
//! Latency in cycles from input to output. Area with Yosys 0.23, `synth_ecp5 -noccu2 -nowidelut; stat`: lookup
//! tables of 4 inputs, flip-flops, 16 × 4 bit distributed RAMs, 18 kbit block RAMs. A test keeps the figures true.

mod async_fifo;
mod crc32c;
mod crc32c_word;
mod crc8;
mod credit_counter;
mod falling_flag;
mod fifo;
mod gray_counter;
mod hierarchical_arbiter;
mod lut_ram;
mod modulo_counter;
mod one_hot_encoder;
mod one_hot_mux;
mod ram;
mod register;
mod round_robin_arbiter;
mod synchronizer;
#[cfg(test)]
pub(crate) mod testing;
mod weighted_arbiter;
mod xor_matrix;

pub use async_fifo::AsyncFifo;
pub(crate) use crc32c::advance as crc32c_advance;
pub use crc32c::{crc32c, Crc32c};
pub use crc32c_word::{Crc32cWord, RESIDUE as CRC32C_RESIDUE};
pub use crc8::Crc8;
pub use credit_counter::CreditCounter;
pub use falling_flag::FallingFlag;
pub use fifo::Fifo;
pub use gray_counter::GrayCounter;
pub use hierarchical_arbiter::HierarchicalArbiter;
pub use lut_ram::LutRam;
pub use modulo_counter::ModuloCounter;
pub use one_hot_encoder::OneHotEncoder;
pub use one_hot_mux::OneHotMux;
pub use ram::{Ram, Ram2};
pub use register::{Flag, Register, StateRegister};
pub use round_robin_arbiter::RoundRobinArbiter;
pub use synchronizer::Synchronizer;
pub use weighted_arbiter::WeightedArbiter;
pub(crate) use xor_matrix::rows as xor_rows;

/// Bits of a signal that holds 0 to `maximum`; never less than one.
pub fn bits_to_hold(maximum: usize) -> usize {
    (usize::BITS - maximum.leading_zeros()).max(1) as usize
}
