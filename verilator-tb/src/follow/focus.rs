//! Where to look in a wave for a packet.

use std::collections::BTreeSet;

use fantree_gen::config::Router;

use super::{Journey, Station, What};
use crate::wave::{Focus, Unit};

/// Cycles that are seen before and behind a packet's life.
const MARGIN: u64 = 2;
/// Markers that a save file has; a multicast packet may have more exits.
const MOST_MARKERS: usize = 26;

impl Journey {
    /// The window on this packet: its injection, route and exits marked, the units on its way unfolded.
    pub fn focus(&self, router: &Router) -> Focus {
        let routed = |what: &What| matches!(what, What::Routed { .. } | What::Group { .. });
        let mut markers = Vec::new();
        let mut mark = |name: String, cycle: Option<u64>| {
            markers.extend(cycle.map(|cycle| (name, cycle)));
        };
        mark("injected".into(), self.injected);
        mark("routed".into(), self.first(routed));
        for (port, arrival) in &self.arrivals {
            mark(format!("out of port {port}"), arrival.tail);
        }
        mark(
            "dropped".into(),
            self.first(|what| matches!(what, What::Dropped { .. })),
        );
        markers.truncate(MOST_MARKERS);

        let mut open = BTreeSet::new();
        for event in &self.events {
            let port = event.place.row * router.columns + event.place.column;
            open.insert((port, unit(event.place.station)));
        }
        let cycles = || self.events.iter().map(|event| event.cycle);
        let (first, last) = (cycles().min().unwrap_or(0), cycles().max().unwrap_or(0));
        Focus {
            cycle: first,
            markers,
            cycles: last - first + 2 * MARGIN,
            open,
        }
    }
}

/// The group of lines that shows a station.
fn unit(station: Station) -> Unit {
    match station {
        Station::LinkIn => Unit::LinkIn,
        Station::InputBuffer | Station::RouteUnit | Station::InputUnit | Station::RowBus => {
            Unit::Input
        }
        Station::Crossbar | Station::ColumnChannel => Unit::Crossbar,
        Station::OutputUnit => Unit::Output,
        Station::LinkOut => Unit::LinkOut,
    }
}
