//! `Agent`: MA, the management of one port. It checks each access, and does it on the tile's register bus.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `select`, `access` | in | the row manager wants this access (see [`access`]) from this port; both stay until `done` |
//! | `done` | out | it is done, or refused, until `select` falls |
//! | `status` | out | with `done`: why it was refused, see [`status`](super::command::status) |
//! | `value` | out | with `done`: what was read; 0 if nothing was |
//! | `bus_write`, `bus_read`, `bus_address`, `bus_data` | out | the tile's register bus; zero when unused |
//! | `bus_read_data` | in | the value read, in the same cycle |
//! | `identity` | out | the register of that name |
//!
//! Latency: 1 cycle from `select` to `done` if the access is refused, reads, or reads and clears, else 2.
//!
//! Invariants: a refused access changes nothing but the count of refusals; every access is done. A register is cleared in
//! the cycle that reads it, so a counter loses no event.

use super::command::{access, Op, STATUS_BITS};
use super::registers::{identity, lock, IDENTITY, LOCK, REFUSED, REFUSED_BITS};
use super::{chip_register_map, AddressDecoder};
use crate::cells::{Flag, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::router::{bus, RouterParams};
use crate::wire::{cat, replicate, Wire};
use rust_hdl::prelude::*;

/// Management of one port; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Agent {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub select: Signal<In, Bit>,
    pub access: Wire<In>,
    pub done: Signal<Out, Bit>,
    pub status: Wire<Out>,
    pub value: Wire<Out>,
    pub bus_write: Signal<Out, Bit>,
    pub bus_read: Signal<Out, Bit>,
    pub bus_address: Wire<Out>,
    pub bus_data: Wire<Out>,
    pub bus_read_data: Wire<In>,
    pub identity: Wire<Out>,
    decoder: AddressDecoder,
    /// The access is one of the agent's own registers; it reads, it writes; it is checked in this cycle; it is let through.
    own: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    writes: Signal<Local, Bit>,
    checked: Signal<Local, Bit>,
    refusal: Wire<Local>,
    allowed: Signal<Local, Bit>,
    written: Wire<Local>,
    read: Wire<Local>,
    writes_now: Signal<Local, Bit>,
    /// What is left to do: the write, or nothing.
    to_write: Flag,
    finished: Flag,
    refused_for: Register,
    held: Register,
    lock: Register,
    refused: Register,
    named: Register,
}

impl Agent {
    pub fn new(params: &RouterParams) -> Self {
        let map = chip_register_map(params);
        let lock_bits = map.at(LOCK).expect("it is defined").bits();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            select: Default::default(),
            access: Wire::new(access::BITS),
            done: Default::default(),
            status: Wire::new(STATUS_BITS),
            value: Wire::new(bus::DATA_BITS),
            bus_write: Default::default(),
            bus_read: Default::default(),
            bus_address: Wire::new(bus::ADDRESS_BITS),
            bus_data: Wire::new(bus::DATA_BITS),
            bus_read_data: Wire::new(bus::DATA_BITS),
            identity: Wire::new(identity::BITS),
            decoder: AddressDecoder::new(&map),
            own: Default::default(),
            reads: Default::default(),
            writes: Default::default(),
            checked: Default::default(),
            refusal: Wire::new(STATUS_BITS),
            allowed: Default::default(),
            written: Wire::new(bus::DATA_BITS),
            read: Wire::new(bus::DATA_BITS),
            writes_now: Default::default(),
            to_write: Default::default(),
            finished: Default::default(),
            refused_for: Register::new(STATUS_BITS),
            held: Register::new(bus::DATA_BITS),
            lock: Register::new(lock_bits),
            refused: Register::new(REFUSED_BITS),
            named: Register::new(identity::BITS),
        }
    }
}

impl Logic for Agent {
    #[kernel]
    fn update(&mut self) {
        comment!("module: management_agent");
        let op = self.access.val().field(access::OP);
        let clears = op == Op::ReadClear as u64;
        let address = self.access.val().field(access::ADDRESS);
        let mask = self.access.val().field(access::MASK);
        let data = self.access.val().field(access::DATA);
        let width = bus::DATA_BITS;

        // The check.
        clocked!(self.to_write, self.finished);
        registers!(
            self.refused_for,
            self.held,
            self.lock,
            self.refused,
            self.named
        );
        self.decoder.address.next = address;
        self.own.next = (address >= LOCK as u64) & (address <= IDENTITY as u64);
        self.reads.next = op != Op::Write as u64;
        self.writes.next = op != Op::Read as u64;
        self.checked.next = self.select.val() & !self.to_write.q.val() & !self.finished.q.val();
        let known = self.decoder.known.val();
        let tables_locked = self
            .lock
            .q
            .val()
            .get_bit(u64::from(lock::TABLES.trailing_zeros()))
            & (address < bus::SUPERNODE as u64);
        let settings_locked = self
            .lock
            .q
            .val()
            .get_bit(u64::from(lock::SETTINGS.trailing_zeros()))
            & (address >= bus::SUPERNODE as u64)
            & !self.own.val();
        let not_allowed = (self.reads.val() & !self.decoder.readable.val())
            | (self.writes.val() & !self.decoder.writable.val());
        let locked = self.writes.val() & (tables_locked | settings_locked);
        let distrusted = self.writes.val() & !self.access.val().field(access::TRUSTED).any();
        // In the order of `status`, the first lowest. That there is a port is the chip manager's to know.
        self.refusal.next = cat(
            cat(known & distrusted, false),
            cat(cat(known & locked, known & not_allowed), !known),
        );
        self.allowed.next = self.checked.val() & !self.refusal.val().any();

        // The access: what it reads is kept, then comes what it writes.
        self.read.next = self.bus_read_data.val();
        if address == LOCK as u64 {
            self.read.next = self.lock.q.val().resize(width);
        } else if address == REFUSED as u64 {
            self.read.next = self.refused.q.val().resize(width);
        } else if address == IDENTITY as u64 {
            self.read.next = self.named.q.val().resize(width);
        }
        self.written.next = data;
        if clears {
            self.written.next = 0.into();
        } else if op == Op::Modify as u64 {
            self.written.next = (self.held.q.val() & !mask) | (data & mask);
        }
        let write_follows = self.allowed.val() & self.writes.val() & !clears;
        self.to_write.d.next = write_follows;
        self.writes_now.next = self.to_write.q.val() | (self.allowed.val() & clears);
        self.finished.d.next = self.select.val()
            & (self.finished.q.val()
                | self.to_write.q.val()
                | (self.checked.val() & !write_follows));
        if self.checked.val() {
            self.refused_for.d.next = self.refusal.val();
            self.held.d.next =
                self.read.val() & replicate(self.allowed.val() & self.reads.val(), width);
        }
        self.bus_read.next = self.allowed.val() & self.reads.val() & !self.own.val();
        self.bus_write.next = self.writes_now.val() & !self.own.val();
        self.bus_address.next = address
            & replicate(
                self.bus_read.val() | self.bus_write.val(),
                bus::ADDRESS_BITS,
            );
        self.bus_data.next = self.written.val() & replicate(self.bus_write.val(), width);
        self.done.next = self.finished.q.val();
        self.status.next = self.refused_for.q.val();
        self.value.next = self.held.q.val();

        // The agent's own registers.
        if self.writes_now.val() & (address == LOCK as u64) {
            let bits = self.lock.q.bits();
            self.lock.d.next = self.written.val().resize(bits);
        }
        if self.writes_now.val() & (address == IDENTITY as u64) {
            self.named.d.next = self.written.val().resize(identity::BITS);
        }
        self.identity.next = self.named.q.val();
        if self.allowed.val() & (address == REFUSED as u64) {
            self.refused.d.next = 0.into();
        } else if self.checked.val() & self.refusal.val().any() & !self.refused.q.val().all() {
            self.refused.d.next = self.refused.q.val() + 1;
        }
    }
}
