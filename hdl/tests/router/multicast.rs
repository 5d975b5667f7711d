//! Multicast: one packet in, one to each port of its group out.

use super::bench::{body, forwarded, header, Bench, SMALL};
use fantree_hdl::packet::Header;
use fantree_hdl::router::{bus, DropCause, RouterParams};

fn to_group(group: u32, vc: u32) -> Header {
    Header {
        multicast: 1,
        ..header(5, group, vc)
    }
}

#[test]
fn every_port_of_the_group_gets_the_packet_once() {
    let mut bench = Bench::new(SMALL);
    for (group, ports) in [(3, vec![0, 1, 2, 3]), (31, vec![2]), (0, vec![0, 3])] {
        bench.group(group, &ports);
        for from in 0..4 {
            let start = bench.cycle;
            let sent = bench.send(from, &to_group(group as u32, 1), &body(3));
            let mut seen = bench.run(24);
            seen.sort_by_key(|seen| seen.port);
            let seen_ports: Vec<usize> = seen.iter().map(|seen| seen.port).collect();
            assert_eq!(seen_ports, ports, "group {group} from {from}");
            for packet in seen {
                assert_eq!(packet.flits, forwarded(&sent, 1));
                assert_eq!(packet.cycle - start, 8, "two cycles more than unicast");
            }
        }
    }
}

#[test]
fn a_port_that_stands_still_holds_up_no_other() {
    let mut bench = Bench::new(SMALL);
    bench.group(1, &[0, 1, 2, 3]);
    bench.router.tx_ready[1].next = false;
    for _ in 0..3 {
        bench.send(0, &to_group(1, 0), &body(3));
    }
    let seen = bench.run(80);
    // The row buffer in front of the blocked port holds one packet: the other column gets more, and all get the first.
    for port in [0, 2, 3] {
        assert!(seen.iter().any(|seen| seen.port == port), "port {port}");
    }
    bench.router.tx_ready[1].next = true;
    let later = bench.run(80);
    assert_eq!(seen.len() + later.len(), 12);
}

#[test]
fn all_to_all_at_once_ends() {
    let mut bench = Bench::new(SMALL);
    bench.group(1, &[0, 1, 2, 3]);
    bench.group(2, &[1, 2]);
    for round in 0..6 {
        for from in 0..4 {
            bench.send(from, &to_group(1 + round % 2, round % 2), &body(3));
            bench.send(from, &header(super::OWN_SUPERNODE, round % 4, 1), &body(5));
        }
    }
    let seen = bench.run(900);
    assert_eq!(seen.len(), 3 * 4 * 4 + 3 * 4 * 2 + 6 * 4);
    assert_eq!(bench.freed, [30; 4]);
}

#[test]
fn groups_that_lead_nowhere_and_packets_that_are_too_long() {
    let mut bench = Bench::new(SMALL);
    bench.group(4, &[]);
    bench.group(5, &[2]);
    bench.group(6, &[0, 2]);
    bench.write(Some(2), bus::CONTROL, 0);
    bench.send(0, &to_group(4, 0), &body(1));
    bench.send(0, &to_group(5, 0), &body(1));
    bench.send(0, &to_group(6, 0), &body(1));
    bench.send(0, &to_group(6, 0), &body(4));
    let seen = bench.run(60);
    assert_eq!(seen.len(), 1, "the part of group 6 that is alive");
    assert_eq!(seen[0].port, 0);
    assert_eq!(bench.dropped(0, DropCause::NoRoute), 1);
    assert_eq!(bench.dropped(0, DropCause::DeadEnd), 1);
    assert_eq!(bench.dropped(0, DropCause::TooLong), 1);
}

/// Rows that are busy at different times: the packet is sent in waves.
#[test]
fn rows_get_their_copies_in_waves() {
    let params = RouterParams {
        rows: 3,
        columns: 1,
        in_supernode_entries: 3,
        ..SMALL
    };
    let mut bench = Bench::new(params);
    bench.group(1, &[0, 1, 2]);
    for to in 0..3 {
        bench.send(1, &header(super::OWN_SUPERNODE, to, 0), &body(7));
        bench.send(0, &to_group(1, 0), &body(3));
        bench.send(2, &to_group(1, 0), &body(2));
    }
    let seen = bench.run(300);
    assert_eq!(seen.len(), 3 + 18);
}
