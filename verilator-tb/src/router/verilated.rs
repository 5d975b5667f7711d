//! The chip under Verilator.

use std::ops::Range;
use std::path::Path;

use fantree_hdl::router::RouterParams;

use super::bench::RESET_CYCLES;
use super::flit_pins::FlitPins;
use super::{BusRequest, Chip, Inputs, Outputs, Report};
use crate::verilator::{Model, Port, Result};

/// Nanoseconds of simulated time a clock cycle; the clock is high in the second half.
const PERIOD: u64 = 2;

/// A cycle of the bench as the chip counts it: from the first cycle of the reset on, and not from the last.
pub fn chip_cycle(cycle: u64) -> u64 {
    cycle.saturating_add(RESET_CYCLES as u64 - 1)
}

/// The time at which a cycle of the bench begins in a wave, in the wave's unit: its rising edge.
pub fn wave_time(cycle: u64) -> u64 {
    chip_cycle(cycle) * PERIOD + PERIOD / 2
}

/// The cycle of the bench that a time in a wave belongs to; none during the reset.
pub fn wave_cycle(time: u64) -> Option<u64> {
    (time.checked_sub(wave_time(0))? / PERIOD).into()
}

/// A Verilated router chip: its pins by number instead of by name.
///
/// Inputs change with the falling edge of the clock, and reach the chip with the rising one.
pub struct Verilated {
    model: Model,
    cycle: u64,
    /// Cycles that are written into the wave.
    traced: Range<u64>,
    clock: Port,
    reset: Port,
    rx: Vec<FlitPins>,
    rx_credit: Vec<Port>,
    tx: Vec<FlitPins>,
    tx_ready: Vec<Port>,
    tx_credit: Vec<Port>,
    bus: BusPins,
    report_port: Port,
    report_congested: Port,
}

struct BusPins {
    write: Port,
    read: Port,
    broadcast: Port,
    port: Port,
    address: Port,
    wdata: Port,
    rvalid: Port,
    rdata: Port,
}

impl Verilated {
    /// Finds the pins of the chip.
    pub fn new(mut model: Model, params: &RouterParams) -> Result<Self> {
        let each = |pin: &dyn Fn(usize) -> Result<Port>| (0..params.ports()).map(pin).collect();
        let links = |side: &str| FlitPins::of_links(&model, side, params.ports());
        let (rx, tx) = (links("rx")?, links("tx")?);
        let rx_credit: Result<Vec<Port>> = each(&|p| model.output(&format!("rx_credit_{p}")));
        let tx_ready: Result<Vec<Port>> = each(&|p| model.input(&format!("tx_ready_{p}")));
        let tx_credit: Result<Vec<Port>> = each(&|p| model.input(&format!("tx_credit_{p}")));
        let (rx_credit, tx_ready, tx_credit) = (rx_credit?, tx_ready?, tx_credit?);
        let (clock, reset) = (model.input("clock")?, model.input("reset")?);
        let bus = BusPins {
            write: model.input("cfg_write")?,
            read: model.input("cfg_read")?,
            broadcast: model.input("cfg_broadcast")?,
            port: model.input("cfg_port")?,
            address: model.input("cfg_address")?,
            wdata: model.input("cfg_wdata")?,
            rvalid: model.output("cfg_rvalid")?,
            rdata: model.output("cfg_rdata")?,
        };
        let report_port = model.output("report_port")?;
        let report_congested = model.output("report_congested")?;
        FlitPins::raise_links(&mut model, params.ports())?;
        if params.managed {
            // Management stands outside, and does nothing here.
            for port in 0..params.ports() {
                for pin in ["write", "read", "address", "data", "identity"] {
                    let pin = model.input(&format!("tile_{pin}_{port}"))?;
                    model.write(pin, 0);
                }
            }
        }
        // A high clock at the start is no edge: the first is the first cycle's.
        model.write(clock, 1);
        model.eval()?;
        Ok(Self {
            model,
            cycle: 0,
            traced: 0..0,
            clock,
            reset,
            rx,
            rx_credit,
            tx,
            tx_ready,
            tx_credit,
            bus,
            report_port,
            report_congested,
        })
    }

    /// Writes all signals into an FST file, in these cycles since the first.
    pub fn trace(&mut self, path: &Path, cycles: Range<u64>) -> Result<()> {
        self.traced = cycles;
        self.model.trace_open(path)
    }

    /// Completes the wave, if one is being written.
    pub fn end_trace(&mut self) -> Result<()> {
        self.model.trace_close()
    }

    /// The model, for what is not the bench's: coverage, pins beside those of a router.
    pub fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    fn drive(&mut self, inputs: &Inputs) {
        let model = &mut self.model;
        model.write(self.reset, inputs.reset.into());
        for (port, pins) in self.rx.iter().enumerate() {
            pins.write(model, inputs.rx[port].as_ref());
            model.write(self.tx_ready[port], inputs.tx_ready[port].into());
            model.write(self.tx_credit[port], inputs.tx_credit[port].into());
        }
        let bus = &self.bus;
        let (write, read) = match inputs.bus {
            None => (false, false),
            Some(BusRequest::Write {
                port,
                address,
                data,
            }) => {
                model.write(bus.broadcast, port.is_none().into());
                model.write(bus.port, port.unwrap_or(0) as u64);
                model.write(bus.address, address as u64);
                model.write(bus.wdata, data.into());
                (true, false)
            }
            Some(BusRequest::Read { port, address }) => {
                model.write(bus.broadcast, 0);
                model.write(bus.port, port as u64);
                model.write(bus.address, address as u64);
                (false, true)
            }
        };
        model.write(bus.write, write.into());
        model.write(bus.read, read.into());
    }

    fn sample(&self, outputs: &mut Outputs) {
        let model = &self.model;
        for (port, pins) in self.tx.iter().enumerate() {
            outputs.tx[port] = pins.read(model);
            outputs.rx_credit[port] = model.read(self.rx_credit[port]) as u8;
        }
        let answered = model.read(self.bus.rvalid) == 1;
        outputs.bus = answered.then(|| model.read(self.bus.rdata) as u32);
        outputs.report = Some(Report {
            port: model.read(self.report_port) as usize,
            congested: model.read(self.report_congested) == 1,
        });
    }

    fn set_clock(&mut self, high: bool) -> Result<()> {
        let half = if high { PERIOD / 2 } else { 0 };
        self.model.set_time(self.cycle * PERIOD + half);
        self.model.write(self.clock, high.into());
        self.model.eval()?;
        match self.traced.contains(&self.cycle) {
            true => self.model.trace_dump(),
            false => Ok(()),
        }
    }
}

impl Chip for Verilated {
    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> anyhow::Result<()> {
        self.drive(inputs);
        self.set_clock(false)?;
        self.set_clock(true)?;
        self.cycle += 1;
        self.sample(outputs);
        Ok(())
    }
}
