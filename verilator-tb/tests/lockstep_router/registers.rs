//! Settings, status and counters of a port.

use fantree_hdl::router::{CounterBank, PortRegisters};

use super::{legal_input, noise};

#[test]
fn counter_bank() {
    noise("counter_bank", |params| CounterBank::new(params.rows * 7));
}

#[test]
fn port_registers() {
    legal_input("port_registers", PortRegisters::new);
}
