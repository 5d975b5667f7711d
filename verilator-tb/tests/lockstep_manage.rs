//! Every unit of management in lockstep: Rust simulation and Verilated Verilog agree at every output in every cycle.

use fantree_hdl::manage::command::access;
use fantree_hdl::manage::jtag::{JtagBridge, Tap, TapStates};
use fantree_hdl::manage::registers::LOCK;
use fantree_hdl::manage::{
    chip_register_map, AddressDecoder, Agent, ChipManager, Gatherer, Rcma, RowManager, Stream,
};
use fantree_hdl::router::{bus, RouterParams};
use fantree_tb::lockstep::{Cycle, Lockstep};
use rand::Rng;
use rust_hdl::prelude::Block;

const CHIP: RouterParams = RouterParams {
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

fn check<B: Block>(bench: Lockstep<B>) {
    if let Err(error) = bench.cycles(2000).run() {
        panic!("{error}");
    }
}

/// Puts an address that mostly is a register's into an access or a setup.
fn address_registers(cycle: &mut Cycle, port: &str) {
    let addresses = [
        bus::CONTROL,
        bus::STATUS,
        bus::MULTICAST_TABLE,
        LOCK,
        LOCK + 1,
        LOCK + 2,
        bus::COUNTERS,
        0x9040,
    ];
    let address = addresses[cycle.random().gen_range(0..addresses.len())] as u32;
    let mut words = cycle.words(port).to_vec();
    words[0] = words[0] & !(0xffff << access::ADDRESS.offset) | address << access::ADDRESS.offset;
    cycle.set_words(port, &words);
}

#[test]
fn address_decoder() {
    check(Lockstep::new("address_decoder", || {
        AddressDecoder::new(&chip_register_map(&CHIP))
    }));
}

#[test]
fn agent() {
    let bench = Lockstep::new("agent", || Agent::new(&CHIP));
    check(bench.constrain(|cycle| address_registers(cycle, "access")));
}

#[test]
fn gatherer() {
    for members in [1, 3, 8] {
        check(Lockstep::new("gatherer", || Gatherer::new(members)));
    }
}

#[test]
fn managers() {
    check(Lockstep::new("row_manager", || RowManager::new(3)));
    check(Lockstep::new("chip_manager", || ChipManager::new(&CHIP, 1)));
    check(Lockstep::new("chip_manager", || ChipManager::new(&CHIP, 2)));
    check(Lockstep::new("stream", || Stream::new(&CHIP)));
}

#[test]
fn the_whole_management() {
    for sources in [1, 2] {
        let bench = Lockstep::new("rcma", || Rcma::new(&CHIP, sources));
        check(bench.constrain(|cycle| address_registers(cycle, "setup$0")));
    }
}

#[test]
fn jtag() {
    check(Lockstep::new("tap_states", TapStates::default));
    check(Lockstep::new("tap", || Tap::new(&CHIP)));
    check(Lockstep::new("jtag_bridge", || JtagBridge::new(&CHIP)));
}
