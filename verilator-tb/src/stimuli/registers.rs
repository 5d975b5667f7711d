//! Settings, status and counters of a port: addresses that mean something, values that leave packets a way.

use fantree_hdl::router::{bus, DropCause, Event, RouterParams};
use rand::Rng;

use super::link::{write_tables, Link};
use super::Legal;
use crate::lockstep::Cycle;

/// An address of a register of a port, or beside one.
fn register_address(params: &RouterParams, cycle: &mut Cycle) -> u64 {
    let counters = Event::ALL.len() * params.virtual_channels + DropCause::ALL.len();
    let (first, count) = match cycle.random().gen_range(0..3) {
        0 => (bus::SUPERNODE, 18),
        1 => (bus::OCCUPANCY, 32),
        _ => (bus::COUNTERS, counters + 1),
    };
    (first + cycle.random().gen_range(0..count)) as u64
}

/// Writes tables; when it does not, now and then a setting.
pub fn write_registers(params: &RouterParams, cycle: &mut Cycle, ports: [&str; 3]) {
    let [write, address, data] = ports;
    if write_tables(params, cycle, ports) {
        return;
    }
    let at = match cycle.random().gen_bool(0.2) {
        true => bus::CONTROL as u64,
        false => register_address(params, cycle),
    };
    cycle.set(address, at);
    // Limits are small, the ports mostly in use, and the blocks as the sender believes them to be.
    let value = match at as usize {
        bus::CONTROL => u64::from(bus::control::ENABLE) | cycle.random().gen_range(0..8),
        bus::BLOCKED_LIMIT => 40 * cycle.random().gen_range(0..4),
        bus::SUPERNODE => 1,
        bus::BACKLOG_LIMIT | bus::IN_USE_LIMIT | bus::RATE_LIMIT => cycle.random().gen_range(0..9),
        _ => return,
    };
    let now = cycle.random().gen_bool(0.2);
    cycle.set(write, now.into());
    cycle.set(data, value);
}

/// Legal input of a port's registers.
pub fn port_registers(params: RouterParams) -> Legal {
    Box::new(move |cycle| {
        let address = register_address(&params, cycle);
        cycle.set("bus_address", address);
    })
}

/// Legal input of a tile: packets, tables and settings.
pub fn tile(params: RouterParams) -> Legal {
    let mut link = Link::new(params, "");
    Box::new(move |cycle| {
        link.drive_unit(cycle);
        write_registers(&params, cycle, ["bus_write", "bus_address", "bus_data"]);
    })
}
