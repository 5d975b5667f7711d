//! Waves: what GTKWave shows of a simulation, and reading a wave back.
//!
//! ```text
//! FST ──► Wave ──► names, widths, values ──► tests
//!           └────► View::write ──► .gtkw save file + translate files ──► GTKWave ◄──► filter (decodes flits)
//! ```
//!
//! | file | holds |
//! |---|---|
//! | [`read`](Wave) | an FST, read with `wellen` |
//! | [`view`](View) | groups and traces in their order |
//! | [`save_file`](View::write) | a view as GTKWave's save file |
//! | [`router`](router_view) | the view of a router chip |
//! | [`block`](block_view) | the view of one of its modules alone |
//! | [`translate`](Table) | values with names: virtual channels, opcodes, drop causes, registers |
//! | [`filter`] | the process that GTKWave asks for the text of a flit or a route |
//! | [`gtkwave`] | starting the program |

mod block;
pub mod filter;
pub mod gtkwave;
mod read;
mod router;
mod save_file;
mod translate;
mod view;

pub use block::block_view;
pub use read::{Error, Signal, Wave};
pub(crate) use router::Scope;
pub use router::{router_view, Focus, Unit};
pub use translate::Table;
pub use view::{Group, Item, Marker, Part, Show, Trace, View};

#[cfg(test)]
mod tests;
