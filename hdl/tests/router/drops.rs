//! Packets that are dropped: each cause is counted, gives all its blocks back, and disturbs nobody else.

use super::bench::{body, header, Bench, OWN_SUPERNODE, SMALL};
use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::{bus, DropCause};

#[test]
fn packets_without_a_route() {
    let mut bench = Bench::new(SMALL);
    // Past the first table, past the second, and an entry that nobody wrote.
    for (supernode, number) in [(OWN_SUPERNODE, 4), (9, 0), (2 + OWN_SUPERNODE, 0)] {
        bench.send(0, &header(supernode, number, number % 2), &body(3));
        assert!(bench.run(12).is_empty(), "{supernode}:{number}");
    }
    assert_eq!(bench.dropped(0, DropCause::NoRoute), 3);
    assert_eq!(bench.dropped(1, DropCause::NoRoute), 0);
    assert_eq!(bench.read(3, bus::SUPERNODE), u64::from(OWN_SUPERNODE));
    assert_eq!(bench.freed[0], 6, "blocks of dropped packets came back");
    bench.send(0, &header(OWN_SUPERNODE, 3, 0), &body(3));
    assert_eq!(bench.run(14).len(), 1, "what follows is not disturbed");
}

#[test]
fn bad_headers() {
    let mut bench = Bench::new(SMALL);
    let good = header(OWN_SUPERNODE, 1, 0);
    // Every bit of a header counts, that of the length as well: what is dropped is what came.
    let mut packets = 0;
    for bit in [0, 6, 33, 77, 120, 127] {
        let mut flits = sealed_packet(&good, &body(2));
        flits[0] ^= 1 << bit;
        bench.send_flits(0, 0, &flits, false);
        packets += 1;
    }
    assert!(bench.run(40).is_empty());
    assert_eq!(bench.dropped(0, DropCause::HeaderCrc), packets);
    assert_eq!(bench.freed[0], 2 * packets);

    let spent = Header {
        hops_left: 0,
        ..good
    };
    bench.send(1, &spent, &body(2));
    assert!(bench.run(14).is_empty());
    assert_eq!(bench.dropped(1, DropCause::HopLimit), 1);

    // The first bad header is kept.
    bench.send(1, &header(9, 0, 0), &body(2));
    bench.run(14);
    assert_eq!(
        bench.read(1, bus::OFFENDER_CAUSE),
        DropCause::HopLimit.code()
    );
    let words: Vec<u64> = (0..4).map(|i| bench.read(1, bus::OFFENDER + i)).collect();
    let offender = words
        .iter()
        .rev()
        .fold(0u128, |bits, &word| bits << 32 | u128::from(word));
    assert_eq!(offender, sealed_packet(&spent, &body(2))[0]);
}

#[test]
fn packets_that_wait_too_long() {
    let mut bench = Bench::new(SMALL);
    bench.write_all(bus::BLOCKED_LIMIT, 50);
    bench.router.tx_ready[1].next = false;
    for _ in 0..4 {
        bench.send(0, &header(OWN_SUPERNODE, 1, 0), &body(4));
    }
    // The first is on its way out for good, the second in the row buffer. The third has not started.
    assert!(bench.run(40).is_empty());
    assert_eq!(bench.dropped(0, DropCause::Blocked), 0);
    bench.run(300);
    let at_input = bench.dropped(0, DropCause::Blocked);
    assert_eq!(at_input, 2);
    bench.router.tx_ready[1].next = true;
    assert_eq!(bench.run(60).len(), 2);
    assert_eq!(bench.dropped(1, DropCause::BlockedLink), 0);
    assert_eq!(bench.freed[0], 12);

    // Without credits the packets wait for their link.
    bench.frees[1] = false;
    for _ in 0..6 {
        bench.send(0, &header(OWN_SUPERNODE, 1, 0), &body(7));
    }
    let seen = bench.run(600);
    assert_eq!(seen.len(), 2, "8 shared and private blocks");
    assert_eq!(bench.dropped(1, DropCause::BlockedLink), 4);
    bench.owed[1][0] = 4;
    bench.frees[1] = true;
    bench.send(0, &header(OWN_SUPERNODE, 1, 0), &body(3));
    assert_eq!(bench.run(20).len(), 1);
}

#[test]
fn packets_on_their_way_to_a_port_that_dies() {
    let mut bench = Bench::new(SMALL);
    bench.route(1, &[1, 2]);
    bench.router.tx_ready[1].next = false;
    for _ in 0..5 {
        bench.send(0, &header(OWN_SUPERNODE, 1, 0), &body(3));
    }
    bench.run(40);
    bench.write(Some(1), bus::CONTROL, 0);
    bench.run(40);
    // The packet that has started is sent as a whole.
    bench.router.tx_ready[1].next = true;
    let seen = bench.run(40);
    assert_eq!(seen.iter().filter(|seen| seen.port == 1).count(), 1);
    let dead = bench.dropped(1, DropCause::DeadPort);
    assert_eq!(dead, 4, "routed to it before it died");
    bench.send(0, &header(OWN_SUPERNODE, 1, 0), &body(3));
    let seen = bench.run(20);
    assert_eq!(seen[0].port, 2, "the next candidate");
    assert_eq!(bench.freed[0], 12);
}

#[test]
fn a_link_that_goes_down_holds_up_nobody() {
    let mut bench = Bench::new(SMALL);
    bench.router.tx_ready[1].next = false;
    for _ in 0..5 {
        bench.send(0, &header(OWN_SUPERNODE, 1, 0), &body(3));
        bench.send(0, &header(OWN_SUPERNODE, 2, 1), &body(3));
    }
    bench.run(60);
    bench.router.link_up[1].next = false;
    bench.run(60);
    assert_eq!(bench.dropped(1, DropCause::DeadPort), 5);
    assert_eq!(bench.freed[0], 20);
}

/// A sound header of a packet that no chip of this size should meet, from a source of a larger network: its blocks once
/// wrapped to none, and the port that it left on never counted right again.
#[test]
fn a_packet_longer_than_any_is_dropped_and_not_sent_without_credits() {
    let mut bench = Bench::new(SMALL);
    let flits = 2 * SMALL.max_packet_flits;
    bench.send(0, &header(OWN_SUPERNODE, 1, 0), &body(flits - 1));
    assert!(bench.run(60).is_empty());
    assert_eq!(bench.dropped(0, DropCause::TooLong), 1);
    assert_eq!(bench.freed[0], SMALL.blocks_of(flits) as u64);
    assert_eq!(bench.read(1, bus::IN_USE), 0);
    bench.send(
        0,
        &header(OWN_SUPERNODE, 1, 0),
        &body(SMALL.max_packet_flits - 1),
    );
    assert_eq!(bench.run(30).len(), 1, "the longest packet passes");
}
