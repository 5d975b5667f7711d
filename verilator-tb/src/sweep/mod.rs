//! Sweeps: what routers carry, and how fast, over loads, patterns and seeds; and the load at which they saturate.
//!
//! | file | holds |
//! |---|---|
//! | [`loads`](Loads) | the loads of a sweep as text |
//! | [`estimate`](Estimate) | a mean of several seeds, with its confidence |
//! | [`saturation`](Criterion) | when a router is saturated, and the search for that load |
//! | [`measure`] | all runs, on all cores |
//! | [`results`](Sweep) | what was found, as JSON and CSV |
//!
//! Saturation is meant as Dally and Towles define it (*Principles and Practices of Interconnection Networks*, chapter
//! 23): the load from which on the network accepts less than it is offered. Queues of sources then grow for as long as
//! the run lasts, which shows first in the latency. So a load counts as saturating where one of both is seen in the
//! measurement:
//!
//! - accepted falls short of offered by more than a tolerance, 5 % by default;
//! - the mean latency exceeds a multiple, by default 10, of the latency without load T₀ = H + L − 1: H cycles that a head
//!   takes through the idle chip, and the L flits of a mean packet behind one another.
//!
//! The saturation point is the greatest load that is not saturating, found by bisection for each seed anew.

mod estimate;
mod loads;
mod measure;
mod results;
mod saturation;

pub use estimate::Estimate;
pub use loads::{InvalidLoads, Loads};
pub use measure::{measure, runs, Breach, Case, Plan};
pub use results::{points_table, Curve, Detail, Point, Saturation, Sweep, UnknownFormat, FORMAT};
pub use saturation::{Bounds, Criterion, InvalidCriterion, Resolution};
