//! `MulticastTable`: the output ports of each multicast group.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `write`, `write_address`, `write_data` | in | writes a word of a group; addresses as on the register bus |
//! | `group` | in | a multicast group |
//! | `ports` | out | its ports, in the same cycle |
//!
//! Latency: 0 cycles to read. A group changes as a whole, when its word 1 is written: word 0 waits for it.
//!
//! The memory has no reset: groups that are used must have been written.

use super::{bus, RouterParams, MULTICAST_GROUPS};
use crate::cells::{bits_to_hold, LutRam, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{cat, Wire};
use rust_hdl::prelude::*;

/// Multicast groups of a port; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct MulticastTable {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub write: Signal<In, Bit>,
    pub write_address: Wire<In>,
    pub write_data: Wire<In>,
    pub group: Wire<In>,
    pub ports: Wire<Out>,
    groups: LutRam,
    low_word: Register,
}

impl MulticastTable {
    pub fn new(params: &RouterParams) -> Self {
        let ports = params.ports();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            write: Default::default(),
            write_address: Wire::new(bus::ADDRESS_BITS),
            write_data: Wire::new(bus::DATA_BITS),
            group: Wire::new(bits_to_hold(MULTICAST_GROUPS - 1)),
            ports: Wire::new(ports),
            groups: LutRam::new(ports, MULTICAST_GROUPS),
            low_word: Register::new(bus::DATA_BITS),
        }
    }
}

impl Logic for MulticastTable {
    #[kernel]
    fn update(&mut self) {
        comment!("module: multicast_table");
        registers!(self.low_word);
        let (ports, group_bits) = (self.ports.bits(), self.group.bits());
        let high = self.write_address.val().get_bit(0);
        if self.write.val() & !high {
            self.low_word.d.next = self.write_data.val();
        }
        self.groups.clock.next = self.clock.val();
        self.groups.write_enable.next = self.write.val() & high;
        self.groups.write_address.next = self.write_address.val().slice(1, group_bits);
        self.groups.write_data.next =
            cat(self.write_data.val(), self.low_word.q.val()).resize(ports);
        self.groups.read_address.next = self.group.val();
        self.ports.next = self.groups.read_data.val();
    }
}
