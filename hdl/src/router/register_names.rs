//! Names of the registers on the bus, for waves and documents.

use super::{bus, DropCause, Event, RouterParams, MULTICAST_GROUPS};

/// Every register of a port, by address, with its name: `in_supernode[3].0`, `blocked_limit`, `dropped.no_route`.
pub fn register_names(params: &RouterParams) -> Vec<(usize, String)> {
    let vcs = params.virtual_channels;
    let mut names = Vec::new();
    for (table, first, entries) in [
        (
            "in_supernode",
            bus::IN_SUPERNODE_TABLE,
            params.in_supernode_entries,
        ),
        (
            "out_supernode",
            bus::OUT_SUPERNODE_TABLE,
            params.out_supernode_entries,
        ),
    ] {
        for entry in 0..entries {
            for word in 0..bus::entry::words(params.candidates) {
                let address = first + entry * bus::ENTRY_WORDS + word;
                names.push((address, format!("{table}[{entry}].{word}")));
            }
        }
    }
    for group in 0..MULTICAST_GROUPS {
        for word in 0..2 {
            let address = bus::MULTICAST_TABLE + 2 * group + word;
            names.push((address, format!("multicast[{group}].{word}")));
        }
    }
    for (address, name) in [
        (bus::SUPERNODE, "supernode"),
        (bus::CONTROL, "control"),
        (bus::ERROR_LIMIT, "error_limit"),
        (bus::BLOCKED_LIMIT, "blocked_limit"),
        (bus::BACKLOG_LIMIT, "backlog_limit"),
        (bus::IN_USE_LIMIT, "in_use_limit"),
        (bus::RATE_LIMIT, "rate_limit"),
        (bus::SHARED_BLOCKS, "shared_blocks"),
    ] {
        names.push((address, name.into()));
    }
    for (first, name) in [
        (bus::PRIVATE_BLOCKS, "private_blocks"),
        (bus::OCCUPANCY, "occupancy"),
        (bus::HIGH_WATER, "high_water"),
    ] {
        names.extend((0..vcs).map(|vc| (first + vc, format!("{name}[{vc}]"))));
    }
    for (address, name) in [
        (bus::IN_USE, "in_use"),
        (bus::BACKLOG, "backlog"),
        (bus::STATUS, "status"),
        (bus::LINK_ERRORS, "link_errors"),
        (bus::OFFENDER_CAUSE, "offender_cause"),
    ] {
        names.push((address, name.into()));
    }
    names.extend((0..4).map(|word| (bus::OFFENDER + word, format!("offender.{word}"))));
    for event in Event::ALL {
        let name = |vc| (event.address(vc, params), format!("{}[{vc}]", event.name()));
        names.extend((0..vcs).map(name));
    }
    for cause in DropCause::ALL {
        let address = super::drop_address(cause, params);
        names.push((address, format!("dropped.{}", cause.name())));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn no_two_registers_share_an_address() {
        let params = RouterParams {
            rows: 2,
            columns: 3,
            virtual_channels: 8,
            phases: 1,
            max_packet_flits: 9,
            block_flits: 4,
            input_buffer_blocks: 32,
            private_blocks: 3,
            row_buffer_flits: 5,
            column_buffer_flits: 4,
            in_supernode_entries: 256,
            out_supernode_entries: 1024,
            candidates: 5,
        };
        let names = register_names(&params);
        let by_address: BTreeMap<usize, String> = names.iter().cloned().collect();
        assert_eq!(by_address.len(), names.len());
        assert!(by_address.keys().all(|&it| it < 1 << bus::ADDRESS_BITS));
        for (address, name) in [
            (0x0031, "in_supernode[3].1"),
            (0x8005, "multicast[2].1"),
            (0x900a, "private_blocks[2]"),
            (0xb000, "rx_packets[0]"),
        ] {
            assert_eq!(by_address[&address], name);
        }
    }
}
