//! `LutRam`: a small memory with one write port and one asynchronous read port.
//!
//! What FPGAs call distributed RAM and ASIC designers a register file: the word is there in the cycle of its address.
//! The storage of [`Fifo`](super::Fifo). For anything deep use [`Ram`](super::Ram), which becomes block RAM.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock` | in | rising edge |
//! | `write_enable` | in | stores `write_data` at this edge |
//! | `write_address`, `write_data` | in | where and what |
//! | `read_address` | in | word to show |
//! | `read_data` | out | that word; the old one while it is being written |
//!
//! Latency: read 0 cycles, write 1 cycle. Contents have no reset.
//!
//! Invariant (the user's): addresses are below the depth. A write past the end is ignored in simulation, a read there
//! is not defined.

use super::bits_to_hold;
use crate::ports::Ports;
use crate::wire::{Value, Wire};
use rust_hdl::prelude::*;

/// A small memory, read asynchronously; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct LutRam {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_address: Wire<In>,
    pub write_data: Wire<In>,
    pub read_address: Wire<In>,
    pub read_data: Wire<Out>,
    _words: Vec<Value>,
}

impl LutRam {
    /// A memory of `depth` words of `width` bits.
    ///
    /// # Panics
    /// If `depth` is 0.
    pub fn new(width: usize, depth: usize) -> Self {
        assert!(depth > 0, "a memory has at least one word");
        let address_width = bits_to_hold(depth - 1);
        Self {
            clock: Default::default(),
            write_enable: Default::default(),
            write_address: Wire::new(address_width),
            write_data: Wire::new(width),
            read_address: Wire::new(address_width),
            read_data: Wire::new(width),
            _words: vec![Value::zero(width); depth],
        }
    }
}

impl Logic for LutRam {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write_enable.val() {
            let address = self.write_address.val().to_u64() as usize;
            if let Some(word) = self._words.get_mut(address) {
                *word = self.write_data.val();
            }
        }
        let address = self.read_address.val().to_u64() as usize;
        self.read_data.next = match self._words.get(address) {
            Some(&word) => word,
            None => Value::zero(self.read_data.bits()),
        };
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (depth, width) = (self._words.len(), self.read_data.bits());
        let (last_word, last_bit) = (depth - 1, width - 1);
        Verilog::Custom(format!(
            "// module: lut_ram_{depth}x{width}
reg [{last_bit}:0] words [0:{last_word}];
always @(posedge clock) begin
  if (write_enable) words[write_address] <= write_data;
end
assign read_data = words[read_address];"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::cycle;

    #[test]
    fn shows_a_word_in_the_cycle_of_its_address() {
        let mut ram = LutRam::new(70, 5);
        ram.connect_all();
        ram.write_enable.next = true;
        for address in 0..5u64 {
            ram.write_address.next = address.into();
            ram.write_data.next = (100 + address).into();
            cycle!(ram);
        }
        ram.write_enable.next = false;
        ram.write_data.next = 7.into();
        cycle!(ram);
        for address in 0..5u64 {
            ram.read_address.next = address.into();
            assert!(simulate(&mut ram, 10));
            assert_eq!(ram.read_data.val(), 100 + address);
        }
    }
}
