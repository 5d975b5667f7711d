//! The router's units in lockstep: Rust simulation and Verilated Verilog agree at every output in every cycle.
//!
//! Units get noise where any input has a meaning, legal or not, which must be the same on both sides. Those that packets
//! pass get packets as well, since noise alone soon fills their buffers with heads that lead nowhere. Where nothing is
//! promised outside the rules, the bench keeps to them.

mod chip;
mod registers;
mod routing;
mod units;

use fantree_hdl::ports::Ports;
use fantree_hdl::router::RouterParams;
use fantree_tb::lockstep::{Lockstep, Report};
use fantree_tb::stimuli::legal;
use rust_hdl::prelude::Block;

/// Sizes that differ in everything that changes a unit's text: rows and columns, phases, blocks of one flit and more,
/// entries of one word and more, depths that are powers of two and are not.
const SIZES: [RouterParams; 2] = [
    RouterParams {
        rows: 2,
        columns: 3,
        virtual_channels: 4,
        phases: 2,
        max_packet_flits: 9,
        block_flits: 4,
        input_buffer_blocks: 14,
        private_blocks: 3,
        row_buffer_flits: 5,
        column_buffer_flits: 4,
        in_supernode_entries: 6,
        out_supernode_entries: 5,
        candidates: 5,
        managed: false,
    },
    RouterParams {
        rows: 3,
        columns: 1,
        virtual_channels: 3,
        phases: 3,
        max_packet_flits: 5,
        block_flits: 1,
        input_buffer_blocks: 16,
        private_blocks: 5,
        row_buffer_flits: 4,
        column_buffer_flits: 7,
        in_supernode_entries: 3,
        out_supernode_entries: 1,
        candidates: 2,
        managed: false,
    },
];

/// Runs a unit of both sizes under noise.
fn noise<B: Block + Ports>(name: &str, make: impl Fn(&RouterParams) -> B) {
    for params in &SIZES {
        agree(Lockstep::new(name, || make(params)).cycles(2000));
    }
}

/// Runs a unit of both sizes under noise that is made legal for it.
fn legal_input<B: Block + Ports>(name: &str, make: impl Fn(&RouterParams) -> B) {
    for params in &SIZES {
        let bench = Lockstep::new(name, || make(params)).cycles(3000);
        let legal = legal(name, params).expect("the unit forbids some input");
        passes(bench.constrain(legal));
    }
}

/// The two sides agree.
fn agree<B: Block>(bench: Lockstep<B>) -> Report {
    bench.run().unwrap_or_else(|error| panic!("{error}"))
}

/// Outputs that may stay as they are: that of a broken rule, and those of rare events in short runs.
const QUIET: [&str; 3] = ["error", "named", "tx_bad"];

/// The two sides agree, and what they were given was enough to move every output.
fn passes<B: Block>(bench: Lockstep<B>) -> Report {
    let report = agree(bench);
    let mut outputs = report.constant_outputs.iter();
    let dead = outputs.find(|output| !QUIET.iter().any(|quiet| output.starts_with(quiet)));
    assert_eq!(dead, None, "an output never changed");
    report
}
