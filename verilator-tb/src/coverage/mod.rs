//! Coverage: what runs have tried, and what they never have.
//!
//! ```text
//!  monitors ──► Counter ──► Functional ─┐
//!                                       ├─► write ──► a folder a run ──► merge ──► Report ──► files
//!  Verilator ─────────────► LineData ───┘
//! ```
//!
//! *Functional coverage* counts what a bench sees. A [`Point`] is a question with named bins; the points of a [`Group`] are
//! sampled together, so that any of them can be crossed. One definition, beside the monitor that samples it, gives names,
//! documents, counters and report. *Line coverage* is counted by Verilator in the Verilog itself. Both are merged over
//! any number of runs and configurations.

mod counts;
mod exclusions;
mod export;
mod group;
mod lines;
mod merged;
mod point;
mod report;
mod run;

#[cfg(test)]
mod tests;

pub use counts::{Counter, Counts, Functional, Mismatch};
pub use exclusions::Exclusions;
pub use export::{files, REPORT};
pub use group::{Definition, Group, Ignored};
pub use lines::Lines;
pub use merged::{merge, Error, Merged};
pub use point::{Axis, Point};
pub use report::{Bin, Excluded, Goals, GroupReport, Missed, Question, Report, Tally, Unit};
pub use run::{write, LineData, Run};

pub(crate) use group::group;
pub(crate) use point::point;
