//! Settings, status and counters of a port.

use fantree_hdl::router::{bus, CounterBank, DropCause, Event, PortRegisters, RouterParams};
use fantree_tb::lockstep::Cycle;
use rand::Rng;

use super::{constrained, noise};

#[test]
fn counter_bank() {
    noise("counter_bank", |params| CounterBank::new(params.rows * 7));
}

/// An address of a register of a port, or beside one.
pub fn register_address(params: &RouterParams, cycle: &mut Cycle) -> u64 {
    let counters = Event::ALL.len() * params.virtual_channels + DropCause::ALL.len();
    let (first, count) = match cycle.random().gen_range(0..3) {
        0 => (bus::SUPERNODE, 18),
        1 => (bus::OCCUPANCY, 32),
        _ => (bus::COUNTERS, counters + 1),
    };
    (first + cycle.random().gen_range(0..count)) as u64
}

#[test]
fn port_registers() {
    let make = |params: &RouterParams| PortRegisters::new(params, 9, 7);
    constrained("port_registers", make, |params| {
        move |cycle| {
            let address = register_address(&params, cycle);
            cycle.set("bus_address", address);
        }
    });
}
