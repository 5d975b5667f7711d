//! The router chip in rust-hdl's own simulation, small enough for it.
//!
//! The benches of `fantree-tb` put it under load; here is what can be said of single packets.

mod bench;
mod dead_port;
mod drops;
mod multicast;
mod registers;
mod routing;
mod storing;
mod switching;

use bench::{body, forwarded, header, Bench, OWN_SUPERNODE, SMALL};
use fantree_hdl::router::{bus, Event};

#[test]
fn a_packet_takes_six_cycles_from_any_port_to_any_port() {
    let mut bench = Bench::new(SMALL);
    for from in 0..4 {
        for to in 0..4 {
            let vc = (from as u32 + to) % 2;
            let start = bench.cycle;
            let sent = bench.send(from, &header(OWN_SUPERNODE, to, vc), &body(3));
            let seen = bench.run(14);
            assert_eq!(seen.len(), 1, "from {from} to {to}");
            assert_eq!(seen[0].port, to as usize, "from {from}");
            assert_eq!(seen[0].cycle - start, 6, "from {from} to {to}");
            assert_eq!(seen[0].flits, forwarded(&sent, vc), "from {from} to {to}");
        }
    }
    let flits: u64 = (0..2)
        .map(|vc| bench.read(1, Event::RxFlit.address(vc, &SMALL)))
        .sum();
    assert_eq!(flits, 16, "counted: 4 packets of 4 flits from port 1");
    assert_eq!(bench.read(1, Event::TxPacket.address(0, &SMALL)), 2);
    assert_eq!(
        bench.freed, [8; 4],
        "2 blocks of each packet are free again"
    );
}

#[test]
fn other_supernodes_use_the_second_table() {
    let mut bench = Bench::new(SMALL);
    let start = bench.cycle;
    bench.send(3, &header(1, 77, 0), &[]);
    let seen = bench.run(10);
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].port, seen[0].cycle - start), (1, 6));
}

#[test]
fn a_packet_waits_for_blocks_for_all_of_it() {
    let mut bench = Bench::new(SMALL);
    // 2 private blocks a VC and 1 for both: a packet of 5 flits takes 3.
    bench.write_all(bus::SHARED_BLOCKS, 1);
    for vc in 0..2 {
        bench.write_all(bus::PRIVATE_BLOCKS + vc, 2);
    }
    bench.frees[1] = false;
    bench.send(0, &header(OWN_SUPERNODE, 1, 0), &body(4));
    assert_eq!(bench.run(20).len(), 1, "3 blocks are there");
    bench.send(0, &header(OWN_SUPERNODE, 1, 1), &body(4));
    assert!(bench.run(20).is_empty(), "2 private blocks are left");
    bench.send(2, &header(OWN_SUPERNODE, 1, 0), &[]);
    assert!(bench.run(20).is_empty(), "VC 0 has no private block left");
    assert_eq!(bench.read(1, bus::IN_USE), 3);
    bench.owed[1][0] = 2;
    let seen = bench.run(20);
    assert_eq!(
        seen.len(),
        2,
        "the shared block and a private one: {seen:?}"
    );
    bench.send(0, &header(OWN_SUPERNODE, 2, 0), &[]);
    assert_eq!(bench.run(20).len(), 1, "other ports are not concerned");
}

#[test]
fn a_full_buffer_passes_at_full_rate() {
    let mut bench = Bench::new(SMALL);
    let start = bench.cycle;
    for _ in 0..20 {
        bench.send(0, &header(OWN_SUPERNODE, 3, 0), &body(1));
    }
    let seen = bench.run(60);
    let last = seen.last().expect("packets").cycle - start;
    assert_eq!(seen.len(), 20);
    assert_eq!(last, 6 + 2 * 19, "a flit a cycle from one VC");
}
