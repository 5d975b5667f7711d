//! Settings, status and counters of a port.

use fantree_hdl::router::{CounterBank, PortRegisters, RouterParams};

use super::{legal_input, noise};

#[test]
fn counter_bank() {
    noise("counter_bank", |params| CounterBank::new(params.rows * 7));
}

#[test]
fn port_registers() {
    let make = |params: &RouterParams| PortRegisters::new(params, 9, 7);
    legal_input("port_registers", make);
}
