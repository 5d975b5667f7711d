//! The router chip in rust-hdl's own simulation, small enough for it.
//!
//! The benches of `fantree-tb` put it under load; here is what can be said of single packets.

use fantree_hdl::packet::{Header, HEADER_BITS};
use fantree_hdl::router::{bus, Router, RouterParams};
use fantree_hdl::wire::Value;
use rust_hdl::prelude::*;

const SMALL: RouterParams = RouterParams {
    rows: 2,
    columns: 2,
    virtual_channels: 2,
    max_packet_flits: 4,
    input_buffer_flits: 6,
    row_buffer_flits: 5,
    column_buffer_flits: 4,
    in_supernode_entries: 4,
    out_supernode_entries: 5,
};

const OWN_SUPERNODE: u32 = 2;

struct Bench {
    router: Box<Router>,
    cycle: u64,
    /// Whether the next chip frees each flit at once.
    frees: bool,
}

impl Bench {
    /// A router out of reset whose tables send destination number n, and supernode n of the others, to port n.
    fn new(params: RouterParams) -> Self {
        let mut router = Box::new(Router::new(&params));
        router.connect_all();
        router
            .tx_ready
            .iter_mut()
            .for_each(|ready| ready.next = true);
        router.reset.next = true;
        let mut bench = Self {
            router,
            cycle: 0,
            frees: true,
        };
        bench.step();
        bench.router.reset.next = false;
        for port in 0..params.in_supernode_entries.min(params.ports()) {
            bench.write_all(bus::IN_SUPERNODE_TABLE + port, bus::entry::to_port(port));
        }
        for supernode in 0..2 {
            bench.write_all(
                bus::OUT_SUPERNODE_TABLE + supernode,
                bus::entry::to_port(supernode),
            );
        }
        bench.write_all(bus::SUPERNODE, OWN_SUPERNODE);
        bench
    }

    fn write_all(&mut self, address: usize, data: u32) {
        self.router.cfg_write.next = true;
        self.router.cfg_broadcast.next = true;
        self.router.cfg_address.next = (address as u64).into();
        self.router.cfg_wdata.next = u64::from(data).into();
        self.step();
        self.router.cfg_write.next = false;
        self.step();
    }

    fn read(&mut self, port: usize, address: usize) -> u64 {
        self.router.cfg_read.next = true;
        self.router.cfg_broadcast.next = false;
        self.router.cfg_port.next = (port as u64).into();
        self.router.cfg_address.next = (address as u64).into();
        self.step();
        self.router.cfg_read.next = false;
        self.step();
        assert!(self.router.cfg_rvalid.val(), "two cycles after cfg_read");
        self.router.cfg_rdata.val().to_u64()
    }

    /// One clock cycle: the outputs read afterwards are those of the cycle that begins.
    fn step(&mut self) {
        for level in [false, true] {
            self.router.clock.next = level.into();
            assert!(simulate(&mut *self.router, 50), "the router settles");
        }
        self.cycle += 1;
    }

    fn drive(&mut self, port: usize, flit: Option<(u128, bool, bool, u32)>) {
        let router = &mut self.router;
        router.rx_valid[port].next = flit.is_some();
        if let Some((data, head, tail, vc)) = flit {
            let words: Vec<u32> = (0..4).map(|i| (data >> (32 * i)) as u32).collect();
            router.rx_data[port].next = Value::from_words(HEADER_BITS, &words);
            router.rx_head[port].next = head;
            router.rx_tail[port].next = tail;
            router.rx_vc[port].next = u64::from(vc).into();
        }
    }

    /// Sends a packet into `from` and gives what comes out of every port, with the cycles from head in.
    fn send(&mut self, from: usize, header: &Header, cycles: u64) -> Vec<(usize, u64, u128)> {
        let mut seen = Vec::new();
        let start = self.cycle;
        for cycle in 0..cycles {
            let flit = (cycle < header.flits() as u64).then(|| {
                let data = if cycle == 0 {
                    header.sealed()
                } else {
                    u128::from(cycle)
                };
                (
                    data,
                    cycle == 0,
                    cycle + 1 == header.flits() as u64,
                    header.vc,
                )
            });
            self.drive(from, flit);
            self.step();
            for port in 0..self.router.tx_valid.len() {
                let sent = self.router.tx_valid[port].val();
                let vc = self.router.tx_vc[port].val().to_u64();
                self.router.tx_credit[port].next = (u64::from(sent && self.frees) << vc).into();
                if sent {
                    let data = self.router.tx_data[port].val().to_u128();
                    seen.push((port, self.cycle - start, data));
                }
            }
        }
        seen
    }
}

fn header(supernode: u32, number: u32, vc: u32, flits: u32) -> Header {
    Header {
        vc,
        dst_guid: supernode << 8 | number,
        flits_minus_one: flits - 1,
        ..Header::default()
    }
}

#[test]
fn a_packet_takes_six_cycles_from_any_port_to_any_port() {
    let mut bench = Bench::new(SMALL);
    for from in 0..4 {
        for to in 0..4 {
            let header = header(OWN_SUPERNODE, to, (from as u32 + to) % 2, 4);
            let seen = bench.send(from, &header, 14);
            let expected: Vec<_> = [header.sealed(), 1, 2, 3]
                .into_iter()
                .enumerate()
                .map(|(i, data)| (to as usize, 6 + i as u64, data))
                .collect();
            assert_eq!(seen, expected, "from {from} to {to}");
        }
    }
}

#[test]
fn other_supernodes_use_the_second_table() {
    let mut bench = Bench::new(SMALL);
    let seen = bench.send(3, &header(1, 77, 0, 1), 10);
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].0, seen[0].1), (1, 6));
}

#[test]
fn packets_without_a_route_are_dropped_and_counted() {
    let mut bench = Bench::new(SMALL);
    // Past the first table, past the second, and an entry that nobody wrote.
    for (supernode, number) in [(OWN_SUPERNODE, 4), (9, 0), (2 + OWN_SUPERNODE, 0)] {
        let seen = bench.send(0, &header(supernode, number, number % 2, 4), 12);
        assert!(seen.is_empty(), "{supernode}:{number} {seen:?}");
    }
    assert_eq!(bench.read(0, bus::DROPPED_NO_ROUTE), 3);
    assert_eq!(bench.read(1, bus::DROPPED_NO_ROUTE), 0);
    assert_eq!(bench.read(3, bus::SUPERNODE), u64::from(OWN_SUPERNODE));
    // A dropped packet's credits came back, and what follows is not disturbed.
    assert_eq!(bench.send(0, &header(OWN_SUPERNODE, 3, 0, 4), 14).len(), 4);
}

#[test]
fn a_packet_waits_for_credits_for_all_of_it() {
    let mut bench = Bench::new(SMALL);
    bench.frees = false;
    let long = header(OWN_SUPERNODE, 1, 0, 4);
    assert_eq!(bench.send(0, &long, 20).len(), 4, "6 credits cover 4 flits");
    assert!(bench.send(0, &long, 20).is_empty(), "2 credits do not");
    for _ in 0..2 {
        bench.router.tx_credit[1].next = 1.into();
        bench.step();
        bench.router.tx_credit[1].next = 0.into();
        assert!(!bench.router.tx_valid[1].val());
    }
    let seen = bench.send(0, &header(OWN_SUPERNODE, 2, 0, 1), 20);
    assert_eq!(
        seen.iter().filter(|s| s.0 == 1).count(),
        4,
        "4 credits do: {seen:?}"
    );
    assert_eq!(seen.iter().filter(|s| s.0 == 2).count(), 1);
}
