//! Configuration and Verilog back end of fantree.

pub mod config;
pub mod lint;
pub mod output;
pub mod tool;
pub mod verilog;

pub use verilog::{emit, Design, EmitError};
