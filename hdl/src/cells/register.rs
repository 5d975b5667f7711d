//! Registers with a synchronous reset.
//!
//! rust-hdl's own `DFF` has no reset and an `initial` value that an ASIC does not have. [`Register`] holds a [`Wire`] of
//! any width, [`StateRegister`] a bit or a state of an enum.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock` | in | rising edge |
//! | `reset` | in | synchronous, active high: `q` becomes the reset value |
//! | `d` | in | next value |
//! | `q` | out | value, one cycle after `d` |
//!
//! Latency: 1 cycle. Area: one flip-flop a bit.

use crate::ports::{to_words, Ports};
use crate::wire::{Value, Wire};
use rust_hdl::prelude::*;

/// A register of a run-time width.
#[derive(LogicBlock, Ports)]
pub struct Register {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub d: Wire<In>,
    pub q: Wire<Out>,
    _reset_value: Value,
}

impl Register {
    /// A register of `width` bits that resets to zero.
    pub fn new(width: usize) -> Self {
        Self::with_reset(width, 0)
    }

    /// A register of `width` bits that resets to `value`.
    pub fn with_reset(width: usize, value: impl Into<Value>) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            d: Wire::new(width),
            q: Wire::new(width),
            _reset_value: Value::new(width, value),
        }
    }

    /// `count` registers of `width` bits that reset to zero.
    pub fn vec(count: usize, width: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new(width)).collect()
    }
}

impl Logic for Register {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() {
                self._reset_value
            } else {
                self.d.val()
            };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        verilog(self._reset_value)
    }
}

/// A register of a bit or a state, which resets to the type's default.
#[derive(LogicBlock, Default, Ports)]
pub struct StateRegister<T: Synth> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub d: Signal<In, T>,
    pub q: Signal<Out, T>,
}

/// A register of one bit.
pub type Flag = StateRegister<Bit>;

impl<T: Synth> StateRegister<T> {
    /// `count` registers.
    pub fn vec(count: usize) -> Vec<Self> {
        (0..count).map(|_| Self::default()).collect()
    }
}

impl<T: Synth> Logic for StateRegister<T> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() {
                T::default()
            } else {
                self.d.val()
            };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }

    fn hdl(&self) -> Verilog {
        verilog(Value::from_words(T::BITS, &to_words(T::default())))
    }
}

fn verilog(reset_value: Value) -> Verilog {
    let mut name = format!("register_{}", reset_value.bits());
    if reset_value.any() {
        name += &format!("_reset_{:x}", reset_value.to_biguint());
    }
    Verilog::Custom(format!(
        "// module: {name}
always @(posedge clock) begin
  if (reset) q <= {reset_value:?};
  else q <= d;
end"
    ))
}
