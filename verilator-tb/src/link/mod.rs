//! The bench of a link: two ends joined by a channel that may do anything to what it carries.
//!
//! ```text
//!  Sender ─► LinkPort ─► Channel ─► LinkPort ─► Sink
//!    Sink ◄─ (Verilated) ◄─ Channel ◄─ (Verilated) ◄─ Sender
//! ```
//!
//! | file | holds |
//! |---|---|
//! | [`options`](Options) | what is sent, and what the channel does to it |
//! | [`channel`](Channel) | delay, bit errors, lost and doubled frames, outages |
//! | `port` | a Verilated [`LinkPort`](fantree_hdl::link::LinkPort) |
//! | `sender`, `sink` | what stands at an end: packets and their credits, a buffer that frees its blocks |
//! | `flow` | one direction: nothing lost, doubled, reordered or changed |
//! | `bench` | runs it |
//! | [`linked_chip`](LinkedChip) | a router with a link at each port, for the router's bench |
//! | [`goodput`](expected_goodput) | what go-back-N can do |
//!
//! Every rule is checked in every cycle of every run; a broken one is a [`Violation`].

mod bench;
mod channel;
mod flow;
mod goodput;
mod linked_chip;
mod options;
mod port;
mod sender;
mod sink;
mod violation;

pub use bench::{run, Direction, Results};
pub use channel::{Channel, Word};
pub use goodput::{expected_goodput, TURNAROUND};
pub use linked_chip::LinkedChip;
pub use options::{Faults, Options, Outage};
pub use violation::{Fault, Violation};
