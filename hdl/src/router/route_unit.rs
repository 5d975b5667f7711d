//! `RouteUnit`: the routes of packets as they come in.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `rx_valid`, `rx_flit`, `rx_vc` | in | a flit from the link |
//! | `write`, `write_address`, `write_data`, `supernode` | in | the routing table's |
//! | `usable`, `sibling`, `congested`, `level[k]` | in | of every output port, as in [`RouteChoice`] |
//! | `store` | in | packets are stored whole before they go on |
//! | `identity`, `own_port` | in | in a managed chip: who it is, the number of this port |
//! | `turns` | out | in a managed chip: what is routed in this cycle is a management request for this chip |
//! | `tail`, `damaged` | out | as in [`Arrival`] |
//! | `ready` | out | bit v: a packet of VC v may go on from now |
//! | `route[v]` | out | its [route](super::route) |
//!
//! Latency: with virtual cut-through 1 cycle from the head, or from the flit with the source route. With
//! store-and-forward 1 cycle from the tail. What is to be done is decided for every packet as it comes, so a change of
//! `store` never splits one.
//!
//! A packet that is dropped is stored first, whatever `store` says: its header may lie about its length, its tail not.
//!
//! A management request for this chip leaves by this port. It goes on in the next phase, if there is one: in each phase
//! packets follow the tables, whose dependencies have no cycle, and a packet that turns would close one. Chips of one
//! phase need a virtual channel that is management's alone, with one request at a time on any way.
//!
//! Invariant: routes of a VC come in the order of its packets, one a packet.

use super::bus::entry;
use super::output_unit::LEVEL_BITS;
use super::route_choice::SOURCE_PORT_BITS;
use super::{bus, route, Arrival, DropCause, RouteChoice, RouteTable, RouterParams};
use super::{PORT_BITS, VC_BITS};
use crate::cells::{Flag, Register};
use crate::kernel;
use crate::manage::registers::identity;
use crate::packet::{flit, header, FLIT_BITS};
use crate::ports::Ports;
use crate::wire::{any_of, bits_of, cat, Wire};
use rust_hdl::prelude::*;

/// Routes of arriving packets; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct RouteUnit {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub rx_valid: Signal<In, Bit>,
    pub rx_flit: Wire<In>,
    pub rx_vc: Wire<In>,
    pub write: Signal<In, Bit>,
    pub write_address: Wire<In>,
    pub write_data: Wire<In>,
    pub supernode: Wire<In>,
    pub usable: Wire<In>,
    pub sibling: Wire<In>,
    pub congested: Wire<In>,
    pub level: Vec<Wire<In>>,
    pub store: Signal<In, Bit>,
    pub tail: Wire<Out>,
    pub damaged: Signal<Out, Bit>,
    pub ready: Wire<Out>,
    pub route: Vec<Wire<Out>>,
    pub identity: Vec<Wire<In>>,
    pub own_port: Vec<Wire<In>>,
    pub turns: Vec<Signal<Out, Bit>>,
    arrival: Arrival,
    table: RouteTable,
    choice: RouteChoice,
    /// The route of the packet that was routed just now, and why it is dropped.
    found: Wire<Local>,
    cause: Wire<Local>,
    /// Its marks, and its port or group.
    marks: Wire<Local>,
    found_port: Wire<Local>,
    /// Routes of packets that are not here as a whole.
    held: Vec<Register>,
    holding: Vec<Flag>,
    stored: Vec<Wire<Local>>,
    stored_cause: Vec<Wire<Local>>,
    _params: RouterParams,
}

impl RouteUnit {
    pub fn new(params: &RouterParams) -> Self {
        let (ports, vcs) = (params.ports(), params.virtual_channels);
        let managed = usize::from(params.managed);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            rx_valid: Default::default(),
            rx_flit: Wire::new(FLIT_BITS),
            rx_vc: Wire::new(VC_BITS),
            write: Default::default(),
            write_address: Wire::new(bus::ADDRESS_BITS),
            write_data: Wire::new(bus::DATA_BITS),
            supernode: Wire::new(header::GUID_SUPERNODE.width),
            usable: Wire::new(ports),
            sibling: Wire::new(ports),
            congested: Wire::new(ports),
            level: Wire::vec(LEVEL_BITS, ports),
            store: Default::default(),
            tail: Wire::new(vcs),
            damaged: Default::default(),
            ready: Wire::new(vcs),
            route: Wire::vec(vcs, route::BITS),
            identity: Wire::vec(managed, identity::BITS),
            own_port: Wire::vec(managed, PORT_BITS),
            turns: (0..managed).map(|_| Default::default()).collect(),
            arrival: Arrival::new(params),
            table: RouteTable::new(params),
            choice: RouteChoice::new(params),
            found: Wire::new(route::BITS),
            cause: Wire::new(route::CAUSE.width),
            marks: Wire::new(route::CAUSE.offset - route::MULTICAST.offset),
            found_port: Wire::new(PORT_BITS),
            held: Register::vec(vcs, route::BITS),
            holding: Flag::vec(vcs),
            stored: Wire::vec(vcs, route::BITS),
            stored_cause: Wire::vec(vcs, route::CAUSE.width),
            _params: *params,
        }
    }
}

impl Logic for RouteUnit {
    #[kernel]
    fn update(&mut self) {
        comment!("module: route_unit");
        let vcs = self._params.virtual_channels;
        let phases = self._params.phases;
        let words = entry::words(self._params.candidates);
        clocked!(self.arrival, self.table, self.choice);
        self.arrival.rx_valid.next = self.rx_valid.val();
        self.arrival.rx_flit.next = self.rx_flit.val();
        self.arrival.rx_vc.next = self.rx_vc.val();
        self.table.lookup.next = self.rx_valid.val() & self.rx_flit.val().field(flit::HEAD).any();
        self.table.guid.next = self.rx_flit.val().field(header::DST_GUID);
        self.table.supernode.next = self.supernode.val();
        self.table.write.next = self.write.val();
        self.table.write_address.next = self.write_address.val();
        self.table.write_data.next = self.write_data.val();

        let routed = self.arrival.routed.val();
        self.choice.found.next = self.table.found.val();
        for word in 0..words {
            self.choice.word[word].next = self.table.word[word].val();
        }
        self.choice.source.next = self.arrival.source.val();
        self.choice.source_port.next = self.arrival.source_port.val();
        self.choice.adaptive.next = self.arrival.adaptive.val() & !self.arrival.source.val();
        self.choice.last_phase.next = any_of(0..vcs, |v| {
            routed.get_bit(v as u64) & ((v + 1) % phases == 0)
        });
        self.choice.usable.next = self.usable.val();
        self.choice.sibling.next = self.sibling.val();
        self.choice.congested.next = self.congested.val();
        for k in 0..LEVEL_BITS {
            self.choice.level[k].next = self.level[k].val();
        }
        self.choice.used.next = routed.any();
        if self._params.managed {
            self.arrival.identity[0].next = self.identity[0].val();
            self.turns[0].next = self.arrival.turns[0].val();
            if self.arrival.turns[0].val() {
                self.choice.source.next = true;
                self.choice.source_port.next = self.own_port[0].val().resize(SOURCE_PORT_BITS);
                self.choice.adaptive.next = false;
            }
        }

        self.cause.next = self.arrival.cause.val();
        if !self.arrival.cause.val().any() & !self.arrival.multicast.val() {
            if !self.choice.named.val() {
                self.cause.next = DropCause::NoRoute.code().into();
            } else if !self.choice.chosen.val() {
                self.cause.next = DropCause::DeadEnd.code().into();
            }
        }
        // From the cause downwards, as in `route`.
        self.marks.next = cat(self.choice.to_sibling.val(), false);
        if self._params.managed {
            let goes_on = !self.choice.last_phase.val();
            if self.arrival.turns[0].val() {
                self.marks.next = cat(goes_on, false);
            }
        }
        self.found_port.next = self.choice.port.val();
        if self.arrival.multicast.val() {
            self.marks.next = 1.into();
            self.found_port.next = self.arrival.group.val().resize(PORT_BITS);
        }
        self.found.next = cat(
            cat(self.cause.val(), self.marks.val()),
            cat(self.found_port.val(), self.arrival.rest.val()),
        );

        let whole = self.arrival.tail.val();
        let now = !self.store.val() & !self.cause.val().any();
        for v in 0..vcs {
            registers!(self.held[v], self.holding[v]);
            let is_routed = routed.get_bit(v as u64);
            let is_whole = whole.get_bit(v as u64);
            if is_routed {
                self.held[v].d.next = self.found.val();
                self.holding[v].d.next = !now & !is_whole;
            } else if is_whole {
                self.holding[v].d.next = false;
            }
            // A packet that was stored goes by the length it has, and not at all if it is damaged.
            self.stored[v].next = self.held[v].q.val();
            if is_routed {
                self.stored[v].next = self.found.val();
            }
            self.stored_cause[v].next = self.stored[v].val().field(route::CAUSE);
            if !self.stored[v].val().field(route::CAUSE).any() & self.arrival.damaged.val() {
                self.stored_cause[v].next = DropCause::PacketCrc.code().into();
            }
            self.route[v].next = cat(
                cat(
                    self.stored_cause[v].val(),
                    self.stored[v]
                        .val()
                        .slice(route::PORT.offset, route::CAUSE.offset - route::PORT.offset),
                ),
                self.arrival.arrived[v].val(),
            );
            if is_routed & now {
                self.route[v].next = self.found.val();
            }
        }
        self.ready.next = bits_of(0..vcs, |v| {
            (routed.get_bit(v as u64) & (now | whole.get_bit(v as u64)))
                | (self.holding[v].q.val() & whole.get_bit(v as u64))
        });
        self.tail.next = whole;
        self.damaged.next = self.arrival.damaged.val();
    }
}
