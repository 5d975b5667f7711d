//! The [`macro@kernel`] attribute: one source for a block's simulation, its connections and its Verilog; and the derives
//! of `fantree_hdl::ports`.

mod connect;
mod expression;
mod ports;
mod statement;
mod sugar;

use proc_macro::TokenStream;
use quote::quote;
use syn::{parse_macro_input, DeriveInput, ImplItemFn};

/// Makes rust-hdl's `update`, `connect` and `hdl` from one `fn update(&mut self)`.
///
/// It stands where rust-hdl's own `#[hdl_gen]` would stand, and gives the same public syntax tree, but in `hdl` the Rust
/// of the kernel really runs: a `for` loop unrolls itself, an `if` on configuration picks its branch, and widths,
/// offsets and indexes are plain Rust values. What can be written:
///
/// | form | meaning |
/// |---|---|
/// | `self.a[i].d.next = e;` | assignment to a signal of the block or a port of a child |
/// | `if`, `else if`, `else`, `match` | hardware when the condition reads a signal, else decided at build time |
/// | `for i in a..b { … }` | unrolled |
/// | `let x = e;` | a name for an expression, of hardware or of Rust |
/// | `registers!(self.a, self.b[i]);` | clock and reset from the block's own, and hold the value by default |
/// | `clocked!(self.fifo);` | clock and reset from the block's own |
/// | `comment!("module: fifo_{}", self._depth);` | a comment in the Verilog, as for `format!`; this one names the module |
/// | `.val()`, `+ - & \| ^ ! << >> == != < <= > >= && \|\|`, parentheses | as in rust-hdl |
/// | `.resize(w)`, `.slice(offset, w)`, `.field(f)`, `.get_bits::<W>(offset)` | widths and slices |
/// | `.get_bit(i)`, `.replace_bit(i, b)`, `.any()`, `.all()`, `.xor()`, `.into()` | bits |
/// | `cat(high, low)`, `replicate(bit, w)` | concatenation, one bit copied |
/// | `any_of(a..b, \|i\| bit)`, `or_of(a..b, \|i\| value)` | the terms of a range, joined by OR |
/// | `bits_of(a..b, \|i\| bit)` | a value with one bit a term, the first lowest |
///
/// Anything that reads no signal is evaluated by Rust and becomes a literal. Everything else is a compile error.
#[proc_macro_attribute]
pub fn kernel(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut function = parse_macro_input!(item as ImplItemFn);
    let made = (|| {
        sugar::expand(&mut function)?;
        let mut update = function.clone();
        sugar::strip_comments(&mut update);
        let connect = connect::block(&function.block)?;
        let hdl = statement::kernel(&function.block)?;
        Ok::<_, syn::Error>(quote! {
            #update

            #[allow(unused, clippy::all)]
            fn connect(&mut self) {
                #connect
            }

            #[allow(unused, clippy::all)]
            fn hdl(&self) -> ::rust_hdl::core::ast::Verilog {
                use ::fantree_hdl::wire::{tree, Value};
                use ::rust_hdl::core::ast::{Verilog, VerilogOp, VerilogOpUnary, VerilogStatement};
                Verilog::Combinatorial(#hdl)
            }
        })
    })();
    made.unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Lets a bench reach the block's ports: implements `fantree_hdl::ports::Ports`.
#[proc_macro_derive(Ports, attributes(ports))]
pub fn derive_ports(item: TokenStream) -> TokenStream {
    derive(item, ports::ports)
}

/// Lets an input carry this struct or enum: implements `fantree_hdl::ports::FromWords`.
#[proc_macro_derive(FromWords)]
pub fn derive_from_words(item: TokenStream) -> TokenStream {
    derive(item, ports::from_words)
}

fn derive(
    item: TokenStream,
    make: fn(&DeriveInput) -> syn::Result<proc_macro2::TokenStream>,
) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    make(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
