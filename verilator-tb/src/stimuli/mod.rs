//! Legal input of the router's units: packets, links that carry them, tables and settings; for lockstep and for waves of
//! a unit alone. Random input is corrected where a unit forbids some, see [`Lockstep::constrain`].
//!
//! | file | holds |
//! |---|---|
//! | [`link`](Link) | packets, both ends of a link, tables that packets are routed by |
//! | `input`, `crossbar`, `output` | the units that packets pass |
//! | `link_port` | an end of a link, joined to itself |
//! | `buffers`, `credits`, `routing`, `registers` | their parts |
//! | `cells` | memories and counters |
//! | `chip` | the whole |
//!
//! [`Lockstep::constrain`]: crate::lockstep::Lockstep::constrain

mod buffers;
mod cells;
mod chip;
mod credits;
mod crossbar;
mod input;
mod link;
mod link_port;
mod output;
mod registers;
mod routing;

pub use link::{Link, Receiver};
pub use registers::write_registers;

use fantree_hdl::router::RouterParams;

use crate::lockstep::Cycle;

/// Corrects the random inputs of a cycle.
pub type Legal = Box<dyn FnMut(&mut Cycle)>;

/// Legal input of a module, by its name; none for those that take any input.
pub fn legal(module: &str, params: &RouterParams) -> Option<Legal> {
    let params = *params;
    Some(match module {
        "input_buffer" => buffers::input_buffer(params),
        "row_buffer" => buffers::row_buffer(params),
        "arrival" => routing::arrival(params),
        "route_table" => routing::route_table(params),
        "route_choice" => routing::route_choice(params),
        "route_unit" => routing::route_unit(params),
        "input_channel" => routing::input_channel(params),
        "input_unit" => input::input_unit(params),
        "crossbar_unit" => crossbar::crossbar_unit(params),
        "output_unit" => output::output_unit(params),
        "credit_pool" => credits::credit_pool(params),
        "link_port" => link_port::link_port(params),
        "port_registers" => registers::port_registers(params),
        "router_tile" => registers::tile(params),
        "router" => chip::chip(params),
        "managed_router" => chip::managed_chip(params),
        cell => return cells::legal(cell),
    })
}

/// Whether a module, by its name, means something whatever its input is. Memories do not, nor what has one that others
/// address or fill by rules.
pub fn takes_noise(module: &str) -> bool {
    let with_memory = [
        "input_buffer",
        "row_buffer",
        "route_unit",
        "input_unit",
        "router_tile",
        "router",
        "managed_router",
    ];
    !with_memory.contains(&module) && !cells::is_memory(module)
}

/// Bit `index` of a port.
fn bit(cycle: &Cycle, port: &str, index: usize) -> bool {
    cycle.get(port) >> index & 1 == 1
}
