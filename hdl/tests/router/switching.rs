//! Registers that change under load.

use super::bench::{body, header, Bench, OWN_SUPERNODE, SMALL};
use fantree_hdl::packet::Header;
use fantree_hdl::router::{bus, DropCause};

/// Whatever is switched while packets are on their way: each comes out as often as it should, or is counted, and all
/// blocks come back.
#[test]
fn settings_that_change_under_load_lose_nothing() {
    let mut bench = Bench::new(SMALL);
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for group in 0..4 {
        bench.group(group, &[group]);
    }
    for number in 0..4 {
        bench.route(number, &[number, (number + 1) % 4, (number + 2) % 4]);
    }
    let (mut sent, mut blocks) = (0, [0; 4]);
    let mut seen = Vec::new();
    for _ in 0..50 {
        for (input, sent_blocks) in blocks.iter_mut().enumerate() {
            let flits = random(7) as usize;
            let multicast = flits < 4 && random(4) == 0;
            let to = random(4) as u32;
            let header = Header {
                multicast: multicast.into(),
                adaptive: random(2) as u32,
                ..if multicast {
                    header(0, to, random(2) as u32)
                } else {
                    header(OWN_SUPERNODE, to, random(2) as u32)
                }
            };
            bench.send(input, &header, &body(flits));
            *sent_blocks += SMALL.blocks_of(flits + 1) as u64;
            sent += 1;
        }
        let port = random(4) as usize;
        let (address, data) = match random(6) {
            0 => (bus::BLOCKED_LIMIT, [0, 5, 20, 100][random(4) as usize]),
            1 => (
                bus::PRIVATE_BLOCKS + random(2) as usize,
                4 - random(4) as u32 % 2,
            ),
            2 => (bus::SHARED_BLOCKS, 4 - random(4) as u32),
            3 => (bus::MULTICAST_TABLE + 2 * random(4) as usize + 1, 0),
            _ => (bus::CONTROL, random(8) as u32 | random(2) as u32),
        };
        let ready = random(4) as usize;
        bench.router.tx_ready[ready].next = random(3) > 0;
        bench.write(Some(port), address, data);
        seen.extend(bench.run(random(12)));
    }
    for port in 0..4 {
        bench.router.tx_ready[port].next = true;
        bench.write(Some(port), bus::BLOCKED_LIMIT, 0);
        bench.write(Some(port), bus::CONTROL, 1);
        bench.write(Some(port), bus::PRIVATE_BLOCKS, 4);
        bench.write(Some(port), bus::PRIVATE_BLOCKS + 1, 4);
        bench.write(Some(port), bus::SHARED_BLOCKS, 4);
    }
    seen.extend(bench.run(800));
    let dropped: u64 = (0..4)
        .flat_map(|port| DropCause::ALL.map(|cause| (port, cause)))
        .map(|(port, cause)| bench.dropped(port, cause))
        .sum();
    for (port, &sent_blocks) in blocks.iter().enumerate() {
        assert_eq!(bench.read(port, bus::IN_USE), 0, "{port}");
        assert_eq!(bench.read(port, bus::BACKLOG), 0, "{port}");
        assert_eq!(bench.freed[port], sent_blocks, "{port}");
    }
    assert_eq!(sent, seen.len() as u64 + dropped);
    assert!(
        seen.len() > 100 && dropped > 20,
        "both ways are taken: {dropped} dropped"
    );
}
