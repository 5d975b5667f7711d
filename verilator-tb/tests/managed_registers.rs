//! Every register of a managed chip against the definition, through the management: value after a reset, what reads and
//! writes do, reserved bits, side effects, and that nothing else answers.

use fantree_hdl::manage::command::status;
use fantree_hdl::manage::registers::REFUSED;
use fantree_hdl::manage::{chip_register_map, Op, Setup};
use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::registers::{Access, Place as Register, RegisterMap};
use fantree_hdl::router::{bus, Event, RouterParams};
use fantree_tb::manage::{InBand, Jtag, Manager, Network, Place, Way};

const CHIP: RouterParams = RouterParams {
    max_packet_flits: 12,
    input_buffer_blocks: 24,
    private_blocks: 8,
    managed: true,
    ..RouterParams::SMALL
};
const ALL: u64 = 0b1111;
/// The port whose registers are written.
const WRITTEN: u64 = 0b0010;
/// A value with bits in every field, and in every reserved place.
const PATTERN: u32 = 0xa5c3_965a;
const KEY: u32 = 99;

fn network() -> Network {
    Network::of_one_chip(&CHIP).expect("it starts")
}

fn at(port: usize) -> Place {
    Place { chip: 0, port }
}

/// By JTAG, so that no packet moves a counter.
fn by_jtag(network: &mut Network) -> Manager<Jtag<'_>> {
    Manager::new(Jtag::new(network, 0).expect("it runs"), &CHIP)
}

/// What an untouched chip whose links work shows.
fn untouched(register: &Register) -> u32 {
    match register.address {
        bus::STATUS => bus::status::LINK_UP,
        _ => register.spec.reset().unwrap_or(0) as u32,
    }
}

fn is_as_after_reset(manager: &mut Manager<Jtag>, map: &RegisterMap) {
    let shown = map.places().filter(|it| it.spec.access.is_readable());
    for register in shown.filter(|it| it.address != REFUSED) {
        let values = manager.read(ALL, register.address).expect("it can be read");
        assert_eq!(values, [untouched(&register); 4], "{}", register.name);
    }
}

#[test]
fn all_registers_have_their_reset_values() {
    let mut network = network();
    let mut manager = by_jtag(&mut network);
    assert_eq!(manager.read(ALL, REFUSED).unwrap(), [0; 4]);
    is_as_after_reset(&mut manager, &chip_register_map(&CHIP));
}

#[test]
fn reads_and_writes_do_what_the_access_kind_says() {
    let mut network = network();
    let mut manager = by_jtag(&mut network);
    let map = chip_register_map(&CHIP);
    let mut refused = 0;
    for register in map.places() {
        let (access, name) = (register.spec.access, &register.name);
        for data in [u32::MAX, PATTERN, 0] {
            let write = Setup::new(Op::Write, register.address, WRITTEN);
            let written = manager.run(&write, &[data]).expect("it answers").status;
            let read = Setup::new(Op::Read, register.address, WRITTEN);
            let read = manager.run(&read, &[0]).expect("it answers");
            let (may_write, may_read) = match access {
                Access::ReadWrite | Access::WriteClear => (0, 0),
                Access::ReadOnly | Access::ReadClear => (status::NOT_ALLOWED, 0),
                Access::WriteOnly => (0, status::NOT_ALLOWED),
            };
            assert_eq!((written, read.status), (may_write, may_read), "{name}");
            refused += u32::from(written != 0) + u32::from(read.status != 0);
            let expected = match access {
                Access::ReadWrite => data & register.spec.mask() as u32,
                // Reading has cleared it, but of what was refused just now.
                Access::ReadClear => std::mem::take(&mut refused),
                _ => untouched(&register),
            };
            assert_eq!(read.values, [expected], "{name} after {data:#x}");
        }
        if access == Access::ReadWrite {
            manager
                .write(WRITTEN, register.address, &[untouched(&register)])
                .unwrap();
        }
    }
    // Nothing else was touched, at this port and at the others.
    is_as_after_reset(&mut manager, &map);
}

#[test]
fn where_there_is_no_register_nothing_is_read_or_written() {
    let mut network = network();
    by_jtag(&mut network)
        .transport()
        .set_key(KEY)
        .expect("it runs");
    let map = chip_register_map(&CHIP);
    let in_band = InBand::new(&mut network, at(0), Way::here(), KEY);
    let mut manager = Manager::new(in_band, &CHIP);
    for address in map.beside() {
        for op in [Op::Write, Op::Read] {
            let answer = manager
                .run(&Setup::new(op, address, ALL), &[u32::MAX])
                .unwrap();
            assert_eq!(answer.status, status::NO_REGISTER, "{op:?} {address:#x}");
            assert!(
                answer.values.iter().all(|&value| value == 0),
                "{address:#x}"
            );
        }
    }
    let mut manager = by_jtag(&mut network);
    let settings = map
        .places()
        .filter(|it| it.spec.access == Access::ReadWrite);
    for register in settings {
        let values = manager.read(ALL, register.address).unwrap();
        assert_eq!(values, [untouched(&register); 4], "{}", register.name);
    }
}

/// Counters are cleared while they count: what all reads have shown is all that there was.
#[test]
fn a_counter_that_is_read_and_cleared_loses_no_event() {
    const PACKETS: usize = 3000;
    let mut network = network();
    let counter = Event::RxFlit.address(0, &CHIP);
    let mut manager = by_jtag(&mut network);
    // Number 0 of supernode 0 is behind port 1.
    manager
        .write(ALL, bus::IN_SUPERNODE_TABLE, &[0x41])
        .unwrap();
    let header = Header {
        hops_left: 15,
        ..Header::default()
    };
    let packet = sealed_packet(&header, &[1, 2]);
    for _ in 0..PACKETS {
        network.host(at(0)).send(packet.clone());
    }
    let mut counted = Vec::new();
    while counted.last() != Some(&0) {
        let mut manager = by_jtag(&mut network);
        counted.push(manager.read_and_clear(0b0001, counter).unwrap()[0]);
    }
    assert!(
        counted.len() > 5,
        "it was cleared while packets came: {counted:?}"
    );
    assert_eq!(counted.iter().sum::<u32>() as usize, PACKETS * packet.len());

    // Any write clears as well, and reading does not.
    let mut manager = by_jtag(&mut network);
    let sent = Event::TxPacket.address(0, &CHIP);
    for _ in 0..2 {
        assert_eq!(manager.read(ALL, sent).unwrap(), [0, PACKETS as u32, 0, 0]);
    }
    manager.write(ALL, sent, &[PATTERN]).unwrap();
    assert_eq!(manager.read(ALL, sent).unwrap(), [0; 4]);
    network.check().expect("links are as they must be");
}
