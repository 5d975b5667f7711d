//! `Ram` and `Ram2`: memories with one write port and one or two synchronous read ports.
//!
//! Written so that synthesis uses block RAM. Ports of [`Ram`]:
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock` | in | rising edge |
//! | `write_enable` | in | stores `write_data` at this edge |
//! | `write_address`, `write_data` | in | where and what |
//! | `read_enable` | in | reads at this edge; otherwise `read_data` keeps its word |
//! | `read_address` | in | word to read |
//! | `read_data` | out | that word |
//!
//! [`Ram2`] has two of each read port, `read_enable[i]`, `read_address[i]`, `read_data[i]`; it is two `Ram`s with their
//! writes joined, as synthesis would build it from block RAMs that have two ports.
//!
//! Latency: `read_data` one cycle after `read_address`. Contents and `read_data` have no reset; the Rust simulation
//! starts them at zero.
//!
//! Reading a word in the cycle that writes it gives the **old** word. Not every block RAM promises that; where it does
//! not, synthesis adds a bypass of about two flip-flops and a multiplexer a bit. A user that never reads the word being
//! written, or does not care what is read, avoids it with [`Ram::without_collisions`].
//!
//! | `36 x 512`, Yosys 0.23 | `synth_ecp5` | `synth_ice40` |
//! |---|---|---|
//! | `Ram::new` | 1 DP16KD, 83 flip-flops, 55 LUT4 | 5 SB_RAM40_4K, 83 flip-flops, 42 LUT4 |
//! | `Ram::without_collisions` | 1 DP16KD, nothing else | 5 SB_RAM40_4K, nothing else |
//!
//! Invariant (the user's): addresses are below the depth. A write past the end is ignored in simulation, a read there
//! is not defined.

use super::bits_to_hold;
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{Value, Wire};
use rust_hdl::prelude::*;

/// A memory with one write and one read port; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Ram {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_address: Wire<In>,
    pub write_data: Wire<In>,
    pub read_enable: Signal<In, Bit>,
    pub read_address: Wire<In>,
    pub read_data: Wire<Out>,
    _words: Vec<Value>,
    _may_collide: bool,
}

impl Ram {
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
            read_enable: Default::default(),
            read_address: Wire::new(address_width),
            read_data: Wire::new(width),
            _words: vec![Value::zero(width); depth],
            _may_collide: true,
        }
    }

    /// The same, for a user who promises not to use a word that was read in the cycle that wrote it.
    pub fn without_collisions(width: usize, depth: usize) -> Self {
        Self {
            _may_collide: false,
            ..Self::new(width, depth)
        }
    }
}

impl Logic for Ram {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self.read_enable.val() {
                let address = self.read_address.val().to_u64() as usize;
                self.read_data.next = match self._words.get(address) {
                    Some(&word) => word,
                    None => Value::zero(self.read_data.bits()),
                };
            }
            if self.write_enable.val() {
                let address = self.write_address.val().to_u64() as usize;
                if let Some(word) = self._words.get_mut(address) {
                    *word = self.write_data.val();
                }
            }
        }
    }

    fn connect(&mut self) {
        self.read_data.connect();
    }

    fn hdl(&self) -> Verilog {
        let (depth, width) = (self._words.len(), self.read_data.bits());
        let (last_word, last_bit) = (depth - 1, width - 1);
        let (suffix, attribute) = match self._may_collide {
            true => ("", ""),
            false => ("_without_collisions", "(* no_rw_check *) "),
        };
        Verilog::Custom(format!(
            "// module: ram_{depth}x{width}{suffix}
{attribute}reg [{last_bit}:0] words [0:{last_word}];
always @(posedge clock) begin
  if (write_enable) words[write_address] <= write_data;
  if (read_enable) read_data <= words[read_address];
end"
        ))
    }
}

/// A memory with one write and two read ports; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Ram2 {
    pub clock: Signal<In, Clock>,
    pub write_enable: Signal<In, Bit>,
    pub write_address: Wire<In>,
    pub write_data: Wire<In>,
    pub read_enable: [Signal<In, Bit>; 2],
    pub read_address: Vec<Wire<In>>,
    pub read_data: Vec<Wire<Out>>,
    copy: Vec<Ram>,
}

impl Ram2 {
    /// A memory of `depth` words of `width` bits.
    ///
    /// # Panics
    /// If `depth` is 0.
    pub fn new(width: usize, depth: usize) -> Self {
        Self::of_copies(|| Ram::new(width, depth))
    }

    /// The same, for a user who promises not to use a word that was read in the cycle that wrote it.
    pub fn without_collisions(width: usize, depth: usize) -> Self {
        Self::of_copies(|| Ram::without_collisions(width, depth))
    }

    fn of_copies(ram: impl Fn() -> Ram) -> Self {
        let copy = vec![ram(), ram()];
        let (address_width, width) = (copy[0].write_address.bits(), copy[0].write_data.bits());
        Self {
            clock: Default::default(),
            write_enable: Default::default(),
            write_address: Wire::new(address_width),
            write_data: Wire::new(width),
            read_enable: Default::default(),
            read_address: Wire::vec(2, address_width),
            read_data: Wire::vec(2, width),
            copy,
        }
    }
}

impl Logic for Ram2 {
    #[kernel]
    fn update(&mut self) {
        comment!("module: ram2");
        for i in 0..2 {
            self.copy[i].clock.next = self.clock.val();
            self.copy[i].write_enable.next = self.write_enable.val();
            self.copy[i].write_address.next = self.write_address.val();
            self.copy[i].write_data.next = self.write_data.val();
            self.copy[i].read_enable.next = self.read_enable[i].val();
            self.copy[i].read_address.next = self.read_address[i].val();
            self.read_data[i].next = self.copy[i].read_data.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{cycle, Random};

    #[test]
    fn follows_an_array() {
        let (width, depth) = (40, 5);
        let mut random = Random(1);
        let mut ram = Ram2::new(width, depth);
        let mut model = vec![Value::zero(width); depth];
        let mut shown = [Value::zero(width); 2];
        ram.connect_all();
        for step in 0..500 {
            let write = random.below(2) == 1;
            let address = random.below(depth as u64);
            let data = random.value(width);
            ram.write_enable.next = write;
            ram.write_address.next = address.into();
            ram.write_data.next = data;
            for (i, shown) in shown.iter_mut().enumerate() {
                let (read, address) = (random.below(4) > 0, random.below(depth as u64));
                ram.read_enable[i].next = read;
                ram.read_address[i].next = address.into();
                if read {
                    *shown = model[address as usize];
                }
            }
            if write {
                model[address as usize] = data;
            }
            cycle!(ram);
            for (i, shown) in shown.iter().enumerate() {
                assert_eq!(ram.read_data[i].val(), *shown, "step {step}, port {i}");
            }
        }
    }

    #[test]
    fn reads_the_old_word_while_it_is_written() {
        let mut ram = Ram::new(8, 3);
        ram.connect_all();
        ram.write_enable.next = true;
        ram.read_enable.next = true;
        ram.write_address.next = 2.into();
        ram.read_address.next = 2.into();
        for (data, old) in [(5u64, 0u64), (6, 5), (7, 6)] {
            ram.write_data.next = data.into();
            cycle!(ram);
            assert_eq!(ram.read_data.val(), old);
        }
        ram.read_enable.next = false;
        cycle!(ram);
        assert_eq!(ram.read_data.val(), 6, "kept");
    }
}
