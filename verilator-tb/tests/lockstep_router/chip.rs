//! A tile, and the whole chip, with packets on every link.

use fantree_hdl::router::{Router, RouterParams, Tile};
use fantree_tb::lockstep::{run_icarus, Lockstep};
use fantree_tb::stimuli::legal;

use super::passes;

/// As small as a chip can be with rows, columns and phases.
const CHIP: RouterParams = RouterParams {
    rows: 2,
    columns: 2,
    virtual_channels: 2,
    phases: 2,
    max_packet_flits: 9,
    block_flits: 4,
    input_buffer_blocks: 8,
    private_blocks: 3,
    row_buffer_flits: 5,
    column_buffer_flits: 4,
    in_supernode_entries: 6,
    out_supernode_entries: 5,
    candidates: 3,
    managed: false,
};

#[test]
fn tile() {
    let bench = Lockstep::new("router_tile", || Tile::new(&CHIP)).cycles(1500);
    let legal = legal("router_tile", &CHIP).expect("tiles have legal input");
    passes(bench.constrain(legal));
}

/// Under Icarus as well, to which unknown is what was never written.
#[test]
fn chip() {
    const ICARUS_STEPS: usize = 1000;
    let bench = Lockstep::new("router", || Router::new(&CHIP)).cycles(1000);
    let legal = legal("router", &CHIP).expect("chips have legal input");
    let report = passes(bench.constrain(legal));
    let icarus = run_icarus(&report.recording.first(ICARUS_STEPS));
    icarus.unwrap_or_else(|error| panic!("{error}"));
}
