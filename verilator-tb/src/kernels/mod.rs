//! Random legal kernels, to see that rust-hdl's simulation, Verilator and Icarus agree on what the back end prints.
//!
//! A kernel is a small design of one to a few blocks, written as Rust source: plain rust-hdl (`#[hdl_gen]` on
//! `Signal<_, Bits<N>>`) or of this project (`#[kernel]` on `Wire`). [`design`] makes it from a seed and a number,
//! [`run`] compiles many of them into programs under `build/kernels`, simulates them everywhere with the same random
//! input, and shrinks what fails.
//!
//! | part | does |
//! |---|---|
//! | `tree` | designs as data |
//! | `generate` | random ones, with the whole documented subset of both kinds of kernels |
//! | `rules` | what makes a design legal |
//! | `source` | designs as Rust text |
//! | `project` | a cargo project of many kernels |
//! | `program` | the inside of its programs: emits, lints and simulates kernels, many in one model |
//! | `run` | the whole chain |
//! | `shrink` | smaller designs that fail in the same way |

mod generate;
mod program;
mod project;
mod rules;
mod run;
mod shrink;
mod source;
mod tree;

pub use generate::design;
pub use program::{serve, Alter, Failure, FailureKind};
pub use project::Error;
pub use rules::is_legal;
pub use run::{run, Plan, Report, Summary};
pub use source::source;
pub use tree::Design;
