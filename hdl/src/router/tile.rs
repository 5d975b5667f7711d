//! `Tile`: one port of the chip: its input unit, its part of the crossbar, its output unit, and its registers.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `rx_*`, `tx_*` | | the port's link; see [`InputUnit`] and [`OutputUnit`] |
//! | `bus_write`, `bus_address`, `bus_data` | in | a write from the register bus for this tile |
//! | `bus_read_data` | out | the register at `bus_address`, in the same cycle |
//! | `row_*_out`, `row_credit_in` | | this tile's row bus, and the credits that come back over it |
//! | `row_*_in`, `row_credit_out` | | the row buses of the row, and their credits |
//! | `column_*_out`, `column_credit_in` | | the channels to the rows of this column, and the credits that come back |
//! | `column_*_in`, `column_credit_out` | | the channels from the rows of this column, and their credits |
//!
//! Latency, head in to head out with nothing in the way: 2 cycles in the input unit, 2 in the crossbar, 2 in the output
//! unit; a packet passes those of three tiles, wired to each other by [`Router`](super::Router).

use super::{bus, CrossbarUnit, InputUnit, OutputUnit, RouterParams, VC_BITS};
use crate::cells::Register;
use crate::kernel;
use crate::packet::{header, FLIT_BITS};
use crate::ports::Ports;
use crate::wire::Wire;
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
    pub tx_valid: Signal<Out, Bit>,
    pub tx_flit: Wire<Out>,
    pub tx_vc: Wire<Out>,
    pub tx_ready: Signal<In, Bit>,
    pub tx_credit: Wire<In>,
    pub bus_write: Signal<In, Bit>,
    pub bus_address: Wire<In>,
    pub bus_data: Wire<In>,
    pub bus_read_data: Wire<Out>,
    pub row_column_out: Wire<Out>,
    pub row_word_out: Wire<Out>,
    pub row_vc_out: Wire<Out>,
    pub row_credit_in: Vec<Wire<In>>,
    pub row_valid_in: Vec<Signal<In, Bit>>,
    pub row_word_in: Vec<Wire<In>>,
    pub row_vc_in: Vec<Wire<In>>,
    pub row_credit_out: Vec<Wire<Out>>,
    pub column_vc_out: Vec<Wire<Out>>,
    pub column_flit_out: Vec<Wire<Out>>,
    pub column_credit_in: Vec<Wire<In>>,
    pub column_vc_in: Vec<Wire<In>>,
    pub column_flit_in: Vec<Wire<In>>,
    pub column_credit_out: Vec<Wire<Out>>,
    input: InputUnit,
    crossbar: CrossbarUnit,
    output: OutputUnit,
    supernode: Register,
    dropped_no_route: Register,
    _params: RouterParams,
}

impl Tile {
    pub fn new(params: &RouterParams) -> Self {
        let (rows, columns, vcs) = (params.rows, params.columns, params.virtual_channels);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            rx_valid: Default::default(),
            rx_flit: Wire::new(FLIT_BITS),
            rx_vc: Wire::new(VC_BITS),
            rx_credit: Wire::new(vcs),
            tx_valid: Default::default(),
            tx_flit: Wire::new(FLIT_BITS),
            tx_vc: Wire::new(VC_BITS),
            tx_ready: Default::default(),
            tx_credit: Wire::new(vcs),
            bus_write: Default::default(),
            bus_address: Wire::new(bus::ADDRESS_BITS),
            bus_data: Wire::new(bus::DATA_BITS),
            bus_read_data: Wire::new(bus::DATA_BITS),
            row_column_out: Wire::new(columns),
            row_word_out: Wire::new(params.row_word_bits()),
            row_vc_out: Wire::new(vcs),
            row_credit_in: Wire::vec(columns, vcs),
            row_valid_in: (0..columns).map(|_| Default::default()).collect(),
            row_word_in: Wire::vec(columns, params.row_word_bits()),
            row_vc_in: Wire::vec(columns, vcs),
            row_credit_out: Wire::vec(columns, vcs),
            column_vc_out: Wire::vec(rows, vcs),
            column_flit_out: Wire::vec(rows, FLIT_BITS),
            column_credit_in: Wire::vec(rows, vcs),
            column_vc_in: Wire::vec(rows, vcs),
            column_flit_in: Wire::vec(rows, FLIT_BITS),
            column_credit_out: Wire::vec(rows, vcs),
            input: InputUnit::new(params),
            crossbar: CrossbarUnit::new(params),
            output: OutputUnit::new(params),
            supernode: Register::new(header::GUID_SUPERNODE.width),
            dropped_no_route: Register::new(bus::DATA_BITS),
            _params: *params,
        }
    }
}

impl Logic for Tile {
    #[kernel]
    fn update(&mut self) {
        comment!("module: router_tile");
        clocked!(self.input, self.crossbar, self.output);
        registers!(self.supernode, self.dropped_no_route);

        self.input.rx_valid.next = self.rx_valid.val();
        self.input.rx_flit.next = self.rx_flit.val();
        self.input.rx_vc.next = self.rx_vc.val();
        self.rx_credit.next = self.input.rx_credit.val();
        self.row_column_out.next = self.input.row_column.val();
        self.row_word_out.next = self.input.row_word.val();
        self.row_vc_out.next = self.input.row_vc.val();
        for c in 0..self._params.columns {
            self.input.row_credit[c].next = self.row_credit_in[c].val();
            self.crossbar.row_valid[c].next = self.row_valid_in[c].val();
            self.crossbar.row_word[c].next = self.row_word_in[c].val();
            self.crossbar.row_vc[c].next = self.row_vc_in[c].val();
            self.row_credit_out[c].next = self.crossbar.row_credit[c].val();
        }
        for r in 0..self._params.rows {
            self.column_vc_out[r].next = self.crossbar.column_vc[r].val();
            self.column_flit_out[r].next = self.crossbar.column_flit[r].val();
            self.crossbar.column_credit[r].next = self.column_credit_in[r].val();
            self.output.column_vc[r].next = self.column_vc_in[r].val();
            self.output.column_flit[r].next = self.column_flit_in[r].val();
            self.column_credit_out[r].next = self.output.column_credit[r].val();
        }
        self.tx_valid.next = self.output.tx_valid.val();
        self.tx_flit.next = self.output.tx_flit.val();
        self.tx_vc.next = self.output.tx_vc.val();
        self.output.tx_ready.next = self.tx_ready.val();
        self.output.tx_credit.next = self.tx_credit.val();

        let address = self.bus_address.val();
        let is_table = address < bus::SUPERNODE as u64;
        self.input.table_write.next = self.bus_write.val() & is_table;
        self.input.table_address.next = address;
        self.input.table_data.next = self.bus_data.val().resize(bus::entry::BITS);
        self.input.supernode.next = self.supernode.q.val();
        if self.bus_write.val() & (address == bus::SUPERNODE as u64) {
            self.supernode.d.next = self.bus_data.val().resize(header::GUID_SUPERNODE.width);
        }
        if self.input.dropped.val() & !self.dropped_no_route.q.val().all() {
            self.dropped_no_route.d.next = self.dropped_no_route.q.val() + 1;
        }
        self.bus_read_data.next = 0.into();
        if address == bus::SUPERNODE as u64 {
            self.bus_read_data.next = self.supernode.q.val().resize(bus::DATA_BITS);
        } else if address == bus::DROPPED_NO_ROUTE as u64 {
            self.bus_read_data.next = self.dropped_no_route.q.val();
        }
    }
}
