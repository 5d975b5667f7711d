//! What the unit tests of management share.

use crate::router::RouterParams;

/// A small chip.
pub const PARAMS: RouterParams = RouterParams {
    columns: 3,
    managed: true,
    ..RouterParams::SMALL
};
