//! Requests of all hosts and of JTAG at once, beside data at full load on all virtual channels.

use std::collections::HashMap;

use fantree_hdl::manage::message::REQUEST;
use fantree_hdl::manage::{Op, Setup};
use fantree_hdl::packet::{is_packet_sound, sealed_packet, Header};
use fantree_hdl::router::bus;
use fantree_tb::manage::request::{Reply, Request};
use fantree_tb::manage::{Jtag, Manager, Network, Tables, Way};
use fantree_tb::router::Stalls;
use fantree_tb::traffic::{stream, Random};

use rand::Rng;

use super::{at, chip, set_key, CHIP, KEY};

const PORTS: usize = 4;
const DATA_PACKETS: usize = 1200;
const REQUESTS: usize = 40;

/// What a host is to get back for a request.
struct Expected {
    values: Vec<u32>,
    status: u32,
}

/// Data packets that are on their way, by number: the port that each goes to, and its flits after the header.
#[derive(Default)]
struct Data {
    next: u32,
    open: HashMap<u32, (usize, Vec<u128>)>,
}

impl Data {
    /// Keeps two packets waiting on each virtual channel of each host.
    fn feed(&mut self, network: &mut Network, random: &mut Random) {
        for port in 0..PORTS {
            for vc in 0..CHIP.virtual_channels {
                while (self.next as usize) < DATA_PACKETS && network.host(at(port)).queued(vc) < 2 {
                    let to = random.gen_range(0..PORTS);
                    let flits = random.gen_range(0..CHIP.max_packet_flits);
                    let body: Vec<u128> = (0..flits).map(|_| random.gen()).collect();
                    let header = Header {
                        // Any class, management's replies and requests to other chips among them.
                        opcode: if random.gen() {
                            random.gen_range(0..64)
                        } else {
                            REQUEST
                        },
                        vc: vc as u32,
                        dst_guid: to as u32,
                        dst_queue: random.gen_range(0..256),
                        message_id: self.next & 0xffff,
                        job: 0xda7a,
                        hops_left: 15,
                        ..Header::default()
                    };
                    let packet = sealed_packet(&header, &body);
                    self.open.insert(self.next, (to, packet[1..].to_vec()));
                    network.host(at(port)).send(packet);
                    self.next += 1;
                }
            }
        }
    }

    /// Checks what has come.
    fn drain(&mut self, network: &mut Network) {
        for port in 0..PORTS {
            let is_data = |flits: &[u128]| Header::decode(flits[0]).job == 0xda7a;
            while let Some(packet) = network.host(at(port)).take(|it| is_data(&it.flits)) {
                let header = Header::decode(packet.flits[0]);
                let sent = self.open.remove(&header.message_id);
                let (to, body) = sent.expect("each packet comes once");
                assert_eq!(to, port, "packet {}", header.message_id);
                assert!(packet.flits[1..] == body, "packet {}", header.message_id);
                assert!(Header::is_sound(packet.flits[0]) && is_packet_sound(&packet.flits));
            }
        }
    }
}

/// Random requests of a host to its own registers, in the order in which it sends them, and what must come back.
fn requests(port: usize, random: &mut Random) -> Vec<(Request, Expected)> {
    let mut held = [0u32; 2];
    let mut made = Vec::new();
    for message_id in 0..REQUESTS as u32 {
        let op = Op::ALL[random.gen_range(0..Op::ALL.len())];
        let key = if random.gen_bool(0.8) { KEY } else { KEY ^ 4 };
        let words: Vec<u32> = (0..4 * random.gen_range(1..3))
            .map(|_| random.gen())
            .collect();
        let beats = random.gen_range(0..=words.len());
        let first = random.gen_range(0..2);
        let address = [bus::ERROR_LIMIT, bus::BLOCKED_LIMIT][first];
        let mask: u32 = random.gen();
        let width = [u32::MAX, 0xff_ffff][first];
        let trusted = key == KEY || op == Op::Read;
        let mut values = Vec::new();
        for &word in &words[..beats] {
            let old = held[first];
            values.push(if trusted && op != Op::Write { old } else { 0 });
            if trusted {
                held[first] = width
                    & match op {
                        Op::Write => word,
                        Op::Read => old,
                        Op::ReadClear => 0,
                        Op::Modify => old & !mask | word & mask,
                    };
            }
        }
        let status = match trusted || beats == 0 {
            true => 0,
            false => fantree_hdl::manage::command::status::KEY,
        };
        let setup = Setup {
            increment: false,
            mask,
            ..Setup::new(op, address, 1 << port)
        };
        let request = Request {
            way: Way::here(),
            vc: CHIP.request_vc() as u32,
            message_id,
            key,
            beats: beats as u32,
            setup,
            words,
        };
        made.push((request, Expected { values, status }));
    }
    made
}

#[test]
fn requests_and_data_at_full_load_disturb_neither_each_other_nor_jtag() {
    for seed in 0..4 {
        let mut random = stream(seed, "mixed", 0);
        let mut network = chip();
        set_key(&mut network, KEY);
        let tables = Tables {
            supernode: 0,
            in_supernode: (0..PORTS).map(|port| vec![port]).collect(),
            out_supernode: vec![],
        };
        let mut jtag = Manager::new(Jtag::new(&mut network, 0).unwrap(), &CHIP);
        jtag.load_tables(0b1111, &tables).expect("it takes them");
        if seed % 2 == 1 {
            for port in 0..PORTS {
                let stalls = Stalls::share(0.3);
                network.host(at(port)).stall(stalls, seed, port);
            }
        }

        let mut data = Data::default();
        // The last port's registers are JTAG's.
        let mut sets: Vec<_> = (0..PORTS - 1)
            .map(|port| requests(port, &mut random).into_iter())
            .collect();
        let mut awaited: Vec<Vec<Expected>> = (0..PORTS - 1).map(|_| Vec::new()).collect();
        let mut replies = [0; PORTS - 1];
        let mut cycles = 0;
        while replies != [REQUESTS; PORTS - 1] || !data.open.is_empty() {
            data.feed(&mut network, &mut random);
            for port in 0..PORTS - 1 {
                if awaited[port].len() - replies[port] < 2 {
                    if let Some((request, expected)) = sets[port].next() {
                        network.host(at(port)).send(request.to_packet());
                        awaited[port].push(expected);
                    }
                }
                let came = network.host(at(port)).take(|it| {
                    Reply::is_one(&it.flits) && Header::decode(it.flits[0]).job != 0xda7a
                });
                if let Some(packet) = came {
                    let reply = Reply::of_packet(&packet.flits).expect("it is a good one");
                    let number = replies[port];
                    let expected = &awaited[port][number];
                    assert_eq!(reply.header.message_id as usize, number, "in order");
                    let values = &reply.words[..expected.values.len()];
                    assert_eq!(
                        (values, reply.status),
                        (&expected.values[..], expected.status)
                    );
                    replies[port] += 1;
                }
            }
            data.drain(&mut network);
            // Each read of JTAG is hundreds of cycles, in which hosts go on with what they have.
            if cycles % 50 == 0 && replies != [REQUESTS; PORTS - 1] {
                let mut jtag = Manager::new(Jtag::new(&mut network, 0).unwrap(), &CHIP);
                let value: u32 = random.gen();
                let own = 1 << (PORTS - 1);
                jtag.write(own, bus::ERROR_LIMIT, &[value])
                    .expect("it takes it");
                assert_eq!(jtag.read(own, bus::ERROR_LIMIT).unwrap(), [value]);
            }
            network.step().expect("it runs");
            cycles += 1;
            assert!(cycles < 100_000, "something is stuck; seed {seed}");
        }
        network.check().expect("links are as they must be");
    }
}
