//! `Router`: the chip, an array of tiles joined by row buses and column channels.
//!
//! Port p is tile (p / columns, p mod columns). For each port:
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `rx_valid`, `rx_data`, `rx_head`, `rx_tail`, `rx_bad`, `rx_vc` | in | a flit from the link |
//! | `rx_credit` | out | bit v: a flit of virtual channel v left the input buffer |
//! | `tx_valid`, `tx_data`, `tx_head`, `tx_tail`, `tx_bad`, `tx_vc` | out | a flit for the link |
//! | `tx_ready` | in | the link takes the flit in this cycle |
//! | `tx_credit` | in | bit v: the next chip freed a flit of virtual channel v |
//!
//! and for the chip, the register bus:
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `cfg_write`, `cfg_read` | in | writes, or reads, a register |
//! | `cfg_port`, `cfg_broadcast` | in | of one port, or (writes only) of all |
//! | `cfg_address`, `cfg_wdata` | in | its address (see [`bus`]), the value to write |
//! | `cfg_rvalid`, `cfg_rdata` | out | the value read |
//!
//! Latency: 6 cycles from the head at `rx` to the head at `tx` with nothing in the way, 2 in each of input unit, crossbar
//! and output unit; 2 cycles from `cfg_read` to `cfg_rvalid`. A register takes a write one cycle after `cfg_write`.
//!
//! Invariants: no path from an input to an output without a register; every hop inside has credits.

use super::{bus, RouterParams, Tile, PORT_BITS, VC_BITS};
use crate::cells::{Flag, Register};
use crate::kernel;
use crate::packet::flit;
use crate::ports::Ports;
use crate::wire::{bits_of, cat, or_of, replicate, Wire};
use rust_hdl::prelude::*;

/// The router chip; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Router {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub rx_valid: Vec<Signal<In, Bit>>,
    pub rx_data: Vec<Wire<In>>,
    pub rx_head: Vec<Signal<In, Bit>>,
    pub rx_tail: Vec<Signal<In, Bit>>,
    pub rx_bad: Vec<Signal<In, Bit>>,
    pub rx_vc: Vec<Wire<In>>,
    pub rx_credit: Vec<Wire<Out>>,
    pub tx_valid: Vec<Signal<Out, Bit>>,
    pub tx_data: Vec<Wire<Out>>,
    pub tx_head: Vec<Signal<Out, Bit>>,
    pub tx_tail: Vec<Signal<Out, Bit>>,
    pub tx_bad: Vec<Signal<Out, Bit>>,
    pub tx_vc: Vec<Wire<Out>>,
    pub tx_ready: Vec<Signal<In, Bit>>,
    pub tx_credit: Vec<Wire<In>>,
    pub cfg_write: Signal<In, Bit>,
    pub cfg_read: Signal<In, Bit>,
    pub cfg_broadcast: Signal<In, Bit>,
    pub cfg_port: Wire<In>,
    pub cfg_address: Wire<In>,
    pub cfg_wdata: Wire<In>,
    pub cfg_rvalid: Signal<Out, Bit>,
    pub cfg_rdata: Wire<Out>,
    tile: Vec<Vec<Tile>>,
    bus_write: Register,
    bus_read: Flag,
    bus_port: Register,
    bus_address: Register,
    bus_data: Register,
    read_valid: Flag,
    read_data: Register,
    _params: RouterParams,
}

fn bits<D: Direction>(count: usize) -> Vec<Signal<D, Bit>> {
    (0..count).map(|_| Default::default()).collect()
}

impl Router {
    pub fn new(params: &RouterParams) -> Self {
        let (ports, vcs) = (params.ports(), params.virtual_channels);
        let row = || (0..params.columns).map(|_| Tile::new(params)).collect();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            rx_valid: bits(ports),
            rx_data: Wire::vec(ports, flit::DATA.width),
            rx_head: bits(ports),
            rx_tail: bits(ports),
            rx_bad: bits(ports),
            rx_vc: Wire::vec(ports, VC_BITS),
            rx_credit: Wire::vec(ports, vcs),
            tx_valid: bits(ports),
            tx_data: Wire::vec(ports, flit::DATA.width),
            tx_head: bits(ports),
            tx_tail: bits(ports),
            tx_bad: bits(ports),
            tx_vc: Wire::vec(ports, VC_BITS),
            tx_ready: bits(ports),
            tx_credit: Wire::vec(ports, vcs),
            cfg_write: Default::default(),
            cfg_read: Default::default(),
            cfg_broadcast: Default::default(),
            cfg_port: Wire::new(PORT_BITS),
            cfg_address: Wire::new(bus::ADDRESS_BITS),
            cfg_wdata: Wire::new(bus::DATA_BITS),
            cfg_rvalid: Default::default(),
            cfg_rdata: Wire::new(bus::DATA_BITS),
            tile: (0..params.rows).map(|_| row()).collect(),
            bus_write: Register::new(ports),
            bus_read: Default::default(),
            bus_port: Register::new(PORT_BITS),
            bus_address: Register::new(bus::ADDRESS_BITS),
            bus_data: Register::new(bus::DATA_BITS),
            read_valid: Default::default(),
            read_data: Register::new(bus::DATA_BITS),
            _params: *params,
        }
    }
}

impl Logic for Router {
    #[kernel]
    fn update(&mut self) {
        comment!("module: router");
        let (rows, columns) = (self._params.rows, self._params.columns);
        for r in 0..rows {
            for c in 0..columns {
                let p = r * columns + c;
                clocked!(self.tile[r][c]);

                // The link.
                self.tile[r][c].rx_valid.next = self.rx_valid[p].val();
                self.tile[r][c].rx_flit.next = cat(
                    cat(self.rx_bad[p].val(), self.rx_tail[p].val()),
                    cat(self.rx_head[p].val(), self.rx_data[p].val()),
                );
                self.tile[r][c].rx_vc.next = self.rx_vc[p].val();
                self.rx_credit[p].next = self.tile[r][c].rx_credit.val();
                self.tx_valid[p].next = self.tile[r][c].tx_valid.val();
                self.tx_data[p].next = self.tile[r][c].tx_flit.val().field(flit::DATA);
                self.tx_head[p].next = self.tile[r][c].tx_flit.val().field(flit::HEAD).any();
                self.tx_tail[p].next = self.tile[r][c].tx_flit.val().field(flit::TAIL).any();
                self.tx_bad[p].next = self.tile[r][c].tx_flit.val().field(flit::BAD).any();
                self.tx_vc[p].next = self.tile[r][c].tx_vc.val();
                self.tile[r][c].tx_ready.next = self.tx_ready[p].val();
                self.tile[r][c].tx_credit.next = self.tx_credit[p].val();

                // The row buses: every tile of the row drives one, every tile hears all.
                for s in 0..columns {
                    self.tile[r][c].row_valid_in[s].next =
                        self.tile[r][s].row_column_out.val().get_bit(c as u64);
                    self.tile[r][c].row_word_in[s].next = self.tile[r][s].row_word_out.val();
                    self.tile[r][c].row_vc_in[s].next = self.tile[r][s].row_vc_out.val();
                    self.tile[r][c].row_credit_in[s].next = self.tile[r][s].row_credit_out[c].val();
                }
                // The column channels: every tile of the column has one to every other, and to itself.
                for s in 0..rows {
                    self.tile[r][c].column_vc_in[s].next = self.tile[s][c].column_vc_out[r].val();
                    self.tile[r][c].column_flit_in[s].next =
                        self.tile[s][c].column_flit_out[r].val();
                    self.tile[r][c].column_credit_in[s].next =
                        self.tile[s][c].column_credit_out[r].val();
                }

                self.tile[r][c].bus_write.next = self.bus_write.q.val().get_bit(p as u64);
                self.tile[r][c].bus_address.next = self.bus_address.q.val();
                self.tile[r][c].bus_data.next = self.bus_data.q.val();
            }
        }

        // The register bus reaches the tiles through registers, since it crosses the chip.
        clocked!(
            self.bus_write,
            self.bus_read,
            self.bus_port,
            self.bus_address,
            self.bus_data
        );
        clocked!(self.read_valid, self.read_data);
        let ports = self._params.ports();
        self.bus_write.d.next = bits_of(0..ports, |p| {
            self.cfg_write.val() & (self.cfg_broadcast.val() | (self.cfg_port.val() == p as u64))
        });
        self.bus_read.d.next = self.cfg_read.val();
        self.bus_port.d.next = self.cfg_port.val();
        self.bus_address.d.next = self.cfg_address.val();
        self.bus_data.d.next = self.cfg_wdata.val();
        self.read_valid.d.next = self.bus_read.q.val();
        self.read_data.d.next = or_of(0..ports, |p| {
            replicate(self.bus_port.q.val() == p as u64, bus::DATA_BITS)
                & self.tile[p / columns][p % columns].bus_read_data.val()
        });
        self.cfg_rvalid.next = self.read_valid.q.val();
        self.cfg_rdata.next = self.read_data.q.val();
    }
}
