//! Lattice's ECP5, as Yosys's `synth_ecp5` maps to it.

use anyhow::{bail, Result};

use super::netlist::Cell;
use super::technology::Pin;
use super::{Area, Resource};

pub const RESOURCES: [Resource; 4] = [
    Resource::Luts,
    Resource::FlipFlops,
    Resource::DistributedRams,
    Resource::BlockRams,
];

/// Lookup tables that hold the 16 × 4 bits of a distributed RAM.
const LUTS_OF_RAM: f64 = 4.0;
/// Lookup tables of a cell with two bits of a carry chain.
const LUTS_OF_CARRY: f64 = 2.0;

/// Lookup tables of four inputs alone, mapped by `abc9`: with wide ones, which take up to eight, the area of one and the
/// same module differs by 40 % with the order of the modules in the file; so it differs by 5 %, and is less.
pub fn script(top: &str) -> String {
    format!("synth_ecp5 -abc9 -nowidelut -top {top}")
}

pub fn area(cell: &Cell) -> Result<Area> {
    let (resource, amount) = match cell.kind.as_str() {
        "LUT4" => (Resource::Luts, 1.0),
        "CCU2C" => (Resource::Luts, LUTS_OF_CARRY),
        "TRELLIS_FF" => (Resource::FlipFlops, 1.0),
        "TRELLIS_DPR16X4" => (Resource::DistributedRams, 1.0),
        "DP16KD" => (Resource::BlockRams, 1.0),
        other => bail!("nothing is known of the area of `{other}`"),
    };
    Ok(Area::of([(resource, amount)]))
}

/// A lookup table, the start of a carry chain and the read of a distributed RAM are a level each.
pub fn pin(kind: &str, input: &str) -> Pin {
    match (kind, input) {
        ("LUT4", _) | ("TRELLIS_DPR16X4", "RAD") => Pin::Through(1),
        ("CCU2C", "CIN") => Pin::Through(0),
        ("CCU2C", _) => Pin::Through(1),
        _ => Pin::End,
    }
}

pub fn size(area: &Area) -> f64 {
    area.get(Resource::Luts) + LUTS_OF_RAM * area.get(Resource::DistributedRams)
}
