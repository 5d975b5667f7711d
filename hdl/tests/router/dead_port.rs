//! A port that dies under load, to the cycle.

use super::bench::{header, Bench, OWN_SUPERNODE, SMALL};
use fantree_hdl::packet::Header;
use fantree_hdl::router::{bus, DropCause};

/// From the write of a port's register to the first choice without the port.
const AFTER_ITS_REGISTER: u64 = 3;
/// The same from the fall of its link.
const AFTER_ITS_LINK: u64 = 2;
/// From a head at `rx` to the choice of its port, and to `tx`.
const CHOICE: u64 = 1;
const LATENCY: u64 = 6;

#[test]
fn traffic_goes_on_three_cycles_after_a_port_is_disabled() {
    traffic_goes_on(AFTER_ITS_REGISTER, |bench| {
        bench.write(Some(2), bus::CONTROL, 0);
    });
}

#[test]
fn traffic_goes_on_two_cycles_after_a_link_goes_down() {
    traffic_goes_on(AFTER_ITS_LINK, |bench| {
        bench.router.link_up[2].next = false;
    });
}

/// A packet a cycle to port 2, else port 0, and one to port 1 that has nothing to do with it.
fn traffic_goes_on(delay: u64, kill: fn(&mut Bench)) {
    const PACKETS: u32 = 60;
    let mut bench = Bench::new(SMALL);
    bench.route(3, &[2, 0]);
    let start = bench.cycle;
    for message_id in 0..PACKETS {
        let to = |number| Header {
            message_id,
            ..header(OWN_SUPERNODE, number, 0)
        };
        bench.send(1, &to(3), &[]);
        bench.send(3, &to(1), &[]);
    }
    let mut seen = bench.run(20);
    let killed = bench.cycle;
    kill(&mut bench);
    seen.extend(bench.run(80));
    let numbers = |port: usize| -> Vec<u32> {
        let seen = seen.iter().filter(|seen| seen.port == port);
        seen.map(|seen| Header::decode(seen.flits[0]).message_id)
            .collect()
    };

    // The first that takes the next candidate, and all after it.
    let first = numbers(0)[0];
    assert_eq!(start + u64::from(first) + CHOICE - killed, delay);
    assert_eq!(numbers(0), (first..PACKETS).collect::<Vec<_>>());
    // Of those before it, some are through, and the others, on their way, are counted.
    let through = numbers(2).len() as u32;
    assert_eq!(numbers(2), (0..through).collect::<Vec<_>>());
    let dropped = bench.dropped(2, DropCause::DeadPort);
    assert_eq!(u64::from(first - through), dropped);
    assert!(dropped > 0 && through > 0, "{dropped} of {first}");
    assert_eq!(bench.freed[1], u64::from(PACKETS), "all blocks are free");
    // Nobody else noticed.
    assert_eq!(numbers(1), (0..PACKETS).collect::<Vec<_>>());
    for (i, other) in seen.iter().filter(|seen| seen.port == 1).enumerate() {
        assert_eq!(other.cycle, start + i as u64 + LATENCY);
    }
}
