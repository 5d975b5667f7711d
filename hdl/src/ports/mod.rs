//! Reaching a block's ports from outside, to drive and to read them without naming each.
//!
//! rust-hdl's `Probe` can look at signals but not set them. A block that derives [`Ports`] hands each of its ports to a
//! [`Visitor`], so a bench can drive any block:
//!
//! ```
//! use fantree_hdl::ports::{Input, Name, Output, Ports, Visitor};
//! use rust_hdl::prelude::*;
//!
//! #[derive(LogicBlock, Default, Ports)]
//! struct Inverter {
//!     pub a: Signal<In, Bits<4>>,
//!     pub b: Signal<Out, Bits<4>>,
//! }
//!
//! impl Logic for Inverter {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         self.b.next = !self.a.val();
//!     }
//! }
//!
//! /// Drives 3 everywhere and notes the outputs.
//! struct Three(Vec<String>);
//!
//! impl Visitor for Three {
//!     fn input(&mut self, _name: &Name, port: &mut dyn Input) {
//!         port.drive(&[3]);
//!     }
//!     fn output(&mut self, name: &Name, port: &dyn Output) {
//!         self.0.push(format!("{name} = {:?}", port.words()));
//!     }
//! }
//!
//! let mut block = Inverter::default();
//! block.connect_all();
//! let mut visitor = Three(vec![]);
//! block.visit_ports(&Name::root(), &mut visitor);
//! simulate(&mut block, 10);
//! block.visit_ports(&Name::root(), &mut visitor);
//! assert_eq!(visitor.0, ["b = [0]", "b = [12]"]);
//! ```
//!
//! The derive visits every field that is a `Signal` or `Wire` towards `In` or `Out`, also in `Vec`s and arrays; fields
//! of another type, such as an interface of several signals, are visited if marked `#[ports]` and must implement
//! [`Ports`] themselves. Values travel as 32-bit words, the lowest first. An input can carry any type with
//! [`FromWords`]: derive it for a project's own structs and enums.

mod name;
mod signals;
mod value;

pub use fantree_hdl_macros::{FromWords, Ports};
pub use name::Name;
pub use signals::Converted;
pub use value::{to_words, FromWords, Slices};

/// What has ports.
pub trait Ports {
    /// Hands each port to the visitor, always in the same order. `name` is the name of `self`.
    fn visit_ports(&mut self, name: &Name, visitor: &mut dyn Visitor);
}

/// Receives the ports of a block.
pub trait Visitor {
    /// An input, which can be driven.
    fn input(&mut self, name: &Name, port: &mut dyn Input);
    /// An output.
    fn output(&mut self, name: &Name, port: &dyn Output);
}

/// An input of a block, whatever its type.
pub trait Input {
    /// Width in bits.
    fn width(&self) -> usize;
    /// It is a clock.
    fn is_clock(&self) -> bool;
    /// Drives the value that `words` stand for; bits above the width are ignored. A type that does not use all
    /// combinations of its bits takes a legal value instead; the words of what is driven are returned.
    fn drive(&mut self, words: &[u32]) -> Vec<u32>;
}

/// An output of a block, whatever its type.
pub trait Output {
    /// Width in bits.
    fn width(&self) -> usize;
    /// Words of the present value.
    fn words(&self) -> Vec<u32>;
}

#[cfg(test)]
mod tests;
