//! A run: two ends and what stands around them, cycle by cycle.

use anyhow::Result;
use fantree_hdl::link::{Event, LinkParams, LinkPort};

use super::channel::{Channel, Frames};
use super::flow::Flow;
use super::options::Options;
use super::port::{Inputs, Port};
use super::sender::Sender;
use super::sink::Sink;
use super::violation::{Fault, Violation};
use crate::router::Flit;
use crate::traffic::stream;
use crate::verilator::{build, Library, Source};

/// Cycles of reset.
const RESET_CYCLES: usize = 4;
/// Cycles beyond the limit on silence in which an end that hears nothing goes down, see `Session`.
const DETECTION: u64 = 2;
/// Violations that are kept.
const KEPT: usize = 20;

/// What came of one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Direction {
    /// Packets that began, and that came whole.
    pub begun: u64,
    pub whole: u64,
    /// Flits that came, a cycle of those in which packets were sent.
    pub goodput: f64,
    /// Cycles from one end to the other without the line's, least and mean.
    pub least_latency: u64,
    pub mean_latency: f64,
    pub frames: Frames,
    /// Counters of the sending end, as [`Event::ALL`].
    pub counts: [u64; Event::ALL.len()],
}

impl Direction {
    /// A counter of the sending end.
    pub fn count(&self, event: Event) -> u64 {
        self.counts[event as usize]
    }

    /// Share of the full frames that did not come as they were sent.
    pub fn spoiled(&self) -> f64 {
        self.frames.spoiled as f64 / self.frames.carried.max(1) as f64
    }
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// By the end that sends.
    pub directions: [Direction; 2],
    pub cycles: u64,
    pub violation_count: usize,
    /// The first of them.
    pub violations: Vec<Violation>,
}

/// An end, what stands around it, and the direction in which it sends.
struct End {
    port: Port,
    sender: Sender,
    sink: Sink,
    channel: Channel,
    flow: Flow,
    was_up: bool,
    /// Flits of it that came while packets were sent.
    arrived: u64,
    /// Cycle in which the last word came while it was up.
    last_word: u64,
}

struct Bench<'a> {
    options: &'a Options,
    ends: [End; 2],
    cycle: u64,
    violation_count: usize,
    violations: Vec<Violation>,
}

/// Runs two ends of a link; a link that breaks rules gives results that say so.
pub fn run(options: &Options) -> Result<Results> {
    let library = library(&options.params)?;
    let ends = [end(options, &library, 0)?, end(options, &library, 1)?];
    let mut bench = Bench {
        options,
        ends,
        cycle: 0,
        violation_count: 0,
        violations: Vec::new(),
    };
    bench.run()?;
    Ok(bench.results())
}

/// An end of a link, compiled.
pub fn library(params: &LinkParams) -> Result<Library> {
    let verilog = fantree_gen::emit(&LinkPort::new(params), "link_port")?.to_verilog();
    let source = Source {
        top: "link_port",
        verilog: &verilog,
    };
    Ok(build(&source, &Default::default())?)
}

fn end(options: &Options, library: &Library, index: usize) -> Result<End> {
    let random = |purpose| stream(options.seed, purpose, index);
    let params = options.params;
    let (lengths, load) = (options.packet_flits.clone(), options.load[index]);
    Ok(End {
        port: Port::new(library, options.silence_limit, options.seed)?,
        sender: Sender::new(params, lengths, load, random("link-sender")),
        sink: Sink::new(params, options.drain, random("link-sink")),
        channel: Channel::new(
            options.delay,
            params.frame_flits,
            options.faults[index],
            random("link-channel"),
        ),
        flow: Flow::default(),
        was_up: false,
        arrived: 0,
        last_word: 0,
    })
}

impl Bench<'_> {
    fn run(&mut self) -> Result<()> {
        let reset = Inputs {
            reset: true,
            ..Inputs::default()
        };
        for end in &mut self.ends {
            (0..RESET_CYCLES).try_for_each(|_| end.port.step(&reset).map(drop))?;
        }
        while self.cycle < self.options.cycles {
            self.step(true)?;
        }
        // Longer than any replay takes, and any bring-up.
        let patience =
            40 * (self.options.delay as u64 + 100) + u64::from(self.options.silence_limit);
        for _ in 0..patience {
            self.step(false)?;
        }
        let limit = self.cycle + 100 * patience;
        while self.is_busy() && self.cycle < limit {
            self.step(false)?;
        }
        Ok(())
    }

    /// Something is still on its way.
    fn is_busy(&self) -> bool {
        self.ends
            .iter()
            .any(|end| !end.sender.is_idle() || end.flow.missing() > 0 || end.sender.in_use() > 0)
    }

    fn step(&mut self, generating: bool) -> Result<()> {
        let shown = [0, 1].map(|end| self.ends[end].port.outputs());
        for (index, outputs) in shown.iter().enumerate() {
            self.watch(index, outputs.up);
            if let Some(flit) = outputs.rx {
                self.receive(index, flit, outputs.up);
            }
            let fault = self.ends[index].sender.credit(outputs.tx_credit);
            self.note(index, fault);
        }
        let ready = [0, 1].map(|end| self.ends[end].channel.is_ready());
        let sent = [0, 1].map(|end| {
            let mut outages = self.options.outages.iter();
            let dead = outages.any(|it| it.from == end && it.cycles.contains(&self.cycle));
            self.ends[end].channel.carry(shown[end].line, dead)
        });
        for (index, outputs) in shown.iter().enumerate() {
            let end = &mut self.ends[index];
            let inputs = Inputs {
                reset: false,
                tx: end.sender.shown(),
                rx_credit: end.sink.free(),
                line_ready: ready[index],
                line: sent[1 - index],
            };
            let taken = end.port.step(&inputs)?;
            if let Some(flit) = inputs.tx.filter(|_| taken) {
                end.flow.take(flit, outputs.up, self.cycle);
            }
            end.sender.advance(taken, outputs.up, generating);
            if inputs.line.is_some() {
                end.last_word = self.cycle;
            }
        }
        self.cycle += 1;
        Ok(())
    }

    /// Looks at whether the link is up at an end.
    fn watch(&mut self, index: usize, up: bool) {
        let limit = u64::from(self.options.silence_limit) + DETECTION;
        let end = &mut self.ends[index];
        let mut fault = None;
        if up != end.was_up {
            end.flow.change_session();
            end.was_up = up;
            let blocks = end.sender.in_use() + end.sink.held();
            fault = (up && blocks > 0).then_some(Fault::NotHome { blocks });
        }
        let silent = self.cycle - end.last_word;
        if up && silent > limit {
            let late = silent - limit;
            fault = fault.or(Some(Fault::LateDetection { late }));
        }
        self.note(index, fault);
    }

    /// A flit comes out of an end.
    fn receive(&mut self, index: usize, flit: Flit, up: bool) {
        let open = self.ends[index].sink.is_open(flit.vc);
        let ends_packet = !up && open && !flit.head && flit.data == 0 && flit.bad == flit.tail;
        let flow = &mut self.ends[1 - index].flow;
        let wrong = flow.deliver(flit, self.cycle).filter(|_| !ends_packet);
        if self.cycle < self.options.cycles && wrong.is_none() {
            self.ends[1 - index].arrived += u64::from(!ends_packet);
        }
        let fault = self.ends[index].sink.receive(&flit);
        self.note(index, wrong);
        self.note(index, fault);
    }

    fn note(&mut self, end: usize, fault: Option<Fault>) {
        let Some(fault) = fault else { return };
        self.violation_count += 1;
        if self.violations.len() < KEPT {
            let cycle = self.cycle;
            self.violations.push(Violation { cycle, end, fault });
        }
    }

    /// What must hold when nothing is on its way any more.
    fn check_rest(&mut self) {
        for index in 0..2 {
            let end = &self.ends[index];
            let (flits, blocks) = (end.flow.missing(), end.sender.in_use());
            let lost = end.flow.begun - end.flow.whole;
            let reported = end.port.count(Event::Lost);
            self.note(index, (flits > 0).then_some(Fault::Missing { flits }));
            self.note(
                index,
                (blocks > 0).then_some(Fault::MissingCredits { blocks }),
            );
            let unreported = flits == 0 && lost > reported;
            self.note(
                index,
                unreported.then_some(Fault::Unreported { lost, reported }),
            );
        }
    }

    fn results(mut self) -> Results {
        self.check_rest();
        let delay = self.options.delay as u64;
        let directions = self.ends.each_ref().map(|end| Direction {
            begun: end.flow.begun,
            whole: end.flow.whole,
            goodput: end.arrived as f64 / self.options.cycles as f64,
            least_latency: end.flow.least_latency.unwrap_or(delay) - delay,
            mean_latency: end.flow.total_latency as f64 / end.flow.flits.max(1) as f64
                - delay as f64,
            frames: end.channel.frames,
            counts: Event::ALL.map(|event| end.port.count(event)),
        });
        Results {
            directions,
            cycles: self.cycle,
            violation_count: self.violation_count,
            violations: self.violations,
        }
    }
}
