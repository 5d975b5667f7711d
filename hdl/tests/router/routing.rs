//! Routes: the order of candidates, the idlest of them, sibling links, source routes.

use super::bench::{body, forwarded, header, Bench, OWN_SUPERNODE, SMALL};
use fantree_hdl::packet::Header;
use fantree_hdl::router::{bus, DropCause};

const ENABLED: u32 = bus::control::ENABLE;

#[test]
fn a_dead_port_is_skipped() {
    let mut bench = Bench::new(SMALL);
    bench.route(3, &[2, 0, 1]);
    for (dead, expected) in [(None, 2), (Some(2), 0), (Some(0), 1)] {
        if let Some(port) = dead {
            bench.write(Some(port), bus::CONTROL, 0);
        }
        bench.send(1, &header(OWN_SUPERNODE, 3, 0), &body(2));
        let seen = bench.run(14);
        assert_eq!(seen.len(), 1, "{dead:?}");
        assert_eq!(seen[0].port, expected, "{dead:?}");
    }
    bench.router.link_up[1].next = false;
    bench.run(2);
    bench.send(1, &header(OWN_SUPERNODE, 3, 0), &body(2));
    assert!(bench.run(14).is_empty());
    assert_eq!(bench.dropped(1, DropCause::DeadEnd), 1);
    bench.write(Some(2), bus::CONTROL, ENABLED);
    bench.send(1, &header(OWN_SUPERNODE, 3, 0), &body(2));
    assert_eq!(bench.run(14)[0].port, 2, "alive again");
}

#[test]
fn adaptive_packets_take_the_idlest_port() {
    let mut bench = Bench::new(SMALL);
    bench.route(3, &[0, 1, 2]);
    let adaptive = Header {
        adaptive: 1,
        ..header(OWN_SUPERNODE, 3, 0)
    };
    // Of equals, one after another.
    let mut ports: Vec<usize> = (0..3)
        .map(|_| {
            bench.send(3, &adaptive, &body(1));
            bench.run(14)[0].port
        })
        .collect();
    ports.sort();
    assert_eq!(ports, [0, 1, 2]);
    // Ports 0 and 2 have something in use in the next chip.
    for (port, packets) in [(0, 1), (2, 2)] {
        bench.frees[port] = false;
        for _ in 0..packets {
            bench.send(1, &header(OWN_SUPERNODE, port as u32, 1), &body(1));
        }
    }
    bench.run(20);
    for _ in 0..3 {
        bench.send(3, &adaptive, &body(1));
        assert_eq!(bench.run(14)[0].port, 1);
    }
    bench.write(Some(1), bus::CONTROL, 0);
    bench.send(3, &adaptive, &body(1));
    assert_eq!(bench.run(14)[0].port, 0, "the idlest of those left");
}

#[test]
fn behind_a_sibling_link_a_packet_has_the_next_channel() {
    let mut bench = Bench::new(SMALL);
    bench.write(Some(2), bus::CONTROL, ENABLED | bus::control::SIBLING);
    bench.route(3, &[2, 1]);
    let sent = bench.send(0, &header(OWN_SUPERNODE, 3, 0), &body(2));
    let seen = bench.run(14);
    assert_eq!((seen[0].port, seen[0].vc), (2, 1));
    assert_eq!(seen[0].flits, forwarded(&sent, 1));
    // A packet that has crossed one takes the next candidate.
    let sent = bench.send(0, &header(OWN_SUPERNODE, 3, 1), &body(2));
    let seen = bench.run(14);
    assert_eq!((seen[0].port, seen[0].vc), (1, 1));
    assert_eq!(seen[0].flits, forwarded(&sent, 1));
    // And none if there is none.
    bench.route(3, &[2]);
    bench.send(0, &header(OWN_SUPERNODE, 3, 1), &body(2));
    assert!(bench.run(14).is_empty());
    assert_eq!(bench.dropped(0, DropCause::DeadEnd), 1);
}

/// Packets of both channels of an input, which leave on one: they are not mixed on their way.
#[test]
fn channels_that_meet_do_not_mix() {
    let mut bench = Bench::new(SMALL);
    bench.write(Some(2), bus::CONTROL, ENABLED | bus::control::SIBLING);
    bench.route(3, &[2, 3]);
    let mut expected = Vec::new();
    for _ in 0..6 {
        expected.push(bench.send(0, &header(OWN_SUPERNODE, 3, 0), &body(4)));
        expected.push(bench.send(0, &header(OWN_SUPERNODE, 3, 1), &body(4)));
    }
    // The bench sees to it that no packet of a channel is mixed with another.
    let seen = bench.run(100);
    assert_eq!(seen.len(), expected.len());
    assert_eq!(seen.iter().filter(|seen| seen.port == 2).count(), 6);
}

#[test]
fn a_source_route_counts_hop_by_hop() {
    let mut bench = Bench::new(SMALL);
    let mut route = body(3);
    route[0] = 0x01_03_02;
    for (hops_left, port) in [(15, 2), (14, 3), (13, 1)] {
        let header = Header {
            source_route: 1,
            hops_left,
            ..header(0, 0, 1)
        };
        let start = bench.cycle;
        let sent = bench.send(0, &header, &route);
        let seen = bench.run(16);
        assert_eq!(seen.len(), 1, "hop {hops_left}");
        assert_eq!(seen[0].port, port, "hop {hops_left}");
        assert_eq!(seen[0].cycle - start, 7, "one more than by table");
        assert_eq!(seen[0].flits, forwarded(&sent, 1));
    }
    // No such port; no flit with a route.
    let header = Header {
        source_route: 1,
        hops_left: 12,
        ..header(0, 0, 1)
    };
    route[0] |= 77 << 24;
    bench.send(0, &header, &route);
    bench.send(0, &header, &[]);
    assert!(bench.run(20).is_empty());
    assert_eq!(bench.dropped(0, DropCause::NoRoute), 2);
}
