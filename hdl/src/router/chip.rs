//! `Router`: the chip, an array of tiles joined by row buses and column channels.
//!
//! Port p is tile (p / columns, p mod columns). For each port:
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `rx_valid`, `rx_data`, `rx_head`, `rx_tail`, `rx_bad`, `rx_vc` | in | a flit from the link |
//! | `rx_credit` | out | bit v: a block of virtual channel v came free in the input buffer |
//! | `rx_congested` | out | packets from this link meet congestion |
//! | `tx_valid`, `tx_data`, `tx_head`, `tx_tail`, `tx_bad`, `tx_vc` | out | a flit for the link |
//! | `tx_ready` | in | the link takes the flit in this cycle |
//! | `tx_credit` | in | bit v: the next chip freed a block of virtual channel v |
//! | `tx_congested` | in | packets to this link meet congestion in the next chip |
//! | `link_up`, `link_slow`, `link_error` | in | the link works; is slower than it should be; had an error |
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
//! and, of a managed chip alone, the bus of each tile: `tile_write`, `tile_read`, `tile_address`, `tile_data` in,
//! `tile_read_data` out, as in [`PortRegisters`](super::PortRegisters), and `tile_identity` in, who the chip is. Buses that
//! are not used are zero.
//!
//! And for sources that choose what they send:
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `report_port`, `report_congested` | out | the ports one after another, and whether the way out of each is congested |
//!
//! Latency: 6 cycles from the head at `rx` to the head at `tx` with nothing in the way, 2 in each of input unit, crossbar
//! and output unit; 2 cycles from `cfg_read` to `cfg_rvalid`. A register takes a write one cycle after `cfg_write`. What
//! a port says of itself (dead, sibling, congested, level of use) reaches every input one cycle later.
//!
//! Invariants: no path from an input to an output without a register; every hop inside has credits.

use super::output_unit::LEVEL_BITS;
use super::{bus, RouterParams, Tile, PORT_BITS, VC_BITS};
use crate::cells::{Flag, ModuloCounter, Register};
use crate::kernel;
use crate::manage::registers::identity;
use crate::packet::flit;
use crate::ports::Ports;
use crate::wire::{bits_of, cat, or_of, Wire};
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
    pub rx_congested: Vec<Signal<Out, Bit>>,
    pub tx_valid: Vec<Signal<Out, Bit>>,
    pub tx_data: Vec<Wire<Out>>,
    pub tx_head: Vec<Signal<Out, Bit>>,
    pub tx_tail: Vec<Signal<Out, Bit>>,
    pub tx_bad: Vec<Signal<Out, Bit>>,
    pub tx_vc: Vec<Wire<Out>>,
    pub tx_ready: Vec<Signal<In, Bit>>,
    pub tx_credit: Vec<Wire<In>>,
    pub tx_congested: Vec<Signal<In, Bit>>,
    pub link_up: Vec<Signal<In, Bit>>,
    pub link_slow: Vec<Signal<In, Bit>>,
    pub link_error: Vec<Signal<In, Bit>>,
    pub cfg_write: Signal<In, Bit>,
    pub cfg_read: Signal<In, Bit>,
    pub cfg_broadcast: Signal<In, Bit>,
    pub cfg_port: Wire<In>,
    pub cfg_address: Wire<In>,
    pub cfg_wdata: Wire<In>,
    pub cfg_rvalid: Signal<Out, Bit>,
    pub cfg_rdata: Wire<Out>,
    pub tile_write: Vec<Signal<In, Bit>>,
    pub tile_read: Vec<Signal<In, Bit>>,
    pub tile_address: Vec<Wire<In>>,
    pub tile_data: Vec<Wire<In>>,
    pub tile_read_data: Vec<Wire<Out>>,
    pub tile_identity: Vec<Wire<In>>,
    pub report_port: Wire<Out>,
    pub report_congested: Signal<Out, Bit>,
    tile: Vec<Vec<Tile>>,
    /// By row, tile of a crossbar and tile of a row buffer in it: credits on their way back.
    row_credit: Vec<Vec<Vec<Register>>>,
    /// What every port says of itself, a bit each.
    usable: Register,
    sibling: Register,
    congested: Register,
    level: Vec<Register>,
    report: ModuloCounter,
    bus_write: Register,
    /// A read of some port, and of which one.
    bus_reads: Flag,
    bus_read: Register,
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
        let columns = params.columns;
        let managed_ports = if params.managed { ports } else { 0 };
        let row = || (0..columns).map(|_| Tile::new(params)).collect();
        let credits = || Register::vec(columns, vcs);
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
            rx_congested: bits(ports),
            tx_valid: bits(ports),
            tx_data: Wire::vec(ports, flit::DATA.width),
            tx_head: bits(ports),
            tx_tail: bits(ports),
            tx_bad: bits(ports),
            tx_vc: Wire::vec(ports, VC_BITS),
            tx_ready: bits(ports),
            tx_credit: Wire::vec(ports, vcs),
            tx_congested: bits(ports),
            link_up: bits(ports),
            link_slow: bits(ports),
            link_error: bits(ports),
            cfg_write: Default::default(),
            cfg_read: Default::default(),
            cfg_broadcast: Default::default(),
            cfg_port: Wire::new(PORT_BITS),
            cfg_address: Wire::new(bus::ADDRESS_BITS),
            cfg_wdata: Wire::new(bus::DATA_BITS),
            cfg_rvalid: Default::default(),
            cfg_rdata: Wire::new(bus::DATA_BITS),
            tile_write: bits(managed_ports),
            tile_read: bits(managed_ports),
            tile_address: Wire::vec(managed_ports, bus::ADDRESS_BITS),
            tile_data: Wire::vec(managed_ports, bus::DATA_BITS),
            tile_read_data: Wire::vec(managed_ports, bus::DATA_BITS),
            tile_identity: Wire::vec(managed_ports, identity::BITS),
            report_port: Wire::new(PORT_BITS),
            report_congested: Default::default(),
            tile: (0..params.rows).map(|_| row()).collect(),
            row_credit: (0..params.rows)
                .map(|_| (0..columns).map(|_| credits()).collect())
                .collect(),
            usable: Register::new(ports),
            sibling: Register::new(ports),
            congested: Register::new(ports),
            level: Register::vec(LEVEL_BITS, ports),
            report: ModuloCounter::new(ports),
            bus_write: Register::new(ports),
            bus_reads: Default::default(),
            bus_read: Register::new(ports),
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
                self.rx_congested[p].next = self.tile[r][c].rx_congested.val();
                self.tx_valid[p].next = self.tile[r][c].tx_valid.val();
                self.tx_data[p].next = self.tile[r][c].tx_flit.val().field(flit::DATA);
                self.tx_head[p].next = self.tile[r][c].tx_flit.val().field(flit::HEAD).any();
                self.tx_tail[p].next = self.tile[r][c].tx_flit.val().field(flit::TAIL).any();
                self.tx_bad[p].next = self.tile[r][c].tx_flit.val().field(flit::BAD).any();
                self.tx_vc[p].next = self.tile[r][c].tx_vc.val();
                self.tile[r][c].tx_ready.next = self.tx_ready[p].val();
                self.tile[r][c].tx_credit.next = self.tx_credit[p].val();
                self.tile[r][c].tx_congested.next = self.tx_congested[p].val();
                self.tile[r][c].link_up.next = self.link_up[p].val();
                self.tile[r][c].link_slow.next = self.link_slow[p].val();
                self.tile[r][c].link_error.next = self.link_error[p].val();

                // The row buses: every tile of the row drives one, every tile hears all, for its own column.
                for s in 0..columns {
                    self.tile[r][c].row_rows_in[s].next = bits_of(0..rows, |to| {
                        self.tile[r][s]
                            .row_ports_out
                            .val()
                            .get_bit((to * columns + c) as u64)
                    });
                    self.tile[r][c].row_flit_in[s].next = self.tile[r][s].row_flit_out.val();
                    self.tile[r][c].row_vc_in[s].next = self.tile[r][s].row_vc_out.val();
                    clocked!(self.row_credit[r][s][c]);
                    self.row_credit[r][s][c].d.next = self.tile[r][s].row_credit_out[c].val();
                    self.tile[r][c].row_credit_in[s].next = self.row_credit[r][s][c].q.val();
                }
                // The column channels: every tile of the column has one to every other, and to itself. At its end each
                // has the number of rows that it came down, so every tile has its own at the same place.
                for down in 0..rows {
                    let s = (r + rows - down) % rows;
                    self.tile[r][c].column_vc_in[down].next =
                        self.tile[s][c].column_vc_out[r].val();
                    self.tile[r][c].column_flit_in[down].next =
                        self.tile[s][c].column_flit_out[r].val();
                    self.tile[r][c].column_weight_in[down].next =
                        self.tile[s][c].column_weight_out[r].val();
                    self.tile[s][c].column_credit_in[r].next =
                        self.tile[r][c].column_credit_out[down].val();
                }

                self.tile[r][c].usable.next = self.usable.q.val();
                self.tile[r][c].sibling.next = self.sibling.q.val();
                self.tile[r][c].congested.next = self.congested.q.val();
                for k in 0..LEVEL_BITS {
                    self.tile[r][c].level[k].next = self.level[k].q.val();
                }
                if !self._params.managed {
                    self.tile[r][c].bus_write.next = self.bus_write.q.val().get_bit(p as u64);
                    self.tile[r][c].bus_read.next = self.bus_read.q.val().get_bit(p as u64);
                    self.tile[r][c].bus_address.next = self.bus_address.q.val();
                    self.tile[r][c].bus_data.next = self.bus_data.q.val();
                } else {
                    self.tile[r][c].bus_write.next =
                        self.bus_write.q.val().get_bit(p as u64) | self.tile_write[p].val();
                    self.tile[r][c].bus_read.next =
                        self.bus_read.q.val().get_bit(p as u64) | self.tile_read[p].val();
                    self.tile[r][c].bus_address.next =
                        self.bus_address.q.val() | self.tile_address[p].val();
                    self.tile[r][c].bus_data.next = self.bus_data.q.val() | self.tile_data[p].val();
                    self.tile_read_data[p].next = self.tile[r][c].bus_read_data.val();
                    self.tile[r][c].identity[0].next = self.tile_identity[p].val();
                    self.tile[r][c].own_port[0].next = (p as u64).into();
                }
            }
        }

        // What the ports say of themselves.
        let ports = self._params.ports();
        clocked!(self.usable, self.sibling, self.congested, self.report);
        self.usable.d.next = bits_of(0..ports, |p| {
            self.tile[p / columns][p % columns].own_usable.val()
        });
        self.sibling.d.next = bits_of(0..ports, |p| {
            self.tile[p / columns][p % columns].own_sibling.val()
        });
        self.congested.d.next = bits_of(0..ports, |p| {
            self.tile[p / columns][p % columns].own_congested.val()
        });
        for k in 0..LEVEL_BITS {
            clocked!(self.level[k]);
            self.level[k].d.next = bits_of(0..ports, |p| {
                self.tile[p / columns][p % columns]
                    .own_level
                    .val()
                    .get_bit(k as u64)
            });
        }
        self.report.advance.next = true;
        self.report_port.next = self.report.value.val().resize(PORT_BITS);
        self.report_congested.next = self.congested.q.val().get_bit(self.report.value.val());

        // The register bus reaches the tiles through registers, since it crosses the chip.
        clocked!(
            self.bus_write,
            self.bus_reads,
            self.bus_read,
            self.bus_address,
            self.bus_data
        );
        clocked!(self.read_valid, self.read_data);
        self.bus_write.d.next = bits_of(0..ports, |p| {
            self.cfg_write.val() & (self.cfg_broadcast.val() | (self.cfg_port.val() == p as u64))
        });
        self.bus_reads.d.next = self.cfg_read.val();
        self.bus_read.d.next = bits_of(0..ports, |p| {
            self.cfg_read.val() & (self.cfg_port.val() == p as u64)
        });
        self.bus_address.d.next = self.cfg_address.val();
        self.bus_data.d.next = self.cfg_wdata.val();
        self.read_valid.d.next = self.bus_reads.q.val();
        self.read_data.d.next = or_of(0..ports, |p| {
            self.tile[p / columns][p % columns].bus_read_data.val()
        });
        self.cfg_rvalid.next = self.read_valid.q.val();
        self.cfg_rdata.next = self.read_data.q.val();
    }
}
