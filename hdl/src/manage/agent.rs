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
//!
//! Latency: 1 cycle from `select` to `done` if the access is refused or only reads, else 2.
//!
//! Invariants: a refused access changes nothing but the count of refusals; every access is done.

use super::command::{access, Op, STATUS_BITS};
use super::registers::{lock, LOCK, REFUSED, REFUSED_BITS};
use super::{managed_register_map, AddressDecoder};
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
    /// What is left to do: the write, or nothing.
    to_write: Flag,
    finished: Flag,
    refused_for: Register,
    held: Register,
    lock: Register,
    refused: Register,
}

impl Agent {
    pub fn new(params: &RouterParams) -> Self {
        let map = managed_register_map(params);
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
            decoder: AddressDecoder::new(&map),
            own: Default::default(),
            reads: Default::default(),
            writes: Default::default(),
            checked: Default::default(),
            refusal: Wire::new(STATUS_BITS),
            allowed: Default::default(),
            written: Wire::new(bus::DATA_BITS),
            read: Wire::new(bus::DATA_BITS),
            to_write: Default::default(),
            finished: Default::default(),
            refused_for: Register::new(STATUS_BITS),
            held: Register::new(bus::DATA_BITS),
            lock: Register::new(lock_bits),
            refused: Register::new(REFUSED_BITS),
        }
    }
}

impl Logic for Agent {
    #[kernel]
    fn update(&mut self) {
        comment!("module: management_agent");
        let op = self.access.val().field(access::OP);
        let address = self.access.val().field(access::ADDRESS);
        let mask = self.access.val().field(access::MASK);
        let data = self.access.val().field(access::DATA);
        let width = bus::DATA_BITS;

        // The check.
        clocked!(self.to_write, self.finished);
        registers!(self.refused_for, self.held, self.lock, self.refused);
        self.decoder.address.next = address;
        self.own.next = (address == LOCK as u64) | (address == REFUSED as u64);
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
        // In the order of `status`, the first lowest.
        self.refusal.next =
            cat(cat(known & locked, known & not_allowed), !known).resize(STATUS_BITS);
        self.allowed.next = self.checked.val() & !self.refusal.val().any();

        // The access: what it reads is kept, then comes what it writes.
        self.read.next = self.bus_read_data.val();
        if address == LOCK as u64 {
            self.read.next = self.lock.q.val().resize(width);
        } else if address == REFUSED as u64 {
            self.read.next = self.refused.q.val().resize(width);
        }
        self.written.next = data;
        if op == Op::ReadClear as u64 {
            self.written.next = 0.into();
        } else if op == Op::Modify as u64 {
            self.written.next = (self.held.q.val() & !mask) | (data & mask);
        }
        self.to_write.d.next = self.allowed.val() & self.writes.val();
        self.finished.d.next = self.select.val()
            & (self.finished.q.val()
                | self.to_write.q.val()
                | (self.checked.val() & !(self.allowed.val() & self.writes.val())));
        if self.checked.val() {
            self.refused_for.d.next = self.refusal.val();
            self.held.d.next =
                self.read.val() & replicate(self.allowed.val() & self.reads.val(), width);
        }
        self.bus_read.next = self.allowed.val() & self.reads.val() & !self.own.val();
        self.bus_write.next = self.to_write.q.val() & !self.own.val();
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
        if self.to_write.q.val() & (address == LOCK as u64) {
            let bits = self.lock.q.bits();
            self.lock.d.next = self.written.val().resize(bits);
        }
        if self.allowed.val() & (address == REFUSED as u64) {
            self.refused.d.next = 0.into();
        } else if self.checked.val() & self.refusal.val().any() & !self.refused.q.val().all() {
            self.refused.d.next = self.refused.q.val() + 1;
        }
    }
}
