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
//! | [`input_unit`](InputUnit) | IRU: buffer, routes, row bus |
//! | [`input_buffer`](InputBuffer) | the buffer that all virtual channels share |
//! | [`route_unit`](RouteUnit) | from a packet's first flits to its route |
//! | [`arrival`](Arrival), [`route_table`](RouteTable), [`route_choice`](RouteChoice) | its steps |
//! | [`input_channel`](InputChannel) | the first packet of a virtual channel |
//! | [`multicast_table`](MulticastTable), [`header_update`](HeaderUpdate) | what their names say |
//! | [`crossbar_unit`](CrossbarUnit), [`row_buffer`](RowBuffer) | RCU: row buffers, crossbar |
//! | [`output_unit`](OutputUnit) | OBMU: column buffers, the link |
//! | [`credit_pool`](CreditPool), [`congestion`](CongestionSensor) | what it knows of the next chip |
//! | [`port_registers`](PortRegisters), [`counter_bank`](CounterBank) | settings, status, counters |
//! | [`bus`] | the registers of a port: their definition; table entries |
//! | [`route`], [`drop_cause`](DropCause) | what a packet's route says, why a packet is dropped |

mod arrival;
pub mod bus;
mod chip;
mod congestion;
mod counter_bank;
mod credit_pool;
mod crossbar_unit;
mod drop_cause;
mod header_update;
mod input_buffer;
mod input_channel;
mod input_unit;
mod multicast_table;
mod output_unit;
mod params;
mod port_registers;
pub mod route;
mod route_choice;
mod route_table;
mod route_unit;
mod row_buffer;
mod tile;

pub use arrival::Arrival;
pub use chip::Router;
pub use congestion::{CongestionSensor, WINDOW_CYCLES};
pub use counter_bank::CounterBank;
pub use credit_pool::CreditPool;
pub use crossbar_unit::CrossbarUnit;
pub use drop_cause::{DropCause, CAUSE_BITS};
pub use header_update::HeaderUpdate;
pub use input_buffer::InputBuffer;
pub use input_channel::InputChannel;
pub use input_unit::InputUnit;
pub use multicast_table::MulticastTable;
pub use output_unit::OutputUnit;
pub use params::{RouterParams, MAX_PORTS, MULTICAST_GROUPS, PORT_BITS, VC_BITS};
pub use port_registers::{drop_address, Event, PortRegisters};
pub use route_choice::RouteChoice;
pub use route_table::RouteTable;
pub use route_unit::RouteUnit;
pub use row_buffer::RowBuffer;
pub use tile::Tile;
