//! `AddressDecoder`: what may be done at an address, from the register map.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `address` | in | an address |
//! | `known` | out | there is a register |
//! | `readable`, `writable` | out | it can be read, written |
//!
//! Latency: 0 cycles.

use crate::kernel;
use crate::ports::Ports;
use crate::registers::{Access, RegisterMap, RegisterSpec};
use crate::wire::{any_of, Wire};
use rust_hdl::prelude::*;

/// What may be done at an address; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct AddressDecoder {
    pub address: Wire<In>,
    pub known: Signal<Out, Bit>,
    pub readable: Signal<Out, Bit>,
    pub writable: Signal<Out, Bit>,
    /// The address, counted from the first of each range, and whether it is in it.
    offset: Vec<Wire<Local>>,
    hit: Vec<Signal<Local, Bit>>,
    _ranges: Vec<Range>,
}

/// Registers of one kind at equal distances.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: usize,
    stride: usize,
    count: usize,
    access: Access,
}

impl Range {
    fn of(spec: &RegisterSpec) -> Self {
        Self {
            first: spec.address,
            stride: spec.array.as_ref().map_or(1, |array| array.stride),
            count: spec.count(),
            access: spec.access,
        }
    }

    /// The other one goes on where this one ends.
    fn is_followed_by(&self, next: &Self) -> bool {
        let alike = (self.stride, self.access) == (next.stride, next.access);
        alike && self.first + self.stride * self.count == next.first
    }
}

impl AddressDecoder {
    pub fn new(map: &RegisterMap) -> Self {
        let mut ranges: Vec<Range> = Vec::new();
        for range in map.registers().map(Range::of) {
            match ranges.last_mut() {
                Some(last) if last.is_followed_by(&range) => last.count += range.count,
                _ => ranges.push(range),
            }
        }
        Self {
            address: Wire::new(map.address_bits),
            known: Default::default(),
            readable: Default::default(),
            writable: Default::default(),
            offset: Wire::vec(ranges.len(), map.address_bits),
            hit: ranges.iter().map(|_| Default::default()).collect(),
            _ranges: ranges,
        }
    }
}

impl Logic for AddressDecoder {
    #[kernel]
    fn update(&mut self) {
        comment!("module: address_decoder");
        let ranges = self._ranges.len();
        for i in 0..ranges {
            let range = self._ranges[i];
            self.offset[i].next = self.address.val() - range.first as u64;
            // Distances are powers of two.
            if range.stride == 1 {
                self.hit[i].next = self.offset[i].val() < range.count as u64;
            } else {
                self.hit[i].next = (self.offset[i].val() < (range.count * range.stride) as u64)
                    & ((self.offset[i].val() & (range.stride - 1) as u64) == 0);
            }
        }
        self.known.next = any_of(0..ranges, |i| self.hit[i].val());
        self.readable.next = any_of(0..ranges, |i| {
            self._ranges[i].access.is_readable() & self.hit[i].val()
        });
        self.writable.next = any_of(0..ranges, |i| {
            self._ranges[i].access.is_writable() & self.hit[i].val()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::PARAMS;
    use super::*;
    use crate::manage::chip_register_map;

    #[test]
    fn every_address_is_what_the_map_says() {
        let map = chip_register_map(&PARAMS);
        let mut decoder = AddressDecoder::new(&map);
        decoder.connect_all();
        for address in 0..1 << map.address_bits {
            decoder.address.next = (address as u64).into();
            assert!(simulate(&mut decoder, 10));
            let access = map.at(address).map(|spec| spec.access);
            assert_eq!(decoder.known.val(), access.is_some(), "{address:#x}");
            let readable = access.is_some_and(Access::is_readable);
            assert_eq!(decoder.readable.val(), readable, "{address:#x}");
            let writable = access.is_some_and(Access::is_writable);
            assert_eq!(decoder.writable.val(), writable, "{address:#x}");
        }
    }
}
