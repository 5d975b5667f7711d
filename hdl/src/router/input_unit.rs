//! `InputUnit`, the IRU: from the link to the tile's row bus.
//!
//! Flits go into the shared buffer. The packet's route is found as it arrives and waits in a queue of its virtual channel
//! (VC). Each cycle one VC that has a flit, a route and a credit of the row buffer it goes to sends a flit on the row
//! bus, which every tile of the row hears; the upstream side gets a block's credit back when it is empty.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `rx_valid`, `rx_flit`, `rx_vc` | in | a flit from the link |
//! | `rx_credit` | out | bit v: a block of VC v came free |
//! | `write`, `write_address`, `write_data`, `supernode` | in | the tables' |
//! | `usable`, `sibling`, `congested`, `level[k]` | in | of every output port, as in [`RouteChoice`](super::RouteChoice) |
//! | `store` | in | packets are stored whole before they go on |
//! | `blocked_limit` | in | cycles that a packet may wait to start; 0: for ever |
//! | `identity`, `own_port` | in | in a managed chip: who it is, the number of this port |
//! | `row_ports` | out | bit p: the row bus carries a flit for port p |
//! | `row_flit`, `row_vc` | out | that flit; its VC on the way out, one bit each |
//! | `row_credit[c]` | in | bit v: tile c freed a flit of VC v in the row buffer of this tile |
//! | `drop_cause`, `drop_header` | out | a packet is dropped for this cause (0: none); its header |
//! | `blocks[v]`, `stalled` | out | blocks that VC v holds; VCs that have a flit which does not go |
//! | `meets_congestion` | out | a VC's first packet goes to a congested port |
//!
//! Latency: a flit at `rx_valid` in cycle t is chosen in t + 1 and on the row bus in t + 2. A multicast packet takes one
//! cycle more, to read its group.
//!
//! Invariants: packets of a VC leave in order and whole; inside the chip a packet has the VC it leaves on, and of two
//! VCs that meet there one waits for the other's tail; a dropped packet takes no credit and reaches no column.
//!
//! A multicast packet starts only when every row buffer that it goes to has room for all of it. Nobody else uses the
//! row buffers of this tile and VC, so that room comes, and the packet crosses the bus once and without a stop.

use super::output_unit::{BLOCKED_BITS, LEVEL_BITS};
use super::{bus, drop_cause::CAUSE_BITS, route, InputBuffer, InputChannel};
use super::{MulticastTable, RouteUnit, RouterParams, MULTICAST_GROUPS, PORT_BITS, VC_BITS};
use crate::cells::{CreditCounter, Register, RoundRobinArbiter};
use crate::kernel;
use crate::manage::registers::identity;
use crate::packet::{flit, header, FLIT_BITS, HEADER_BITS};
use crate::ports::Ports;
use crate::wire::{any_of, bits_of, or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// Link side of a tile; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct InputUnit {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub rx_valid: Signal<In, Bit>,
    pub rx_flit: Wire<In>,
    pub rx_vc: Wire<In>,
    pub rx_credit: Wire<Out>,
    pub write: Signal<In, Bit>,
    pub write_address: Wire<In>,
    pub write_data: Wire<In>,
    pub supernode: Wire<In>,
    pub usable: Wire<In>,
    pub sibling: Wire<In>,
    pub congested: Wire<In>,
    pub level: Vec<Wire<In>>,
    pub store: Signal<In, Bit>,
    pub blocked_limit: Wire<In>,
    pub row_ports: Wire<Out>,
    pub row_flit: Wire<Out>,
    pub row_vc: Wire<Out>,
    pub row_credit: Vec<Wire<In>>,
    pub drop_cause: Wire<Out>,
    pub drop_header: Wire<Out>,
    pub blocks: Vec<Wire<Out>>,
    pub stalled: Wire<Out>,
    pub meets_congestion: Signal<Out, Bit>,
    pub identity: Vec<Wire<In>>,
    pub own_port: Vec<Wire<In>>,
    buffer: InputBuffer,
    routing: RouteUnit,
    groups: MulticastTable,
    channel: Vec<InputChannel>,
    /// The VC whose multicast group is read.
    reader: Wire<Local>,
    /// By VC: columns whose row buffer has room, for a flit and for all of a multicast packet.
    room: Vec<Wire<Local>>,
    room_for_all: Vec<Wire<Local>>,
    /// The VC's packet would meet another's in a row buffer.
    meets: Vec<Signal<Local, Bit>>,
    /// A flit is sent that leaves the chip on the VC.
    sends_on: Vec<Signal<Local, Bit>>,
    arbiter: RoundRobinArbiter,
    row_space: Vec<Vec<CreditCounter>>,
    bus_ports: Register,
    bus_vc: Register,
    bus_drop: Register,
    _params: RouterParams,
}

impl InputUnit {
    pub fn new(params: &RouterParams) -> Self {
        let (ports, columns, vcs) = (params.ports(), params.columns, params.virtual_channels);
        let managed = usize::from(params.managed);
        let row_space = || CreditCounter::vec(vcs, params.row_buffer_flits);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            rx_valid: Default::default(),
            rx_flit: Wire::new(FLIT_BITS),
            rx_vc: Wire::new(VC_BITS),
            rx_credit: Wire::new(vcs),
            write: Default::default(),
            write_address: Wire::new(bus::ADDRESS_BITS),
            write_data: Wire::new(bus::DATA_BITS),
            supernode: Wire::new(header::GUID_SUPERNODE.width),
            usable: Wire::new(ports),
            sibling: Wire::new(ports),
            congested: Wire::new(ports),
            level: Wire::vec(LEVEL_BITS, ports),
            store: Default::default(),
            blocked_limit: Wire::new(BLOCKED_BITS),
            row_ports: Wire::new(ports),
            row_flit: Wire::new(FLIT_BITS),
            row_vc: Wire::new(vcs),
            row_credit: Wire::vec(columns, vcs),
            drop_cause: Wire::new(CAUSE_BITS),
            drop_header: Wire::new(HEADER_BITS),
            blocks: Wire::vec(vcs, params.block_count_bits()),
            stalled: Wire::new(vcs),
            meets_congestion: Default::default(),
            identity: Wire::vec(managed, identity::BITS),
            own_port: Wire::vec(managed, PORT_BITS),
            buffer: InputBuffer::new(params),
            routing: RouteUnit::new(params),
            groups: MulticastTable::new(params),
            channel: (0..vcs).map(|_| InputChannel::new(params)).collect(),
            reader: Wire::new(vcs),
            room: Wire::vec(vcs, columns),
            room_for_all: Wire::vec(vcs, columns),
            meets: (0..vcs).map(|_| Default::default()).collect(),
            sends_on: (0..vcs).map(|_| Default::default()).collect(),
            arbiter: RoundRobinArbiter::new(vcs),
            row_space: (0..columns).map(|_| row_space()).collect(),
            bus_ports: Register::new(ports),
            bus_vc: Register::new(vcs),
            bus_drop: Register::new(CAUSE_BITS),
            _params: *params,
        }
    }
}

impl Logic for InputUnit {
    #[kernel]
    fn update(&mut self) {
        comment!("module: input_unit");
        let (columns, vcs) = (self._params.columns, self._params.virtual_channels);
        let (ports, params) = (self._params.ports(), self._params);
        let grant = self.arbiter.grant.val();
        // Wide enough to compare a count of credits with a packet's length.
        let length_bits = route::REST.width.max(self.row_space[0][0].count.bits());

        // Arrival.
        clocked!(self.buffer, self.routing, self.groups);
        self.buffer.write.next = self.rx_valid.val();
        self.buffer.write_flit.next = self.rx_flit.val();
        self.buffer.write_vc.next = self.rx_vc.val();
        self.buffer.checked.next = self.routing.tail.val().any();
        self.buffer.damaged.next = self.routing.damaged.val();
        self.routing.rx_valid.next = self.rx_valid.val();
        self.routing.rx_flit.next = self.rx_flit.val();
        self.routing.rx_vc.next = self.rx_vc.val();
        self.routing.write.next =
            self.write.val() & (self.write_address.val() < bus::MULTICAST_TABLE as u64);
        self.routing.write_address.next = self.write_address.val();
        self.routing.write_data.next = self.write_data.val();
        self.routing.supernode.next = self.supernode.val();
        self.routing.usable.next = self.usable.val();
        self.routing.sibling.next = self.sibling.val();
        self.routing.congested.next = self.congested.val();
        for k in 0..LEVEL_BITS {
            self.routing.level[k].next = self.level[k].val();
        }
        self.routing.store.next = self.store.val();
        if params.managed {
            self.routing.identity[0].next = self.identity[0].val();
            self.routing.own_port[0].next = self.own_port[0].val();
            // A request is stored whole: nothing is done for one that is damaged, and none stops on its way out.
            self.routing.store.next = self.store.val() | self.routing.turns[0].val();
        }

        // The first packet of each VC. Multicast groups are read one a cycle.
        let asks = bits_of(0..vcs, |v| self.channel[v].reads_group.val());
        self.reader.next = asks & (!asks + 1);
        let group_bits = self.groups.group.bits();
        let groups_end = (bus::MULTICAST_TABLE + 2 * MULTICAST_GROUPS) as u64;
        self.groups.write.next = self.write.val()
            & (self.write_address.val() >= bus::MULTICAST_TABLE as u64)
            & (self.write_address.val() < groups_end);
        self.groups.write_address.next = self.write_address.val();
        self.groups.write_data.next = self.write_data.val();
        self.groups.group.next = or_of(0..vcs, |v| {
            replicate(self.reader.val().get_bit(v as u64), group_bits)
                & self.channel[v]
                    .route
                    .val()
                    .slice(route::PORT.offset, group_bits)
        });
        for v in 0..vcs {
            clocked!(self.channel[v]);
            self.channel[v].ready.next = self.routing.ready.val().get_bit(v as u64);
            self.channel[v].arriving.next = self.routing.route[v].val();
            self.channel[v].granted.next = grant.get_bit(v as u64);
            self.channel[v].usable.next = self.usable.val();
            self.channel[v].sibling.next = self.sibling.val();
            self.channel[v].group_shown.next = self.reader.val().get_bit(v as u64);
            self.channel[v].group_ports.next = self.groups.ports.val();
            self.channel[v].blocked_limit.next = self.blocked_limit.val();
            self.blocks[v].next = self.buffer.blocks[v].val();
        }

        // Room in the row buffers, of the VC that the packet leaves on; and whether that is in use.
        for v in 0..vcs {
            let rest = self.channel[v]
                .route
                .val()
                .field(route::REST)
                .resize(length_bits);
            self.room[v].next = bits_of(0..columns, |c| self.row_space[c][v].available.val());
            self.room_for_all[v].next = bits_of(0..columns, |c| {
                self.row_space[c][v].count.val().resize(length_bits) > rest
            });
            self.meets[v].next = false;
            if let Some(w) = params.vc_after(v) {
                if self.channel[v].route.val().field(route::AFTER).any() {
                    self.room[v].next =
                        bits_of(0..columns, |c| self.row_space[c][w].available.val());
                    self.meets[v].next = self.channel[w].started.val()
                        & !self.channel[w].route.val().field(route::AFTER).any();
                }
            }
            if let Some(u) = params.vc_before(v) {
                if !self.channel[v].route.val().field(route::AFTER).any() {
                    self.meets[v].next = self.channel[u].started.val()
                        & self.channel[u].route.val().field(route::AFTER).any();
                }
            }
        }

        // A VC asks for the row bus with a flit, its route, and room in the row buffers that it goes to.
        self.arbiter.request.next = bits_of(0..vcs, |v| {
            self.buffer.occupied.val().get_bit(v as u64)
                & self.channel[v].routed.val()
                & !self.channel[v].reads_group.val()
                & !(self.channel[v].columns.val() & !self.room[v].val()).any()
                & (self.channel[v].started.val()
                    | (!self.meets[v].val()
                        & (!self.channel[v].route.val().field(route::MULTICAST).any()
                            | !(self.channel[v].columns.val() & !self.room_for_all[v].val())
                                .any())))
        });
        self.arbiter.advance.next = true;
        clocked!(self.arbiter);
        self.stalled.next = self.buffer.occupied.val() & !grant;
        self.meets_congestion.next = any_of(0..vcs, |v| {
            self.channel[v].routed.val()
                & (self.channel[v].ports.val() & self.congested.val()).any()
        });
        self.buffer.read.next = grant;
        self.buffer.read_tail.next = any_of(0..vcs, |v| {
            grant.get_bit(v as u64) & !self.channel[v].route.val().field(route::REST).any()
        });
        self.rx_credit.next = self.buffer.freed.val();

        // The row bus, one cycle after the grant: the buffer's flit comes then.
        clocked!(self.bus_ports, self.bus_vc, self.bus_drop);
        self.bus_ports.d.next = or_of(0..vcs, |v| {
            replicate(grant.get_bit(v as u64), ports) & self.channel[v].ports.val()
        });
        for v in 0..vcs {
            self.sends_on[v].next =
                grant.get_bit(v as u64) & !self.channel[v].route.val().field(route::AFTER).any();
            if let Some(u) = params.vc_before(v) {
                if grant.get_bit(u as u64) & self.channel[u].route.val().field(route::AFTER).any() {
                    self.sends_on[v].next = true;
                }
            }
        }
        self.bus_vc.d.next = bits_of(0..vcs, |v| self.sends_on[v].val());
        for c in 0..columns {
            let sends = any_of(0..vcs, |v| {
                grant.get_bit(v as u64) & self.channel[v].columns.val().get_bit(c as u64)
            });
            for v in 0..vcs {
                clocked!(self.row_space[c][v]);
                self.row_space[c][v].take.next = (sends & self.sends_on[v].val()).into();
                self.row_space[c][v].give.next = self.row_credit[c].val().get_bit(v as u64).into();
            }
        }
        self.bus_drop.d.next = or_of(0..vcs, |v| {
            replicate(
                grant.get_bit(v as u64) & !self.channel[v].started.val(),
                CAUSE_BITS,
            ) & self.channel[v].route.val().field(route::CAUSE)
        });
        self.row_ports.next = self.bus_ports.q.val();
        self.row_flit.next = self.buffer.read_flit.val();
        self.row_vc.next = self.bus_vc.q.val();
        self.drop_cause.next = self.bus_drop.q.val();
        self.drop_header.next = self.buffer.read_flit.val().field(flit::DATA);
    }
}
