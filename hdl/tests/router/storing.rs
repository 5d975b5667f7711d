//! Store-and-forward and virtual cut-through.

use super::bench::{body, forwarded, header, Bench, OWN_SUPERNODE, SMALL};
use fantree_hdl::packet::sealed_packet;
use fantree_hdl::router::{bus, DropCause};

const STORE: u32 = bus::control::ENABLE | bus::control::STORE;

#[test]
fn a_stored_packet_goes_on_when_all_of_it_is_here() {
    let mut bench = Bench::new(SMALL);
    bench.write(Some(0), bus::CONTROL, STORE);
    for flits in 1..=8 {
        let start = bench.cycle;
        let sent = bench.send(0, &header(OWN_SUPERNODE, 3, 0), &body(flits - 1));
        let seen = bench.run(30);
        assert_eq!(seen[0].flits, forwarded(&sent, 0));
        assert_eq!(seen[0].cycle - start, 6 + flits as u64 - 1);
    }
}

#[test]
fn damaged_packets_end_here_if_stored_and_are_marked_if_not() {
    let mut bench = Bench::new(SMALL);
    for (control, stored) in [(bus::control::ENABLE, false), (STORE, true)] {
        bench.write(Some(2), bus::CONTROL, control);
        let dropped = bench.dropped(2, DropCause::PacketCrc);
        for flits in 2..=8 {
            let mut packet = sealed_packet(&header(OWN_SUPERNODE, 1, 0), &body(flits - 1));
            packet[1] ^= 1 << 70;
            bench.send_flits(2, 0, &packet, false);
            let seen = bench.run(30);
            assert_eq!(seen.is_empty(), stored, "{flits} flits");
            assert!(seen.iter().all(|seen| seen.bad), "{flits} flits");
        }
        // Marked by somebody before: stays marked.
        for flits in [1, 4] {
            let packet = sealed_packet(&header(OWN_SUPERNODE, 1, 0), &body(flits - 1));
            bench.send_flits(2, 0, &packet, true);
            let seen = bench.run(30);
            assert_eq!(seen.is_empty(), stored, "{flits} flits");
            assert!(seen.iter().all(|seen| seen.bad), "{flits} flits");
        }
        let dropped = bench.dropped(2, DropCause::PacketCrc) - dropped;
        assert_eq!(dropped, if stored { 9 } else { 0 });
        // The next packet is none the worse.
        bench.send(2, &header(OWN_SUPERNODE, 1, 0), &body(3));
        assert!(!bench.run(30)[0].bad);
    }
    assert_eq!(bench.freed[2], 2 * (1 + 2 + 2 + 3 + 3 + 4 + 4 + 1 + 2 + 2));
}

#[test]
fn links_that_are_slow_or_fail_often_make_a_port_store() {
    let mut bench = Bench::new(SMALL);
    bench.write(Some(1), bus::ERROR_LIMIT, 3);
    let latency = |bench: &mut Bench| {
        let start = bench.cycle;
        bench.send(1, &header(OWN_SUPERNODE, 2, 0), &body(3));
        bench.run(20)[0].cycle - start
    };
    assert_eq!(latency(&mut bench), 6);
    bench.router.link_slow[1].next = true;
    bench.run(1);
    assert_eq!(latency(&mut bench), 9);
    bench.router.link_slow[1].next = false;
    bench.run(1);
    assert_eq!(latency(&mut bench), 6);
    bench.router.link_error[1].next = true;
    bench.run(2);
    bench.router.link_error[1].next = false;
    assert_eq!(latency(&mut bench), 6);
    bench.router.link_error[1].next = true;
    bench.run(1);
    bench.router.link_error[1].next = false;
    bench.run(1);
    assert_eq!(latency(&mut bench), 9);
    assert_eq!(bench.read(1, bus::LINK_ERRORS), 3);
    assert_eq!(
        u64::from(bus::status::STORING),
        bench.read(1, bus::STATUS) & 2
    );
}
