//! Synthesis of a block: its area by unit, its longest path in levels of logic, its speed after place and route.
//!
//! Yosys maps the block to the cells of a [`Technology`] with the hierarchy of its units kept, so that each cell belongs
//! to a unit; everything else is read from that netlist. For place and route the block is mapped again as a whole.
//!
//! | file | holds |
//! |---|---|
//! | [`job`](Job) | the runs of Yosys: which block, which of its modules are units |
//! | [`netlist`](Netlist) | what Yosys writes |
//! | [`technology`](Technology), `ecp5`, [`library`](Library) | what a cell takes, and which paths go through it |
//! | [`area`](Unit) | area by unit |
//! | [`change`](Change) | what became of units between two runs |
//! | `flat`, [`longest_path`](LongestPath) | levels of logic |
//! | `harness`, [`place`](Placement) | place and route |

mod area;
mod change;
mod ecp5;
mod flat;
mod harness;
mod job;
mod library;
mod longest_path;
mod netlist;
mod place;
mod technology;

pub use area::{Area, Resource, Unit};
pub use change::{Change, Figure};
pub use job::Job;
pub use library::Library;
pub use longest_path::{LongestPath, Stretch};
pub use netlist::Netlist;
pub use place::{place, CriticalPath, Placement};
pub use technology::Technology;
