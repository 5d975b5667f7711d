//! `ManagedRouter`: a router chip with its management and its JTAG port.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | the chip's |
//! | `rx_*`, `tx_*`, `link_*`, `report_*` | | as of the [`Router`] |
//! | `tck`, `trst`, `tms`, `tdi` | in | JTAG; `trst` is synchronous to `tck`, active high |
//! | `tdo` | out | JTAG; changes with the falling edge of `tck` |
//!
//! Latency: 7 cycles from the head at `rx` to the head at `tx` with nothing in the way, one more than in the [`Router`].
//!
//! Invariant (the user's): `reset` and `trst` are held together for at least three cycles of either clock.

use super::jtag::{JtagBridge, Tap};
use super::{InBandSource, Rcma, TurnRound};
use crate::cells::FallingFlag;
use crate::kernel;
use crate::packet::flit;
use crate::ports::Ports;
use crate::router::{Router, RouterParams, PORT_BITS, VC_BITS};
use crate::wire::{bits_of, cat, Wire};
use rust_hdl::prelude::*;

/// A router chip with its management; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct ManagedRouter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub tck: Signal<In, Clock>,
    pub trst: Signal<In, Bit>,
    pub tms: Signal<In, Bit>,
    pub tdi: Signal<In, Bit>,
    pub tdo: Signal<Out, Bit>,
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
    pub report_port: Wire<Out>,
    pub report_congested: Signal<Out, Bit>,
    tap: Tap,
    tdo_pin: FallingFlag,
    bridge: JtagBridge,
    turn_round: Vec<TurnRound>,
    in_band: InBandSource,
    rcma: Rcma,
    router: Router,
}

fn bits<D: Direction>(count: usize) -> Vec<Signal<D, Bit>> {
    (0..count).map(|_| Default::default()).collect()
}

/// Sources of management, as the arbiter knows them.
const SOURCES: usize = 2;
const OUT_OF_BAND: usize = 0;
const IN_BAND: usize = 1;

impl ManagedRouter {
    /// # Panics
    /// If the sizes are not those of a managed chip.
    pub fn new(params: &RouterParams) -> Self {
        assert!(params.managed, "a managed chip has `managed` set");
        let (ports, vcs) = (params.ports(), params.virtual_channels);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            tck: Default::default(),
            trst: Default::default(),
            tms: Default::default(),
            tdi: Default::default(),
            tdo: Default::default(),
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
            report_port: Wire::new(PORT_BITS),
            report_congested: Default::default(),
            tap: Tap::new(params),
            tdo_pin: Default::default(),
            bridge: JtagBridge::new(params),
            turn_round: (0..ports).map(|_| TurnRound::new(params)).collect(),
            in_band: InBandSource::new(params),
            rcma: Rcma::new(params, SOURCES),
            router: Router::new(params),
        }
    }
}

impl Logic for ManagedRouter {
    #[kernel]
    fn update(&mut self) {
        comment!("module: managed_router");
        clocked!(self.bridge, self.rcma, self.router);

        // The test clock's side.
        self.tap.clock.next = self.tck.val();
        self.tap.reset.next = self.trst.val();
        self.tap.tms.next = self.tms.val();
        self.tap.tdi.next = self.tdi.val();
        self.tap.answered.next = self.bridge.answered.val();
        self.tap.answer.next = self.bridge.answer.val();
        self.tdo_pin.clock.next = self.tck.val();
        self.tdo_pin.d.next = self.tap.tdo.val();
        self.tdo.next = self.tdo_pin.q.val();
        self.bridge.tck.next = self.tck.val();
        self.bridge.tck_reset.next = self.trst.val();
        self.bridge.send.next = self.tap.send.val();
        self.bridge.sent.next = self.tap.sent.val();
        self.bridge.received.next = self.tap.received.val();

        // The management.
        clocked!(self.in_band);
        self.in_band.key.next = self.bridge.key.val();
        self.rcma.setup[OUT_OF_BAND].next = self.bridge.setup.val();
        self.rcma.data[OUT_OF_BAND].next = self.bridge.data.val();
        self.rcma.setup[IN_BAND].next = self.in_band.stream_setup.val();
        self.rcma.data[IN_BAND].next = self.in_band.stream_data.val();
        // From the highest source downwards.
        self.rcma.load.next = cat(self.in_band.stream_load.val(), self.bridge.load.val());
        self.rcma.beat.next = cat(self.in_band.stream_beat.val(), self.bridge.beat.val());
        self.rcma.trusted.next = cat(self.in_band.stream_trusted.val(), true);
        self.rcma.ready.next = cat(true, self.bridge.ready.val());
        self.bridge.taken.next = self.rcma.taken.val().get_bit(OUT_OF_BAND as u64);
        self.bridge.busy.next = self.rcma.busy.val().get_bit(OUT_OF_BAND as u64);
        self.bridge.status.next = self.rcma.status[OUT_OF_BAND].val();
        self.bridge.valid.next = self.rcma.valid.val().get_bit(OUT_OF_BAND as u64);
        self.bridge.value.next = self.rcma.value.val();
        self.in_band.stream_taken.next = self.rcma.taken.val().get_bit(IN_BAND as u64);
        self.in_band.stream_busy.next = self.rcma.busy.val().get_bit(IN_BAND as u64);
        self.in_band.values_valid.next = self.rcma.valid.val().get_bit(IN_BAND as u64);
        self.in_band.values_value.next = self.rcma.value.val();
        self.in_band.values_last.next = self.rcma.last.val();
        let ports = self.turn_round.len();
        self.in_band.wants.next = bits_of(0..ports, |p| self.turn_round[p].wants.val());
        self.in_band.opens.next = bits_of(0..ports, |p| self.turn_round[p].opens.val());
        self.in_band.loads.next = bits_of(0..ports, |p| self.turn_round[p].loads.val());
        self.in_band.beat.next = bits_of(0..ports, |p| self.turn_round[p].beat.val());
        self.in_band.takes.next = bits_of(0..ports, |p| self.turn_round[p].takes.val());

        // The router: registers are reached through the tiles' buses alone.
        self.router.cfg_write.next = false;
        self.router.cfg_read.next = false;
        self.router.cfg_broadcast.next = false;
        self.router.cfg_port.next = 0.into();
        self.router.cfg_address.next = 0.into();
        self.router.cfg_wdata.next = 0.into();
        self.report_port.next = self.router.report_port.val();
        self.report_congested.next = self.router.report_congested.val();
        for p in 0..self.rx_valid.len() {
            self.router.tile_write[p].next = self.rcma.bus_write[p].val();
            self.router.tile_read[p].next = self.rcma.bus_read[p].val();
            self.router.tile_address[p].next = self.rcma.bus_address[p].val();
            self.router.tile_data[p].next = self.rcma.bus_data[p].val();
            self.rcma.bus_read_data[p].next = self.router.tile_read_data[p].val();

            self.router.rx_valid[p].next = self.rx_valid[p].val();
            self.router.rx_data[p].next = self.rx_data[p].val();
            self.router.rx_head[p].next = self.rx_head[p].val();
            self.router.rx_tail[p].next = self.rx_tail[p].val();
            self.router.rx_bad[p].next = self.rx_bad[p].val();
            self.router.rx_vc[p].next = self.rx_vc[p].val();
            self.rx_credit[p].next = self.router.rx_credit[p].val();
            self.rx_congested[p].next = self.router.rx_congested[p].val();
            self.router.tile_identity[p].next = self.rcma.identity[p].val();

            clocked!(self.turn_round[p]);
            self.turn_round[p].port.next = (p as u64).into();
            self.turn_round[p].identity.next = self.rcma.identity[p].val();
            self.turn_round[p].tile_valid.next = self.router.tx_valid[p].val();
            self.turn_round[p].tile_flit.next = cat(
                cat(self.router.tx_bad[p].val(), self.router.tx_tail[p].val()),
                cat(self.router.tx_head[p].val(), self.router.tx_data[p].val()),
            );
            self.turn_round[p].tile_vc.next = self.router.tx_vc[p].val();
            self.router.tx_ready[p].next = self.turn_round[p].tile_ready.val();
            self.turn_round[p].granted.next = self.in_band.granted.val().get_bit(p as u64);
            self.turn_round[p].taken.next = self.in_band.taken.val();
            self.turn_round[p].busy.next = self.in_band.busy.val();
            self.turn_round[p].status.next = self.rcma.status[IN_BAND].val();
            self.turn_round[p].valid.next = self.in_band.valid.val();
            self.turn_round[p].value.next = self.in_band.value.val();
            self.turn_round[p].last.next = self.in_band.last.val();
            self.in_band.flit[p].next = self.turn_round[p].flit.val();
            self.in_band.word[p].next = self.turn_round[p].word.val();
            self.tx_valid[p].next = self.turn_round[p].tx_valid.val();
            self.tx_data[p].next = self.turn_round[p].tx_flit.val().field(flit::DATA);
            self.tx_head[p].next = self.turn_round[p].tx_flit.val().field(flit::HEAD).any();
            self.tx_tail[p].next = self.turn_round[p].tx_flit.val().field(flit::TAIL).any();
            self.tx_bad[p].next = self.turn_round[p].tx_flit.val().field(flit::BAD).any();
            self.tx_vc[p].next = self.turn_round[p].tx_vc.val();
            self.turn_round[p].tx_ready.next = self.tx_ready[p].val();
            self.router.tx_credit[p].next = self.tx_credit[p].val();
            self.router.tx_congested[p].next = self.tx_congested[p].val();
            self.router.link_up[p].next = self.link_up[p].val();
            self.router.link_slow[p].next = self.link_slow[p].val();
            self.router.link_error[p].next = self.link_error[p].val();
        }
    }
}
