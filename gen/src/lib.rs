//! Configuration and Verilog back end of fantree.

pub mod config;
