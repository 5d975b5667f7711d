//! Every unit of management in lockstep: Rust simulation and Verilated Verilog agree at every output in every cycle.

use fantree_hdl::manage::command::access;
use fantree_hdl::manage::jtag::{JtagBridge, Tap, TapStates};
use fantree_hdl::manage::registers::{identity, LOCK};
use fantree_hdl::manage::{
    chip_register_map, message, AddressDecoder, Addressee, Agent, ChipManager, Gatherer,
    InBandSource, ManagedRouter, Rcma, ReplyHeader, RowManager, Stream, TurnRound,
};
use fantree_hdl::packet::header;
use fantree_hdl::ports::Ports;
use fantree_hdl::router::{
    bus, Arrival, CounterBank, InputUnit, PortRegisters, RouteUnit, RouterParams, Tile,
};
use fantree_tb::lockstep::{Cycle, Lockstep};
use fantree_tb::stimuli::legal;
use rand::Rng;
use rust_hdl::prelude::Block;

const CHIP: RouterParams = RouterParams {
    columns: 3,
    managed: true,
    ..RouterParams::SMALL
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

/// Makes of a header, most of the time, a request, half of them to hop 3 or number 0, with few hops left.
fn ask(cycle: &mut Cycle, port: &str, identity: &str) {
    let mut words = cycle.words(port).to_vec();
    if cycle.random().gen_bool(0.8) {
        words[0] = words[0] & !0x3f | message::REQUEST;
        words[0] &= !(1 << header::MULTICAST.offset);
    }
    for field in [header::DST_GUID, message::TURN, header::HOPS_LEFT] {
        if cycle.random().gen() {
            let low = field.offset;
            let kept = 2;
            for bit in low + kept..low + field.width {
                words[bit / 32] &= !(1 << (bit % 32));
            }
        }
    }
    cycle.set_words(port, &words);
    let few = cycle.random().gen_range(0..4) | u32::from(cycle.random().gen::<bool>()) << 18;
    cycle.set_words(identity, &[few]);
}

#[test]
fn addressee() {
    let bench = Lockstep::new("addressee", Addressee::default);
    check(bench.constrain(|cycle| ask(cycle, "header", "identity")));
}

#[test]
fn reply_header() {
    check(Lockstep::new("reply_header", ReplyHeader::default));
}

#[test]
fn turn_round() {
    let bench = Lockstep::new("turn_round", || TurnRound::new(&CHIP));
    check(bench.constrain(|cycle| {
        ask(cycle, "tile_flit", "identity");
        // Requests of few beats, so that many come to their end.
        let mut words = cycle.words("tile_flit").to_vec();
        words[1] &= !0xfffc;
        cycle.set_words("tile_flit", &words);
    }));
}

#[test]
fn in_band_source() {
    let bench = Lockstep::new("in_band_source", || InBandSource::new(&CHIP));
    check(bench.constrain(|cycle| {
        // Keys that are the right one now and then.
        for port in ["key", "flit$0", "flit$1"] {
            let mut words = cycle.words(port).to_vec();
            words[0] &= 1;
            cycle.set_words(port, &words);
        }
    }));
}

/// The whole chip; its links fall, so the requests that it answers are few.
#[test]
fn managed_router() {
    let two_ports = RouterParams { columns: 1, ..CHIP };
    let bench = Lockstep::new("managed_router", || ManagedRouter::new(&two_ports));
    let legal = legal("managed_router", &two_ports).expect("chips have legal input");
    let bench = bench.constrain(legal).cycles(1000);
    bench.run().unwrap_or_else(|error| panic!("{error}"));
}

/// The units of the router that a managed chip changes, under packets some of which are requests for it.
#[test]
fn router_of_a_managed_chip() {
    fn with_packets<B: Block + Ports>(name: &str, make: impl Fn(&RouterParams) -> B) {
        let bench = Lockstep::new(name, || make(&CHIP));
        let mut legal = legal(name, &CHIP).expect("the unit forbids some input");
        check(bench.constrain(move |cycle| {
            legal(cycle);
            cycle.set_words("identity$0", &[identity::of(0)]);
            cycle.set("own_port$0", 4);
        }));
    }
    check(Lockstep::new("counter_bank", || CounterBank::clearable(7)));
    let bench = Lockstep::new("arrival", || Arrival::new(&CHIP));
    check(bench.constrain(|cycle| ask(cycle, "rx_flit", "identity$0")));
    let bench = Lockstep::new("port_registers", || PortRegisters::new(&CHIP));
    check(bench.constrain(|cycle| {
        let address = [bus::COUNTERS, bus::COUNTERS + 9, bus::CONTROL];
        let address = address[cycle.random().gen_range(0..address.len())];
        cycle.set("bus_address", address as u64);
    }));
    with_packets("route_unit", RouteUnit::new);
    with_packets("input_unit", InputUnit::new);
    with_packets("router_tile", Tile::new);
}
