//! `Gatherer`: takes the values of its members, one a cycle in their order, and gives them on, or their combination.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `start`, `members` | in | begins with these members, while not `active` |
//! | `combine` | in | what becomes of the values, see [`Combine`]; it stays while `active` |
//! | `active` | out | it has begun, and not given its last value |
//! | `member_valid`, `member_value[i]`, `member_last` | in | a member has a value, its last one |
//! | `member_taken` | out | the value of this member is taken in this cycle |
//! | `valid`, `value`, `last` | out | a value; the last one |
//! | `ready` | in | it is taken in this cycle |
//!
//! Latency: 1 cycle from `start` to the first member; a value a cycle, and one more for a combination. Without members
//! it gives one zero.

use super::command::Combine;
use crate::cells::{Flag, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::router::bus;
use crate::wire::{or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Values in order, or combined; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Gatherer {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub members: Wire<In>,
    pub combine: Wire<In>,
    pub active: Signal<Out, Bit>,
    pub member_valid: Wire<In>,
    pub member_value: Vec<Wire<In>>,
    pub member_last: Wire<In>,
    pub member_taken: Wire<Out>,
    pub valid: Signal<Out, Bit>,
    pub value: Wire<Out>,
    pub last: Signal<Out, Bit>,
    pub ready: Signal<In, Bit>,
    running: Flag,
    /// Members whose values are still to come, and whether any value has come.
    left: Register,
    total: Register,
    begun: Flag,
    /// The next member, whether its value goes out as it is, and whether it is taken.
    next_member: Wire<Local>,
    picked: Wire<Local>,
    direct: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
}

impl Gatherer {
    /// For so many members.
    pub fn new(members: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            start: Default::default(),
            members: Wire::new(members),
            combine: Wire::new(2),
            active: Default::default(),
            member_valid: Wire::new(members),
            member_value: Wire::vec(members, bus::DATA_BITS),
            member_last: Wire::new(members),
            member_taken: Wire::new(members),
            valid: Default::default(),
            value: Wire::new(bus::DATA_BITS),
            last: Default::default(),
            ready: Default::default(),
            running: Default::default(),
            left: Register::new(members),
            total: Register::new(bus::DATA_BITS),
            begun: Default::default(),
            next_member: Wire::new(members),
            picked: Wire::new(bus::DATA_BITS),
            direct: Default::default(),
            taken: Default::default(),
        }
    }
}

impl Logic for Gatherer {
    #[kernel]
    fn update(&mut self) {
        let members = self.member_value.len();
        comment!("module: gatherer_{members}");
        clocked!(self.running, self.begun);
        registers!(self.left, self.total);
        let running = self.running.q.val();
        self.next_member.next = self.left.q.val() & (!self.left.q.val() + 1);
        self.picked.next = or_of(0..members, |i| {
            self.member_value[i].val()
                & replicate(self.next_member.val().get_bit(i as u64), bus::DATA_BITS)
        });
        let any_left = self.left.q.val().any();
        let has_value = (self.next_member.val() & self.member_valid.val()).any();
        let ends_member = (self.next_member.val() & self.member_last.val()).any();
        self.direct.next = (self.combine.val() == Combine::Gather as u64) & any_left;
        self.taken.next = running & has_value & (!self.direct.val() | self.ready.val());

        self.valid.next = running & (!any_left | (self.direct.val() & has_value));
        self.value.next = self.total.q.val();
        self.last.next = !any_left;
        if self.direct.val() {
            self.value.next = self.picked.val();
            self.last.next = ends_member & (self.left.q.val() == self.next_member.val());
        }
        self.member_taken.next = self.next_member.val() & replicate(self.taken.val(), members);
        self.active.next = running;

        self.running.d.next =
            (self.start.val() | running) & !(self.valid.val() & self.ready.val() & self.last.val());
        self.begun.d.next = running & (self.begun.q.val() | self.taken.val());
        if self.start.val() & !running {
            self.left.d.next = self.members.val();
            self.total.d.next = 0.into();
        } else if self.taken.val() {
            if ends_member {
                self.left.d.next = self.left.q.val() & !self.next_member.val();
            }
            if !self.direct.val() {
                if self.combine.val() == Combine::Sum as u64 {
                    self.total.d.next = self.total.q.val() + self.picked.val();
                } else if (self.combine.val() == Combine::And as u64) & self.begun.q.val() {
                    self.total.d.next = self.total.q.val() & self.picked.val();
                } else {
                    self.total.d.next = self.total.q.val() | self.picked.val();
                }
            }
        }
    }
}
