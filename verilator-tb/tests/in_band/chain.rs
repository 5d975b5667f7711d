//! Three chips in a row, managed from one host: found with empty tables, then loaded, then asked by tables.

use fantree_hdl::manage::{Op, Setup};
use fantree_hdl::packet::{sealed_packet, Header};
use fantree_hdl::router::bus;
use fantree_tb::manage::{discover, Chips, InBand, Jtag, Manager, Network, Place, Tables, Way};

use super::{CHIP, KEY};

const CHIPS: usize = 3;
/// The host that manages, at a port of the first chip.
const HOST: Place = Place { chip: 0, port: 0 };
/// Port 3 of each chip leads to port 1 of the next.
const ONWARD: usize = 3;
const BACK: usize = 1;

fn chain() -> Network {
    let chips = Chips::build(&CHIP).expect("it compiles");
    let link = |chip| {
        let there = Place {
            chip: chip + 1,
            port: BACK,
        };
        (Place { chip, port: ONWARD }, there)
    };
    let links: Vec<_> = (0..CHIPS - 1).map(link).collect();
    let mut network = Network::new(&chips, CHIPS, &links).expect("it starts");
    for chip in 0..CHIPS {
        let mut jtag = Jtag::new(&mut network, chip).expect("it runs");
        jtag.set_key(KEY).expect("it runs");
    }
    network
}

/// GUID of a chip, and of what is at a free port of it: numbers 4 c + port, chips from 12 on.
fn chip_guid(chip: usize) -> u32 {
    (5 << 8) + 12 + chip as u32
}

fn host_number(place: Place) -> usize {
    4 * place.chip + place.port
}

/// The tables of a chip: which port leads to each number.
fn tables(chip: usize) -> Tables {
    let toward = |other: usize, own: usize| match other.cmp(&chip) {
        std::cmp::Ordering::Less => vec![BACK],
        std::cmp::Ordering::Equal => vec![own],
        std::cmp::Ordering::Greater => vec![ONWARD],
    };
    let hosts = (0..12).map(|number| toward(number / 4, number % 4));
    // What is for the chip itself needs no entry.
    let chips = (0..CHIPS).map(|other| {
        if other == chip {
            vec![]
        } else {
            toward(other, 0)
        }
    });
    Tables {
        supernode: 5,
        in_supernode: hosts.chain(chips).collect(),
        out_supernode: vec![],
    }
}

#[test]
fn a_row_of_chips_is_found_loaded_and_asked_from_one_port() {
    let mut network = chain();
    // Discovery: all chips, and the links between them.
    let found = discover(&mut network, HOST, KEY, chip_guid(0)).expect("they answer");
    assert_eq!(found.len(), CHIPS);
    for (chip, it) in found.iter().enumerate() {
        assert_eq!((it.guid, it.rows, it.columns), (chip_guid(chip), 2, 2));
        let mut neighbours = vec![None; 4];
        if chip > 0 {
            neighbours[BACK] = Some((chip - 1, ONWARD));
        }
        if chip + 1 < CHIPS {
            neighbours[ONWARD] = Some((chip + 1, BACK));
        }
        assert_eq!(it.neighbours, neighbours, "chip {chip}");
    }
    // First load, the farthest first, still by source routes.
    for (chip, it) in found.into_iter().enumerate().rev() {
        let in_band = InBand::new(&mut network, HOST, Way::Source(it.route), KEY);
        let mut manager = Manager::new(in_band, &CHIP);
        let all = manager.all();
        manager
            .load_tables(all, &tables(chip))
            .expect("it takes them");
    }
    // From now on by tables, from any host.
    let hosts = [HOST, Place { chip: 2, port: 2 }, Place { chip: 1, port: 0 }];
    for host in hosts {
        for chip in 0..CHIPS {
            let way = Way::Tables {
                chip: chip_guid(chip),
                host: 5 << 8 | host_number(host) as u32,
            };
            let mut in_band = InBand::new(&mut network, host, way, KEY);
            let reply = in_band.identify().expect("it answers");
            assert_eq!(reply.guid(), Some(chip_guid(chip)));
            let mut manager = Manager::new(in_band, &CHIP);
            let all = manager.all();
            let address = bus::ERROR_LIMIT;
            let value = 1000 * host_number(host) as u32 + chip as u32;
            manager.write(all, address, &[value]).expect("it takes it");
            assert_eq!(manager.read(all, address).expect("it answers"), [value; 4]);
            let read = Setup::new(Op::Read, bus::SUPERNODE, all);
            assert_eq!(manager.run(&read, &[0]).unwrap().values, [5; 4]);
        }
    }
    // The tables lead data across the row.
    let (from, to) = (HOST, Place { chip: 2, port: 3 });
    let header = Header {
        dst_guid: 5 << 8 | host_number(to) as u32,
        hops_left: 15,
        ..Header::default()
    };
    let packet = sealed_packet(&header, &[1, 2, 3]);
    let flits = packet.len();
    network.host(from).send(packet.clone());
    let came = (0..200).find_map(|_| {
        network.step().expect("it runs");
        network.host(to).take(|packet| packet.flits.len() == flits)
    });
    assert_eq!(came.expect("it comes").flits[1..], packet[1..]);
    network.check().expect("links are as they must be");
}
