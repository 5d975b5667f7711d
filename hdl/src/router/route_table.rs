//! `RouteTable`: two-level table look-up of the output ports that lead to a destination.
//!
//! A destination in this router's own supernode is looked up by its number in the first level, any other by its
//! supernode in the second; both levels stand in one memory (`spec/sunway.md` section 2.3), as wide as an entry.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `lookup`, `guid` | in | a header is here; its destination |
//! | `found` | out | next cycle: the tables have an entry for it |
//! | `word[w]` | out | next cycle: that entry's candidates, four a word, as in [`entry`] |
//! | `supernode` | in | this router's own supernode |
//! | `write`, `write_address`, `write_data` | in | writes a word of an entry; addresses as on the register bus |
//!
//! Latency: 1 cycle, one look-up a cycle; a write and a look-up of the same entry in one cycle give the old entry.
//!
//! Invariant: an address past the end of its level is not found, whatever the memory holds.

use super::bus::{self, entry};
use super::RouterParams;
use crate::cells::{bits_to_hold, Flag, Ram};
use crate::kernel;
use crate::packet::header;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// Two-level routing table; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct RouteTable {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub lookup: Signal<In, Bit>,
    pub guid: Wire<In>,
    pub found: Signal<Out, Bit>,
    pub word: Vec<Wire<Out>>,
    pub supernode: Wire<In>,
    pub write: Signal<In, Bit>,
    pub write_address: Wire<In>,
    pub write_data: Wire<In>,
    /// Where the looked-up and the written entry stand, and whether the written one exists.
    read_index: Wire<Local>,
    write_index: Wire<Local>,
    writable: Signal<Local, Bit>,
    entries: Vec<Ram>,
    in_range: Flag,
    _in_entries: usize,
    _out_entries: usize,
}

impl RouteTable {
    pub fn new(params: &RouterParams) -> Self {
        let (inside, outside) = (params.in_supernode_entries, params.out_supernode_entries);
        let index_bits = bits_to_hold(inside + outside - 1);
        let widths: Vec<usize> = (0..entry::words(params.candidates))
            .map(|word| {
                let left = params.candidates - word * entry::CANDIDATES_A_WORD;
                left.min(entry::CANDIDATES_A_WORD) * entry::CANDIDATE_BITS
            })
            .collect();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            lookup: Default::default(),
            guid: Wire::new(header::DST_GUID.width),
            found: Default::default(),
            word: widths.iter().map(|&width| Wire::new(width)).collect(),
            supernode: Wire::new(header::GUID_SUPERNODE.width),
            write: Default::default(),
            write_address: Wire::new(bus::ADDRESS_BITS),
            write_data: Wire::new(bus::DATA_BITS),
            read_index: Wire::new(index_bits),
            write_index: Wire::new(index_bits),
            writable: Default::default(),
            entries: widths
                .iter()
                .map(|&width| Ram::new(width, inside + outside))
                .collect(),
            in_range: Default::default(),
            _in_entries: inside,
            _out_entries: outside,
        }
    }
}

impl Logic for RouteTable {
    #[kernel]
    fn update(&mut self) {
        comment!("module: route_table");
        clocked!(self.in_range);
        let width = self.read_index.bits();
        let word_bits = bus::ENTRY_WORDS.trailing_zeros() as usize;
        // Wide enough for an index of either level and for the number of entries itself.
        let wide = bus::ADDRESS_BITS;
        let inside_entries = self._in_entries as u64;
        let outside_entries = self._out_entries as u64;

        let number = self.guid.val().field(header::GUID_NUMBER).resize(wide);
        let supernode = self.guid.val().field(header::GUID_SUPERNODE);
        if supernode == self.supernode.val() {
            self.read_index.next = number.resize(width);
            self.in_range.d.next = number < inside_entries;
        } else {
            let index = supernode.resize(wide);
            self.read_index.next = (index + inside_entries).resize(width);
            self.in_range.d.next = index < outside_entries;
        }
        self.found.next = self.in_range.q.val();

        // The level is a bit of the address, the entry what is below it, its word the lowest bits.
        let second = self
            .write_address
            .val()
            .get_bit(bus::OUT_SUPERNODE_TABLE.trailing_zeros() as u64);
        let index =
            (self.write_address.val() & (bus::OUT_SUPERNODE_TABLE as u64 - 1)) >> word_bits as u64;
        if second {
            self.write_index.next = (index + inside_entries).resize(width);
            self.writable.next = self.write.val() & (index < outside_entries);
        } else {
            self.write_index.next = index.resize(width);
            self.writable.next = self.write.val() & (index < inside_entries);
        }
        for word in 0..self.entries.len() {
            let bits = self.word[word].bits();
            self.entries[word].clock.next = self.clock.val();
            self.entries[word].read_enable.next = self.lookup.val();
            self.entries[word].read_address.next = self.read_index.val();
            self.entries[word].write_enable.next =
                self.writable.val() & (self.write_address.val().resize(word_bits) == word as u64);
            self.entries[word].write_address.next = self.write_index.val();
            self.entries[word].write_data.next = self.write_data.val().resize(bits);
            self.word[word].next = self.entries[word].read_data.val();
        }
    }
}
