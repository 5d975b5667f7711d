//! The bench of a router chip.
//!
//! ```text
//!             ┌────────┐ flits  ┌──────┐ flits  ┌──────────┐
//!  traffic ──►│ Source ├───────►│ Chip ├───────►│ Receiver │
//!             └────────┘◄───────┤      │◄───────┴──────────┘
//!                 │      credits └──────┘ credits    │
//!                 │     LinkMonitor   LinkMonitor    │
//!                 └────────► Scoreboard ◄────────────┘
//!                            Statistics
//! ```
//!
//! A [`Bench`] runs any [`Chip`] through reset, tables, zero-load latency, warm-up, measurement and drain, and gives
//! [`Results`]. Every rule is checked in every cycle of every run; a broken one is a [`Violation`] that names cycle,
//! link, virtual channel and packet. [`Verilated`] is the chip under Verilator; the bench's own tests use a model in Rust
//! that breaks one rule at a time.

mod addresses;
mod bench;
mod blocks;
mod coverage;
mod delay_line;
mod fate;
mod flit_pins;
mod harness;
mod histogram;
mod monitor;
mod options;
mod packet;
mod pins;
mod policies;
mod queues;
mod receiver;
mod registers;
mod results;
mod scoreboard;
mod simulation;
mod source;
mod statistics;
mod throttle;
mod verilated;
mod violation;

// What benches of chips beside this one are made of.
pub(crate) use blocks::Credits;
pub(crate) use coverage::{Coverage, Sizes};
pub(crate) use flit_pins::FlitPins;
pub(crate) use monitor::LinkMonitor;
pub(crate) use receiver::Receiver;
pub(crate) use simulation::{shared_tiles, SHARED_CODE};
pub(crate) use violation::Violations;

pub use bench::{Bench, Phase, Progress};
pub use blocks::{Split, SplitPolicy};
pub use fate::Fate;
pub use histogram::LatencyBin;
pub use options::{InvalidOptions, Options};
pub use packet::number as packet_number;
pub use pins::{BusRequest, Chip, Flit, Inputs, Outputs, Report};
pub use policies::{Incident, IncidentKind, Routing, SourceQueues, Stalls, Store, VcPolicy};
pub use results::{
    Delivery, Dropped, Latency, Occupancy, OccupancySample, Packets, PortResults, Results,
};
pub use simulation::{Observe, Run, Simulation, WaveFile};
pub use verilated::{wave_cycle, wave_time, Verilated};
pub use violation::{Fault, Link, Place, Violation};

/// Most virtual channels of a link, by the width of their number.
pub const MAX_VCS: usize = 1 << fantree_hdl::router::VC_BITS;
