//! Managed chips, links between some of their ports, and hosts at all others.

use std::collections::BTreeMap;

use anyhow::{ensure, Result};
use fantree_hdl::router::RouterParams;

use super::{Chips, Host, ManagedChip};
use crate::jtag::Pins;
use crate::router::{Inputs, Outputs};

/// Cycles of the chips' clock in half a cycle of the test clock.
const HALF_TCK: usize = 1;
/// Half cycles of the test clock in which both resets are held, and after them.
const RESET_HALVES: usize = 12;

/// A port of a chip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub chip: usize,
    pub port: usize,
}

/// Chips and what is around them; see the [module](self).
pub struct Network {
    params: RouterParams,
    nodes: Vec<Node>,
    /// Both ways of each link.
    links: BTreeMap<Place, Place>,
    hosts: BTreeMap<Place, Host>,
    cycle: u64,
}

struct Node {
    chip: ManagedChip,
    inputs: Inputs,
    outputs: Outputs,
}

impl Network {
    /// As many chips, joined by these links, after a reset of all of them.
    pub fn new(chips: &Chips, count: usize, links: &[(Place, Place)]) -> Result<Self> {
        let ports = chips.params().ports();
        let node = |seed: usize| {
            Ok(Node {
                chip: chips.chip(seed as u64 + 1)?,
                inputs: Inputs::idle(ports),
                outputs: Outputs::idle(ports),
            })
        };
        let links: BTreeMap<Place, Place> = links
            .iter()
            .flat_map(|&(one, other)| [(one, other), (other, one)])
            .collect();
        let places = (0..count).flat_map(|chip| (0..ports).map(move |port| Place { chip, port }));
        let hosts = places
            .filter(|place| !links.contains_key(place))
            .map(|place| (place, Host::new(chips.params(), place.port)))
            .collect();
        let mut network = Self {
            params: *chips.params(),
            nodes: (0..count).map(node).collect::<Result<_>>()?,
            links,
            hosts,
            cycle: 0,
        };
        network.reset()?;
        Ok(network)
    }

    /// A chip of these sizes with a host at each port, after its reset.
    pub fn of_one_chip(params: &RouterParams) -> Result<Self> {
        Self::new(&Chips::build(params)?, 1, &[])
    }

    /// Sizes of its chips.
    pub fn params(&self) -> &RouterParams {
        &self.params
    }

    /// Cycles since the reset.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The host at a free port.
    ///
    /// # Panics
    /// If there is none.
    pub fn host(&mut self, place: Place) -> &mut Host {
        self.hosts
            .get_mut(&place)
            .expect("a host is at each free port")
    }

    /// All hosts.
    pub fn hosts(&mut self) -> impl Iterator<Item = (&Place, &mut Host)> {
        self.hosts.iter_mut()
    }

    /// The JTAG pins of a chip; while they are moved, everything lives on.
    pub fn jtag(&mut self, chip: usize) -> JtagPins<'_> {
        JtagPins {
            network: self,
            chip,
        }
    }

    /// Fails if a host has seen a rule of its links broken.
    pub fn check(&self) -> Result<()> {
        for (Place { chip, port }, host) in &self.hosts {
            let first = host.violations().first();
            ensure!(first.is_none(), "chip {chip}, port {port}: {first:?}");
        }
        Ok(())
    }

    /// One cycle of everything.
    pub fn step(&mut self) -> Result<()> {
        for chip in 0..self.nodes.len() {
            for port in 0..self.params.ports() {
                let here = Place { chip, port };
                match self.links.get(&here) {
                    // What the other end shows in this cycle reaches this one in the same; a link always takes.
                    Some(there) => {
                        let outputs = &self.nodes[there.chip].outputs;
                        let (flit, freed) = (outputs.tx[there.port], outputs.rx_credit[there.port]);
                        let inputs = &mut self.nodes[chip].inputs;
                        inputs.rx[port] = flit;
                        inputs.tx_ready[port] = true;
                        inputs.tx_credit[port] = freed;
                    }
                    None => {
                        let Node {
                            inputs, outputs, ..
                        } = &mut self.nodes[chip];
                        let host = self.hosts.get_mut(&here).expect("it has one or a link");
                        let (shown, freed) = (&outputs.tx[port], outputs.rx_credit[port]);
                        let (flit, ready, credit) = host.step(self.cycle, shown.as_ref(), freed);
                        inputs.rx[port] = flit;
                        inputs.tx_ready[port] = ready;
                        inputs.tx_credit[port] = credit;
                    }
                }
            }
        }
        for node in &mut self.nodes {
            node.chip.step(&node.inputs, &mut node.outputs)?;
        }
        self.cycle += 1;
        Ok(())
    }

    /// Resets all chips with their TAPs: both clocks run while both resets are held. What chips show before means nothing.
    fn reset(&mut self) -> Result<()> {
        for held in [true, false] {
            for half in 0..RESET_HALVES {
                for node in &mut self.nodes {
                    node.inputs.reset = held;
                    node.chip.reset_jtag(held);
                    node.chip.drive_jtag(half % 2 == 1, true, false);
                    for _ in 0..HALF_TCK {
                        node.chip.step(&node.inputs, &mut node.outputs)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The JTAG pins of a chip of a network.
pub struct JtagPins<'a> {
    network: &'a mut Network,
    chip: usize,
}

impl JtagPins<'_> {
    /// Cycles of the chips' clock since the reset.
    pub fn cycle(&self) -> u64 {
        self.network.cycle
    }
}

impl Pins for JtagPins<'_> {
    fn drive(&mut self, tck: bool, tms: bool, tdi: bool) -> Result<()> {
        self.network.nodes[self.chip].chip.drive_jtag(tck, tms, tdi);
        (0..HALF_TCK).try_for_each(|_| self.network.step())
    }

    fn tdo(&self) -> bool {
        self.network.nodes[self.chip].chip.tdo()
    }

    fn reset(&mut self) -> Result<()> {
        self.network.reset()
    }
}
