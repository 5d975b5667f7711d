//! `InputUnit`, the IRU: from the link to the tile's row bus.
//!
//! Flits go into the input buffer, a private ring of one RAM for each virtual channel (VC). The head's route is looked
//! up as it arrives and waits in a queue of its VC. Each cycle one VC that has a flit, a route and a credit of the row
//! buffer it goes to sends a flit on the row bus; the upstream side gets that flit's credit back.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `rx_valid`, `rx_flit`, `rx_vc` | in | a flit from the link |
//! | `rx_credit` | out | bit v: a flit of VC v left the buffer |
//! | `table_write`, `table_address`, `table_data`, `supernode` | in | the routing table's |
//! | `row_column` | out | bit c: the row bus carries a flit for the tile in column c |
//! | `row_word` | out | that flit, below the rows of the column that it goes to |
//! | `row_vc` | out | its VC, one bit each |
//! | `row_credit[c]` | in | bit v: tile c freed a flit of VC v in the row buffer of this tile |
//! | `dropped` | out | a packet without a route was dropped |
//!
//! Latency: a flit at `rx_valid` in cycle t is chosen in t + 1 and on the row bus in t + 2.
//!
//! Invariants: a VC never holds more than `input_buffer_flits` (the upstream side's credits see to it); packets of a VC
//! leave in order and whole; a packet without a route takes no credit and reaches no column.
//!
//! Later: shared buffers replace the rings, and the entry of `routes` grows by what adaptive routing and multicast need;
//! the row bus carries a set of rows already.

use super::{bus, InputBuffer, RouteTable, RouterParams, PORT_BITS, VC_BITS};
use crate::cells::{CreditCounter, Fifo, Flag, Register, RoundRobinArbiter};
use crate::kernel;
use crate::packet::{flit, header, FLIT_BITS};
use crate::ports::Ports;
use crate::wire::{any_of, bits_of, cat, or_of, replicate, Field, Wire};
use rust_hdl::prelude::*;

/// What a packet's flits need on their way: how many are still to come after this one, and the output port.
mod route {
    use super::{header, Field, PORT_BITS};

    pub const REST: Field = Field {
        offset: 0,
        width: header::FLITS_MINUS_ONE.width,
    };
    pub const PORT: Field = Field {
        offset: REST.width,
        width: PORT_BITS,
    };
    pub const VALID: Field = Field {
        offset: PORT.offset + PORT.width,
        width: 1,
    };
    pub const BITS: usize = VALID.offset + VALID.width;
}

/// Link side of a tile; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct InputUnit {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub rx_valid: Signal<In, Bit>,
    pub rx_flit: Wire<In>,
    pub rx_vc: Wire<In>,
    pub rx_credit: Wire<Out>,
    pub table_write: Signal<In, Bit>,
    pub table_address: Wire<In>,
    pub table_data: Wire<In>,
    pub supernode: Wire<In>,
    pub row_column: Wire<Out>,
    pub row_word: Wire<Out>,
    pub row_vc: Wire<Out>,
    pub row_credit: Vec<Wire<In>>,
    pub dropped: Signal<Out, Bit>,
    buffer: InputBuffer,
    table: RouteTable,
    /// The VC whose head arrived one cycle ago, one bit each, and how many flits follow that head.
    looked_up: Register,
    looked_up_rest: Register,
    routes: Vec<Fifo>,
    /// Whether VC v has sent a head whose tail is still to come, and that packet's route.
    in_packet: Vec<Flag>,
    packet_route: Vec<Register>,
    /// The route that VC v uses in this cycle, and the column it leads to: none drops the packet.
    route: Vec<Wire<Local>>,
    column: Vec<Wire<Local>>,
    arbiter: RoundRobinArbiter,
    row_space: Vec<Vec<CreditCounter>>,
    bus_column: Register,
    bus_row: Register,
    bus_vc: Register,
    drop: Flag,
    _params: RouterParams,
}

impl InputUnit {
    pub fn new(params: &RouterParams) -> Self {
        let (columns, vcs) = (params.columns, params.virtual_channels);
        let row_space = || CreditCounter::vec(vcs, params.row_buffer_flits);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            rx_valid: Default::default(),
            rx_flit: Wire::new(FLIT_BITS),
            rx_vc: Wire::new(VC_BITS),
            rx_credit: Wire::new(vcs),
            table_write: Default::default(),
            table_address: Wire::new(bus::ADDRESS_BITS),
            table_data: Wire::new(bus::entry::BITS),
            supernode: Wire::new(header::GUID_SUPERNODE.width),
            row_column: Wire::new(columns),
            row_word: Wire::new(params.row_word_bits()),
            row_vc: Wire::new(vcs),
            row_credit: Wire::vec(columns, vcs),
            dropped: Default::default(),
            buffer: InputBuffer::new(params),
            table: RouteTable::new(params),
            looked_up: Register::new(vcs),
            looked_up_rest: Register::new(route::REST.width),
            routes: Fifo::vec(vcs, route::BITS, params.input_buffer_flits),
            in_packet: Flag::vec(vcs),
            packet_route: Register::vec(vcs, route::BITS),
            route: Wire::vec(vcs, route::BITS),
            column: Wire::vec(vcs, columns),
            arbiter: RoundRobinArbiter::new(vcs),
            row_space: (0..columns).map(|_| row_space()).collect(),
            bus_column: Register::new(columns),
            bus_row: Register::new(params.rows),
            bus_vc: Register::new(vcs),
            drop: Default::default(),
            _params: *params,
        }
    }
}

impl Logic for InputUnit {
    #[kernel]
    fn update(&mut self) {
        comment!("module: input_unit");
        let (rows, columns) = (self._params.rows, self._params.columns);
        let vcs = self._params.virtual_channels;
        clocked!(
            self.buffer,
            self.table,
            self.arbiter,
            self.looked_up,
            self.looked_up_rest
        );
        clocked!(self.bus_column, self.bus_row, self.bus_vc, self.drop);

        // Arrival: store the flit and look up the head's route.
        let head = self.rx_valid.val() & self.rx_flit.val().field(flit::HEAD).any();
        self.buffer.write.next = self.rx_valid.val();
        self.buffer.write_flit.next = self.rx_flit.val();
        self.buffer.write_vc.next = self.rx_vc.val();
        self.table.supernode.next = self.supernode.val();
        self.table.write.next = self.table_write.val();
        self.table.write_address.next = self.table_address.val();
        self.table.write_data.next = self.table_data.val();
        self.table.lookup.next = head;
        self.table.guid.next = self.rx_flit.val().field(header::DST_GUID);
        self.looked_up.d.next = bits_of(0..vcs, |v| head & (self.rx_vc.val() == v as u64));
        self.looked_up_rest.d.next = self.rx_flit.val().field(header::FLITS_MINUS_ONE);

        let looked_up_route = cat(
            self.table.valid.val(),
            cat(self.table.port.val(), self.looked_up_rest.q.val()),
        );
        let grant = self.arbiter.grant.val();
        for v in 0..vcs {
            clocked!(self.routes[v]);
            registers!(self.in_packet[v], self.packet_route[v]);
            let granted = grant.get_bit(v as u64);
            let in_packet = self.in_packet[v].q.val();
            let looked_up = self.looked_up.q.val().get_bit(v as u64);
            let queued = !self.routes[v].empty.val();

            // The route: of the packet that is being sent, else the oldest that waits, else the one just looked up,
            // which then need not wait.
            self.route[v].next = looked_up_route;
            if queued {
                self.route[v].next = self.routes[v].pop_data.val();
            }
            if in_packet {
                self.route[v].next = self.packet_route[v].q.val();
            }
            let taken_at_once = granted & !in_packet & !queued;
            self.routes[v].push.next = looked_up & !taken_at_once;
            self.routes[v].push_data.next = looked_up_route;
            self.routes[v].pop.next = granted & !in_packet & queued;

            let route = self.route[v].val();
            if granted {
                self.in_packet[v].d.next = route.field(route::REST).any();
                // The length is the lowest field, so this counts it down and leaves the rest as it is.
                self.packet_route[v].d.next = route - 1;
            }
            let port = route.field(route::PORT);
            self.column[v].next = replicate(route.field(route::VALID).any(), columns)
                & bits_of(0..columns, |c| {
                    any_of(0..rows, |r| port == (r * columns + c) as u64)
                });
        }

        // A VC asks for the row bus with a flit, its route, and a place in the row buffer that it goes to.
        self.arbiter.request.next = bits_of(0..vcs, |v| {
            self.buffer.occupied.val().get_bit(v as u64)
                & (self.in_packet[v].q.val()
                    | !self.routes[v].empty.val()
                    | self.looked_up.q.val().get_bit(v as u64))
                & (!self.column[v].val().any()
                    | any_of(0..columns, |c| {
                        self.column[v].val().get_bit(c as u64)
                            & self.row_space[c][v].available.val()
                    }))
        });
        self.arbiter.advance.next = true;
        self.buffer.read.next = grant;
        let to_column = or_of(0..vcs, |v| {
            replicate(grant.get_bit(v as u64), columns) & self.column[v].val()
        });
        let to_port = or_of(0..vcs, |v| {
            replicate(grant.get_bit(v as u64), PORT_BITS) & self.route[v].val().field(route::PORT)
        });
        for c in 0..columns {
            for v in 0..vcs {
                clocked!(self.row_space[c][v]);
                self.row_space[c][v].take.next =
                    (grant.get_bit(v as u64) & self.column[v].val().get_bit(c as u64)).into();
                self.row_space[c][v].give.next = self.row_credit[c].val().get_bit(v as u64).into();
            }
        }

        // The row bus, one cycle after the grant: the buffer's flit comes then.
        self.bus_column.d.next = to_column;
        self.bus_row.d.next = bits_of(0..rows, |r| {
            any_of(0..columns, |c| to_port == (r * columns + c) as u64)
        });
        self.bus_vc.d.next = grant;
        self.drop.d.next = any_of(0..vcs, |v| {
            grant.get_bit(v as u64) & !self.in_packet[v].q.val() & !self.column[v].val().any()
        });
        self.row_column.next = self.bus_column.q.val();
        self.row_word.next = cat(self.bus_row.q.val(), self.buffer.read_flit.val());
        self.row_vc.next = self.bus_vc.q.val();
        self.rx_credit.next = self.bus_vc.q.val();
        self.dropped.next = self.drop.q.val();
    }
}
