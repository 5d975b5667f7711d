//! Verilator bridge, lockstep, benches and reports of fantree.

pub mod report;
pub mod traffic;
pub mod verilator;
pub mod wave;
