//! Lockstep: rust-hdl's own simulation of a block and its Verilated output, driven by the same random input and compared
//! at every output in every cycle.
//!
//! ```no_run
//! use fantree_hdl::ports::Ports;
//! use fantree_tb::lockstep::Lockstep;
//! use rust_hdl::prelude::*;
//!
//! #[derive(LogicBlock, Default, Ports)]
//! struct Adder {
//!     pub a: Signal<In, Bits<8>>,
//!     pub b: Signal<In, Bits<8>>,
//!     pub sum: Signal<Out, Bits<8>>,
//! }
//!
//! impl Logic for Adder {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         self.sum.next = self.a.val() + self.b.val();
//!     }
//! }
//!
//! Lockstep::new("adder", Adder::default).cycles(1000).seed(7).run().unwrap();
//! ```
//!
//! # A cycle
//!
//! 1. Clocks fall and inputs change; both sides settle and every output is compared. This shows combinational paths.
//! 2. Clocks rise; both sides settle and every output is compared again.
//!
//! A block with several clocks sees a random set of them rise together in each cycle, at rates that change
//! ([`Lockstep::period`] fixes a clock's rate). Registers and memories start at zero on both sides. Inputs called
//! `reset` or `…_reset` are held for some cycles first, without comparison, and each is asserted again now and then.
//!
//! # Input
//!
//! Each input goes through random phases: uniform, sparse, constant, sticky, counting, one bit walking, nearly equal to
//! another input; single bits have a random rate. [`Lockstep::constrain`] corrects what a protocol forbids.
//!
//! # Failure
//!
//! A [`Mismatch`] names block, port, cycle, seed, both values, the last inputs, the command that repeats it, and a wave
//! (FST) of the Verilated side up to that cycle. `FANTREE_LOCKSTEP_SEED` and `FANTREE_LOCKSTEP_CYCLES` override every
//! bench's own.

mod alone;
mod clocks;
mod constrain;
mod driver;
mod error;
mod frame;
mod icarus;
mod pins;
mod recording;
mod run;
mod rust_side;
mod stimulus;
mod twin;
mod verilated;

#[cfg(test)]
mod tests;

pub use alone::Alone;
pub use constrain::Cycle;
pub use error::{Error, Mismatch, Moment, Result};
pub use icarus::{run_icarus, IcarusReport};
pub use recording::Recording;
pub use run::Report;
pub use twin::Twin;

use fantree_hdl::ports::{Name, Ports, Visitor};
use rust_hdl::prelude::Block;
use std::collections::HashMap;

/// Hands the ports of a block to a visitor.
type VisitPorts<B> = Box<dyn Fn(&mut B, &mut dyn Visitor)>;
/// Changes the Verilog before it is built.
type Alter = Box<dyn FnOnce(String) -> String>;
/// Nanoseconds of a cycle in a wave.
pub const CYCLE_TIME: u64 = 2 * recording::HALF_CYCLE;

/// Corrects the random inputs of a cycle.
type Constrain = Box<dyn FnMut(&mut Cycle)>;

/// A lockstep bench for one block; see the [module](self).
pub struct Lockstep<B> {
    name: String,
    // Big blocks overflow a test thread's stack.
    block: Box<B>,
    visit: VisitPorts<B>,
    cycles: usize,
    seed: u64,
    resets: HashMap<String, bool>,
    resets_again: bool,
    periods: HashMap<String, u32>,
    constrain: Option<Constrain>,
    verilog: Option<String>,
    alter: Option<Alter>,
    ignore: Box<dyn Fn(&str) -> bool>,
    wave: bool,
}

impl<B: Block + Ports> Lockstep<B> {
    /// A bench for the block that `make` gives. `name` becomes the Verilog module's.
    pub fn new(name: &str, make: impl FnOnce() -> B) -> Self {
        Self::with_ports(name, make, |block, visitor| {
            block.visit_ports(&Name::root(), visitor)
        })
    }
}

impl<B: Block> Lockstep<B> {
    /// A bench for a block that does not derive [`Ports`]: `visit` hands over each port.
    ///
    /// ```no_run
    /// # use fantree_hdl::ports::{Name, Ports};
    /// # use fantree_tb::lockstep::Lockstep;
    /// # use rust_hdl::prelude::*;
    /// let root = Name::root();
    /// Lockstep::with_ports("dff", DFF::<Bits<4>>::default, move |block, visitor| {
    ///     block.clock.visit_ports(&root.field("clock"), visitor);
    ///     block.d.visit_ports(&root.field("d"), visitor);
    ///     block.q.visit_ports(&root.field("q"), visitor);
    /// });
    /// ```
    pub fn with_ports(
        name: &str,
        make: impl FnOnce() -> B,
        visit: impl Fn(&mut B, &mut dyn Visitor) + 'static,
    ) -> Self {
        Self {
            name: name.to_owned(),
            block: Box::new(make()),
            visit: Box::new(visit),
            cycles: 1000,
            seed: 1,
            resets: HashMap::new(),
            resets_again: true,
            periods: HashMap::new(),
            constrain: None,
            verilog: None,
            alter: None,
            ignore: Box::new(|_| false),
            wave: true,
        }
    }

    /// Cycles after the first reset; 1000 if not said.
    pub fn cycles(mut self, cycles: usize) -> Self {
        self.cycles = cycles;
        self
    }

    /// Seed of all that is random; 1 if not said.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Makes a single-bit input a reset, active at this level.
    pub fn reset(mut self, input: &str, active: bool) -> Self {
        self.resets.insert(input.to_owned(), active);
        self
    }

    /// Asserts resets at the beginning only.
    pub fn reset_once(mut self) -> Self {
        self.resets_again = false;
        self
    }

    /// Lets a clock rise in every `period`-th cycle, with a random phase.
    pub fn period(mut self, clock: &str, period: u32) -> Self {
        assert!(period > 0, "a clock that always rises has period 1");
        self.periods.insert(clock.to_owned(), period);
        self
    }

    /// Calls this in every cycle to correct the random inputs, for blocks that forbid some.
    pub fn constrain(mut self, constrain: impl FnMut(&mut Cycle) + 'static) -> Self {
        self.constrain = Some(Box::new(constrain));
        self
    }

    /// Compares with this Verilog instead of the emitted one. Its ports are named as the block's, with `_` for `$`.
    pub fn verilog(mut self, text: impl Into<String>) -> Self {
        self.verilog = Some(text.into());
        self
    }

    /// Changes the Verilog before it is built, to see that a fault in it is found.
    pub fn alter(mut self, alter: impl FnOnce(String) -> String + 'static) -> Self {
        self.alter = Some(Box::new(alter));
        self
    }

    /// Does not compare the outputs of which this is true.
    pub fn ignore(mut self, ignore: impl Fn(&str) -> bool + 'static) -> Self {
        self.ignore = Box::new(ignore);
        self
    }

    /// Leaves no wave on failure.
    pub fn without_wave(mut self) -> Self {
        self.wave = false;
        self
    }

    /// Runs to the end or to the first difference.
    pub fn run(self) -> Result<Report> {
        run::run(self)
    }
}
