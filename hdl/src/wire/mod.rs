//! Signals whose width is a run-time value.
//!
//! rust-hdl fixes the width of `Signal<_, Bits<N>>` when Rust compiles, but a configuration is read when the program
//! runs. [`Wire`] is the project's signal for everything wider than a bit: it is an ordinary rust-hdl atom, so probes,
//! checks and back ends see it as `Bits` of its width, and it stays fast above 32 bits, where `Bits<N>` becomes an
//! array of `bool`. Single bits stay `Signal<_, Bit>` and clocks `Signal<_, Clock>`.
//!
//! Widths are checked while the circuit runs: operands that do not match, and a value that does not fit its wire, panic
//! with both widths. The back end makes the same check on the Verilog, before anything runs.

mod gather;

mod ops;
pub mod tree;
mod value;

pub use gather::{any_of, bits_of, cat, or_of, replicate};

pub use value::{Field, Value, MAX_WIDTH};

use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::constraint::PinConstraint;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;
use std::marker::PhantomData;

/// A signal of a run-time width; see the [module](self).
#[derive(Clone, Debug)]
pub struct Wire<D: Direction> {
    /// What the wire carries from the next update on.
    pub next: Value,
    val: Value,
    changed: bool,
    claimed: bool,
    id: usize,
    direction: PhantomData<D>,
}

impl<D: Direction> Wire<D> {
    /// A wire of `width` bits, zero at first.
    ///
    /// # Panics
    /// If `width` is 0 or above [`MAX_WIDTH`].
    pub fn new(width: usize) -> Self {
        Self {
            next: Value::zero(width),
            val: Value::zero(width),
            changed: false,
            claimed: false,
            id: get_signal_id(),
            direction: PhantomData,
        }
    }

    /// `count` wires of `width` bits.
    pub fn vec(count: usize, width: usize) -> Vec<Self> {
        (0..count).map(|_| Self::new(width)).collect()
    }

    /// Width in bits.
    pub fn bits(&self) -> usize {
        self.val.bits()
    }

    /// `next` at the wire's width: a literal adapts, anything else must fit.
    fn sized_next(&self) -> Value {
        assert!(
            self.next.bits() == 0 || self.next.bits() == self.bits(),
            "a wire of {} bits was given {} bits",
            self.bits(),
            self.next.bits()
        );
        self.next.check_fits(self.bits() as u16);
        self.next.resize(self.bits())
    }
}

impl Wire<In> {
    /// The settled value.
    pub fn val(&self) -> Value {
        self.val
    }
}

// As in rust-hdl, what a block itself drives reads back at once.

impl Wire<Out> {
    /// The value driven.
    pub fn val(&self) -> Value {
        self.sized_next()
    }
}

impl Wire<Local> {
    /// The value driven.
    pub fn val(&self) -> Value {
        self.sized_next()
    }
}

impl<D: Direction> Atom for Wire<D> {
    fn bits(&self) -> usize {
        self.val.bits()
    }

    fn connected(&self) -> bool {
        self.claimed
    }

    fn changed(&self) -> bool {
        self.changed
    }

    fn kind(&self) -> AtomKind {
        D::KIND
    }

    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor {
            name: format!("Bits::<{}>", self.bits()),
            kind: TypeKind::Bits(self.bits()),
        }
    }

    fn vcd(&self) -> VCDValue {
        let bit = |i| match self.val.get_bit(i as u64) {
            true => vcd::Value::V1,
            false => vcd::Value::V0,
        };
        VCDValue::Vector((0..self.bits()).rev().map(bit).collect())
    }

    fn id(&self) -> usize {
        self.id
    }

    fn verilog(&self) -> VerilogLiteral {
        self.val.into()
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}

impl<D: Direction> Logic for Wire<D> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        self.claimed = true;
    }
}

impl<D: Direction> Block for Wire<D> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        let next = self.sized_next();
        self.changed = self.val != next;
        self.val = next;
    }

    fn has_changed(&self) -> bool {
        self.changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}
