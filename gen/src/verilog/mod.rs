//! The Verilog back end: any rust-hdl block as synthesizable Verilog-2005.
//!
//! [`emit`] walks the tree of blocks and prints rust-hdl's public syntax tree itself. The result means what the Rust
//! simulation means, has each module once however many instances it has, is read by Verilator, Icarus Verilog and Yosys
//! without a warning, and is the same bytes on every run. What cannot be printed right is an [`EmitError`] that names
//! block, signal and expression, never a guess.
//!
//! # What a kernel may hold
//!
//! | form | in Verilog |
//! |---|---|
//! | `self.x.next = e`, `self.x.next.field = e` | one `assign` or `always @(*)` for each signal driven |
//! | `if`, `else if`, `else` | the same; a condition of numbers alone is decided at once |
//! | `match` on a state, a `bool` or `.index()`: names, numbers, `_` | `case`; without `_` the last arm is the default |
//! | `for i in a..b`, `a[i + 1][2 * j % 3].b` | unrolled; any number of brackets, with `+ - * / %` and parentheses |
//! | `i.to_bits()` | the number |
//! | `+ - & \| ^ ! << >>`, comparisons, `&& \|\|` | as in Rust, at the width of the operands |
//! | `a + flag` with a `bool` | the carry in |
//! | `get_bit`, `get_bits`, `replace_bit` | past the end: zeros, nothing |
//! | `all`, `any`, `xor` | reductions |
//! | `bit_cast`, `bits`, `into`, `index` | widened by zeros, cut |
//! | `Signed`: `+ -`, comparisons, `Signed<16> * Signed<16>`, `signed_cast`, `unsigned_cast` | sign where it matters |
//! | `Constant`, enum states, struct fields | `localparam`s of the module that uses them, slices |
//! | `Interface::link`, `Interface::join`, `Signal::link` | connections; bidirectional ones become one net |
//! | `comment!("…")` | a comment; first in the kernel, `module: name` names the module |
//!
//! Any signal type will do that describes itself as an atom: widths come from the atoms, not from Rust types.
//! `Verilog::Custom`, `Wrapper` and `Blackbox` bring their own text, which is taken as it is but for names: the port `d`
//! of the child `c` is `c$d` there. `// module: name` in its first line names the module. In such text the tools may
//! find what they like; it is the author's.
//!
//! # What is refused
//!
//! - names that rust-hdl leaves bare: constants and const generics, also as indexes
//! - widths that do not match; literals that do not fit (rust-hdl panics or cuts, by width)
//! - `signed_bit_cast`, whose width the syntax tree loses
//! - a signal read between two writes: Rust sees the first, hardware the last
//! - latches, undriven signals and inputs of children, loops within a kernel, driven inputs
//! - assigning a bidirectional signal: the pad is a primitive's business
//!
//! # What cannot be seen
//!
//! rust-hdl drops guards of `match` and takes `a..=b` for `a..b`, both without a trace in the syntax tree; comparing the
//! simulations finds them.
//!
//! # Names
//!
//! `$` becomes `_`. Keywords, words that Verilator cannot have, and names that clash get a suffix. A module has the name
//! it declares, else that of the field it stands in, and a bit of its content's hash if several contents want one name.
//!
//! # Waivers
//!
//! Inputs and bits that nobody reads, and outputs of children left open, are meant: the Verilog has a pragma around each
//! (`UNUSEDSIGNAL`, `PINCONNECTEMPTY`). What is no port and not read is left out.
//!
//! # How it is made
//!
//! | unit | does |
//! |---|---|
//! | `walk` | visits the blocks, children first |
//! | `scope` | the signals a block can name, and their types |
//! | `typing` | gives the expressions of the syntax tree types |
//! | `expr` | typed expressions; folds constants, pushes slices down |
//! | `kernel` | reads statements, checks their order, slices them by signal |
//! | `text` | modules that bring their own text |
//! | `print` | text of expressions, processes, modules |
//! | `design` | merges modules by content, names them |

mod design;
mod error;
mod expr;
mod kernel;
mod names;
mod print;
mod scope;
mod text;
mod typing;
mod walk;

pub use design::{Design, Module, Port, HEADER};
pub use error::{Cause, EmitError, Fault};
pub use print::layout::Direction;
pub(crate) use text::tokens;

use rust_hdl::core::block::Block;

/// Emits a block and everything below it as Verilog; the top module is called `top_name`.
///
/// It does not matter whether `connect_all` was called.
///
/// # Errors
/// Everything in the design that cannot be printed right.
///
/// # Examples
/// ```
/// use rust_hdl::prelude::*;
///
/// #[derive(LogicBlock, Default)]
/// struct Majority {
///     votes: Signal<In, Bits<3>>,
///     carried: Signal<Out, Bit>,
/// }
///
/// impl Logic for Majority {
///     #[hdl_gen]
///     fn update(&mut self) {
///         self.carried.next = (self.votes.val() & (self.votes.val() - 1)) != 0;
///     }
/// }
///
/// let design = fantree_gen::emit(&Majority::default(), "majority")?;
/// assert_eq!(
///     design.top().text,
///     "\
/// module majority (
///   input  wire [2:0] votes,
///   output wire carried
/// );
///
///   assign carried = (votes & (votes - 3'd1)) != 3'd0;
/// endmodule
/// "
/// );
/// # Ok::<(), fantree_gen::EmitError>(())
/// ```
pub fn emit(block: &dyn Block, top_name: &str) -> Result<Design, EmitError> {
    design::emit(block, top_name)
}
