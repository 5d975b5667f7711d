//! From a packet's first flits to its route.

use fantree_hdl::router::{bus, route, DropCause, RouterParams};
use rand::Rng;

use super::link::{destination, write_tables, Link};
use super::{bit, Legal};

const TABLE_PORTS: [&str; 3] = ["write", "write_address", "write_data"];

/// Legal input of what checks arriving flits: packets without end.
pub fn arrival(params: RouterParams) -> Legal {
    let mut link = Link::endless(params);
    Box::new(move |cycle| link.drive_unit(cycle))
}

/// Addresses that a routing table may have, and writes of its entries.
pub fn route_table(params: RouterParams) -> Legal {
    Box::new(move |cycle| {
        let guid = destination(cycle.random());
        cycle.set("guid", guid.into());
        let own = cycle.random().gen_range(0..3);
        cycle.set("supernode", own);
        write_tables(&params, cycle, TABLE_PORTS);
    })
}

/// Candidates that are ports of the chip, most of them usable, so that levels and turns decide.
pub fn route_choice(params: RouterParams) -> Legal {
    Box::new(move |cycle| {
        cycle.set("found", 1);
        cycle.set("source", 0);
        let usable = cycle.random().gen::<u64>() | cycle.random().gen::<u64>();
        cycle.set("usable", usable);
        let ports: Vec<usize> = (0..params.candidates)
            .map(|_| cycle.random().gen_range(0..params.ports()))
            .collect();
        let words = bus::entry::to_ports(&ports, params.candidates);
        for (i, word) in words.into_iter().enumerate() {
            cycle.set(&format!("word${i}"), word.into());
        }
    })
}

/// Packets and the tables that they are routed by.
pub fn route_unit(params: RouterParams) -> Legal {
    let mut link = Link::endless(params);
    Box::new(move |cycle| {
        link.drive_unit(cycle);
        cycle.set("supernode", 1);
        write_tables(&params, cycle, TABLE_PORTS);
    })
}

/// Routes of packets that may go on, groups that are read when asked for.
pub fn input_channel(params: RouterParams) -> Legal {
    Box::new(move |cycle| {
        let random = cycle.random();
        let rest = random.gen_range(0..params.max_packet_flits);
        let port = random.gen_range(0..params.ports());
        let marks: usize = random.gen_range(0..4);
        let cause = match random.gen_bool(0.1) {
            true => random.gen_range(1..=DropCause::ALL.len()),
            false => 0,
        };
        let fields = [
            (route::REST, rest),
            (route::PORT, port),
            (route::MULTICAST, marks & 1),
            (route::AFTER, marks >> 1),
            (route::CAUSE, cause),
        ];
        let arriving = fields.map(|(field, value)| (value << field.offset) as u64);
        cycle.set("arriving", arriving.iter().sum());
        // `ready` of this cycle does not show in the outputs yet, so it is not granted at once.
        let may_go = bit(cycle, "routed", 0) && !bit(cycle, "reads_group", 0);
        let granted = may_go && cycle.random().gen_bool(0.6);
        cycle.set("granted", granted.into());
        let asks = cycle.get("reads_group");
        cycle.set("group_shown", asks);
        let limit = match cycle.number() / 300 % 2 {
            0 => 0,
            _ => cycle.random().gen_range(0..8),
        };
        cycle.set("blocked_limit", limit);
    })
}
