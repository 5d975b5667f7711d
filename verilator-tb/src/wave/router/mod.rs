//! The view of a router chip: the register bus, then for each port its links and the units of its tile.

mod scope;
mod tile;

use std::collections::BTreeSet;

use fantree_gen::config::Router;

use super::{Error, Item, Marker, Show, Table, View, Wave};
use crate::router::{wave_cycle, wave_time};
use scope::group;
pub use scope::Scope;
pub use tile::Unit;

/// Cycles that the window spans: a head's text is read in the width of one.
const CYCLES_SHOWN: u64 = 16;

/// Where to look first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    /// Cycle of the marker whose values are shown beside the names.
    pub cycle: u64,
    /// Cycles with a name.
    pub markers: Vec<(String, u64)>,
    /// Cycles that the window spans, at least.
    pub cycles: u64,
    /// Groups of ports that are unfolded.
    pub open: BTreeSet<(usize, Unit)>,
}

impl Focus {
    /// The first packet into port 0 since a cycle, with that port's links and buffers.
    pub fn first_packet(router: &Router, wave: &mut Wave, from: u64) -> Result<Self, Error> {
        let valid = wave.changes(&Scope::chip(router).of("rx_valid_0"))?;
        let starts = valid.iter().filter(|(_, value)| value == "1");
        let mut cycles = starts.filter_map(|(time, _)| wave_cycle(*time));
        Ok(Self {
            cycle: cycles.find(|&cycle| cycle >= from).unwrap_or(from),
            open: [Unit::LinkIn, Unit::LinkOut, Unit::Occupancy]
                .map(|unit| (0, unit))
                .into(),
            ..Self::default()
        })
    }
}

/// Everything worth seeing of a router chip.
pub fn router_view(router: &Router, focus: &Focus) -> View {
    let marker = |(name, cycle): &(String, u64)| Marker {
        name: name.clone(),
        time: wave_time(*cycle),
    };
    let first = focus.markers.iter().map(|(_, cycle)| *cycle).min();
    // A cycle before is enough to see it start.
    let start = wave_time(first.unwrap_or(focus.cycle).saturating_sub(1));
    let cycles = focus.cycles.max(CYCLES_SHOWN);
    View {
        items: items(router, &focus.open),
        start,
        marker: wave_time(focus.cycle),
        span: wave_time(cycles) - wave_time(0),
        markers: focus.markers.iter().map(marker).collect(),
    }
}

fn items(router: &Router, open: &BTreeSet<(usize, Unit)>) -> Vec<Item> {
    let chip = Scope::chip(router);
    let mut items = vec![
        chip.bits("clock"),
        chip.bits("reset"),
        group("register bus", false, register_bus(&chip, router)),
    ];
    items.extend((0..router.ports()).map(|port| {
        let (row, column) = (port / router.columns, port % router.columns);
        let name = format!("port {port}: row {row}, column {column}");
        let units = Unit::ALL.map(|unit| {
            let is_open = open.contains(&(port, unit));
            group(unit.name(), is_open, unit.items(router, port))
        });
        let is_open = open.iter().any(|(opened, _)| *opened == port);
        group(&name, is_open, units.into())
    }));
    items
}

fn register_bus(chip: &Scope, router: &Router) -> Vec<Item> {
    let addresses = Table::Register(router.params());
    vec![
        chip.bits("cfg_write"),
        chip.bits("cfg_read"),
        chip.bits("cfg_broadcast"),
        chip.trace("cfg_port", Show::Decimal),
        chip.trace("cfg_address", Show::Named(addresses)),
        chip.trace("cfg_wdata", Show::Hex),
        chip.bits("cfg_rvalid"),
        chip.trace("cfg_rdata", Show::Hex),
    ]
}
