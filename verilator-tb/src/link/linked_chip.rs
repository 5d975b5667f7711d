//! A router with a link at each of its ports: the bench of a router runs over links as it runs without them.
//!
//! ```text
//!  bench ─► end ─► Channel ─► end ─► router
//!  bench ◄─ end ◄─ Channel ◄─ end ◄─ router
//! ```
//!
//! A link has the same signals at both of its ends, so nobody sees it but by the time that it takes. Flits wait in queues
//! before it, since neither the bench's sources nor the router under Verilator wait for a link in the cycle that it needs.

use std::collections::VecDeque;

use anyhow::Result;
use fantree_hdl::link::Event;

use super::bench::library;
use super::channel::Channel;
use super::options::Options;
use super::port::{Inputs as EndInputs, Outputs as EndOutputs, Port};
use crate::router::{Chip, Flit, Inputs, Outputs};
use crate::traffic::stream;

/// An end, the line from it, and the flits that wait for it.
struct End {
    port: Port,
    channel: Channel,
    waiting: VecDeque<Flit>,
}

/// A link: the end at the bench, the end at the router.
struct Link {
    ends: [End; 2],
    /// Flits for the bench that it has not taken.
    arrived: VecDeque<Flit>,
}

impl Link {
    fn outputs(&self) -> [EndOutputs; 2] {
        self.ends.each_ref().map(|end| end.port.outputs())
    }

    /// A cycle of both ends, which show `shown`.
    fn step(&mut self, reset: bool, freed: [u8; 2], shown: &[EndOutputs; 2]) -> Result<()> {
        let ready = self.ends.each_ref().map(|end| end.channel.is_ready());
        let mut lines = [None; 2];
        for (from, end) in self.ends.iter_mut().enumerate() {
            lines[1 - from] = end.channel.carry(shown[from].line, reset);
        }
        for (index, end) in self.ends.iter_mut().enumerate() {
            let taken = end.port.step(&EndInputs {
                reset,
                tx: end.waiting.front().copied().filter(|_| shown[index].up),
                rx_credit: freed[index],
                line_ready: ready[index],
                line: lines[index],
            })?;
            if taken {
                end.waiting.pop_front();
            }
        }
        Ok(())
    }
}

/// A router behind links; see the [module](self).
pub struct LinkedChip<C> {
    chip: C,
    links: Vec<Link>,
    /// What the router is given, and shows.
    inputs: Inputs,
    outputs: Outputs,
}

impl<C: Chip> LinkedChip<C> {
    /// Puts a link of these options before each of `ports` ports; both directions of it have the faults of the first.
    pub fn new(chip: C, ports: usize, options: &Options) -> Result<Self> {
        let library = library(&options.params)?;
        let end = |index: usize| -> Result<End> {
            let random = stream(options.seed, "linked-chip", index);
            let (flits, faults) = (options.params.frame_flits, options.faults[0]);
            Ok(End {
                port: Port::new(&library, options.silence_limit, options.seed)?,
                channel: Channel::new(options.delay, flits, faults, random),
                waiting: VecDeque::new(),
            })
        };
        let link = |port: usize| {
            Ok(Link {
                ends: [end(2 * port)?, end(2 * port + 1)?],
                arrived: VecDeque::new(),
            })
        };
        let mut inputs = Inputs::idle(ports);
        inputs.tx_ready.fill(true);
        Ok(Self {
            chip,
            links: (0..ports).map(link).collect::<Result<_>>()?,
            inputs,
            outputs: Outputs::idle(ports),
        })
    }

    /// How often an event has come, at all ends.
    pub fn count(&self, event: Event) -> u64 {
        let ends = self.links.iter().flat_map(|link| &link.ends);
        ends.map(|end| end.port.count(event)).sum()
    }
}

impl<C: Chip> Chip for LinkedChip<C> {
    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> Result<()> {
        self.inputs.reset = inputs.reset;
        self.inputs.bus = inputs.bus;
        for (port, link) in self.links.iter_mut().enumerate() {
            let shown = link.outputs();
            let [bench, router] = &mut link.ends;
            if inputs.reset {
                bench.waiting.clear();
                router.waiting.clear();
                link.arrived.clear();
            } else {
                bench.waiting.extend(inputs.rx[port]);
                router.waiting.extend(self.outputs.tx[port]);
                link.arrived.extend(shown[0].rx);
            }
            self.inputs.rx[port] = shown[1].rx.filter(|_| !inputs.reset);
            self.inputs.tx_credit[port] = shown[1].tx_credit;
            outputs.rx_credit[port] = shown[0].tx_credit;
            let freed = [inputs.tx_credit[port], self.outputs.rx_credit[port]];
            link.step(inputs.reset, freed, &shown)?;
        }
        self.chip.step(&self.inputs, &mut self.outputs)?;
        outputs.bus = self.outputs.bus;
        outputs.report = self.outputs.report;
        for (port, link) in self.links.iter_mut().enumerate() {
            outputs.tx[port] = link.arrived.front().copied();
            if inputs.tx_ready[port] {
                link.arrived.pop_front();
            }
        }
        Ok(())
    }
}
