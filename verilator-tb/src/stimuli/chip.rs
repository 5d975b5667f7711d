//! The whole chip: packets on every link, tables and settings over its bus.

use fantree_hdl::router::{bus, RouterParams, MULTICAST_GROUPS};
use rand::Rng;

use super::{write_registers, Legal, Link, Receiver};
use crate::lockstep::Cycle;

/// Legal input of a chip. Packets come when each word of the tables has been written once, because in a simulator with
/// unknown values, what was never written is unknown.
pub fn chip(params: RouterParams) -> Legal {
    let words = table_words(&params);
    let mut links = Links::new(params);
    Box::new(move |cycle| {
        let word = words.get(cycle.number());
        links.drive(cycle, word.is_none());
        let to_all = cycle.number() < 400 || cycle.random().gen();
        cycle.set("cfg_broadcast", to_all.into());
        match word {
            Some(&word) => {
                cycle.set("cfg_write", 1);
                cycle.set("cfg_address", word as u64);
            }
            None => write_registers(&params, cycle, ["cfg_write", "cfg_address", "cfg_wdata"]),
        }
    })
}

/// Legal input of a managed chip: packets come from the start, since there is no bus that would write its tables.
pub fn managed_chip(params: RouterParams) -> Legal {
    let mut links = Links::new(params);
    Box::new(move |cycle| {
        links.drive(cycle, true);
        // Both resets are held together.
        let reset = cycle.get("reset");
        cycle.set("trst", reset);
    })
}

/// What surrounds a chip.
struct Links {
    params: RouterParams,
    ports: Vec<(Link, Receiver)>,
}

impl Links {
    fn new(params: RouterParams) -> Self {
        let port = |p| (Link::new(params, format!("${p}")), Receiver::new(params));
        Self {
            params,
            ports: (0..params.ports()).map(port).collect(),
        }
    }

    /// Drives the links of a cycle, with packets or without.
    fn drive(&mut self, cycle: &mut Cycle, packets: bool) {
        for (p, (link, receiver)) in self.ports.iter_mut().enumerate() {
            if !packets {
                cycle.set(&format!("rx_valid${p}"), 0);
            } else if let Some(flit) = link.drive(cycle) {
                cycle.set_words(&format!("rx_data${p}"), &flit.data_words());
                cycle.set(&format!("rx_head${p}"), flit.head.into());
                cycle.set(&format!("rx_tail${p}"), flit.tail.into());
                cycle.set(&format!("rx_bad${p}"), flit.bad.into());
            }
            receive(&self.params, receiver, cycle, p);
            let up = cycle.random().gen_bool(0.99);
            cycle.set(&format!("link_up${p}"), up.into());
        }
    }
}

/// Takes what a port of the chip sends, and gives its blocks back.
fn receive(params: &RouterParams, receiver: &mut Receiver, cycle: &mut Cycle, port: usize) {
    let name = |signal: &str| format!("{signal}${port}");
    if cycle.get("reset") == 1 {
        *receiver = Receiver::new(*params);
    } else if cycle.get(&name("tx_valid")) & cycle.get(&name("tx_ready")) == 1 {
        let tail = cycle.get(&name("tx_tail")) == 1;
        receiver.take(cycle.get(&name("tx_vc")) as usize, tail);
    }
    receiver.owed.give(cycle, &name("tx_credit"));
}

/// The addresses of all words of all tables.
fn table_words(params: &RouterParams) -> Vec<usize> {
    let entries = |table: usize, entries: usize| table..table + entries * bus::ENTRY_WORDS;
    entries(bus::IN_SUPERNODE_TABLE, params.in_supernode_entries)
        .chain(entries(
            bus::OUT_SUPERNODE_TABLE,
            params.out_supernode_entries,
        ))
        .chain(bus::MULTICAST_TABLE..bus::MULTICAST_TABLE + 2 * MULTICAST_GROUPS)
        .collect()
}
