//! Hunts for deadlock and starvation, and what happens when a port dies.

mod support;

use fantree_gen::config::Config;
use fantree_hdl::router::DropCause;
use fantree_tb::router::{Incident, IncidentKind, Options, Simulation, Stalls, Store, VcPolicy};
use fantree_tb::traffic::{Load, Pattern};
use support::run;

/// Cycles that a receiver takes nothing.
const STOP: u64 = 10_000;
/// Most cycles from a packet's arrival at the head of its source to its tail's anywhere: the stop, and what it takes to
/// pass all that can wait in front of it through one port. Inputs hold 9 × 24 flits, sources have 9 × 9 more, and a port
/// whose link and buffer both stall a fifth of the time passes 0.6 a cycle: 500 cycles; twice that, as some wait for
/// others that do.
const SLOWEST: u64 = STOP + 1000;

fn build(structure: &str) -> Simulation {
    let text = format!("name = \"hunt\"\n[router]\n{structure}");
    let config = Config::parse("structure", &text).unwrap_or_else(|error| panic!("{error}"));
    Simulation::build(&config, false, &mut |_| ()).unwrap()
}

/// The smallest legal buffers, full load, long and short packets mixed, multicast to all ports from all ports, and one
/// receiver that takes nothing for 10 000 cycles: everything arrives, the slowest within [`SLOWEST`].
#[test]
fn nothing_locks_up_behind_a_receiver_that_stops() {
    let simulation = build(
        "rows = 3\ncolumns = 3\nvirtual_channels = 2\npayload_bytes = 64\ninput_buffer_blocks = 6\nprivate_blocks = 3\n\
         row_buffer_flits = 2\ncolumn_buffer_flits = 2",
    );
    for (seed, multicast) in [0.0, 0.2, 1.0].into_iter().enumerate() {
        let options = Options {
            load: Load::FULL,
            lengths: "1,2,9".parse().unwrap(),
            vc_policy: VcPolicy::Random,
            multicast,
            multicast_to_all: true,
            stalls: Stalls::share(0.2),
            incident: Some(Incident {
                port: 4,
                after: 500,
                kind: IncidentKind::Stop(STOP),
            }),
            warmup: 100,
            // The load goes on long after the receiver does.
            cycles: 2 * STOP,
            patience: 3 * STOP,
            seed: seed as u64,
            ..Options::default()
        };
        let results = run(&simulation, &options);
        assert_eq!(results.packets.delivered, results.packets.sent);
        assert!(results.packets.delivered > 5000, "{:?}", results.packets);
        let slowest = results.latency.max.unwrap();
        assert!(
            (STOP..SLOWEST).contains(&slowest),
            "{multicast}: {slowest} cycles"
        );
    }
}

/// Long packets are not starved by short ones on all channels, with as few private blocks as there may be.
#[test]
fn long_packets_are_not_starved_by_short_ones() {
    let simulation = build(
        "rows = 2\ncolumns = 2\nvirtual_channels = 2\npayload_bytes = 256\ninput_buffer_blocks = 12\nprivate_blocks = 6",
    );
    let options = Options {
        pattern: Pattern::AllToOne { port: 0 },
        load: Load::FULL,
        // One in nine is long.
        lengths: "1,1,1,1,1,1,1,1,21".parse().unwrap(),
        cycles: 20_000,
        // A long packet takes 6 of these blocks.
        split: "1/5".parse().unwrap(),
        ..Options::default()
    };
    let results = run(&simulation, &options);
    let fairness = results.fairness.unwrap();
    assert!(fairness > 0.8, "{fairness}");
}

/// A port dies under load: traffic goes on by the next candidate, what was on its way is counted, nothing else is held
/// up.
#[test]
fn traffic_goes_on_when_a_port_dies() {
    let simulation = build("rows = 2\ncolumns = 3\nvirtual_channels = 2\nprivate_blocks = 18");
    let mut on_their_way = 0;
    for seed in 0..4 {
        let options = Options {
            load: Load::new(0.8).unwrap(),
            lengths: "1,4,69".parse().unwrap(),
            candidates: 2,
            incident: Some(Incident {
                port: 2,
                after: 700,
                kind: IncidentKind::Die,
            }),
            warmup: 100,
            cycles: 3000,
            seed,
            ..Options::default()
        };
        let results = run(&simulation, &options);
        let packets = results.packets;
        let dead = packets.dropped.of(DropCause::DeadPort);
        assert_eq!(packets.delivered + dead, packets.sent, "{packets:?}");
        assert!(dead < 60, "{dead} packets on their way");
        on_their_way += dead;
    }
    assert!(on_their_way > 0);
}

/// A damaged packet to a dead port is dropped before it has been stored as a whole: it counts for the port, not for its
/// damage. The regression's test of drops found a bench that wanted both.
#[test]
fn a_damaged_packet_to_a_dead_port_is_counted_once() {
    let simulation = build("rows = 2\ncolumns = 2\nvirtual_channels = 2\nprivate_blocks = 18");
    let options = Options {
        load: Load::FULL,
        lengths: "1,4,69".parse().unwrap(),
        incident: Some(Incident {
            port: 1,
            after: 400,
            kind: IncidentKind::Die,
        }),
        store: Store::Odd,
        damage: 0.1,
        cycles: 6000,
        ..Options::default()
    };
    let packets = run(&simulation, &options).packets;
    let dropped = |cause| packets.dropped.of(cause);
    assert!(dropped(DropCause::DeadPort) > 0 && dropped(DropCause::PacketCrc) > 0);
    assert_eq!(packets.lost, 0);
}
