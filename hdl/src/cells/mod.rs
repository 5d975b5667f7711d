//! Small blocks that every unit is built of.

mod credit_counter;
mod fifo;
mod lut_ram;
mod modulo_counter;
mod one_hot_encoder;
mod ram;
mod register;
mod round_robin_arbiter;
#[cfg(test)]
mod testing;

pub use credit_counter::CreditCounter;
pub use fifo::Fifo;
pub use lut_ram::LutRam;
pub use modulo_counter::ModuloCounter;
pub use one_hot_encoder::OneHotEncoder;
pub use ram::{Ram, Ram2};
pub use register::{Flag, Register, StateRegister};
pub use round_robin_arbiter::RoundRobinArbiter;

/// Bits of a signal that holds 0 to `maximum`; never less than one.
pub fn bits_to_hold(maximum: usize) -> usize {
    (usize::BITS - maximum.leading_zeros()).max(1) as usize
}
