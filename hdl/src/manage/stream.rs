//! `Stream`: what a source wants, as accesses: its setup, and an address that goes up.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `load`, `setup` | in | a new setup, see [`setup`]; only when not `busy` |
//! | `beat`, `data` | in | an access; both stay until `taken` |
//! | `trusted` | in | the source may write; it stays as well |
//! | `taken` | out | it has begun |
//! | `busy` | out | an access is under way |
//! | `status` | out | what went wrong since the setup |
//! | `request`, `access`, `ports` | out | to the chip manager: an access to these ports |
//! | `granted`, `under_way`, `failed` | in | from it: it begins; some are under way; what goes wrong in this cycle |
//!
//! Latency: 0 cycles from `beat` to `request`.

use super::command::{access, setup, setup_bits, STATUS_BITS};
use crate::cells::{ModuloCounter, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::router::{bus, RouterParams};
use crate::wire::{cat, or_of, replicate, Value, Wire};
use rust_hdl::prelude::*;

/// The accesses of a source; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Stream {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub load: Signal<In, Bit>,
    pub setup: Wire<In>,
    pub beat: Signal<In, Bit>,
    pub data: Wire<In>,
    pub trusted: Signal<In, Bit>,
    pub taken: Signal<Out, Bit>,
    pub busy: Signal<Out, Bit>,
    pub status: Wire<Out>,
    pub request: Signal<Out, Bit>,
    pub access: Wire<Out>,
    pub ports: Wire<Out>,
    pub granted: Signal<In, Bit>,
    pub under_way: Signal<In, Bit>,
    pub failed: Wire<In>,
    held: Register,
    address: Register,
    failures: Register,
    /// The row of the next beat of a stream that is spread.
    row: ModuloCounter,
    _params: RouterParams,
}

impl Stream {
    pub fn new(params: &RouterParams) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            load: Default::default(),
            setup: Wire::new(setup_bits(params)),
            beat: Default::default(),
            data: Wire::new(bus::DATA_BITS),
            trusted: Default::default(),
            taken: Default::default(),
            busy: Default::default(),
            status: Wire::new(STATUS_BITS),
            request: Default::default(),
            access: Wire::new(access::BITS),
            ports: Wire::new(params.ports()),
            granted: Default::default(),
            under_way: Default::default(),
            failed: Wire::new(STATUS_BITS),
            held: Register::new(setup_bits(params)),
            address: Register::new(bus::ADDRESS_BITS),
            failures: Register::new(STATUS_BITS),
            row: ModuloCounter::new(params.rows),
            _params: *params,
        }
    }
}

impl Logic for Stream {
    #[kernel]
    fn update(&mut self) {
        comment!("module: management_stream");
        let (rows, columns) = (self._params.rows, self._params.columns);
        let ports = self._params.ports();
        let held = self.held.q.val();
        let spread = held.field(setup::SPREAD).any();
        registers!(self.held, self.address, self.failures);
        self.row.clock.next = self.clock.val();

        self.request.next = self.beat.val();
        self.access.next = cat(
            cat(
                cat(self.trusted.val(), self.data.val()),
                held.field(access::MASK),
            ),
            cat(self.address.q.val(), held.slice(0, access::ADDRESS.offset)),
        );
        self.ports.next = held.slice(setup::PORTS, ports);
        if spread {
            self.ports.next = held.slice(setup::PORTS, ports)
                & or_of(0..rows, |r| {
                    replicate(self.row.value.val() == r as u64, ports)
                        & row_ports(ports, columns, r)
                });
        }
        let entry = held.field(setup::ENTRY);
        let word = self.address.q.val().slice(0, setup::ENTRY_BITS);
        let next_entry = self
            .address
            .q
            .val()
            .slice(setup::ENTRY_BITS, bus::ADDRESS_BITS - setup::ENTRY_BITS)
            + 1;
        let last_row = self.row.value.val() == (rows - 1) as u64;
        self.row.reset.next = self.reset.val() | self.load.val();
        self.row.advance.next = self.granted.val() & spread;
        if self.load.val() {
            self.held.d.next = self.setup.val();
            self.address.d.next = self.setup.val().field(access::ADDRESS);
        } else if self.granted.val() & held.field(setup::INCREMENT).any() & (last_row | !spread) {
            self.address.d.next = self.address.q.val() + 1;
            if entry.any() & (word == entry - 1) {
                self.address.d.next = cat(next_entry, Value::zero(setup::ENTRY_BITS));
            }
        }
        self.failures.d.next =
            (self.failures.q.val() & replicate(!self.load.val(), STATUS_BITS)) | self.failed.val();
        self.taken.next = self.granted.val();
        self.busy.next = self.beat.val() | self.under_way.val();
        self.status.next = self.failures.q.val();
    }
}

/// The ports of a row, a bit each.
fn row_ports(ports: usize, columns: usize, row: usize) -> Value {
    let row_of_ones = u64::MAX >> (64 - columns);
    Value::new(ports, row_of_ones << (row * columns))
}
