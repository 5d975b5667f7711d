//! The addresses of the ports, and the routing tables that lead to them.
//!
//! Ports with even numbers are in the chip's own supernode, ports with odd numbers each in a supernode of its own, so
//! that traffic goes through both levels of the tables. Where one level has too few entries, the other takes its ports.

use fantree_hdl::packet::header::{GUID_NUMBER, GUID_SUPERNODE};
use fantree_hdl::router::{bus, RouterParams};

/// The chip's own supernode: the last, which leaves the low ones to the ports outside.
const OWN_SUPERNODE: usize = (1 << GUID_SUPERNODE.width) - 1;

/// The address of every port, and of places that nothing leads to.
#[derive(Debug, Clone)]
pub struct Addresses {
    /// By port.
    guids: Vec<u32>,
    /// Addresses without a route: one in the own supernode, one outside, as far as the tables leave any.
    unrouted: Vec<u32>,
    writes: Vec<(usize, u32)>,
}

/// The tables have fewer entries than the chip has ports.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{ports} ports need {ports} entries in the routing tables, which have {inside} + {outside}"
)]
pub struct TablesTooSmall {
    ports: usize,
    inside: usize,
    outside: usize,
}

impl Addresses {
    /// Gives addresses to the ports of a chip.
    ///
    /// Every entry names the port itself, and behind it the next ports as further candidates, `candidates` in all.
    pub fn new(params: &RouterParams, candidates: usize) -> Result<Self, TablesTooSmall> {
        let ports = params.ports();
        let entry_of = |port| {
            let named: Vec<usize> = (0..candidates).map(|i| (port + i) % ports).collect();
            bus::entry::to_ports(&named, params.candidates)
        };
        let blank = bus::entry::to_ports(&[], params.candidates);
        let inside = params.in_supernode_entries;
        // The own supernode's entry is never looked up.
        let outside = params.out_supernode_entries.min(OWN_SUPERNODE);
        let mut levels = [
            Level::new(inside, bus::IN_SUPERNODE_TABLE),
            Level::new(outside, bus::OUT_SUPERNODE_TABLE),
        ];
        let mut addresses = Self {
            guids: Vec::with_capacity(ports),
            unrouted: Vec::new(),
            writes: vec![(bus::SUPERNODE, OWN_SUPERNODE as u32)],
        };
        for port in 0..ports {
            let preferred = port % 2;
            let level = if levels[preferred].is_full() {
                1 - preferred
            } else {
                preferred
            };
            let (index, register) = levels[level].take().ok_or(TablesTooSmall {
                ports,
                inside,
                outside,
            })?;
            addresses.guids.push(guid(level, index));
            addresses.write(register, &entry_of(port));
        }
        for (level, entries) in levels.iter_mut().enumerate() {
            if let Some((index, register)) = entries.take() {
                addresses.unrouted.push(guid(level, index));
                addresses.write(register, &blank);
            }
        }
        Ok(addresses)
    }

    fn write(&mut self, register: usize, entry: &[u32]) {
        let words = entry.iter().enumerate();
        self.writes
            .extend(words.map(|(i, &word)| (register + i, word)));
    }

    /// The address of a port.
    pub fn guid(&self, port: usize) -> u32 {
        self.guids[port]
    }

    /// Addresses that no table entry leads to.
    pub fn unrouted(&self) -> &[u32] {
        &self.unrouted
    }

    /// Register writes, for all ports alike, that make every address reachable: register address and value.
    pub fn writes(&self) -> &[(usize, u32)] {
        &self.writes
    }
}

/// One level of the tables, filled from its first entry.
struct Level {
    entries: usize,
    used: usize,
    register: usize,
}

impl Level {
    fn new(entries: usize, register: usize) -> Self {
        Self {
            entries,
            used: 0,
            register,
        }
    }

    fn is_full(&self) -> bool {
        self.used == self.entries
    }

    /// The next free entry and the register that holds it.
    fn take(&mut self) -> Option<(usize, usize)> {
        if self.is_full() {
            return None;
        }
        self.used += 1;
        let index = self.used - 1;
        Some((index, self.register + index * bus::ENTRY_WORDS))
    }
}

/// The address that entry `index` of a level is looked up for.
fn guid(level: usize, index: usize) -> u32 {
    // Outside, the number in the supernode plays no part: any must do.
    let (supernode, number) = match level {
        0 => (OWN_SUPERNODE, index),
        _ => (index, !index & ((1 << GUID_NUMBER.width) - 1)),
    };
    (supernode << GUID_SUPERNODE.offset | number << GUID_NUMBER.offset) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(in_supernode_entries: usize, out_supernode_entries: usize) -> RouterParams {
        RouterParams {
            rows: 2,
            columns: 3,
            virtual_channels: 2,
            max_packet_flits: 69,
            phases: 1,
            block_flits: 4,
            input_buffer_blocks: 64,
            private_blocks: 18,
            candidates: 5,
            managed: false,
            row_buffer_flits: 16,
            column_buffer_flits: 16,
            in_supernode_entries,
            out_supernode_entries,
        }
    }

    /// What a router with these tables makes of an address.
    fn look_up(addresses: &Addresses, guid: u32) -> Option<usize> {
        let (supernode, number) = (guid as usize >> 8, guid as usize & 0xff);
        let register = match supernode == OWN_SUPERNODE {
            true => bus::IN_SUPERNODE_TABLE + number * bus::ENTRY_WORDS,
            false => bus::OUT_SUPERNODE_TABLE + supernode * bus::ENTRY_WORDS,
        };
        let entry = addresses
            .writes()
            .iter()
            .find(|(address, _)| *address == register);
        let &(_, entry) = entry.expect("every address in use has an entry");
        (entry >> bus::entry::VALID.offset & 1 == 1).then_some(entry as usize & 0x3f)
    }

    #[test]
    fn every_address_leads_to_its_port() {
        for (inside, outside) in [(256, 1024), (4, 4), (6, 1), (1, 5), (8, 2)] {
            let addresses = Addresses::new(&params(inside, outside), 3).unwrap();
            for port in 0..6 {
                assert_eq!(look_up(&addresses, addresses.guid(port)), Some(port));
            }
            for &guid in addresses.unrouted() {
                assert_eq!(look_up(&addresses, guid), None);
            }
        }
    }

    #[test]
    fn both_levels_are_used() {
        let addresses = Addresses::new(&params(256, 1024), 1).unwrap();
        let own = |port| addresses.guid(port) as usize >> 8 == OWN_SUPERNODE;
        assert_eq!(
            (0..6).map(own).collect::<Vec<_>>(),
            [true, false, true, false, true, false]
        );
        assert_eq!(addresses.unrouted().len(), 2);
    }

    #[test]
    fn tables_that_are_too_small_are_refused() {
        assert_eq!(
            Addresses::new(&params(3, 2), 1).unwrap_err().to_string(),
            "6 ports need 6 entries in the routing tables, which have 3 + 2"
        );
    }
}
