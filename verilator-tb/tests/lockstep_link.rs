//! The link layer in lockstep: Rust simulation and Verilated Verilog agree at every output in every cycle.
//!
//! Units take any input, and noise brings them everywhere but to a session. So the whole end is joined to itself by a line
//! that damages and loses words, and carries packets.

use fantree_hdl::link::*;
use fantree_hdl::router::RouterParams;
use fantree_tb::lockstep::Lockstep;
use fantree_tb::stimuli::legal;
use rust_hdl::prelude::Block;

/// What a link knows of a router.
const ROUTER: RouterParams = RouterParams {
    rows: 1,
    columns: 2,
    virtual_channels: 3,
    phases: 1,
    max_packet_flits: 9,
    block_flits: 4,
    input_buffer_blocks: 9,
    private_blocks: 3,
    row_buffer_flits: 4,
    column_buffer_flits: 4,
    in_supernode_entries: 1,
    out_supernode_entries: 1,
    candidates: 1,
    managed: false,
};

/// Frames of one flit and of more, a replay buffer that soon is full and one that is not.
fn sizes() -> [LinkParams; 2] {
    [
        LinkParams::new(&ROUTER, 64, 14),
        LinkParams {
            virtual_channels: 1,
            block_flits: 1,
            ..LinkParams::new(&ROUTER, 2, 1)
        },
    ]
}

fn agree<B: Block>(bench: Lockstep<B>) {
    if let Err(error) = bench.run() {
        panic!("{error}");
    }
}

macro_rules! noise {
    ($($name:ident: $block:expr;)*) => {
        $(#[test]
        fn $name() {
            for params in sizes() {
                let make = $block;
                agree(Lockstep::new(stringify!($name), || make(&params)).cycles(2000));
            }
        })*
    };
}

noise! {
    frame_crc: |_: &LinkParams| FrameCrc::default();
    replay_buffer: |params: &LinkParams| ReplayBuffer::new(9, params.replay_flits);
    sequence_check: |params: &LinkParams| SequenceCheck::new(params.sequence_bits());
    credit_report: CreditReport::new;
    credit_return: CreditReturn::new;
    packet_closer: PacketCloser::new;
    session: |_: &LinkParams| Session::default();
    transmitter: Transmitter::new;
    receiver: Receiver::new;
    link_port_of_noise: LinkPort::new;
}

#[test]
fn link_port() {
    for frame_flits in [3, 14] {
        let params = LinkParams::new(&ROUTER, 32, frame_flits);
        let bench = Lockstep::new("link_port", || LinkPort::new(&params)).cycles(4000);
        let legal = legal("link_port", &ROUTER).expect("an end needs another end");
        let report = bench.constrain(legal).run();
        let report = report.unwrap_or_else(|error| panic!("{error}"));
        assert!(
            report.constant_outputs.is_empty(),
            "{:?}",
            report.constant_outputs
        );
    }
}
