//! `InputChannel`: the packets of one virtual channel (VC) of an input, one after another: where the first of them goes.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `ready`, `arriving` | in | a packet may go on from now; its [route](super::route) |
//! | `granted` | in | the VC sends a flit |
//! | `usable`, `sibling` | in | of every output port |
//! | `group_shown`, `group_ports` | in | the answer to `reads_group` is here: ports of the packet's multicast group |
//! | `blocked_limit` | in | cycles that a packet may wait to start; 0: for ever |
//! | `routed` | out | there is a packet; what follows is about it |
//! | `started` | out | its head has been sent |
//! | `reads_group` | out | it cannot go before its multicast group has been read |
//! | `route` | out | its route; the rest is that of the flit to be sent |
//! | `ports`, `columns` | out | output ports that it goes to, none if it is dropped; the columns that they are in |
//!
//! Latency: 0 cycles for the first packet, so one that is alone need not wait. All outputs but those of a packet that is
//! `ready` just now come from registers.
//!
//! Invariant: after a packet has started its route does not change, whatever happens to ports.

use super::output_unit::BLOCKED_BITS;
use super::{drop_cause::CAUSE_BITS, route, DropCause, RouterParams};
use crate::cells::{Fifo, Flag, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{any_of, bits_of, cat, Value, Wire};
use rust_hdl::prelude::*;

/// One virtual channel of an input; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct InputChannel {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub ready: Signal<In, Bit>,
    pub arriving: Wire<In>,
    pub granted: Signal<In, Bit>,
    pub usable: Wire<In>,
    pub sibling: Wire<In>,
    pub group_shown: Signal<In, Bit>,
    pub group_ports: Wire<In>,
    pub blocked_limit: Wire<In>,
    pub routed: Signal<Out, Bit>,
    pub started: Signal<Out, Bit>,
    pub reads_group: Signal<Out, Bit>,
    pub route: Wire<Out>,
    pub ports: Wire<Out>,
    pub columns: Wire<Out>,
    routes: Fifo,
    in_packet: Flag,
    packet_route: Register,
    /// The packet's multicast group has been read; it names ports; those that can be used.
    group_known: Flag,
    group_named: Flag,
    targets: Register,
    /// Cycles that the packet has been waiting to start.
    waited: Register,
    /// The route of the first packet as it came.
    waiting: Wire<Local>,
    _columns: usize,
}

impl InputChannel {
    pub fn new(params: &RouterParams) -> Self {
        let ports = params.ports();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            ready: Default::default(),
            arriving: Wire::new(route::BITS),
            granted: Default::default(),
            usable: Wire::new(ports),
            sibling: Wire::new(ports),
            group_shown: Default::default(),
            group_ports: Wire::new(ports),
            blocked_limit: Wire::new(BLOCKED_BITS),
            routed: Default::default(),
            started: Default::default(),
            reads_group: Default::default(),
            route: Wire::new(route::BITS),
            ports: Wire::new(ports),
            columns: Wire::new(params.columns),
            // A packet takes at least one block.
            routes: Fifo::new(route::BITS, params.input_buffer_blocks),
            in_packet: Default::default(),
            packet_route: Register::new(route::BITS),
            group_known: Default::default(),
            group_named: Default::default(),
            targets: Register::new(ports),
            waited: Register::new(BLOCKED_BITS),
            waiting: Wire::new(route::BITS),
            _columns: params.columns,
        }
    }
}

impl Logic for InputChannel {
    #[kernel]
    fn update(&mut self) {
        comment!("module: input_channel");
        clocked!(self.routes);
        registers!(self.in_packet, self.packet_route, self.waited);
        registers!(self.group_known, self.group_named, self.targets);
        let (ports, columns) = (self.ports.bits(), self._columns);
        let rows = ports / columns;
        let in_packet = self.in_packet.q.val();
        let queued = !self.routes.empty.val();
        let granted = self.granted.val();

        // The first packet: the one that is being sent, else the oldest that waits, else the one that is ready now.
        self.routed.next = in_packet | queued | self.ready.val();
        self.started.next = in_packet;
        self.waiting.next = self.arriving.val();
        if queued {
            self.waiting.next = self.routes.pop_data.val();
        }
        self.routes.push.next = self.ready.val() & !(granted & !in_packet & !queued);
        self.routes.push_data.next = self.arriving.val();
        self.routes.pop.next = granted & !in_packet & queued;

        // What has come up since it was routed: its group leads nowhere, it has waited too long.
        let is_dropped = self.waiting.val().field(route::CAUSE).any();
        let multicast = self.waiting.val().field(route::MULTICAST).any();
        let uncaused = self.waiting.val().resize(route::CAUSE.offset);
        let expired =
            self.blocked_limit.val().any() & (self.waited.q.val() >= self.blocked_limit.val());
        self.route.next = self.waiting.val();
        if in_packet {
            self.route.next = self.packet_route.q.val();
        } else if !is_dropped & multicast & self.group_known.q.val() & !self.targets.q.val().any() {
            self.route.next = cat(Value::new(CAUSE_BITS, DropCause::DeadEnd.code()), uncaused);
            if !self.group_named.q.val() {
                self.route.next = cat(Value::new(CAUSE_BITS, DropCause::NoRoute.code()), uncaused);
            }
        } else if !is_dropped & expired {
            self.route.next = cat(Value::new(CAUSE_BITS, DropCause::Blocked.code()), uncaused);
        }

        let route = self.route.val();
        let last = !route.field(route::REST).any();
        if granted {
            self.in_packet.d.next = !last;
            // The rest is the lowest field, so this counts it down and leaves the others as they are.
            self.packet_route.d.next = route - 1;
        }
        self.waited.d.next = 0.into();
        if self.routed.val() & !in_packet & !granted {
            self.waited.d.next = self.waited.q.val() + 1;
            if self.waited.q.val().all() {
                self.waited.d.next = self.waited.q.val();
            }
        }

        // The ports.
        self.reads_group.next = self.routed.val()
            & route.field(route::MULTICAST).any()
            & !route.field(route::CAUSE).any()
            & !self.group_known.q.val();
        if granted & last {
            self.group_known.d.next = false;
        } else if self.group_shown.val() {
            self.group_known.d.next = true;
            self.group_named.d.next = self.group_ports.val().any();
            self.targets.d.next = self.group_ports.val() & self.usable.val() & !self.sibling.val();
        }
        self.ports.next = bits_of(0..ports, |p| route.field(route::PORT) == p as u64);
        if route.field(route::MULTICAST).any() {
            self.ports.next = self.targets.q.val();
        }
        if route.field(route::CAUSE).any() {
            self.ports.next = 0.into();
        }
        self.columns.next = bits_of(0..columns, |c| {
            any_of(0..rows, |r| {
                self.ports.val().get_bit((r * columns + c) as u64)
            })
        });
    }
}
