//! The router chip: a tile a port, in an array of rows and columns.
//!
//! A packet from port (r, c) to port (r', c') passes three units, each in another tile:
//!
//! ```text
//! link → input unit (r, c) → row bus → crossbar (r, c') → column channel → output unit (r', c') → link
//! ```
//!
//! | file | holds |
//! |---|---|
//! | [`chip`](Router) | the array and its wiring, the register bus |
//! | [`tile`](Tile) | the three units and the registers of a port |
//! | [`input_unit`](InputUnit) | IRU: buffer, route, row bus |
//! | [`input_buffer`](InputBuffer), [`route_table`](RouteTable) | its parts |
//! | [`crossbar_unit`](CrossbarUnit) | RCU: row buffers, crossbar |
//! | [`output_unit`](OutputUnit) | OBMU: column buffers, the link's credits |
//! | [`bus`] | register addresses, table entries |

pub mod bus;
mod chip;
mod crossbar_unit;
mod input_buffer;
mod input_unit;
mod output_unit;
mod params;
mod route_table;
mod tile;

pub use chip::Router;
pub use crossbar_unit::CrossbarUnit;
pub use input_buffer::InputBuffer;
pub use input_unit::InputUnit;
pub use output_unit::OutputUnit;
pub use params::{RouterParams, MAX_PORTS, PORT_BITS, VC_BITS};
pub use route_table::RouteTable;
pub use tile::Tile;
