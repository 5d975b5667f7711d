//! Management through the links: of one chip, of chips behind others, beside data at full load.

mod chain;
mod mixed;

use fantree_hdl::manage::command::status;
use fantree_hdl::manage::jtag::IDCODE_VALUE;
use fantree_hdl::manage::registers::{identity, lock, IDENTITY, LOCK, REFUSED};
use fantree_hdl::manage::{Combine, Op, Setup};
use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::{bus, DropCause, RouterParams};
use fantree_tb::manage::request::{Reply, Request};
use fantree_tb::manage::{Answer, InBand, Jtag, Manager, Network, Place, Transport, Way};

const CHIP: RouterParams = RouterParams {
    max_packet_flits: 12,
    input_buffer_blocks: 24,
    private_blocks: 8,
    in_supernode_entries: 16,
    managed: true,
    ..RouterParams::SMALL
};
const KEY: u32 = 0x5eed_1e55;
const ALL: u64 = 0b1111;

fn at(port: usize) -> Place {
    Place { chip: 0, port }
}

fn chip() -> Network {
    chip_of(&CHIP)
}

fn chip_of(params: &RouterParams) -> Network {
    Network::of_one_chip(params).expect("it starts")
}

fn set_key(network: &mut Network, key: u32) {
    let mut jtag = Jtag::new(network, 0).expect("it runs");
    jtag.set_key(key).expect("it runs");
}

fn manager(network: &mut Network, port: usize, key: u32) -> Manager<InBand<'_>> {
    let params = *network.params();
    Manager::new(InBand::new(network, at(port), Way::here(), key), &params)
}

#[test]
fn a_chip_without_tables_says_what_it_is_and_where_it_was_asked() {
    let mut network = chip();
    for port in 0..4 {
        let mut in_band = InBand::new(&mut network, at(port), Way::here(), 0);
        let reply = in_band.identify().expect("it answers");
        assert_eq!((reply.idcode, reply.port), (IDCODE_VALUE, port));
        assert_eq!((reply.rows, reply.columns, reply.guid()), (2, 2, None));
        assert_eq!((reply.status, reply.values), (0, 0));
    }
    network.check().expect("links are as they must be");
}

#[test]
fn writes_need_the_key_that_jtag_has_set() {
    let mut network = chip();
    let write = |network: &mut Network, key| {
        let write = Setup::new(Op::Write, bus::ERROR_LIMIT, ALL);
        let answer = manager(network, 1, key).run(&write, &[77]);
        answer.expect("it answers").status
    };
    assert_eq!(write(&mut network, 0), status::KEY, "no key is set");
    assert_eq!(write(&mut network, KEY), status::KEY);
    set_key(&mut network, KEY);
    assert_eq!(write(&mut network, 0), status::KEY);
    assert_eq!(write(&mut network, KEY ^ 1), status::KEY);
    let read = |network: &mut Network, address| manager(network, 2, 0).read(ALL, address).unwrap();
    assert_eq!(read(&mut network, bus::ERROR_LIMIT), [0; 4]);
    assert_eq!(
        read(&mut network, REFUSED),
        [4; 4],
        "each agent has counted"
    );
    assert_eq!(write(&mut network, KEY), 0);
    assert_eq!(read(&mut network, bus::ERROR_LIMIT), [77; 4]);
    set_key(&mut network, 0);
    assert_eq!(write(&mut network, KEY), status::KEY, "it is locked again");
    network.check().expect("links are as they must be");
}

#[test]
fn values_come_in_order_or_combined_in_any_number_of_packets() {
    let mut network = chip();
    set_key(&mut network, KEY);
    let mut manager = manager(&mut network, 3, KEY);
    let all = manager.all();
    for port in 0..4 {
        let words = [100 + port, 200 + port];
        manager.write(1 << port, bus::ERROR_LIMIT, &words).unwrap();
    }
    assert_eq!(
        manager.read(all, bus::ERROR_LIMIT).unwrap(),
        [100, 101, 102, 103]
    );
    let sum = manager.read_combined(0b1011, bus::ERROR_LIMIT, Combine::Sum);
    assert_eq!(sum.unwrap(), 304);
    // Thirty beats of four values each are more than one packet has room for.
    let many = Setup {
        increment: false,
        ..Setup::new(Op::Read, bus::BLOCKED_LIMIT, all)
    };
    let answer = manager.run(&many, &[0; 30]).unwrap();
    assert_eq!(answer.values, [200, 201, 202, 203].repeat(30));
    let old = manager
        .modify(0b0110, bus::ERROR_LIMIT, 0xff00, 0x1234)
        .unwrap();
    assert_eq!(old, [101, 102]);
    let cleared = manager.read_and_clear(all, bus::ERROR_LIMIT).unwrap();
    assert_eq!(cleared, [100, 0x1265, 0x1266, 103]);
    assert_eq!(manager.read(all, bus::ERROR_LIMIT).unwrap(), [0; 4]);
    network.check().expect("links are as they must be");
}

#[test]
fn what_cannot_be_done_is_answered() {
    let mut network = chip();
    set_key(&mut network, KEY);
    let mut manager = manager(&mut network, 0, KEY);
    manager.write(1, LOCK, &[lock::SETTINGS]).unwrap();
    for (op, address, ports, status) in [
        (Op::Write, bus::SUPERNODE, ALL, status::LOCKED),
        (Op::Write, 0xd000, ALL, status::NO_REGISTER),
        (Op::Read, bus::MULTICAST_TABLE, ALL, status::NOT_ALLOWED),
        (Op::Read, bus::SUPERNODE, 0, status::NO_PORT),
    ] {
        let answer = manager.run(&Setup::new(op, address, ports), &[1]).unwrap();
        assert_eq!(answer.status, status, "{op:?} {address:#x}");
        assert!(answer.values.iter().all(|&value| value == 0));
    }
}

/// Sends a packet at a port, and gives what comes back there.
fn bounce(network: &mut Network, port: usize, packet: Vec<u128>) -> Option<Vec<u128>> {
    network.host(at(port)).send(packet);
    (0..400).find_map(|_| {
        network.step().expect("it runs");
        let came = network.host(at(port)).take(|_| true)?;
        assert!(!came.bad);
        Some(came.flits)
    })
}

fn request(beats: u32, words: Vec<u32>) -> Request {
    Request {
        way: Way::here(),
        vc: CHIP.request_vc() as u32,
        message_id: 1,
        key: KEY,
        beats,
        setup: Setup::new(Op::Read, bus::ERROR_LIMIT, ALL),
        words,
    }
}

#[test]
fn requests_that_are_too_short_or_ask_for_too_much_are_told_so() {
    let mut network = chip();
    // Six beats of four values, in three flits of data.
    let packet = request(6, vec![0; 12]).to_packet();
    let reply = bounce(&mut network, 0, packet.clone()).expect("it answers");
    assert_eq!(reply.len(), packet.len(), "as long as the request");
    let reply = Reply::of_packet(&reply).unwrap();
    assert!(reply.truncated && !reply.malformed);
    assert_eq!(reply.values, 12);
    // A beat whose values find room in part.
    let reply = bounce(&mut network, 0, request(2, vec![0; 4]).to_packet()).unwrap();
    assert!(Reply::of_packet(&reply).unwrap().truncated);

    // Packets that end with the route, with the command, with the setup; and the next request is none the worse.
    let whole = request(1, vec![0; 4]).to_packet();
    for flits in 2..5 {
        let header = Header::decode(whole[0]);
        let short = sealed_packet(&header, &whole[1..flits]);
        let reply = bounce(&mut network, 2, short).expect("it answers");
        let route_only = flits == 2;
        assert_eq!(reply.len(), flits);
        let parts = Reply::of_packet(&reply);
        assert_eq!(
            parts.is_ok_and(|it| it.malformed),
            !route_only,
            "{flits} flits"
        );
        let reply = bounce(&mut network, 2, whole.clone()).unwrap();
        let reply = Reply::of_packet(&reply).unwrap();
        assert_eq!((reply.status, reply.values), (0, 4));
    }
    network.check().expect("links are as they must be");
}

/// Damaged requests, and those on a virtual channel of which nobody turns, are dropped and counted, and nothing is done.
#[test]
fn damaged_requests_do_nothing() {
    let mut network = chip();
    set_key(&mut network, KEY);
    let write = Request {
        setup: Setup::new(Op::Write, bus::ERROR_LIMIT, ALL),
        ..request(4, vec![1, 2, 3, 4])
    };
    let mut damaged = write.to_packet();
    damaged[4] ^= 1 << 40;
    assert_eq!(bounce(&mut network, 1, damaged), None);
    let elsewhere = Request { vc: 0, ..write }.to_packet();
    assert_eq!(bounce(&mut network, 1, elsewhere), None);
    let mut manager = manager(&mut network, 0, 0);
    assert_eq!(manager.read(ALL, bus::ERROR_LIMIT).unwrap(), [0; 4]);
    for cause in [DropCause::PacketCrc, DropCause::NoRoute] {
        let counter = fantree_hdl::router::drop_address(cause, &CHIP);
        assert_eq!(
            manager.read(ALL, counter).unwrap(),
            [0, 1, 0, 0],
            "{cause:?}"
        );
    }
    network.check().expect("links are as they must be");
}

#[test]
fn a_chip_with_a_guid_answers_by_tables() {
    for phases in [1, 2] {
        let params = RouterParams { phases, ..CHIP };
        let mut network = chip_of(&params);
        set_key(&mut network, KEY);
        // Host n has number n, the chip has number 9 of supernode 3.
        let (chip, host) = (3 << 8 | 9, |port: u32| 3 << 8 | port);
        let mut manager = manager(&mut network, 0, KEY);
        manager.set_identity(chip).unwrap();
        let identities = manager.read(ALL, IDENTITY).unwrap();
        assert_eq!(identities, [identity::of(chip); 4]);
        for port in 0..4 {
            let way = Way::Tables {
                chip,
                host: host(port),
            };
            let place = at(port as usize);
            let mut in_band = InBand::new(&mut network, place, way.clone(), KEY);
            let reply = in_band.identify().unwrap();
            assert_eq!((reply.port, reply.guid()), (port as usize, Some(chip)));
            assert_eq!(
                (reply.header.dst_guid, reply.header.src_guid),
                (host(port), chip)
            );
            assert_eq!(reply.header.vc as usize, params.virtual_channels - 1);
            let read = Setup::new(Op::Read, bus::SUPERNODE, ALL);
            let expected = Answer {
                values: vec![0; 4],
                status: 0,
            };
            assert_eq!(in_band.run(&read, &[0]).unwrap(), expected);
        }
        network.check().expect("links are as they must be");
    }
}
