//! `RouteTable`: two-level table look-up of the output port of a packet.
//!
//! A destination in this router's own supernode is looked up by its number in the first level, any other by its
//! supernode in the second; one RAM holds both (`spec/sunway.md` section 2.3).
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `lookup`, `guid` | in | a header is here; its destination |
//! | `valid`, `port` | out | next cycle: whether there is a route, and its output port |
//! | `supernode` | in | this router's own supernode |
//! | `write`, `write_address`, `write_data` | in | writes an entry; addresses as on the register bus |
//!
//! Latency: 1 cycle, one look-up a cycle; a write and a look-up of the same entry in one cycle give the old entry.
//!
//! Invariant: an address past the end of its level has no route, whatever the RAM holds.

use super::bus::{self, entry};
use super::{RouterParams, PORT_BITS};
use crate::cells::{bits_to_hold, Flag, Ram};
use crate::kernel;
use crate::packet::header;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// Two-level routing table; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct RouteTable {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub lookup: Signal<In, Bit>,
    pub guid: Wire<In>,
    pub valid: Signal<Out, Bit>,
    pub port: Wire<Out>,
    pub supernode: Wire<In>,
    pub write: Signal<In, Bit>,
    pub write_address: Wire<In>,
    pub write_data: Wire<In>,
    entries: Ram,
    in_range: Flag,
    _in_entries: usize,
    _out_entries: usize,
}

impl RouteTable {
    pub fn new(params: &RouterParams) -> Self {
        let (inside, outside) = (params.in_supernode_entries, params.out_supernode_entries);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            lookup: Default::default(),
            guid: Wire::new(header::DST_GUID.width),
            valid: Default::default(),
            port: Wire::new(PORT_BITS),
            supernode: Wire::new(header::GUID_SUPERNODE.width),
            write: Default::default(),
            write_address: Wire::new(bus::ADDRESS_BITS),
            write_data: Wire::new(entry::BITS),
            entries: Ram::new(entry::BITS, inside + outside),
            in_range: Default::default(),
            _in_entries: inside,
            _out_entries: outside,
        }
    }

    /// Width of an address of the RAM that holds both levels.
    fn address_bits(&self) -> usize {
        bits_to_hold(self._in_entries + self._out_entries - 1)
    }
}

impl Logic for RouteTable {
    #[kernel]
    fn update(&mut self) {
        comment!("module: route_table");
        clocked!(self.in_range);
        self.entries.clock.next = self.clock.val();
        let width = self.address_bits();
        // Wide enough for an index of either level and for the number of entries itself.
        let index_width = bus::ADDRESS_BITS;
        let inside_entries = self._in_entries as u64;
        let outside_entries = self._out_entries as u64;

        let number = self
            .guid
            .val()
            .field(header::GUID_NUMBER)
            .resize(index_width);
        let supernode = self.guid.val().field(header::GUID_SUPERNODE);
        self.entries.read_enable.next = self.lookup.val();
        if supernode == self.supernode.val() {
            self.entries.read_address.next = number.resize(width);
            self.in_range.d.next = number < inside_entries;
        } else {
            let index = supernode.resize(index_width);
            self.entries.read_address.next = (index + inside_entries).resize(width);
            self.in_range.d.next = index < outside_entries;
        }
        self.valid.next =
            self.in_range.q.val() & self.entries.read_data.val().field(entry::VALID).any();
        self.port.next = self.entries.read_data.val().field(entry::PORT);

        // The level is a bit of the address, the entry what is below it.
        let second = self
            .write_address
            .val()
            .get_bit(bus::OUT_SUPERNODE_TABLE.trailing_zeros() as u64);
        let index = self.write_address.val() & (bus::OUT_SUPERNODE_TABLE as u64 - 1);
        self.entries.write_data.next = self.write_data.val();
        if second {
            self.entries.write_address.next = (index + inside_entries).resize(width);
            self.entries.write_enable.next = self.write.val() & (index < outside_entries);
        } else {
            self.entries.write_address.next = index.resize(width);
            self.entries.write_enable.next = self.write.val() & (index < inside_entries);
        }
    }
}
