//! `LongestPath`: the most levels of logic between registers, memories and ports.

use std::collections::VecDeque;

use anyhow::{bail, Context, Result};
use serde::Serialize;

use super::flat::{Flat, FlatCell, Wire};
use super::netlist::{Bit, Direction, Netlist};
use super::technology::Pin;
use super::Technology;

/// A path of a block with the most levels of logic.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LongestPath {
    pub levels: u32,
    /// The register, memory or port that it starts from.
    pub from: String,
    pub to: String,
    /// The instances that it goes through, in order.
    pub through: Vec<Stretch>,
}

/// A part of a path in one instance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stretch {
    /// Instance names with `.` between them; empty for the block itself.
    pub instance: String,
    pub levels: u32,
}

/// When a wire has its value, and the cell and wire that it waited for longest.
#[derive(Clone, Copy, Default)]
struct Arrival {
    level: u32,
    cause: Option<(usize, Wire)>,
}

/// Finds the longest path of a module.
pub fn find(netlist: &Netlist, block: &str, technology: &Technology) -> Result<LongestPath> {
    let module = netlist
        .module(block)
        .with_context(|| format!("Yosys left no module `{block}`"))?;
    let flat = Flat::new(netlist, module);
    let arrivals = arrivals(&flat, technology)?;
    let level = |wire: Wire| arrivals[wire as usize].level;

    let ports = flat.ports().filter(|(_, way, _)| *way != Direction::Input);
    let ports = ports.map(|(port, _, wire)| (wire, End::Port(port)));
    let pins = flat.cells.iter().flat_map(|cell| {
        let ends = flat.pins(cell).filter(|(port, way, ..)| {
            *way == Direction::Input && technology.pin(cell.cell, port) == Pin::End
        });
        ends.map(move |(_, _, bit, wire)| (wire, End::Pin(cell, bit)))
    });
    // The first of several, to be the same in every run.
    let last = ports
        .chain(pins)
        .reduce(|last, end| match level(end.0) > level(last.0) {
            true => end,
            false => last,
        });
    let Some((wire, end)) = last else {
        bail!("`{block}` has neither registers nor outputs");
    };
    let (start, through) = trace(&flat, &arrivals, wire);
    Ok(LongestPath {
        levels: level(wire),
        from: name_of_start(&flat, start),
        to: match end {
            End::Port(port) => port.to_owned(),
            End::Pin(cell, bit) => name_of_end(&flat, cell, bit),
        },
        through,
    })
}

/// Where a path ends.
enum End<'a> {
    Port(&'a str),
    Pin(&'a FlatCell<'a>, Bit),
}

/// The arrival at each wire. Cells are gone through in the order of the logic.
fn arrivals(flat: &Flat, technology: &Technology) -> Result<Vec<Arrival>> {
    let through =
        |cell: &FlatCell, port: &str, direction| match (direction, technology.pin(cell.cell, port))
        {
            (Direction::Input, Pin::Through(levels)) => Some(levels),
            _ => None,
        };
    // Which cell drives each wire by logic, which cells wait for a wire, and how many wires a cell waits for.
    let mut is_driven = vec![false; flat.wires()];
    let mut waiting = vec![Vec::new(); flat.wires()];
    let mut open = vec![0u32; flat.cells.len()];
    let is_logic = |cell: &FlatCell| {
        flat.pins(cell)
            .any(|(port, way, ..)| through(cell, port, way).is_some())
    };
    for cell in flat.cells.iter().filter(|cell| is_logic(cell)) {
        for (_, direction, _, wire) in flat.pins(cell) {
            is_driven[wire as usize] |= direction == Direction::Output;
        }
    }
    for (index, cell) in flat.cells.iter().enumerate() {
        for (port, direction, _, wire) in flat.pins(cell) {
            if through(cell, port, direction).is_some() && is_driven[wire as usize] {
                waiting[wire as usize].push(index);
                open[index] += 1;
            }
        }
    }

    let mut arrivals = vec![Arrival::default(); flat.wires()];
    let mut ready: VecDeque<usize> = (0..flat.cells.len())
        .filter(|&cell| open[cell] == 0)
        .collect();
    while let Some(index) = ready.pop_front() {
        let cell = &flat.cells[index];
        let mut latest = Arrival::default();
        for (port, direction, _, wire) in flat.pins(cell) {
            let Some(levels) = through(cell, port, direction) else {
                continue;
            };
            let level = arrivals[wire as usize].level + levels;
            if latest.cause.is_none() || level > latest.level {
                latest = Arrival {
                    level,
                    cause: Some((index, wire)),
                };
            }
        }
        for (_, direction, _, wire) in flat.pins(cell) {
            if direction != Direction::Output {
                continue;
            }
            if latest.cause.is_some() {
                arrivals[wire as usize] = latest;
            }
            for waiter in std::mem::take(&mut waiting[wire as usize]) {
                open[waiter] -= 1;
                if open[waiter] == 0 {
                    ready.push_back(waiter);
                }
            }
        }
    }
    match open.iter().position(|&count| count > 0) {
        Some(index) => {
            let cell = &flat.cells[index];
            bail!("the logic has a loop through `{}`", flat.cell_name(cell))
        }
        None => Ok(arrivals),
    }
}

/// Follows a path back from its end: the wire that it starts from, and the instances on its way.
fn trace(flat: &Flat, arrivals: &[Arrival], end: Wire) -> (Wire, Vec<Stretch>) {
    let (mut wire, mut stretches) = (end, Vec::<Stretch>::new());
    while let Some((index, before)) = arrivals[wire as usize].cause {
        let levels = arrivals[wire as usize].level - arrivals[before as usize].level;
        let instance = flat.path(flat.cells[index].instance);
        match stretches.last_mut() {
            Some(last) if last.instance == instance => last.levels += levels,
            _ => stretches.push(Stretch {
                instance: instance.to_owned(),
                levels,
            }),
        }
        wire = before;
    }
    stretches.retain(|stretch| stretch.levels > 0);
    stretches.reverse();
    (wire, stretches)
}

/// The register or memory that drives a wire, or the port.
fn name_of_start(flat: &Flat, start: Wire) -> String {
    let port = flat
        .ports()
        .find(|(_, way, wire)| *way == Direction::Input && *wire == start);
    if let Some((port, ..)) = port {
        return port.to_owned();
    }
    let driver = flat.cells.iter().find_map(|cell| {
        let mut pins = flat.pins(cell);
        let (_, _, bit, _) =
            pins.find(|(_, way, _, wire)| *way == Direction::Output && *wire == start)?;
        Some(flat.name(cell, bit))
    });
    driver.unwrap_or_else(|| "a wire without a driver".into())
}

/// A register is known by its output, a memory by its cell.
fn name_of_end(flat: &Flat, cell: &FlatCell, input: Bit) -> String {
    let mut outputs = flat
        .pins(cell)
        .filter(|(_, way, ..)| *way == Direction::Output);
    match (outputs.next(), outputs.next()) {
        (Some((_, _, bit, _)), None) => flat.name(cell, bit),
        _ => flat.name(cell, input),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of a register, an instance of two lookup tables, and a third lookup table before the output. The
    /// instance also passes an input on, which joins two wires.
    fn netlist(last_input: u32) -> Netlist {
        let lut = |a: u32, b: u32, z: u32| {
            format!(
                r#"{{"type": "LUT4", "port_directions": {{"A": "input", "B": "input", "Z": "output"}},
                    "connections": {{"A": [{a}], "B": [{b}], "Z": [{z}]}}}}"#
            )
        };
        let text = format!(
            r#"{{"modules": {{
            "LUT4": {{"attributes": {{"blackbox": "1"}}, "ports": {{}}, "cells": {{}}, "netnames": {{}}}},
            "part": {{
                "ports": {{
                    "a": {{"direction": "input", "bits": [2]}},
                    "y": {{"direction": "output", "bits": [4]}},
                    "same": {{"direction": "output", "bits": [2]}}
                }},
                "cells": {{"first": {first}, "second": {second}}},
                "netnames": {{}}
            }},
            "top": {{
                "ports": {{
                    "a": {{"direction": "input", "bits": [10]}},
                    "z": {{"direction": "output", "bits": [14]}}
                }},
                "cells": {{
                    "state": {{"type": "TRELLIS_FF", "port_directions": {{"DI": "input", "Q": "output"}},
                        "connections": {{"DI": [10], "Q": [11]}}}},
                    "the_part": {{"type": "part", "connections": {{"a": [11], "y": [12], "same": [13]}}}},
                    "third": {third}
                }},
                "netnames": {{
                    "made_up": {{"hide_name": 1, "bits": [11]}},
                    "kept.q": {{"hide_name": 0, "bits": [9, 11]}}
                }}
            }}
        }}}}"#,
            first = lut(2, 2, 3),
            second = lut(3, 2, 4),
            third = lut(12, last_input, 14),
        );
        Netlist::read(&text).unwrap()
    }

    #[test]
    fn levels_are_counted_through_instances() {
        let path = find(&netlist(13), "top", &Technology::Ecp5).unwrap();
        let stretch = |instance: &str, levels| Stretch {
            instance: instance.into(),
            levels,
        };
        let expected = LongestPath {
            levels: 3,
            from: "kept.q[1]".into(),
            to: "z".into(),
            through: vec![stretch("the_part", 2), stretch("", 1)],
        };
        assert_eq!(path, expected);
        let part = find(&netlist(13), "part", &Technology::Ecp5).unwrap();
        assert_eq!(
            (part.levels, part.from.as_str(), part.to.as_str()),
            (2, "a", "y")
        );
    }

    #[test]
    fn a_loop_is_an_error() {
        let error = find(&netlist(14), "top", &Technology::Ecp5).unwrap_err();
        assert_eq!(error.to_string(), "the logic has a loop through `third`");
    }
}
