//! Reports: measured curves as one HTML file that needs nothing else, and pictures.
//!
//! | file | holds |
//! |---|---|
//! | [`figure`](Figure) | curves over one axis: their table and their CSV |
//! | `plot` | a figure as SVG |
//! | [`page`](Report) | the HTML file |
//! | [`shares`](Part) | what a whole is made of, as SVG |
//! | [`load_sweep`] | the report of runs at several loads |

mod figure;
mod load_sweep;
mod page;
mod plot;
mod shares;

pub use figure::{Axis, Curve, Figure};
pub use load_sweep::load_sweep;
pub use page::Report;
pub use shares::Part;
