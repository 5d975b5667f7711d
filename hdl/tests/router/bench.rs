//! A router in rust-hdl's own simulation, with drivers and receivers around it.

use std::collections::VecDeque;

use fantree_hdl::packet::{sealed_packet, Header, HEADER_BITS};
use fantree_hdl::router::{bus, drop_address, DropCause, Router, RouterParams};
use fantree_hdl::wire::Value;
use rust_hdl::prelude::*;

pub const SMALL: RouterParams = RouterParams {
    phases: 2,
    ..RouterParams::SMALL
};

pub const OWN_SUPERNODE: u32 = 2;

/// A packet as it came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub port: usize,
    pub vc: u64,
    /// Cycle of its head.
    pub cycle: u64,
    pub flits: Vec<u128>,
    pub bad: bool,
}

/// What a driver sends: a packet, where, on which virtual channel, and whether its tail is marked bad.
struct Sending {
    port: usize,
    vc: u32,
    flits: VecDeque<u128>,
    first: bool,
    bad: bool,
}

pub struct Bench {
    pub router: Box<Router>,
    pub params: RouterParams,
    pub cycle: u64,
    /// By port: the next chip frees each block at once.
    pub frees: Vec<bool>,
    /// By port and virtual channel: blocks that it frees besides, one a cycle.
    pub owed: Vec<Vec<u64>>,
    sending: Vec<Sending>,
    open: Vec<Vec<Option<Seen>>>,
    pub seen: Vec<Seen>,
    /// Blocks that came free of each input, and that were filled.
    pub freed: Vec<u64>,
    filled: Vec<u64>,
}

impl Bench {
    /// A router out of reset whose tables send destination number n, and supernode n of the others, to port n.
    pub fn new(params: RouterParams) -> Self {
        let mut router = Box::new(Router::new(&params));
        router.connect_all();
        let ports = params.ports();
        for port in 0..ports {
            router.tx_ready[port].next = true;
            router.link_up[port].next = true;
        }
        router.reset.next = true;
        let mut bench = Self {
            router,
            params,
            cycle: 0,
            frees: vec![true; ports],
            owed: vec![vec![0; params.virtual_channels]; ports],
            sending: Vec::new(),
            open: vec![vec![None; params.virtual_channels]; ports],
            seen: Vec::new(),
            freed: vec![0; ports],
            filled: vec![0; ports],
        };
        bench.step();
        bench.router.reset.next = false;
        for port in 0..params.in_supernode_entries.min(ports) {
            bench.route(port, &[port]);
        }
        for supernode in 0..2 {
            let entry = bus::entry::to_ports(&[supernode], params.candidates);
            bench.write_words(
                bus::OUT_SUPERNODE_TABLE + supernode * bus::ENTRY_WORDS,
                &entry,
            );
        }
        bench.write_all(bus::SUPERNODE, OWN_SUPERNODE);
        bench
    }

    /// Makes destination number `number` of the own supernode lead to `ports`.
    pub fn route(&mut self, number: usize, ports: &[usize]) {
        let entry = bus::entry::to_ports(ports, self.params.candidates);
        self.write_words(bus::IN_SUPERNODE_TABLE + number * bus::ENTRY_WORDS, &entry);
    }

    /// Gives a multicast group its ports, at every input.
    pub fn group(&mut self, group: usize, ports: &[usize]) {
        let mask = ports.iter().fold(0u64, |mask, port| mask | 1 << port);
        let words = [mask as u32, (mask >> 32) as u32];
        self.write_words(bus::MULTICAST_TABLE + 2 * group, &words);
    }

    fn write_words(&mut self, address: usize, words: &[u32]) {
        for (i, &word) in words.iter().enumerate() {
            self.write_all(address + i, word);
        }
    }

    pub fn write_all(&mut self, address: usize, data: u32) {
        self.write(None, address, data);
    }

    /// Writes a register of a port, or of all.
    pub fn write(&mut self, port: Option<usize>, address: usize, data: u32) {
        self.router.cfg_write.next = true;
        self.router.cfg_broadcast.next = port.is_none();
        self.router.cfg_port.next = (port.unwrap_or(0) as u64).into();
        self.router.cfg_address.next = (address as u64).into();
        self.router.cfg_wdata.next = u64::from(data).into();
        self.step();
        self.router.cfg_write.next = false;
        self.step();
    }

    pub fn read(&mut self, port: usize, address: usize) -> u64 {
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

    /// Packets that a port has dropped for a cause.
    pub fn dropped(&mut self, port: usize, cause: DropCause) -> u64 {
        self.read(port, drop_address(cause, &self.params))
    }

    /// Sends a packet into a port, from the next cycle on, on the header's virtual channel.
    pub fn send(&mut self, port: usize, header: &Header, body: &[u128]) -> Vec<u128> {
        let flits = sealed_packet(header, body);
        self.send_flits(port, header.vc, &flits, false);
        flits
    }

    pub fn send_flits(&mut self, port: usize, vc: u32, flits: &[u128], bad: bool) {
        self.sending.push(Sending {
            port,
            vc,
            flits: flits.iter().copied().collect(),
            first: true,
            bad,
        });
    }

    /// Runs some cycles and gives the packets that have come out since the last call.
    pub fn run(&mut self, cycles: u64) -> Vec<Seen> {
        (0..cycles).for_each(|_| self.step());
        std::mem::take(&mut self.seen)
    }

    /// One clock cycle: what the outputs show is taken, then comes the edge.
    pub fn step(&mut self) {
        self.receive();
        self.drive();
        for level in [false, true] {
            self.router.clock.next = level.into();
            assert!(simulate(&mut *self.router, 80), "the router settles");
        }
        self.cycle += 1;
    }

    /// Each port sends the oldest of its packets, which starts when there are blocks for all of it.
    fn drive(&mut self) {
        let blocks = self.params.input_buffer_blocks as u64;
        for port in 0..self.frees.len() {
            let oldest = self.sending.iter().position(|s| s.port == port);
            let free = blocks + self.freed[port] - self.filled[port];
            let oldest = oldest.filter(|&i| {
                let sending = &self.sending[i];
                let needed = self.params.blocks_of(sending.flits.len()) as u64;
                if sending.first && needed <= free {
                    self.filled[port] += needed;
                    return true;
                }
                !sending.first
            });
            self.router.rx_valid[port].next = oldest.is_some();
            let Some(i) = oldest else { continue };
            let sending = &mut self.sending[i];
            let data = sending.flits.pop_front().expect("a flit is left");
            let words: Vec<u32> = (0..4).map(|i| (data >> (32 * i)) as u32).collect();
            let last = sending.flits.is_empty();
            self.router.rx_data[port].next = Value::from_words(HEADER_BITS, &words);
            self.router.rx_head[port].next = sending.first;
            self.router.rx_tail[port].next = last;
            self.router.rx_bad[port].next = last && sending.bad;
            self.router.rx_vc[port].next = u64::from(sending.vc).into();
            sending.first = false;
            if last {
                self.sending.remove(i);
            }
        }
    }

    fn receive(&mut self) {
        for port in 0..self.frees.len() {
            self.freed[port] += u64::from(self.router.rx_credit[port].val().to_u64().count_ones());
            let mut credit = 0u64;
            if self.router.tx_valid[port].val() && self.router.tx_ready[port].next {
                let vc = self.router.tx_vc[port].val().to_u64();
                let open = &mut self.open[port][vc as usize];
                if self.router.tx_head[port].val() {
                    assert!(open.is_none(), "packets of a VC are not mixed");
                    *open = Some(Seen {
                        port,
                        vc,
                        cycle: self.cycle,
                        flits: Vec::new(),
                        bad: false,
                    });
                }
                let packet = open.as_mut().expect("a flit of a packet");
                packet.flits.push(self.router.tx_data[port].val().to_u128());
                let tail = self.router.tx_tail[port].val();
                if self.frees[port]
                    && (tail || packet.flits.len().is_multiple_of(self.params.block_flits))
                {
                    credit = 1 << vc;
                }
                if tail {
                    packet.bad = self.router.tx_bad[port].val();
                    self.seen.extend(open.take());
                }
            }
            for (vc, owed) in self.owed[port].iter_mut().enumerate() {
                if *owed > 0 && credit >> vc & 1 == 0 {
                    *owed -= 1;
                    credit |= 1 << vc;
                }
            }
            self.router.tx_credit[port].next = credit.into();
        }
    }
}

/// A header to number `number` of a supernode.
pub fn header(supernode: u32, number: u32, vc: u32) -> Header {
    Header {
        vc,
        dst_guid: supernode << 8 | number,
        hops_left: 15,
        ..Header::default()
    }
}

/// A body of so many flits.
pub fn body(flits: usize) -> Vec<u128> {
    (1..=flits as u128).map(|i| i << 64 | i).collect()
}

/// The packet as a router sends it on, on virtual channel `vc`.
pub fn forwarded(flits: &[u128], vc: u32) -> Vec<u128> {
    let old = Header::decode(flits[0]);
    let new = Header {
        vc,
        hops_left: old.hops_left - 1,
        ..old
    };
    let mut flits = flits.to_vec();
    flits[0] = new.sealed();
    flits
}
