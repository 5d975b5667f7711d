//! Small blocks that every unit is built of.

mod async_fifo;
mod crc32c;
mod crc8;
mod credit_counter;
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
mod testing;
mod xor_matrix;

pub use async_fifo::AsyncFifo;
pub use crc32c::{crc32c, Crc32c};
pub use crc8::Crc8;
pub use credit_counter::CreditCounter;
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

/// Bits of a signal that holds 0 to `maximum`; never less than one.
pub fn bits_to_hold(maximum: usize) -> usize {
    (usize::BITS - maximum.leading_zeros()).max(1) as usize
}
