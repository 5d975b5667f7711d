//! A tile, and the whole chip, with packets on every link.

use fantree_hdl::router::{bus, Router, RouterParams, Tile, MULTICAST_GROUPS};
use fantree_tb::lockstep::{run_icarus, Cycle, Lockstep};
use fantree_tb::stimuli::{legal, write_registers, Link, Receiver};
use rand::Rng;

use super::passes;

/// As small as a chip can be with rows, columns and phases.
const CHIP: RouterParams = RouterParams {
    rows: 2,
    columns: 2,
    virtual_channels: 2,
    phases: 2,
    max_packet_flits: 9,
    block_flits: 4,
    input_buffer_blocks: 8,
    private_blocks: 3,
    row_buffer_flits: 5,
    column_buffer_flits: 4,
    in_supernode_entries: 6,
    out_supernode_entries: 5,
    candidates: 3,
};

#[test]
fn tile() {
    let bench = Lockstep::new("router_tile", || Tile::new(&CHIP)).cycles(1500);
    let legal = legal("router_tile", &CHIP).expect("tiles have legal input");
    passes(bench.constrain(legal));
}

/// Takes what a port of the chip sends, and gives its blocks back.
fn receive(receiver: &mut Receiver, cycle: &mut Cycle, port: usize) {
    let name = |signal: &str| format!("{signal}${port}");
    if cycle.get("reset") == 1 {
        *receiver = Receiver::new(CHIP);
    } else if cycle.get(&name("tx_valid")) & cycle.get(&name("tx_ready")) == 1 {
        let tail = cycle.get(&name("tx_tail")) == 1;
        receiver.take(cycle.get(&name("tx_vc")) as usize, tail);
    }
    receiver.owed.give(cycle, &name("tx_credit"));
}

/// The addresses of all words of all tables.
fn table_words() -> Vec<usize> {
    let entries = |table: usize, entries: usize| table..table + entries * bus::ENTRY_WORDS;
    entries(bus::IN_SUPERNODE_TABLE, CHIP.in_supernode_entries)
        .chain(entries(
            bus::OUT_SUPERNODE_TABLE,
            CHIP.out_supernode_entries,
        ))
        .chain(bus::MULTICAST_TABLE..bus::MULTICAST_TABLE + 2 * MULTICAST_GROUPS)
        .collect()
}

/// Under Icarus as well, to which unknown is what was never written. So packets come when each word of the tables has been.
#[test]
fn chip() {
    const ICARUS_STEPS: usize = 1000;
    let words = table_words();
    let mut links: Vec<_> = (0..CHIP.ports())
        .map(|p| (Link::new(CHIP, format!("${p}")), Receiver::new(CHIP)))
        .collect();
    let bench = Lockstep::new("router", || Router::new(&CHIP)).cycles(1000);
    let report = passes(bench.constrain(move |cycle| {
        let word = words.get(cycle.number());
        for (p, (link, receiver)) in links.iter_mut().enumerate() {
            if word.is_some() {
                cycle.set(&format!("rx_valid${p}"), 0);
            } else if let Some(flit) = link.drive(cycle) {
                cycle.set_words(&format!("rx_data${p}"), &flit.data_words());
                cycle.set(&format!("rx_head${p}"), flit.head.into());
                cycle.set(&format!("rx_tail${p}"), flit.tail.into());
                cycle.set(&format!("rx_bad${p}"), flit.bad.into());
            }
            receive(receiver, cycle, p);
            let up = cycle.random().gen_bool(0.99);
            cycle.set(&format!("link_up${p}"), up.into());
        }
        let to_all = cycle.number() < 400 || cycle.random().gen();
        cycle.set("cfg_broadcast", to_all.into());
        match word {
            Some(&word) => {
                cycle.set("cfg_write", 1);
                cycle.set("cfg_address", word as u64);
            }
            None => write_registers(&CHIP, cycle, ["cfg_write", "cfg_address", "cfg_wdata"]),
        }
    }));
    let icarus = run_icarus(&report.recording.first(ICARUS_STEPS));
    icarus.unwrap_or_else(|error| panic!("{error}"));
}
