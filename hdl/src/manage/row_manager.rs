//! `RowManager`: RM, does an access at the ports of a row, all at once, and brings their values.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `start`, `access`, `columns` | in | begins an access at these ports, while nothing is under way |
//! | `finished`, `status` | out | for one cycle: it is over; what went wrong at any port |
//! | `valid`, `value`, `last`, `ready` | | values that were read, before `finished`; see [`Gatherer`] |
//! | `agent_select`, `agent_access` | out | to the agents of the row |
//! | `agent_done`, `agent_status[c]`, `agent_value[c]` | in | from them |
//!
//! Latency: 3 cycles from `start` to `finished` for a write, 4 and one a value for a read.
//! The next access may start in the cycle after `finished`.

use super::command::{access, Op, STATUS_BITS};
use super::Gatherer;
use crate::cells::{Flag, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::router::bus;
use crate::wire::{or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Management of a row; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct RowManager {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub access: Wire<In>,
    pub columns: Wire<In>,
    pub finished: Signal<Out, Bit>,
    pub status: Wire<Out>,
    pub valid: Signal<Out, Bit>,
    pub value: Wire<Out>,
    pub last: Signal<Out, Bit>,
    pub ready: Signal<In, Bit>,
    pub agent_select: Wire<Out>,
    pub agent_access: Wire<Out>,
    pub agent_done: Wire<In>,
    pub agent_status: Vec<Wire<In>>,
    pub agent_value: Vec<Wire<In>>,
    gatherer: Gatherer,
    running: Flag,
    wanted: Register,
    chosen: Register,
    all_done: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
}

impl RowManager {
    /// For a row of so many ports.
    pub fn new(columns: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            start: Default::default(),
            access: Wire::new(access::BITS),
            columns: Wire::new(columns),
            finished: Default::default(),
            status: Wire::new(STATUS_BITS),
            valid: Default::default(),
            value: Wire::new(bus::DATA_BITS),
            last: Default::default(),
            ready: Default::default(),
            agent_select: Wire::new(columns),
            agent_access: Wire::new(access::BITS),
            agent_done: Wire::new(columns),
            agent_status: Wire::vec(columns, STATUS_BITS),
            agent_value: Wire::vec(columns, bus::DATA_BITS),
            gatherer: Gatherer::new(columns),
            running: Default::default(),
            wanted: Register::new(access::BITS),
            chosen: Register::new(columns),
            all_done: Default::default(),
            reads: Default::default(),
        }
    }
}

impl Logic for RowManager {
    #[kernel]
    fn update(&mut self) {
        comment!("module: row_manager");
        let columns = self.agent_value.len();
        clocked!(self.running, self.gatherer);
        registers!(self.wanted, self.chosen);
        let running = self.running.q.val();
        if self.start.val() {
            self.wanted.d.next = self.access.val();
            self.chosen.d.next = self.columns.val();
        }
        self.agent_select.next = self.chosen.q.val() & replicate(running, columns);
        self.agent_access.next = self.wanted.q.val();
        self.all_done.next =
            running & ((self.agent_done.val() & self.chosen.q.val()) == self.chosen.q.val());
        self.reads.next = self.wanted.q.val().field(access::OP) != Op::Write as u64;

        // Agents hold their values until all are fetched.
        self.gatherer.start.next =
            self.all_done.val() & self.reads.val() & !self.gatherer.active.val();
        self.gatherer.members.next = self.chosen.q.val();
        self.gatherer.combine.next = self.wanted.q.val().field(access::COMBINE);
        self.gatherer.member_valid.next = self.chosen.q.val();
        self.gatherer.member_last.next = self.chosen.q.val();
        for c in 0..columns {
            self.gatherer.member_value[c].next = self.agent_value[c].val();
        }
        self.gatherer.ready.next = self.ready.val();
        self.valid.next = self.gatherer.valid.val();
        self.value.next = self.gatherer.value.val();
        self.last.next = self.gatherer.last.val();

        let fetched = self.gatherer.valid.val() & self.gatherer.last.val() & self.ready.val();
        let finished = (self.all_done.val() & !self.reads.val()) | fetched;
        self.finished.next = finished;
        self.running.d.next = self.start.val() | (running & !finished);
        self.status.next = or_of(0..columns, |c| {
            self.agent_status[c].val()
                & replicate(self.chosen.q.val().get_bit(c as u64), STATUS_BITS)
        });
    }
}
