//! What congestion sensing is good for: sources that heed it get past a hot port, adaptive packets round a slow one.

mod support;

use std::path::Path;

use fantree_gen::config::Config;
use fantree_tb::router::{
    Incident, IncidentKind, Options, Results, Routing, Simulation, SourceQueues,
};
use fantree_tb::traffic::{Load, Pattern};
use support::run;

/// A chip of eight ports.
fn chip() -> Simulation {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/router-4x2.toml");
    Simulation::build(&Config::load(&file).unwrap(), false, &mut |_| ()).unwrap()
}

fn options() -> Options {
    Options {
        load: Load::new(0.8).unwrap(),
        cycles: 4000,
        patience: 50_000,
        ..Options::default()
    }
}

/// Accepted at all ports but the first.
fn elsewhere(results: &Results) -> f64 {
    let others = &results.by_port[1..];
    others.iter().map(|port| port.accepted).sum::<f64>() / others.len() as f64
}

/// Two fifths of all packets and an eighth of the others go to port 0, three times what it takes; 0.48 to each other port.
#[test]
fn sources_that_heed_reports_get_past_a_hot_port() {
    let chip = chip();
    let with = |source_queues, backlog_limit| {
        let pattern = Pattern::Hotspot {
            port: 0,
            share: 0.4,
        };
        let options = Options {
            pattern,
            source_queues,
            backlog_limit,
            ..options()
        };
        run(&chip, &options)
    };
    let one = elsewhere(&with(SourceQueues::One, None));
    assert!(one < 0.2, "{one}");
    let heeding = with(SourceQueues::Throttled, None);
    assert!(elsewhere(&heeding) > 0.46, "{}", elsewhere(&heeding));
    assert!(
        heeding.by_port[0].accepted > 0.97,
        "{:?}",
        heeding.by_port[0]
    );
    // It is the reports that do it, not the queues.
    let deaf = elsewhere(&with(SourceQueues::PerDestination, None));
    assert!(deaf < 0.44, "{deaf}");
    let unsaid = elsewhere(&with(SourceQueues::Throttled, Some(0)));
    assert!(unsaid < 0.44, "{unsaid}");
}

/// Two candidates for each destination, and port 0 takes a quarter of its rate.
#[test]
fn adaptive_packets_that_sense_congestion_go_round_a_slow_port() {
    let chip = chip();
    let with = |backlog_limit| {
        let options = Options {
            routing: Routing::Adaptive,
            candidates: 2,
            backlog_limit,
            incident: Some(Incident {
                port: 0,
                after: 0,
                kind: IncidentKind::Slow(0.75),
            }),
            ..options()
        };
        let results = run(&chip, &options);
        (results.accepted, results.latency.mean.unwrap())
    };
    let (blind, waits) = with(Some(0));
    assert!(blind < 0.65 && waits > 300.0, "{blind}, {waits} cycles");
    let (sensing, waits) = with(None);
    assert!(sensing > 0.78 && waits < 150.0, "{sensing}, {waits} cycles");
    let (early, waits) = with(Some(32));
    assert!(early > 0.78 && waits < 60.0, "{early}, {waits} cycles");
}
