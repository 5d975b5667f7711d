//! `Flat`: the cells of a mapped module and of all instances below it, on wires that have one number each.

use std::collections::HashMap;

use super::netlist::{Bit, Cell, Direction, Module, Netlist};

/// A wire of the whole block.
pub type Wire = u32;

pub struct Flat<'a> {
    /// Parents before children; the block itself is the first.
    instances: Vec<Instance<'a>>,
    pub cells: Vec<FlatCell<'a>>,
    /// Of each wire, itself or an older one that it is joined to.
    joined: Vec<Wire>,
}

/// A primitive, and the instance that it is in.
pub struct FlatCell<'a> {
    pub name: &'a str,
    pub cell: &'a Cell,
    pub instance: usize,
}

struct Instance<'a> {
    /// Of instance names, with `.` between them; empty for the block itself.
    path: String,
    module: &'a Module,
    wires: HashMap<Bit, Wire>,
}

impl<'a> Flat<'a> {
    pub fn new(netlist: &'a Netlist, block: &'a Module) -> Self {
        let top = Instance {
            path: String::new(),
            module: block,
            wires: HashMap::new(),
        };
        let mut flat = Self {
            instances: vec![top],
            cells: Vec::new(),
            joined: Vec::new(),
        };
        let mut next = 0;
        while next < flat.instances.len() {
            flat.expand(netlist, next);
            next += 1;
        }
        for instance in &mut flat.instances {
            let wires = instance.wires.values_mut();
            wires.for_each(|wire| *wire = eldest(&flat.joined, *wire));
        }
        flat
    }

    /// Adds the cells of an instance, and the instances in it.
    fn expand(&mut self, netlist: &'a Netlist, instance: usize) {
        let module = self.instances[instance].module;
        for (name, cell) in &module.cells {
            let Some(child) = netlist.module(&cell.kind) else {
                self.cells.push(FlatCell {
                    name,
                    cell,
                    instance,
                });
                continue;
            };
            let mut wires = HashMap::new();
            for (port, outside) in &cell.connections {
                for (&inside, &outside) in child.ports[port].bits.iter().zip(outside) {
                    if let (Bit::Wire(_), Some(wire)) = (inside, self.wire(instance, outside)) {
                        // An input that is an output as well joins two wires of the parent.
                        if let Some(other) = wires.insert(inside, wire) {
                            self.join(wire, other);
                        }
                    }
                }
            }
            let parent = &self.instances[instance].path;
            let path = match parent.is_empty() {
                true => name.clone(),
                false => format!("{parent}.{name}"),
            };
            self.instances.push(Instance {
                path,
                module: child,
                wires,
            });
        }
        // From here on no wire of the instance is new.
        for cell in module.cells.values() {
            for &bit in cell.connections.values().flatten() {
                self.wire(instance, bit);
            }
        }
        for &bit in module.ports.values().flat_map(|port| &port.bits) {
            self.wire(instance, bit);
        }
    }

    /// The wire of a bit in an instance, a new one if it is seen for the first time; none for a constant.
    fn wire(&mut self, instance: usize, bit: Bit) -> Option<Wire> {
        let Bit::Wire(_) = bit else { return None };
        let joined = &mut self.joined;
        let wire = self.instances[instance].wires.entry(bit);
        Some(*wire.or_insert_with(|| {
            let new = joined.len() as Wire;
            joined.push(new);
            new
        }))
    }

    fn join(&mut self, one: Wire, other: Wire) {
        let (one, other) = (eldest(&self.joined, one), eldest(&self.joined, other));
        self.joined[one.max(other) as usize] = one.min(other);
    }

    /// Wires have numbers below this.
    pub fn wires(&self) -> usize {
        self.joined.len()
    }

    /// The pins of a cell that have a wire: port, direction, bit in the instance's module, and wire.
    pub fn pins<'f>(
        &'f self,
        cell: &'f FlatCell<'a>,
    ) -> impl Iterator<Item = (&'a str, Direction, Bit, Wire)> + 'f {
        let wires = &self.instances[cell.instance].wires;
        cell.cell.connections.iter().flat_map(move |(port, bits)| {
            let direction = cell.cell.port_directions.get(port).copied();
            let direction = direction.unwrap_or(Direction::Inout);
            bits.iter()
                .filter_map(move |bit| Some((port.as_str(), direction, *bit, *wires.get(bit)?)))
        })
    }

    /// The block's ports, bit by bit.
    pub fn ports(&self) -> impl Iterator<Item = (&'a str, Direction, Wire)> + '_ {
        let top = &self.instances[0];
        top.module.ports.iter().flat_map(move |(name, port)| {
            let wires = port.bits.iter().filter_map(|bit| top.wires.get(bit));
            wires.map(move |wire| (name.as_str(), port.direction, *wire))
        })
    }

    /// The path of instance names; empty for the block itself.
    pub fn path(&self, instance: usize) -> &str {
        &self.instances[instance].path
    }

    /// The name of a cell's pin: that of its wire in the source, or of the cell if there is none.
    pub fn name(&self, cell: &FlatCell, bit: Bit) -> String {
        let name = self.instances[cell.instance].module.name_of(bit);
        self.with_path(cell, name.as_deref().unwrap_or(cell.name))
    }

    pub fn cell_name(&self, cell: &FlatCell) -> String {
        self.with_path(cell, cell.name)
    }

    fn with_path(&self, cell: &FlatCell, name: &str) -> String {
        match self.path(cell.instance) {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        }
    }
}

/// The wire that stands for all that a wire is joined to.
fn eldest(joined: &[Wire], mut wire: Wire) -> Wire {
    while joined[wire as usize] != wire {
        wire = joined[wire as usize];
    }
    wire
}
