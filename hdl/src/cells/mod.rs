//! Small blocks that every unit is built of.

mod register;

pub use register::{Flag, Register, StateRegister};
