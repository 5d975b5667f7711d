//! Verilator bridge, lockstep, benches and reports of fantree.

pub mod traffic;
pub mod verilator;
