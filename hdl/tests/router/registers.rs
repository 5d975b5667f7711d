//! Every register of a chip against the definition: value after a reset, what reads and writes do, reserved bits, and that
//! nothing else answers.

use crate::bench::{header, Bench, OWN_SUPERNODE, SMALL};
use fantree_hdl::registers::{Access, Place, RegisterMap};
use fantree_hdl::router::bus::{self, register_map};

/// What stands in status registers of a chip whose links work and that has seen no packet.
const IDLE_STATUS: u64 = bus::status::LINK_UP as u64;

/// A value with bits in every field, and in every reserved place.
const PATTERN: u32 = 0xa5c3_965a;

fn fresh() -> (Bench, RegisterMap) {
    let mut bench = Bench::new(SMALL);
    bench.router.reset.next = true;
    bench.step();
    bench.router.reset.next = false;
    bench.run(3);
    (bench, register_map(&SMALL))
}

/// What an untouched chip shows at a place.
fn untouched(place: &Place) -> u64 {
    match place.address {
        bus::STATUS => IDLE_STATUS,
        _ => place.spec.reset().unwrap_or(0),
    }
}

fn is_as_after_reset(bench: &mut Bench, map: &RegisterMap, port: usize, but: Option<usize>) {
    for place in map.places().filter(|it| Some(it.address) != but) {
        // Memory is write-only: it reads as zero.
        let value = bench.read(port, place.address);
        assert_eq!(value, untouched(&place), "{} of port {port}", place.name);
    }
}

#[test]
fn all_registers_have_their_reset_values() {
    let (mut bench, map) = fresh();
    for port in 0..4 {
        is_as_after_reset(&mut bench, &map, port, None);
    }
}

#[test]
fn reads_and_writes_do_what_the_access_kind_says() {
    let (mut bench, map) = fresh();
    for place in map.places() {
        for data in [u32::MAX, PATTERN, 0] {
            bench.write(Some(1), place.address, data);
            let expected = match place.spec.access {
                Access::ReadWrite => u64::from(data) & place.spec.mask(),
                Access::ReadOnly | Access::WriteOnly | Access::ReadClear | Access::WriteClear => {
                    untouched(&place)
                }
            };
            // The status shows a setting, too: that packets are stored.
            let value = bench.read(1, place.address);
            assert_eq!(value, expected, "{} after {data:#x}", place.name);
        }
        bench.write(
            Some(1),
            place.address,
            place.spec.reset().unwrap_or(0) as u32,
        );
    }
    for port in 0..4 {
        is_as_after_reset(&mut bench, &map, port, None);
    }
}

#[test]
fn a_write_changes_one_register_of_one_port_or_of_all() {
    let (mut bench, map) = fresh();
    bench.write(Some(2), bus::SUPERNODE, 7);
    bench.write_all(bus::RATE_LIMIT, 3);
    for port in 0..4 {
        assert_eq!(
            bench.read(port, bus::SUPERNODE),
            if port == 2 { 7 } else { 0 }
        );
        assert_eq!(bench.read(port, bus::RATE_LIMIT), 3);
    }
    bench.write_all(bus::RATE_LIMIT, 0);
    is_as_after_reset(&mut bench, &map, 2, Some(bus::SUPERNODE));
}

#[test]
fn where_there_is_no_register_reads_are_zero_and_writes_do_nothing() {
    let (mut bench, map) = fresh();
    for address in map.beside() {
        bench.write(Some(3), address, u32::MAX);
        assert_eq!(bench.read(3, address), 0, "{address:#x}");
    }
    is_as_after_reset(&mut bench, &map, 3, None);
}

#[test]
fn counters_and_high_water_marks_stay_when_they_are_read() {
    let (mut bench, map) = fresh();
    bench.route(1, &[1]);
    bench.write_all(bus::SUPERNODE, OWN_SUPERNODE);
    bench.send(0, &header(OWN_SUPERNODE, 1, 0), &[1, 2]);
    bench.run(20);
    let mut moved = 0;
    for place in map.places().filter(|it| it.spec.access == Access::ReadOnly) {
        for port in 0..2 {
            let value = bench.read(port, place.address);
            moved += usize::from(value != untouched(&place));
            assert_eq!(bench.read(port, place.address), value, "{}", place.name);
        }
    }
    // Packets and flits in and out, cycles in the buffer, the blocks that were held.
    assert!(moved >= 5, "{moved} registers show that a packet passed");
}
