//! Configuration and Verilog back end of fantree.

pub mod config;
mod generate;
pub mod lint;
pub mod mutate;
pub mod output;
pub mod registers;
pub mod synth;
pub mod tool;
pub mod verilog;

pub use generate::{generate, generate_router};
pub use verilog::{emit, Design, EmitError};
