//! The 40-port chip brought up by the library: how long that takes, against one port or one row after another.

use fantree_hdl::manage::Op;
use fantree_hdl::manage::Setup;
use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::{bus, RouterParams};
use fantree_tb::manage::{InBand, Jtag, Manager, Network, Place, Tables, Transport, Way};
use fantree_tb::traffic::stream;
use rand::Rng;

const ROWS: usize = 5;
const COLUMNS: usize = 8;
const PORTS: usize = ROWS * COLUMNS;
const KEY: u32 = 0xfa17_2ee5;

fn network() -> Network {
    let params = RouterParams {
        managed: true,
        ..fantree_gen::config::Router::default().params()
    };
    Network::of_one_chip(&params).expect("it starts")
}

fn at(port: usize) -> Place {
    Place { chip: 0, port }
}

fn by_jtag(network: &mut Network) -> Manager<Jtag<'_>> {
    let params = *network.params();
    Manager::new(Jtag::new(network, 0).expect("it runs"), &params)
}

fn in_band(network: &mut Network) -> Manager<InBand<'_>> {
    by_jtag(network).transport().set_key(KEY).expect("it runs");
    let params = *network.params();
    Manager::new(InBand::new(network, at(17), Way::here(), KEY), &params)
}

/// Tables of so many entries; which ports they name depends on the salt.
fn tables(params: &RouterParams, in_supernode: usize, out_supernode: usize, salt: usize) -> Tables {
    let ports = |number: usize| {
        let port = |i: usize| (number + salt + 3 * i) % PORTS;
        (0..params.candidates).map(port).collect()
    };
    Tables {
        supernode: 7,
        in_supernode: (0..in_supernode).map(ports).collect(),
        out_supernode: (0..out_supernode).map(|it| ports(it + 11)).collect(),
    }
}

/// Sends packets from random ports to random places: each leaves where the tables of its port say.
fn lead_packets(network: &mut Network, tables_of: impl Fn(usize) -> Tables) {
    let mut random = stream(1, "packets", 0);
    for message_id in 0..60 {
        let from = random.gen_range(0..PORTS);
        let tables = tables_of(from);
        let own = random.gen_bool(0.5);
        let (entries, number) = match own {
            true => (
                &tables.in_supernode,
                random.gen_range(0..tables.in_supernode.len()),
            ),
            false => (
                &tables.out_supernode,
                random.gen_range(0..tables.out_supernode.len()),
            ),
        };
        // The supernode's own number in the outer table is never asked for.
        let guid = match (own, number) {
            (true, number) => 7 << 8 | number,
            (false, 7) => continue,
            (false, number) => number << 8,
        };
        let header = Header {
            dst_guid: guid as u32,
            message_id,
            hops_left: 15,
            ..Header::default()
        };
        network.host(at(from)).send(sealed_packet(&header, &[]));
        let to = at(entries[number][0]);
        let came = (0..40).find_map(|_| {
            network.step().expect("it runs");
            network
                .host(to)
                .take(|packet| Header::decode(packet.flits[0]).message_id == message_id)
        });
        assert!(
            came.is_some(),
            "from port {from} to {guid:#x}, which {to:?} leads to"
        );
    }
    network.check().expect("links are as they must be");
}

/// Cycles that something takes.
fn cycles<T: Transport>(manager: &mut Manager<T>, work: impl FnOnce(&mut Manager<T>)) -> u64 {
    let start = manager.transport().cycle();
    work(manager);
    manager.transport().cycle() - start
}

/// All tables of all ports, and all groups, through one link.
#[test]
fn a_whole_chip_is_initialised_in_band() {
    let mut network = network();
    let params = *network.params();
    let full = tables(
        &params,
        params.in_supernode_entries,
        params.out_supernode_entries,
        0,
    );
    let mut manager = in_band(&mut network);
    let all = manager.all();
    let took = cycles(&mut manager, |manager| {
        manager.set_identity(7 << 8 | 255).expect("it takes it");
        manager.load_tables(all, &full).expect("it takes them");
        for group in 0..32 {
            let members = all.rotate_right(group);
            manager
                .load_group(all, group as usize, members & all)
                .expect("it takes it");
        }
    });
    println!("{took} cycles for the whole chip in band");
    assert!(
        took < 20_000,
        "{took} cycles: 5 a word, and the way of the packets"
    );
    lead_packets(&mut network, |_| full.clone());
}

/// The same tables for all ports by one masked stream, against one port after another.
fn one_stream_is_thirty_times_as_fast<T: Transport>(
    manager: &mut Manager<T>,
    tables: &Tables,
    way: &str,
) {
    let all = manager.all();
    let at_once = cycles(manager, |manager| {
        manager.load_tables(all, tables).expect("it works")
    });
    let one_by_one = cycles(manager, |manager| {
        for port in 0..PORTS {
            manager.load_tables(1 << port, tables).expect("it works");
        }
    });
    println!("{way}: {at_once} cycles in one stream, {one_by_one} port by port");
    assert!(one_by_one >= 30 * at_once);
}

#[test]
fn one_stream_to_all_ports_is_thirty_times_as_fast_as_port_by_port() {
    let mut network = network();
    let params = *network.params();
    let some = tables(&params, 2, 2, 5);
    one_stream_is_thirty_times_as_fast(&mut by_jtag(&mut network), &some, "JTAG");
    let many = tables(&params, 32, 32, 9);
    one_stream_is_thirty_times_as_fast(&mut in_band(&mut network), &many, "in band");
    lead_packets(&mut network, |_| many.clone());
}

/// Different tables a row, all rows in parallel, against row after row. In band only: a scan of JTAG takes longer than the
/// write of its word, so nothing is gained there.
#[test]
fn different_tables_a_row_are_loaded_in_parallel() {
    let mut network = network();
    let params = *network.params();
    let of_rows = |salt: usize| -> Vec<Tables> {
        let rows = (0..ROWS).map(|row| tables(&params, 256, 512, salt + 7 * row));
        rows.collect()
    };
    let (before, rows) = (of_rows(3), of_rows(0));
    let mut manager = in_band(&mut network);
    let row_by_row = cycles(&mut manager, |manager| {
        for (row, tables) in before.iter().enumerate() {
            let ports = 0xff << (COLUMNS * row);
            manager.load_tables(ports, tables).expect("it works");
        }
    });
    let in_parallel = cycles(&mut manager, |manager| {
        manager.load_tables_by_row(&rows).expect("it works");
    });
    println!("{in_parallel} cycles in parallel, {row_by_row} row by row");
    assert!(10 * row_by_row >= 45 * in_parallel);
    lead_packets(&mut network, |port| rows[port / COLUMNS].clone());
}

/// What stands where after a reset, asked of all ports in one beat.
#[test]
fn forty_values_come_in_one_packet() {
    let mut network = network();
    let mut manager = in_band(&mut network);
    let all = manager.all();
    for port in 0..PORTS {
        manager
            .write(1 << port, bus::ERROR_LIMIT, &[port as u32 * 3])
            .expect("it takes it");
    }
    let answer = manager.run(&Setup::new(Op::Read, bus::ERROR_LIMIT, all), &[0]);
    let expected: Vec<u32> = (0..PORTS as u32).map(|port| port * 3).collect();
    assert_eq!(answer.expect("it answers").values, expected);
}
