//! What the unit tests of management share.

use crate::router::RouterParams;

/// A small chip.
pub const PARAMS: RouterParams = RouterParams {
    rows: 2,
    columns: 3,
    virtual_channels: 2,
    phases: 1,
    max_packet_flits: 8,
    block_flits: 2,
    input_buffer_blocks: 12,
    private_blocks: 4,
    row_buffer_flits: 5,
    column_buffer_flits: 4,
    in_supernode_entries: 4,
    out_supernode_entries: 5,
    candidates: 5,
    managed: true,
};
