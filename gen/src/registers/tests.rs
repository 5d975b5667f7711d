//! The documents against the map that they are of.

use std::collections::BTreeSet;
use std::process::Command;

use fantree_hdl::registers::RegisterMap;
use fantree_hdl::router::bus::register_map;

use super::{c_header, markdown, systemrdl};
use crate::config::Router;

/// Two ports: words of multicast groups that hold no port are registers all the same.
fn maps() -> [RegisterMap; 2] {
    let small = Router {
        rows: 1,
        columns: 2,
        ..Router::default()
    };
    [Router::default(), small].map(|router| register_map(&router.params()))
}

#[test]
fn no_two_registers_share_an_address_and_no_two_fields_a_bit() {
    for map in maps() {
        let places: Vec<usize> = map.places().map(|it| it.address).collect();
        let distinct: BTreeSet<_> = places.iter().collect();
        assert_eq!(distinct.len(), places.len());
        assert!(places.iter().all(|&it| it < 1 << map.address_bits));
        for spec in map.registers() {
            let widths: usize = spec.fields.iter().map(|field| field.width).sum();
            assert_eq!(widths, spec.mask().count_ones() as usize, "{}", spec.name);
            assert!(spec.bits() <= map.data_bits, "{}", spec.name);
        }
    }
}

#[test]
fn registers_are_found_by_address_and_named() {
    let [map, _] = maps();
    let name = |address| map.places().find(|it| it.address == address).unwrap().name;
    assert_eq!(name(0x31), "in_supernode_table[3].1");
    assert_eq!(name(0x8005), "multicast_table[2].1");
    assert_eq!(name(0x900a), "private_blocks[2]");
    assert_eq!(name(0xa01b), "offender.3");
    assert_eq!(name(0xb000), "rx_packets[0]");
    assert_eq!(map.at(0x900a).unwrap().reset(), Some(18));
    assert!(map.at(0x9040).is_none());
}

#[test]
fn every_register_is_in_every_document_with_a_meaning() {
    for map in maps() {
        let markdown = markdown(&map, "Registers");
        let header = c_header(&map, "Registers");
        for spec in map.registers() {
            assert!(spec.about.ends_with('.'), "{}: {}", spec.name, spec.about);
            let at = format!("| {:#06x}", spec.address);
            assert!(markdown.contains(&at), "{}", spec.name);
            assert!(
                header.contains(&format!("{:#06x}u", spec.address)),
                "{}",
                spec.name
            );
        }
    }
}

/// A C compiler comes to the same addresses, masks and reset values.
#[test]
fn the_header_says_the_same_to_a_compiler() {
    let [map, _] = maps();
    let dir = tempfile::tempdir().unwrap();
    let mut program = c_header(&map, "Registers");
    for place in map.places().filter(|it| it.spec.array.is_none()) {
        let name = place.name.replace('.', "_").to_uppercase();
        program += &format!(
            "_Static_assert(FANTREE_{name} == {}, \"{name}\");\n",
            place.address
        );
    }
    program += "_Static_assert(FANTREE_PRIVATE_BLOCKS(2) == 0x900a, \"array\");
_Static_assert(FANTREE_PRIVATE_BLOCKS_RESET == 18, \"reset\");
_Static_assert(FANTREE_CONTROL_SIBLING_MASK == 2, \"mask\");
_Static_assert(FANTREE_IN_SUPERNODE_TABLE_1(3) == 0x31, \"word\");
";
    let file = dir.path().join("registers.c");
    std::fs::write(&file, program).unwrap();
    let arguments = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
    let status = Command::new("clang").args(arguments).arg(&file).status();
    assert!(status.expect("clang is there").success());
}

/// Words of table entries lie between each other, so they are a file of registers.
#[test]
fn systemrdl_has_every_address_once() {
    let [map, _] = maps();
    let text = systemrdl(&map, "Registers");
    assert!(text.contains("} in_supernode_table[256] @ 0x0 += 0x40;"));
    assert!(text.contains("} private_blocks[4] @ 0x24020 += 0x4;"));
    for spec in map.registers().filter(|it| it.array.is_none()) {
        assert!(
            text.contains(&format!(" @ {:#x};", 4 * spec.address)),
            "{}",
            spec.name
        );
    }
}
