//! The router's units in lockstep: Rust simulation and Verilated Verilog agree at every output in every cycle.
//!
//! Each unit gets noise, legal or not, which must mean the same on both sides; the units that packets pass get packets
//! as well, since noise alone soon fills their buffers with heads that lead nowhere.

use fantree_hdl::packet::Header;
use fantree_hdl::ports::Ports;
use fantree_hdl::router::{
    bus, CrossbarUnit, InputBuffer, InputUnit, OutputUnit, RouteTable, Router, RouterParams, Tile,
};
use fantree_tb::lockstep::{Cycle, Lockstep};
use rand::Rng;
use rust_hdl::prelude::Block;

const PARAMS: RouterParams = RouterParams {
    rows: 2,
    columns: 3,
    virtual_channels: 2,
    max_packet_flits: 9,
    input_buffer_flits: 13,
    row_buffer_flits: 5,
    column_buffer_flits: 4,
    in_supernode_entries: 6,
    out_supernode_entries: 5,
};

fn check<B: Block + Ports>(cycles: usize, bench: Lockstep<B>) {
    if let Err(error) = bench.cycles(cycles).run() {
        panic!("{error}");
    }
}

/// Legal flits of one link, with credits that the receiver gives back.
struct Link {
    prefix: &'static str,
    port: String,
    credits: Vec<usize>,
    /// Flits still to come of the packet on each virtual channel.
    to_come: Vec<u32>,
}

impl Link {
    /// The link of a unit (`port` empty) or of the chip's port.
    fn new(prefix: &'static str, port: impl Into<String>) -> Self {
        Self {
            prefix,
            port: port.into(),
            credits: vec![PARAMS.input_buffer_flits; PARAMS.virtual_channels],
            to_come: vec![0; PARAMS.virtual_channels],
        }
    }

    fn name(&self, signal: &str) -> String {
        format!("{}{signal}{}", self.prefix, self.port)
    }

    /// Takes back credits, and drives a flit if there is a credit and the dice say so. The flit's data are as random as
    /// they were, but for the fields of a head that the router looks at.
    fn drive(&mut self, cycle: &mut Cycle) -> Option<(u128, bool, bool)> {
        if cycle.get("reset") == 1 {
            *self = Self::new(self.prefix, self.port.clone());
        }
        let freed = cycle.get(&self.name("credit"));
        for (vc, credits) in self.credits.iter_mut().enumerate() {
            *credits += (freed >> vc & 1) as usize;
        }
        let vc = cycle.random().gen_range(0..PARAMS.virtual_channels);
        let wanted = cycle.random().gen_bool(0.7) && self.credits[vc] > 0;
        cycle.set(&self.name("valid"), u64::from(wanted));
        cycle.set(&self.name("vc"), vc as u64);
        if !wanted {
            return None;
        }
        self.credits[vc] -= 1;
        let head = self.to_come[vc] == 0;
        if head {
            self.to_come[vc] = cycle.random().gen_range(1..=PARAMS.max_packet_flits as u32);
        }
        let header = Header {
            flits_minus_one: self.to_come[vc] - 1,
            // Both levels of the table, entries past their ends, and some that nobody wrote.
            dst_guid: cycle.random().gen_range(0..7) << 8 | cycle.random().gen_range(0..7),
            job: cycle.random().gen_range(0..1 << 16),
            ..Header::default()
        };
        let data = match head {
            true => header.sealed(),
            false => cycle.random().gen(),
        };
        self.to_come[vc] -= 1;
        Some((data, head, self.to_come[vc] == 0))
    }
}

fn words(bits: u128) -> [u32; 4] {
    std::array::from_fn(|i| (bits >> (32 * i)) as u32)
}

/// Drives the `rx` port of a unit, whose flit is one bus.
fn drive_unit(link: &mut Link, cycle: &mut Cycle) {
    if let Some((data, head, tail)) = link.drive(cycle) {
        let [a, b, c, d] = words(data);
        let marks = u32::from(head) | u32::from(tail) << 1;
        cycle.set_words("rx_flit", &[a, b, c, d, marks]);
    }
}

/// Writes table entries in the first cycles, then rarely.
fn write_tables(cycle: &mut Cycle, [write, address, data]: [&str; 3]) {
    let early = cycle.number() < 40;
    let rate = if early { 0.9 } else { 0.02 };
    let now = cycle.random().gen_bool(rate);
    cycle.set(write, u64::from(now));
    let second = cycle.random().gen_bool(0.5);
    let base = if second {
        bus::OUT_SUPERNODE_TABLE
    } else {
        bus::IN_SUPERNODE_TABLE
    };
    let index = cycle.random().gen_range(0..7);
    let port = cycle.random().gen_range(0..PARAMS.ports());
    cycle.set(address, base as u64 + index);
    cycle.set(data, bus::entry::to_port(port).into());
}

#[test]
fn input_buffer() {
    // Past the end of a ring nothing is promised, so only virtual channels that exist are written.
    let bench = Lockstep::new("input_buffer", || InputBuffer::new(&PARAMS));
    check(
        2000,
        bench.constrain(|cycle| {
            let vc = cycle.get("write_vc") % PARAMS.virtual_channels as u64;
            cycle.set("write_vc", vc);
            let read = cycle.get("read") & cycle.get("occupied");
            cycle.set("read", read & read.wrapping_neg());
        }),
    );
}

#[test]
fn route_table() {
    let bench = Lockstep::new("route_table", || RouteTable::new(&PARAMS));
    check(
        3000,
        bench.constrain(|cycle| {
            let guid = cycle.random().gen_range(0..7) << 8 | cycle.random().gen_range(0..7);
            cycle.set("guid", guid);
            let own = cycle.random().gen_range(0..3);
            cycle.set("supernode", own);
            write_tables(cycle, ["write", "write_address", "write_data"]);
        }),
    );
}

#[test]
fn input_unit() {
    let mut link = Link::new("rx_", "");
    let bench = Lockstep::new("input_unit", || InputUnit::new(&PARAMS));
    check(
        3000,
        bench.constrain(move |cycle| {
            drive_unit(&mut link, cycle);
            cycle.set("supernode", 1);
            write_tables(cycle, ["table_write", "table_address", "table_data"]);
        }),
    );
}

#[test]
fn crossbar_unit() {
    check(
        1500,
        Lockstep::new("crossbar_unit", || CrossbarUnit::new(&PARAMS)),
    );
}

#[test]
fn output_unit() {
    check(
        2000,
        Lockstep::new("output_unit", || OutputUnit::new(&PARAMS)),
    );
}

#[test]
fn tile() {
    let mut link = Link::new("rx_", "");
    let bench = Lockstep::new("router_tile", || Tile::new(&PARAMS));
    check(
        1000,
        bench.constrain(move |cycle| {
            drive_unit(&mut link, cycle);
            write_tables(cycle, ["bus_write", "bus_address", "bus_data"]);
        }),
    );
}

/// The whole chip, as small as it can be with rows and columns, with packets on every link and receivers that give credits back at once.
#[test]
fn chip() {
    let params = RouterParams {
        columns: 2,
        ..PARAMS
    };
    let mut links: Vec<_> = (0..params.ports())
        .map(|p| Link::new("rx_", format!("${p}")))
        .collect();
    let bench = Lockstep::new("router", || Router::new(&params));
    check(
        500,
        bench.constrain(move |cycle| {
            for (p, link) in links.iter_mut().enumerate() {
                if let Some((data, head, tail)) = link.drive(cycle) {
                    cycle.set_words(&format!("rx_data${p}"), &words(data));
                    cycle.set(&format!("rx_head${p}"), u64::from(head));
                    cycle.set(&format!("rx_tail${p}"), u64::from(tail));
                }
                let taken =
                    cycle.get(&format!("tx_valid${p}")) & cycle.get(&format!("tx_ready${p}"));
                let vc = cycle.get(&format!("tx_vc${p}"));
                cycle.set(&format!("tx_credit${p}"), taken << vc);
            }
            write_tables(cycle, ["cfg_write", "cfg_address", "cfg_wdata"]);
        }),
    );
}
