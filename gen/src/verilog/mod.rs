//! The Verilog back end: any rust-hdl block as synthesizable Verilog.

mod build;
mod design;
mod error;
mod expr;
mod fold;
mod index;
mod kernel;
mod layout;
mod literal;
mod module;
mod names;
mod order;
mod print;
mod process;
mod scope;
mod source;
mod statement;
mod text;
mod tokens;
mod typing;
mod usage;
mod walk;

pub use design::{Design, Module, Port, HEADER};
pub use error::{Cause, EmitError, Fault};
pub use layout::Direction;

use rust_hdl::core::block::Block;

/// Emits a block and everything below it as Verilog; the top module is called `top_name`.
///
/// # Errors
/// Everything in the design that cannot be printed right.
pub fn emit(block: &dyn Block, top_name: &str) -> Result<Design, EmitError> {
    design::emit(block, top_name)
}
