//! `Tile`: one port of the chip: its input unit, its part of the crossbar, its output unit, and its registers.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `rx_*`, `tx_*`, `link_*` | | the port's link; see [`InputUnit`], [`OutputUnit`], [`PortRegisters`] |
//! | `bus_*` | | the register bus; see [`PortRegisters`] |
//! | `identity`, `own_port` | in | in a managed chip: who it is, the number of this port |
//! | `usable`, `sibling`, `congested`, `level[k]` | in | of every port of the chip; `level[k]` is bit k of its level |
//! | `own_usable`, `own_sibling`, `own_congested`, `own_level` | out | of this one |
//! | `row_*_out`, `row_credit_in` | | this tile's row bus, and the credits that come back over it |
//! | `row_*_in`, `row_credit_out` | | the row buses of the row, as far as this column is meant, and their credits |
//! | `column_*_out`, `column_credit_in` | | the channels to the rows of this column, and the credits that come back |
//! | `column_*_in`, `column_credit_out` | | the channels from the rows of this column, its own first, and their credits |
//!
//! Latency, head in to head out with nothing in the way: 2 cycles in the input unit, 2 in the crossbar, 2 in the output
//! unit; a packet passes those of three tiles, wired to each other by [`Router`](super::Router).

use super::output_unit::LEVEL_BITS;
use super::{bus, CrossbarUnit, InputUnit, OutputUnit, PortRegisters, RouterParams};
use super::{PORT_BITS, VC_BITS};
use crate::cells::Flag;
use crate::kernel;
use crate::manage::registers::identity;
use crate::packet::{flit, FLIT_BITS};
use crate::ports::Ports;
use crate::wire::{bits_of, cat, Wire};
use rust_hdl::prelude::*;

/// One port of the chip; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Tile {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub rx_valid: Signal<In, Bit>,
    pub rx_flit: Wire<In>,
    pub rx_vc: Wire<In>,
    pub rx_credit: Wire<Out>,
    pub rx_congested: Signal<Out, Bit>,
    pub tx_valid: Signal<Out, Bit>,
    pub tx_flit: Wire<Out>,
    pub tx_vc: Wire<Out>,
    pub tx_ready: Signal<In, Bit>,
    pub tx_credit: Wire<In>,
    pub tx_congested: Signal<In, Bit>,
    pub link_up: Signal<In, Bit>,
    pub link_slow: Signal<In, Bit>,
    pub link_error: Signal<In, Bit>,
    pub bus_write: Signal<In, Bit>,
    pub bus_read: Signal<In, Bit>,
    pub bus_address: Wire<In>,
    pub bus_data: Wire<In>,
    pub bus_read_data: Wire<Out>,
    pub usable: Wire<In>,
    pub sibling: Wire<In>,
    pub congested: Wire<In>,
    pub level: Vec<Wire<In>>,
    pub own_usable: Signal<Out, Bit>,
    pub own_sibling: Signal<Out, Bit>,
    pub own_congested: Signal<Out, Bit>,
    pub own_level: Wire<Out>,
    pub row_ports_out: Wire<Out>,
    pub row_flit_out: Wire<Out>,
    pub row_vc_out: Wire<Out>,
    pub row_credit_in: Vec<Wire<In>>,
    pub row_rows_in: Vec<Wire<In>>,
    pub row_flit_in: Vec<Wire<In>>,
    pub row_vc_in: Vec<Wire<In>>,
    pub row_credit_out: Vec<Wire<Out>>,
    pub column_vc_out: Vec<Wire<Out>>,
    pub column_flit_out: Vec<Wire<Out>>,
    pub column_weight_out: Vec<Wire<Out>>,
    pub column_credit_in: Vec<Wire<In>>,
    pub column_vc_in: Vec<Wire<In>>,
    pub column_flit_in: Vec<Wire<In>>,
    pub column_weight_in: Vec<Wire<In>>,
    pub column_credit_out: Vec<Wire<Out>>,
    pub identity: Vec<Wire<In>>,
    pub own_port: Vec<Wire<In>>,
    input: InputUnit,
    crossbar: CrossbarUnit,
    output: OutputUnit,
    registers: PortRegisters,
    meets_congestion: Flag,
    next_congested: Flag,
    _params: RouterParams,
}

impl Tile {
    pub fn new(params: &RouterParams) -> Self {
        let (rows, columns, vcs) = (params.rows, params.columns, params.virtual_channels);
        let ports = params.ports();
        let managed = usize::from(params.managed);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            rx_valid: Default::default(),
            rx_flit: Wire::new(FLIT_BITS),
            rx_vc: Wire::new(VC_BITS),
            rx_credit: Wire::new(vcs),
            rx_congested: Default::default(),
            tx_valid: Default::default(),
            tx_flit: Wire::new(FLIT_BITS),
            tx_vc: Wire::new(VC_BITS),
            tx_ready: Default::default(),
            tx_credit: Wire::new(vcs),
            tx_congested: Default::default(),
            link_up: Default::default(),
            link_slow: Default::default(),
            link_error: Default::default(),
            bus_write: Default::default(),
            bus_read: Default::default(),
            bus_address: Wire::new(bus::ADDRESS_BITS),
            bus_data: Wire::new(bus::DATA_BITS),
            bus_read_data: Wire::new(bus::DATA_BITS),
            usable: Wire::new(ports),
            sibling: Wire::new(ports),
            congested: Wire::new(ports),
            level: Wire::vec(LEVEL_BITS, ports),
            own_usable: Default::default(),
            own_sibling: Default::default(),
            own_congested: Default::default(),
            own_level: Wire::new(LEVEL_BITS),
            row_ports_out: Wire::new(ports),
            row_flit_out: Wire::new(FLIT_BITS),
            row_vc_out: Wire::new(vcs),
            row_credit_in: Wire::vec(columns, vcs),
            row_rows_in: Wire::vec(columns, rows),
            row_flit_in: Wire::vec(columns, FLIT_BITS),
            row_vc_in: Wire::vec(columns, vcs),
            row_credit_out: Wire::vec(columns, vcs),
            column_vc_out: Wire::vec(rows, vcs),
            column_flit_out: Wire::vec(rows, FLIT_BITS),
            column_weight_out: Wire::vec(rows, params.weight_bits()),
            column_credit_in: Wire::vec(rows, vcs),
            column_vc_in: Wire::vec(rows, vcs),
            column_flit_in: Wire::vec(rows, FLIT_BITS),
            column_weight_in: Wire::vec(rows, params.weight_bits()),
            column_credit_out: Wire::vec(rows, vcs),
            identity: Wire::vec(managed, identity::BITS),
            own_port: Wire::vec(managed, PORT_BITS),
            input: InputUnit::new(params),
            crossbar: CrossbarUnit::new(params),
            output: OutputUnit::new(params),
            registers: PortRegisters::new(params),
            meets_congestion: Default::default(),
            next_congested: Default::default(),
            _params: *params,
        }
    }
}

impl Logic for Tile {
    #[kernel]
    fn update(&mut self) {
        comment!("module: router_tile");
        let (rows, columns) = (self._params.rows, self._params.columns);
        let vcs = self._params.virtual_channels;
        clocked!(self.input, self.crossbar, self.output);
        clocked!(self.registers, self.meets_congestion, self.next_congested);

        // The input side.
        self.input.rx_valid.next = self.rx_valid.val();
        self.input.rx_flit.next = self.rx_flit.val();
        self.input.rx_vc.next = self.rx_vc.val();
        self.rx_credit.next = self.input.rx_credit.val();
        self.meets_congestion.d.next = self.input.meets_congestion.val();
        self.rx_congested.next = self.meets_congestion.q.val();
        self.input.write.next = self.bus_write.val();
        self.input.write_address.next = self.bus_address.val();
        self.input.write_data.next = self.bus_data.val();
        self.input.supernode.next = self.registers.supernode.val();
        self.input.usable.next = self.usable.val();
        self.input.sibling.next = self.sibling.val();
        self.input.congested.next = self.congested.val();
        for k in 0..LEVEL_BITS {
            self.input.level[k].next = self.level[k].val();
        }
        self.input.store.next = self.registers.store.val();
        self.input.blocked_limit.next = self.registers.blocked_limit.val();
        if self._params.managed {
            self.input.identity[0].next = self.identity[0].val();
            self.input.own_port[0].next = self.own_port[0].val();
        }
        self.row_ports_out.next = self.input.row_ports.val();
        self.row_flit_out.next = self.input.row_flit.val();
        self.row_vc_out.next = self.input.row_vc.val();

        // The crossbar.
        for c in 0..columns {
            self.input.row_credit[c].next = self.row_credit_in[c].val();
            self.crossbar.row_valid[c].next = self.row_rows_in[c].val().any();
            self.crossbar.row_word[c].next =
                cat(self.row_rows_in[c].val(), self.row_flit_in[c].val());
            self.crossbar.row_vc[c].next = self.row_vc_in[c].val();
            self.row_credit_out[c].next = self.crossbar.row_credit[c].val();
        }
        for r in 0..rows {
            self.column_vc_out[r].next = self.crossbar.column_vc[r].val();
            self.column_flit_out[r].next = self.crossbar.column_flit[r].val();
            self.column_weight_out[r].next = self.crossbar.column_weight[r].val();
            self.crossbar.column_credit[r].next = self.column_credit_in[r].val();
            self.output.column_vc[r].next = self.column_vc_in[r].val();
            self.output.column_flit[r].next = self.column_flit_in[r].val();
            self.output.column_weight[r].next = self.column_weight_in[r].val();
            self.column_credit_out[r].next = self.output.column_credit[r].val();
        }

        // The output side.
        self.tx_valid.next = self.output.tx_valid.val();
        self.tx_flit.next = self.output.tx_flit.val();
        self.tx_vc.next = self.output.tx_vc.val();
        self.output.tx_ready.next = self.tx_ready.val();
        self.output.tx_credit.next = self.tx_credit.val();
        self.next_congested.d.next = self.tx_congested.val();
        self.output.tx_congested.next = self.next_congested.q.val();
        self.output.link_up.next = self.registers.link_works.val();
        self.output.enabled.next = self.registers.enabled.val();
        for v in 0..vcs {
            self.output.private[v].next = self.registers.private[v].val();
        }
        self.output.shared.next = self.registers.shared.val();
        self.output.blocked_limit.next = self.registers.blocked_limit.val();
        self.output.backlog_limit.next = self.registers.backlog_limit.val();
        self.output.in_use_limit.next = self.registers.in_use_limit.val();
        self.output.rate_limit.next = self.registers.rate_limit.val();
        self.own_usable.next = self.registers.enabled.val() & self.registers.link_works.val();
        self.own_sibling.next = self.registers.sibling.val();
        self.own_congested.next = self.output.congested.val();
        self.own_level.next = self.output.level.val();

        // The registers.
        self.registers.bus_write.next = self.bus_write.val();
        self.registers.bus_read.next = self.bus_read.val();
        self.registers.bus_address.next = self.bus_address.val();
        self.registers.bus_data.next = self.bus_data.val();
        self.bus_read_data.next = self.registers.bus_read_data.val();
        self.registers.link_up.next = self.link_up.val();
        self.registers.link_slow.next = self.link_slow.val();
        self.registers.link_error.next = self.link_error.val();
        self.registers.drop_cause.next = self.input.drop_cause.val();
        self.registers.drop_header.next = self.input.drop_header.val();
        self.registers.drop_dead.next = self.output.dropped_dead.val();
        self.registers.drop_blocked.next = self.output.dropped_blocked.val();
        for v in 0..vcs {
            self.registers.blocks[v].next = self.input.blocks[v].val();
        }
        self.registers.in_use.next = self.output.in_use.val();
        self.registers.backlog.next = self.output.backlog.val();
        self.registers.congested.next = self.output.congested.val();
        let received = bits_of(0..vcs, |v| {
            self.rx_valid.val() & (self.rx_vc.val() == v as u64)
        });
        let received_head = bits_of(0..vcs, |v| {
            self.rx_valid.val()
                & (self.rx_vc.val() == v as u64)
                & self.rx_flit.val().field(flit::HEAD).any()
        });
        let sent = bits_of(0..vcs, |v| {
            self.output.sent.val() & (self.output.tx_vc.val() == v as u64)
        });
        let sent_head = bits_of(0..vcs, |v| {
            self.output.sent.val()
                & (self.output.tx_vc.val() == v as u64)
                & self.output.tx_flit.val().field(flit::HEAD).any()
        });
        // In the order of `Event`, the first lowest.
        self.registers.events.next = cat(
            self.input.stalled.val(),
            cat(cat(sent, sent_head), cat(received, received_head)),
        );
    }
}
