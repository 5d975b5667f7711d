//! The bridge: Verilog text in, a fast model to drive from Rust out.
//!
//! ```no_run
//! use fantree_tb::verilator::{build, Options, Source};
//!
//! # fn main() -> Result<(), fantree_tb::verilator::Error> {
//! let verilog = "
//!     module counter (input wire clock, input wire reset, output reg [7:0] count);
//!       always @(posedge clock) count <= reset ? 8'd0 : count + 8'd1;
//!     endmodule";
//! let library = build(&Source { top: "counter", verilog }, &Options::default())?;
//! let mut model = library.model(42)?; // registers start at random values from seed 42
//! let (clock, reset) = (model.input("clock")?, model.input("reset")?);
//! let count = model.output("count")?;
//! for cycle in 0..4 {
//!     model.write(reset, (cycle == 0) as u64);
//!     model.write(clock, 0);
//!     model.eval()?;
//!     model.write(clock, 1);
//!     model.eval()?;
//! }
//! assert_eq!(model.read(count), 3);
//! # Ok(())
//! # }
//! ```
//!
//! [`build`] runs Verilator, compiles its C++ with a small C interface (`shim.cpp`) into a shared
//! object and loads it. Results are cached by content (see [`cache_directory`]): the same text
//! with the same options and tools is compiled once, whatever number of tests, threads and
//! processes ask for it at the same time. `VERILATOR` and `CXX` in the environment name other
//! programs than `verilator` and `clang++` (or else `g++`).
//!
//! A [`Library`] is the compiled design, a [`Model`] a running instance of it with its own time,
//! random numbers, coverage and wave file. Models may run in different threads.

mod access;
mod build;
mod cache;
mod command;
mod compile;
mod error;
mod fst;
mod generated;
mod library;
mod model;
mod observe;
mod ports;
mod runtime;
mod tools;

#[cfg(test)]
mod tests;

pub use build::{build, build_with, BuildReport, Coverage, Options, Source, Stage};
pub use cache::{directory as cache_directory, prune};
pub use error::{Error, Result};
pub use library::{Library, Start};
pub use model::{Model, Port};
pub use ports::{Direction, PortInfo};

pub(crate) use cache::workspace;
