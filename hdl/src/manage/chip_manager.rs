//! `ChipManager`: CM, gives the accesses of its sources to the rows, and brings values and failures back.
//!
//! For each source s:
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `request`, `access[s]`, `ports[s]` | in | an access to these ports; it stays until `granted` |
//! | `granted` | out | it begins |
//! | `under_way` | out | an access of the source has not finished |
//! | `failed[s]` | out | what goes wrong in this cycle, see [`status`](super::command::status) |
//! | `valid`, `value`, `last`, `ready` | | a value for the source; see [`Gatherer`] |
//!
//! and for each row r, to its [`RowManager`](super::RowManager): `row_start`, `row_access`, `row_columns[r]`,
//! `row_finished`, `row_status[r]`, `row_valid`, `row_value[r]`, `row_last`, `row_ready`.
//!
//! Latency: 1 cycle to the rows. A write begins when all its rows are free, so rows work in parallel as long as each
//! write is for others; reads begin one after another, since their values come out in order. Sources take turns.
//!
//! Invariant (the user's): a source takes its values in bounded time, else the others wait for it.

use super::command::{access, status, Op, STATUS_BITS};
use super::Gatherer;
use crate::cells::{Register, RoundRobinArbiter};
use crate::kernel;
use crate::ports::Ports;
use crate::router::{bus, RouterParams};
use crate::wire::{any_of, bits_of, or_of, replicate, Value, Wire};
use rust_hdl::prelude::*;

/// Management of the chip; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct ChipManager {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Wire<In>,
    pub access: Vec<Wire<In>>,
    pub ports: Vec<Wire<In>>,
    pub granted: Wire<Out>,
    pub under_way: Wire<Out>,
    pub failed: Vec<Wire<Out>>,
    pub valid: Wire<Out>,
    pub value: Wire<Out>,
    pub last: Signal<Out, Bit>,
    pub ready: Wire<In>,
    pub row_start: Wire<Out>,
    pub row_access: Wire<Out>,
    pub row_columns: Vec<Wire<Out>>,
    pub row_finished: Wire<In>,
    pub row_status: Vec<Wire<In>>,
    pub row_valid: Wire<In>,
    pub row_value: Vec<Wire<In>>,
    pub row_last: Wire<In>,
    pub row_ready: Wire<Out>,
    turn: RoundRobinArbiter,
    gatherer: Gatherer,
    /// Sources that could begin; the one that does, with its access, ports and rows.
    possible: Wire<Local>,
    begins: Wire<Local>,
    begun: Wire<Local>,
    wanted: Wire<Local>,
    rows: Wire<Local>,
    /// By source: the rows at work for it.
    at_work: Vec<Register>,
    reader: Register,
    combine: Register,
    /// On the way to the rows.
    start: Register,
    sent: Register,
    columns: Vec<Register>,
    _params: RouterParams,
}

impl ChipManager {
    /// For so many sources.
    pub fn new(params: &RouterParams, sources: usize) -> Self {
        let (rows, columns) = (params.rows, params.columns);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Wire::new(sources),
            access: Wire::vec(sources, access::BITS),
            ports: Wire::vec(sources, params.ports()),
            granted: Wire::new(sources),
            under_way: Wire::new(sources),
            failed: Wire::vec(sources, STATUS_BITS),
            valid: Wire::new(sources),
            value: Wire::new(bus::DATA_BITS),
            last: Default::default(),
            ready: Wire::new(sources),
            row_start: Wire::new(rows),
            row_access: Wire::new(access::BITS),
            row_columns: Wire::vec(rows, columns),
            row_finished: Wire::new(rows),
            row_status: Wire::vec(rows, STATUS_BITS),
            row_valid: Wire::new(rows),
            row_value: Wire::vec(rows, bus::DATA_BITS),
            row_last: Wire::new(rows),
            row_ready: Wire::new(rows),
            turn: RoundRobinArbiter::new(sources),
            gatherer: Gatherer::new(rows),
            possible: Wire::new(sources),
            begins: Wire::new(sources),
            begun: Wire::new(access::BITS),
            wanted: Wire::new(params.ports()),
            rows: Wire::new(rows),
            at_work: Register::vec(sources, rows),
            reader: Register::new(sources),
            combine: Register::new(access::COMBINE.width),
            start: Register::new(rows),
            sent: Register::new(access::BITS),
            columns: Register::vec(rows, columns),
            _params: *params,
        }
    }
}

impl Logic for ChipManager {
    #[kernel]
    fn update(&mut self) {
        comment!("module: chip_manager");
        let (rows, columns) = (self._params.rows, self._params.columns);
        let sources = self.access.len();
        clocked!(self.turn, self.gatherer);
        registers!(self.reader, self.combine, self.start, self.sent);

        // Which source begins: its rows are free, and nobody reads.
        let busy = or_of(0..sources, |s| self.at_work[s].q.val());
        self.possible.next = self.request.val()
            & bits_of(0..sources, |s| {
                !any_of(0..rows, |r| {
                    busy.get_bit(r as u64) & self.ports[s].val().slice(r * columns, columns).any()
                })
            })
            & replicate(!self.gatherer.active.val(), sources);
        self.turn.request.next = self.possible.val();
        self.turn.advance.next = self.possible.val().any();
        self.begins.next = self.turn.grant.val();
        self.granted.next = self.begins.val();
        self.begun.next = or_of(0..sources, |s| {
            self.access[s].val() & replicate(self.begins.val().get_bit(s as u64), access::BITS)
        });
        self.wanted.next = or_of(0..sources, |s| {
            self.ports[s].val() & replicate(self.begins.val().get_bit(s as u64), rows * columns)
        });
        self.rows.next = bits_of(0..rows, |r| {
            self.wanted.val().slice(r * columns, columns).any()
        });
        let reads = self.begun.val().field(access::OP) != Op::Write as u64;

        // To the rows.
        self.start.d.next = self.rows.val();
        if self.begins.val().any() {
            self.sent.d.next = self.begun.val();
        }
        self.row_start.next = self.start.q.val();
        self.row_access.next = self.sent.q.val();
        for r in 0..rows {
            registers!(self.columns[r]);
            self.columns[r].d.next = self.wanted.val().slice(r * columns, columns);
            self.row_columns[r].next = self.columns[r].q.val();
        }

        // Values.
        self.gatherer.start.next = self.begins.val().any() & reads;
        self.gatherer.members.next = self.rows.val();
        if self.gatherer.start.val() {
            self.reader.d.next = self.begins.val();
            self.combine.d.next = self.begun.val().field(access::COMBINE);
        }
        self.gatherer.combine.next = self.combine.q.val();
        self.gatherer.member_valid.next = self.row_valid.val();
        self.gatherer.member_last.next = self.row_last.val();
        for r in 0..rows {
            self.gatherer.member_value[r].next = self.row_value[r].val();
        }
        self.row_ready.next = self.gatherer.member_taken.val();
        self.gatherer.ready.next = (self.reader.q.val() & self.ready.val()).any();
        self.valid.next = self.reader.q.val() & replicate(self.gatherer.valid.val(), sources);
        self.value.next = self.gatherer.value.val();
        self.last.next = self.gatherer.last.val();

        // What is under way, and how it went.
        let reading = self.reader.q.val() & replicate(self.gatherer.active.val(), sources);
        self.under_way.next = bits_of(0..sources, |s| self.at_work[s].q.val().any()) | reading;
        for s in 0..sources {
            registers!(self.at_work[s]);
            let own = self.begins.val().get_bit(s as u64);
            self.at_work[s].d.next = (self.at_work[s].q.val() & !self.row_finished.val())
                | (self.rows.val() & replicate(own, rows));
            let nowhere = own & !self.rows.val().any();
            self.failed[s].next = or_of(0..rows, |r| {
                self.row_status[r].val()
                    & replicate(
                        (self.at_work[s].q.val() & self.row_finished.val()).get_bit(r as u64),
                        STATUS_BITS,
                    )
            }) | (replicate(nowhere, STATUS_BITS)
                & Value::new(STATUS_BITS, u64::from(status::NO_PORT)));
        }
    }
}
