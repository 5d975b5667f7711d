//! Reports: measured curves as one HTML file that needs nothing else.
//!
//! | file | holds |
//! |---|---|
//! | [`figure`](Figure) | curves over one axis: their table and their CSV |
//! | `plot` | a figure as SVG |
//! | [`page`](Report) | the HTML file |
//! | [`load_sweep`] | the report of runs at several loads |

mod figure;
mod load_sweep;
mod page;
mod plot;

pub use figure::{Axis, Curve, Figure};
pub use load_sweep::load_sweep;
pub use page::Report;
