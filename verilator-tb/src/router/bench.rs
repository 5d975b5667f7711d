//! The phases of a run.

use anyhow::Result;
use fantree_hdl::router::{bus, drop_address, DropCause, RouterParams};
use rand::Rng;

use super::blocks::SplitPolicy;
use super::harness::Harness;
use super::options::InvalidOptions;
use super::policies::{Incident, IncidentKind};
use super::results::{PortResults, Results};
use super::scoreboard::DropCounts;
use super::{registers, Chip, Options, Stalls};
use crate::traffic::{stream, Load};

/// Cycles of reset.
pub(super) const RESET_CYCLES: usize = 4;
/// Cycles that the last register write has to reach every port.
const WRITE_CYCLES: usize = 8;
/// Pairs of ports whose latency is measured in the idle chip.
const ZERO_LOAD_PAIRS: usize = 64;
/// Progress is told every so many cycles.
const PROGRESS_CYCLES: u64 = 256;

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Reset and routing tables.
    Setup,
    /// Latency of the idle chip.
    ZeroLoad,
    Warmup,
    Measure,
    /// Everything on its way arrives.
    Drain,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub phase: Phase,
    /// Cycles since the reset.
    pub cycle: u64,
    /// Cycles of warm-up and measurement that are done.
    pub done: u64,
}

/// A chip on the bench.
pub struct Bench<'a, C> {
    harness: Harness<C>,
    params: RouterParams,
    options: Options,
    phase: Phase,
    /// Cycle in which the warm-up starts.
    start: u64,
    progress: &'a mut dyn FnMut(Progress),
}

impl<'a, C: Chip> Bench<'a, C> {
    /// Puts `chip` on the bench; `progress` is called every now and then.
    pub fn new(
        chip: C,
        params: &RouterParams,
        options: &Options,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Result<Self, InvalidOptions> {
        Ok(Self {
            harness: Harness::new(chip, params, options)?,
            params: *params,
            options: options.clone(),
            phase: Phase::Setup,
            start: u64::MAX,
            progress,
        })
    }

    /// Has the results list every packet that arrives.
    pub fn keep_deliveries(&mut self) {
        self.harness.statistics.keep_deliveries();
    }

    /// Runs all phases. A chip that breaks rules gives results that say so; an error is a model that failed.
    pub fn run(mut self) -> Result<Results> {
        self.set_up()?;
        if self.options.packets.is_none() {
            self.measure_zero_load()?;
        }
        self.apply_load()?;
        self.enter(Phase::Drain);
        let drained = self.drain()?;
        if drained {
            self.check_blocks()?;
        }
        let ports = self.harness.sources.len();
        let drop_counts: Result<Vec<DropCounts>> =
            (0..ports).map(|port| self.drop_counts(port)).collect();
        let drop_counts = drop_counts?;
        if drained {
            // One port is enough: another run looks at another.
            let port = stream(self.options.seed, "registers", 0).gen_range(0..ports);
            registers::check(&mut self.harness, port, &self.params, &drop_counts[port])?;
        }
        Ok(self.results(&drop_counts))
    }

    fn drop_counts(&mut self, port: usize) -> Result<DropCounts> {
        let mut counts = DropCounts::default();
        for (count, cause) in counts.iter_mut().zip(DropCause::ALL) {
            *count = self.harness.read(port, drop_address(cause, &self.params))?;
        }
        Ok(counts)
    }

    fn set_up(&mut self) -> Result<()> {
        self.harness.reset(RESET_CYCLES)?;
        for (address, data) in self.harness.plan.addresses.writes().to_vec() {
            self.harness.write(None, address, data)?;
        }
        if self.options.multicast > 0.0 || self.options.misfits > 0.0 {
            for (group, ports) in self.harness.plan.groups.clone().into_iter().enumerate() {
                let address = bus::MULTICAST_TABLE + 2 * group;
                self.harness.write(None, address, ports as u32)?;
                self.harness
                    .write(None, address + 1, (ports >> 32) as u32)?;
            }
        }
        for port in (0..self.params.ports()).filter(|&port| self.options.store.at(port)) {
            let control = bus::control::ENABLE | bus::control::STORE;
            self.harness.write(Some(port), bus::CONTROL, control)?;
        }
        if self.options.split != SplitPolicy::Reset {
            let split = self.options.split(&self.params);
            self.harness
                .write(None, bus::SHARED_BLOCKS, split.shared as u32)?;
            for vc in 0..self.params.virtual_channels {
                let blocks = split.private[vc] as u32;
                self.harness.write(None, bus::PRIVATE_BLOCKS + vc, blocks)?;
            }
        }
        if self.options.blocked_limit > 0 {
            self.harness
                .write(None, bus::BLOCKED_LIMIT, self.options.blocked_limit)?;
        }
        if let Some(flits) = self.options.backlog_limit {
            self.harness.write(None, bus::BACKLOG_LIMIT, flits)?;
        }
        (0..WRITE_CYCLES).try_for_each(|_| self.step())
    }

    /// Sends packets one by one through the idle chip.
    fn measure_zero_load(&mut self) -> Result<()> {
        self.enter(Phase::ZeroLoad);
        let ports = self.harness.sources.len();
        let flits = self.options.lengths.shortest();
        let mut random = stream(self.options.seed, "zero-load", 0);
        let all = ports * ports;
        for pair in 0..all.min(ZERO_LOAD_PAIRS) {
            let destination = match all <= ZERO_LOAD_PAIRS {
                true => pair / ports,
                false => random.gen_range(0..ports),
            };
            let Harness {
                sources,
                plan,
                cycle,
                ..
            } = &mut self.harness;
            sources[pair % ports].push(destination, flits, *cycle, plan);
            if !self.drain()? {
                break;
            }
        }
        Ok(())
    }

    /// Warm-up and measurement.
    fn apply_load(&mut self) -> Result<()> {
        if self.options.stalls.share > 0.0 {
            self.harness.stall(&self.options);
        }
        self.start = self.harness.cycle;
        let measured = self.start + self.options.warmup;
        let end = measured + self.options.cycles;
        self.harness.statistics.measure(measured..end);
        self.harness.generating = true;
        self.harness.be_patient();
        self.enter(Phase::Warmup);
        while self.harness.cycle < end && !self.harness.is_stuck() {
            self.befall()?;
            if self.harness.cycle == measured {
                self.enter(Phase::Measure);
            }
            self.step()?;
        }
        self.harness.generating = false;
        Ok(())
    }

    /// What is to happen to a port in this cycle.
    fn befall(&mut self) -> Result<()> {
        let Some(Incident { port, after, kind }) = self.options.incident else {
            return Ok(());
        };
        if self.harness.cycle != self.start + after {
            return Ok(());
        }
        match kind {
            IncidentKind::Stop(cycles) => self.harness.stop(port, cycles),
            IncidentKind::Slow(share) => {
                let stalls = Stalls::share(share);
                self.harness.slow_down(port, stalls, self.options.seed);
            }
            IncidentKind::Die => {
                // What comes in there is still stored or not, as before.
                let store = self.options.store.at(port);
                let control = if store { bus::control::STORE } else { 0 };
                self.harness.write(Some(port), bus::CONTROL, control)?;
            }
        }
        Ok(())
    }

    /// Causes for which any packet may be dropped.
    fn excused(&self) -> Vec<DropCause> {
        let mut causes = Vec::new();
        if matches!(
            self.options.incident,
            Some(Incident {
                kind: IncidentKind::Die,
                ..
            })
        ) {
            causes.extend([DropCause::DeadPort, DropCause::DeadEnd]);
        }
        if self.options.blocked_limit > 0 {
            causes.extend([DropCause::Blocked, DropCause::BlockedLink]);
        }
        causes
    }

    /// Runs until nothing is on its way; false if something stays there.
    fn drain(&mut self) -> Result<bool> {
        self.harness.be_patient();
        while self.harness.is_busy() {
            if self.harness.is_stuck() {
                // Packets that were dropped for an excused cause never come.
                if !self.excused().is_empty() && self.harness.sources_are_idle() {
                    return Ok(true);
                }
                self.harness.report_stuck();
                return Ok(false);
            }
            self.step()?;
        }
        Ok(true)
    }

    /// The chip, too, must count every block of the next chips as free again.
    fn check_blocks(&mut self) -> Result<()> {
        let deadline = self.harness.cycle + self.options.patience();
        for port in 0..self.harness.sources.len() {
            while self.harness.read(port, bus::IN_USE)? > 0 {
                if self.harness.cycle > deadline {
                    self.harness.report_blocks(port)?;
                    break;
                }
            }
        }
        Ok(())
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.tell();
    }

    fn step(&mut self) -> Result<()> {
        self.harness.step()?;
        if self.harness.cycle.is_multiple_of(PROGRESS_CYCLES) {
            self.tell();
        }
        Ok(())
    }

    fn tell(&mut self) {
        let cycle = self.harness.cycle;
        let load_cycles = self.options.warmup + self.options.cycles;
        (self.progress)(Progress {
            phase: self.phase,
            cycle,
            done: cycle.saturating_sub(self.start).min(load_cycles),
        });
    }

    fn results(self, drop_counts: &[DropCounts]) -> Results {
        let excused = self.excused();
        let Self {
            harness,
            params,
            options,
            ..
        } = self;
        let Harness {
            cycle,
            board,
            mut statistics,
            mut coverage,
            mut violations,
            ..
        } = harness;
        for (port, counts) in drop_counts.iter().enumerate() {
            coverage.drops(port, counts, options.store);
        }
        let packets = board.finish(cycle, drop_counts, &excused, &mut violations);
        let by_port = statistics.by_port();
        let mean = |rate: fn(&PortResults) -> f64| {
            by_port.iter().map(rate).sum::<f64>() / by_port.len() as f64
        };
        Results {
            ports: by_port.len(),
            rows: params.rows,
            columns: params.columns,
            pattern: options.pattern.to_string(),
            // At full load a packet always waits, however fast the queue moves.
            offered: match options.load {
                Load::FULL => 1.0,
                _ => mean(|port| port.offered),
            },
            accepted: mean(|port| port.accepted),
            packets,
            latency: statistics.latency(),
            fairness: statistics.fairness(),
            cycles: options.cycles,
            simulated_cycles: cycle,
            seed: options.seed,
            by_port,
            deliveries: statistics.take_deliveries(),
            latency_bins: statistics.latency_bins(),
            occupancy: statistics.occupancy(),
            violation_count: violations.count(),
            violations: violations.into_kept(),
            coverage: coverage.functional(),
        }
    }
}
