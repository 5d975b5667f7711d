//! The harness: everything that surrounds a chip on the bench, cycle by cycle.

use anyhow::{bail, Result};
use fantree_hdl::router::{bus, RouterParams, MULTICAST_GROUPS};
use rand::Rng;

use super::addresses::Addresses;
use super::blocks::Split;
use super::coverage::{Coverage, Sizes};
use super::delay_line::DelayLine;
use super::monitor::LinkMonitor;
use super::options::InvalidOptions;
use super::policies::{Incident, IncidentKind};
use super::receiver::Receiver;
use super::scoreboard::{Arrival, Scoreboard};
use super::source::{Plan, Source, EMPTY_GROUP};
use super::statistics::Statistics;
use super::violation::{Fault, Link, Place, Violations};
use super::{BusRequest, Chip, Inputs, Options, Outputs, Report, Stalls};
use crate::traffic::{stream, Destinations, Shape};

/// Cycles in which a register read is answered.
const READ_CYCLES: usize = 64;

/// A chip and all that surrounds it.
pub struct Harness<C> {
    chip: C,
    vcs: usize,
    split: Split,
    patience: u64,
    inputs: Inputs,
    outputs: Outputs,
    receivers: Vec<Receiver>,
    rx_monitors: Vec<LinkMonitor>,
    tx_monitors: Vec<LinkMonitor>,
    rx_credits: DelayLine<u8>,
    tx_credits: DelayLine<u8>,
    /// What the chip says of its ports, on its way to all sources.
    reports: DelayLine<Option<Report>>,
    /// The last cycle with progress, and how far it went.
    last_progress: (u64, u64),
    /// Cycles since the reset.
    pub cycle: u64,
    /// Packets arrive at the sources.
    pub generating: bool,
    /// Packets that may still arrive there.
    packets_left: u64,
    pub plan: Plan,
    pub sources: Vec<Source>,
    pub board: Scoreboard,
    pub statistics: Statistics,
    pub coverage: Coverage,
    pub violations: Violations,
}

impl<C: Chip> Harness<C> {
    pub fn new(chip: C, params: &RouterParams, options: &Options) -> Result<Self, InvalidOptions> {
        options.check(params)?;
        let (ports, vcs) = (params.ports(), params.virtual_channels);
        let (rows, columns) = (params.rows, params.columns);
        let sizes = Sizes::of(params);
        let split = options.split(params);
        let monitor = |link| LinkMonitor::new(link, sizes, split);
        let addresses = Addresses::new(params, options.candidates)?;
        let may_die = matches!(
            options.incident,
            Some(Incident {
                kind: IncidentKind::Die,
                ..
            })
        );
        let mut random = stream(options.seed, "groups", 0);
        let all = u64::MAX >> (u64::BITS as usize - ports);
        let groups = (0..MULTICAST_GROUPS).map(|group| match group {
            0 => all,
            EMPTY_GROUP => 0,
            _ if options.multicast_to_all => all,
            _ => (random.gen::<u64>() & all).max(1),
        });
        Ok(Self {
            chip,
            vcs,
            split,
            patience: options.patience(),
            inputs: Inputs::idle(ports),
            outputs: Outputs::idle(ports),
            receivers: vec![Receiver::new(split.block_flits); ports],
            rx_monitors: (0..ports).map(|port| monitor(Link::Rx(port))).collect(),
            tx_monitors: (0..ports).map(|port| monitor(Link::Tx(port))).collect(),
            rx_credits: DelayLine::new(ports, options.credit_round_trip),
            tx_credits: DelayLine::new(ports, options.credit_round_trip),
            reports: DelayLine::new(1, options.credit_round_trip),
            last_progress: (0, 0),
            cycle: 0,
            generating: false,
            packets_left: options.packets.unwrap_or(u64::MAX),
            sources: (0..ports)
                .map(|port| Source::new(port, ports, vcs, split, options))
                .collect(),
            board: Scoreboard::new(sizes, options.store),
            plan: Plan {
                ports,
                addresses,
                groups: groups.collect(),
                max_multicast_flits: params.max_multicast_flits(),
                destinations: Destinations::new(
                    options.pattern,
                    Shape { rows, columns },
                    options.seed,
                )?,
                lengths: options.lengths.clone(),
                vc_policy: options.vc_policy,
                interleave: options.interleave,
                no_route: options.no_route,
                damage: options.damage,
                multicast: options.multicast,
                misfits: options.misfits,
                routing: options.routing,
                candidates: options.candidates,
                may_die,
                store: options.store,
                salt: stream(options.seed, "salt", 0).gen(),
            },
            statistics: Statistics::new(ports, split.total()),
            coverage: Coverage::of(params, options),
            violations: Violations::default(),
        })
    }

    /// Resets the chip. What it shows before its first clock edges means nothing, so nobody looks.
    pub fn reset(&mut self, cycles: usize) -> Result<()> {
        self.inputs.reset = true;
        for _ in 0..cycles {
            self.chip.step(&self.inputs, &mut self.outputs)?;
        }
        self.inputs.reset = false;
        Ok(())
    }

    /// Lets the receivers stall from now on.
    pub fn stall(&mut self, options: &Options) {
        for port in 0..self.receivers.len() {
            self.slow_down(port, options.stalls, options.seed);
        }
    }

    /// Something is on its way, or should be.
    pub fn is_busy(&self) -> bool {
        self.board.outstanding() > 0 || !self.sources_are_idle()
    }

    /// Nothing is to be sent, and all credits are back.
    pub fn sources_are_idle(&self) -> bool {
        self.sources.iter().all(Source::is_idle)
    }

    /// Something is on its way, and no packet has started or arrived for too long.
    pub fn is_stuck(&self) -> bool {
        self.cycle - self.last_progress.0 >= self.patience && self.is_busy()
    }

    /// Starts to wait anew.
    pub fn be_patient(&mut self) {
        self.last_progress.0 = self.cycle;
    }

    /// One cycle of everything: what links carry in it, and what reaches the chip in the next.
    pub fn step(&mut self) -> Result<()> {
        self.reports.send(0, self.outputs.report);
        for port in 0..self.sources.len() {
            self.link_in(port);
            self.link_out(port);
        }
        if self.statistics.samples(self.cycle) {
            let blocks = self.sources.iter().map(Source::blocks_in_use);
            self.statistics.sample(self.cycle, blocks);
        }
        self.rx_credits.advance();
        self.tx_credits.advance();
        self.reports.advance();
        self.cycle += 1;
        if let Some(report) = self.reports.arriving(0) {
            for source in &mut self.sources {
                source.hear(report, self.cycle);
            }
        }
        for port in 0..self.sources.len() {
            self.drive(port);
        }
        self.chip.step(&self.inputs, &mut self.outputs)?;
        let progress = self.board.progress();
        if progress != self.last_progress.1 {
            self.last_progress = (self.cycle, progress);
        }
        Ok(())
    }

    /// Decides what reaches a port of the chip in this cycle.
    #[inline]
    fn drive(&mut self, port: usize) {
        let source = &mut self.sources[port];
        source.credit(self.rx_credits.arriving(port));
        if self.generating && self.packets_left > 0 {
            let flits = source.generate(self.cycle, &self.plan);
            self.packets_left -= u64::from(flits > 0);
            self.statistics.offer(self.cycle, port, flits);
        }
        let (board, coverage) = (&mut self.board, &mut self.coverage);
        self.inputs.rx[port] = source.send(self.cycle, &self.plan, board, coverage);
        self.inputs.tx_ready[port] = self.receivers[port].ready();
        self.inputs.tx_credit[port] = self.tx_credits.arriving(port);
    }

    /// One cycle of a link into the chip.
    #[inline]
    fn link_in(&mut self, port: usize) {
        let (sent, freed) = (self.inputs.rx[port], self.outputs.rx_credit[port]);
        self.rx_credits.send(port, freed);
        let (violations, coverage) = (&mut self.violations, &mut self.coverage);
        self.rx_monitors[port].watch(self.cycle, sent.as_ref(), true, freed, violations, coverage);
        let stalled = sent.is_none() && self.sources[port].queued() > 0;
        self.statistics.link_in(self.cycle, port, stalled);
    }

    /// One cycle of a link out of the chip.
    #[inline]
    fn link_out(&mut self, port: usize) {
        let cycle = self.cycle;
        let shown = self.outputs.tx[port];
        let (ready, returned) = (self.inputs.tx_ready[port], self.inputs.tx_credit[port]);
        let (violations, coverage) = (&mut self.violations, &mut self.coverage);
        self.tx_monitors[port].watch(cycle, shown.as_ref(), ready, returned, violations, coverage);
        // A channel that does not exist is the monitor's to report; nobody can receive from it.
        let taken = shown.filter(|flit| ready && usize::from(flit.vc) < self.vcs);
        let freed = self.receivers[port].drain(taken.map(|flit| (flit.vc, flit.tail)));
        self.tx_credits.send(port, freed);
        if shown.is_some() {
            self.statistics.link_out(cycle, port, taken.is_some());
        }
        let Some(flit) = taken else { return };
        let arrival = self.board.receive(cycle, port, &flit, violations, coverage);
        match arrival {
            Some(Arrival::Head(packet)) => self.statistics.head(cycle, &packet),
            Some(Arrival::Whole(packet)) => {
                if flit.head {
                    self.statistics.head(cycle, &packet);
                }
                self.statistics.deliver(cycle, port, &packet);
            }
            None => (),
        }
    }

    /// A receiver stalls from now on.
    pub fn slow_down(&mut self, port: usize, stalls: Stalls, seed: u64) {
        self.receivers[port].stall(stalls, seed, port);
    }

    /// A receiver takes nothing for some cycles.
    pub fn stop(&mut self, port: usize, cycles: u64) {
        self.receivers[port].stop(cycles);
    }

    /// Writes a register of a port, or of all.
    pub fn write(&mut self, port: Option<usize>, address: usize, data: u32) -> Result<()> {
        self.inputs.bus = Some(BusRequest::Write {
            port,
            address,
            data,
        });
        self.step()?;
        self.inputs.bus = None;
        Ok(())
    }

    /// Reads a register.
    pub fn read(&mut self, port: usize, address: usize) -> Result<u32> {
        self.inputs.bus = Some(BusRequest::Read { port, address });
        for _ in 0..READ_CYCLES {
            self.step()?;
            self.inputs.bus = None;
            if let Some(value) = self.outputs.bus {
                return Ok(value);
            }
        }
        bail!("the chip does not answer a read of register {address:#06x} of port {port}");
    }

    /// Reports blocks of the next chip that a port still counts as used.
    pub fn report_blocks(&mut self, port: usize) -> Result<()> {
        let fault = Fault::CreditsMissing {
            missing: self.read(port, bus::IN_USE)? as usize,
            capacity: self.split.total(),
        };
        let place = Place {
            cycle: self.cycle,
            link: Some(Link::Tx(port)),
            vc: None,
        };
        self.violations.add(place, None, fault);
        Ok(())
    }

    /// Reports a register of a port whose value is not legal.
    pub fn report_register(
        &mut self,
        port: usize,
        address: usize,
        value: u32,
        legal: &'static str,
    ) {
        let place = Place {
            cycle: self.cycle,
            link: Some(Link::Rx(port)),
            vc: None,
        };
        let fault = Fault::Register {
            address,
            value,
            legal,
        };
        self.violations.add(place, None, fault);
    }

    /// Reports what keeps everything from arriving.
    pub fn report_stuck(&mut self) {
        let mut place = Place {
            cycle: self.cycle,
            link: None,
            vc: None,
        };
        let packets = self.board.outstanding();
        let queued = self.sources.iter().map(Source::queued).sum();
        // All packets may have come, and only credits be missing.
        if packets + queued > 0 {
            let fault = Fault::Stuck {
                cycles: self.patience,
                packets,
                queued,
            };
            self.violations.add(place, None, fault);
        }
        let capacity = self.split.total();
        for (port, source) in self.sources.iter().enumerate() {
            place.link = Some(Link::Rx(port));
            for vc in 0..self.vcs {
                let missing = source.missing_blocks(vc);
                if missing > 0 {
                    place.vc = Some(vc as u8);
                    let fault = Fault::CreditsMissing { missing, capacity };
                    self.violations.add(place, None, fault);
                }
            }
        }
    }
}
