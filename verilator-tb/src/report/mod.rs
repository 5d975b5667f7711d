//! Reports: what was measured as one HTML file that needs nothing else, and pictures.
//!
//! | file | holds |
//! |---|---|
//! | [`page`](Report) | the HTML file |
//! | [`table`](Table) | rows and columns, as HTML and as CSV |
//! | [`figure`](Figure), [`bars`](Bars) | curves and bars over one axis, with their tables |
//! | `plot`, `legend` | both as SVG, and where the names of curves stand |
//! | [`heat_map`](HeatMap) | a value for each port of the array, as SVG |
//! | [`shares`](Part) | what a whole is made of, as SVG |
//! | `accessible` | titles and descriptions of pictures |
//! | [`latency_and_throughput`], [`saturation`] | the sections of sweeps |
//! | [`run`](Run) | the section of one run |

mod accessible;
mod bars;
mod curves;
mod figure;
mod heat_map;
mod legend;
mod page;
mod plot;
mod run;
mod shares;
mod table;

pub use bars::{Bar, Bars};
pub use curves::{latency_and_throughput, saturation};
pub use figure::{Axis, Curve, Figure};
pub use heat_map::HeatMap;
pub use page::{Item, Report, Section};
pub use run::Run;
pub use shares::Part;
pub use table::Table;
