//! Reports: measured curves as one HTML file that needs nothing else.
//!
//! | file | holds |
//! |---|---|
//! | [`figure`](Figure) | curves over one axis: their table and their CSV |
//! | [`plot`] | a figure as SVG |
//! | [`page`](Report) | the HTML file |

mod figure;
mod page;
mod plot;

pub use figure::{Axis, Curve, Figure};
pub use page::Report;
