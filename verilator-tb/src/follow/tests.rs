//! Packets followed through a small chip, against what the bench knows of them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;

use fantree_gen::config::Config;
use fantree_hdl::router::DropCause;

use super::event::RoutedBy;
use super::*;
use crate::router::{
    Incident, IncidentKind, Options, Phase, Results, Routing, Simulation, Stalls, Store, WaveFile,
};
use crate::traffic::{Lengths, Load};

/// The smallest chip that has rows and columns, compiled for waves.
fn simulation() -> (Config, Simulation) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/router-2x2.toml");
    let config = Config::load(&path).unwrap();
    let simulation = Simulation::build(&config, true, &mut |_| ()).unwrap();
    (config, simulation)
}

/// What the bench knows of a run, and what its wave tells.
struct Run {
    results: Results,
    /// Cycle in which the traffic starts.
    start: u64,
    router: Router,
    wave: Wave,
    journeys: Vec<Journey>,
}

fn run(options: &Options, cycles: Option<Range<u64>>) -> Run {
    let (config, simulation) = simulation();
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("wave.fst");
    let file = WaveFile {
        path: &path,
        cycles,
    };
    let mut start = 0;
    let results = simulation.run(options, Some(file), &mut |progress| {
        if progress.phase == Phase::Warmup && start == 0 {
            start = progress.cycle;
        }
    });
    let results = results.unwrap().results;
    assert_eq!(results.violations, []);
    let mut wave = Wave::open(&path).unwrap();
    let journeys = follow(&config.router, &mut wave, u64::MAX).unwrap();
    Run {
        results,
        start,
        router: config.router,
        wave,
        journeys,
    }
}

/// Packets of all kinds, much in each other's way.
fn busy() -> Options {
    Options {
        load: Load::new(0.9).unwrap(),
        lengths: "1,4,20".parse::<Lengths>().unwrap(),
        routing: Routing::Mixed,
        candidates: 2,
        multicast: 0.2,
        interleave: true,
        stalls: Stalls::share(0.2),
        warmup: 0,
        cycles: 400,
        ..Options::default()
    }
}

/// Every arrival that the bench saw is there in the same cycles, and no other.
fn agrees_with_the_bench(run: &Run) {
    let by_id: HashMap<u32, &Journey> = run.journeys.iter().map(|it| (it.id, it)).collect();
    assert_eq!(by_id.len(), run.journeys.len());
    for delivery in &run.results.deliveries {
        let journey = by_id[&delivery.packet];
        let arrival = journey.arrivals[&delivery.port];
        assert_eq!(journey.injected, Some(delivery.sent), "{delivery:?}");
        assert_eq!(arrival.tail, Some(delivery.arrived), "{delivery:?}");
    }
    let arrivals = run.journeys.iter().flat_map(|it| it.arrivals.values());
    let arrived = arrivals.filter(|it| it.tail.is_some()).count();
    assert_eq!(arrived, run.results.deliveries.len());

    let mut dropped: BTreeMap<DropCause, u64> = BTreeMap::new();
    for journey in &run.journeys {
        let copies = journey.arrivals.values().filter_map(|it| it.dropped);
        for cause in copies.chain(journey.dropped) {
            *dropped.entry(cause).or_default() += 1;
        }
        let fate = journey.fate();
        assert!(!matches!(fate, Fate::OnItsWay(_)), "{fate} at the end");
    }
    for cause in DropCause::ALL {
        let counted = run.results.packets.dropped.of(cause);
        let found = dropped.get(&cause).copied().unwrap_or(0);
        assert_eq!(found, counted, "{}", cause.name());
    }
}

/// Each cycle between a head's coming into a unit and its going on has its reason.
fn every_wait_has_a_reason(journeys: &[Journey]) {
    for journey in journeys {
        let text = || {
            let lines = journey.events.iter().map(|it| format!("{it}\n"));
            format!("packet {}\n{}", journey.id, lines.collect::<String>())
        };
        for event in &journey.events {
            let came = |is: &dyn Fn(&Event) -> bool| {
                let mut before = journey.events.iter().filter(|it| is(it));
                before.next().unwrap_or_else(|| panic!("{}", text())).cycle
            };
            let column = event.place.column;
            let entered = match event.what {
                What::RowBusGranted => came(&|it| matches!(it.what, What::Injected { .. })),
                What::ChannelGranted { .. } => came(&|it| matches!(it.what, What::Crossed { .. })),
                What::LinkGranted => came(&|it| {
                    let to_row = event.place.row;
                    it.what == What::Passed { to_row } && it.place.column == column
                }),
                _ => continue,
            };
            let waited = event.cycle - entered - 1;
            assert_eq!(event.waited.cycles(), waited, "{event}\n{}", text());
        }
    }
}

#[test]
fn packets_of_all_kinds_are_followed() {
    let run = run(&busy(), None);
    agrees_with_the_bench(&run);
    every_wait_has_a_reason(&run.journeys);
    let kinds = |is: fn(&What) -> bool| {
        let has = |it: &&Journey| it.events.iter().any(|event| is(&event.what));
        run.journeys.iter().filter(has).count()
    };
    assert!(kinds(|it| matches!(it, What::Group { .. })) > 10);
    let by = |wanted: RoutedBy| {
        let is = |it: &Event| matches!(it.what, What::Routed { by, .. } if by == wanted);
        run.journeys
            .iter()
            .filter(|it| it.events.iter().any(is))
            .count()
    };
    assert!(by(RoutedBy::Table) > 10 && by(RoutedBy::Source) > 10);
}

/// Mean and maximum of the latencies are those that the bench gives.
#[test]
fn latencies_are_those_of_the_bench() {
    let options = Options {
        multicast: 0.0,
        ..busy()
    };
    let run = run(&options, None);
    let deliveries = run.results.deliveries.iter();
    let queued: HashMap<u32, u64> = deliveries.map(|it| (it.packet, it.queued)).collect();
    let measured = run.start..run.start + options.cycles;
    let (traffic, idle): (Vec<&Journey>, Vec<&Journey>) = run
        .journeys
        .iter()
        .partition(|it| queued[&it.id] >= measured.start);
    let latencies: Vec<u64> = traffic
        .iter()
        .filter(|it| measured.contains(&queued[&it.id]))
        .map(|it| it.arrived().unwrap() - queued[&it.id])
        .collect();
    let mean = latencies.iter().sum::<u64>() as f64 / latencies.len() as f64;
    let told = &run.results.latency;
    assert!((mean - told.mean.unwrap()).abs() < 1e-9);
    assert_eq!(latencies.iter().max(), told.max.as_ref());
    // Before the traffic, packets are sent one by one.
    let head = |it: &&Journey| it.arrivals.values().next()?.head.zip(it.injected);
    let slowest = idle
        .iter()
        .filter_map(head)
        .map(|(out, into)| out - into)
        .max();
    assert_eq!(slowest, told.head_zero_load);
}

#[test]
fn dropped_packets_have_their_cause() {
    let damaged = Options {
        damage: 0.2,
        no_route: 0.2,
        store: Store::Odd,
        ..busy()
    };
    let run_damaged = run(&damaged, None);
    agrees_with_the_bench(&run_damaged);
    every_wait_has_a_reason(&run_damaged.journeys);
    for cause in [
        DropCause::HeaderCrc,
        DropCause::NoRoute,
        DropCause::PacketCrc,
    ] {
        assert!(run_damaged.results.packets.dropped.of(cause) > 0);
    }

    let dying = Options {
        incident: Some(Incident {
            port: 1,
            after: 100,
            kind: IncidentKind::Die,
        }),
        // Copies to a dead port are never made, so nobody counts them.
        multicast: 0.0,
        ..busy()
    };
    let run_dying = run(&dying, None);
    agrees_with_the_bench(&run_dying);
    assert!(run_dying.results.packets.dropped.of(DropCause::DeadPort) > 0);
}

/// Cut off in the middle, packets are where they are, and have come as far as they have.
#[test]
fn packets_on_their_way_are_where_they_are() {
    let mut run = run(&busy(), None);
    let ends = run.results.deliveries.iter().map(|it| it.arrived);
    let middle = ends.clone().sum::<u64>() / ends.count() as u64;
    let cut = follow(&run.router, &mut run.wave, middle).unwrap();
    let mut on_their_way = 0;
    for (journey, whole) in cut.iter().zip(&run.journeys) {
        let before = |it: &&Event| it.cycle < middle;
        let events = |it: &Journey| it.events.iter().filter(before).cloned().collect::<Vec<_>>();
        assert_eq!(events(journey), events(whole));
        match whole.arrived() {
            Some(arrived) if arrived <= middle => assert_eq!(journey.fate(), Fate::Arrived),
            _ => {
                on_their_way += 1;
                assert_eq!(journey.arrived(), None, "packet {}", journey.id);
            }
        }
    }
    let injected = |it: &&Journey| it.injected.is_some_and(|cycle| cycle <= middle);
    assert_eq!(cut.len(), run.journeys.iter().filter(injected).count());
    assert!(on_their_way > 3);
}

/// A wave that begins in the middle shows packets from where it does.
#[test]
fn a_window_shows_what_is_in_it() {
    let whole = run(&busy(), None);
    let (from, to) = (300, 500);
    let window = run(&busy(), Some(from..to));
    let tails = |run: &Run| -> Vec<(u32, usize, u64)> {
        let arrivals = run.journeys.iter().flat_map(|journey| {
            let arrivals = journey.arrivals.iter();
            arrivals.filter_map(|(port, it)| Some((journey.id, *port, it.head?)))
        });
        let mut tails: Vec<_> = arrivals
            .filter(|(.., at)| (from..to).contains(at))
            .collect();
        tails.sort_unstable();
        tails
    };
    assert!(tails(&whole).len() > 20);
    assert_eq!(tails(&window), tails(&whole));
    assert!(window.journeys.iter().any(|it| it.from.is_none()));
}
