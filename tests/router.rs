//! Router chips under Verilator, with random traffic.

mod support;

use std::path::Path;

use fantree_gen::config::Config;
use fantree_hdl::router::DropCause;
use fantree_tb::router::{Bench, Options, Results, Routing, Simulation, Stalls, Store, VcPolicy};
use fantree_tb::traffic::{Lengths, Load, Pattern};
use fantree_tb::verilator::Start;
use snapbox::cmd::{cargo_bin, Command};
use support::run;

fn load(name: &str) -> Config {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Config::load(&root.join(format!("configs/{name}.toml"))).unwrap()
}

fn build(config: &Config) -> Simulation {
    Simulation::build(config, false, &mut |_| ()).unwrap()
}

/// A short run under stress.
fn stress() -> Options {
    Options {
        load: Load::new(0.6).unwrap(),
        stalls: Stalls::share(0.3),
        warmup: 50,
        cycles: 400,
        ..Options::default()
    }
}

/// Runs a chip; all packets arrive, except those without a route, and no rule is broken.
#[track_caller]
fn delivers(simulation: &Simulation, options: &Options) -> Results {
    let results = run(simulation, options);
    let packets = &results.packets;
    assert!(packets.delivered > 0, "{options:?}");
    assert_eq!(
        packets.delivered + packets.dropped.total(),
        packets.sent,
        "{options:?}"
    );
    results
}

fn delivers_every_pattern_and_length(config: &str) {
    let simulation = build(&load(config));
    for pattern in Pattern::ALL {
        for (seed, flits) in [1, 2, 7, 69].into_iter().enumerate() {
            let options = Options {
                pattern,
                arrivals: pattern.arrivals(),
                lengths: Lengths::fixed(flits),
                seed: seed as u64,
                ..stress()
            };
            delivers(&simulation, &options);
        }
    }
}

#[test]
fn router_2x2_delivers_every_pattern_and_length() {
    delivers_every_pattern_and_length("router-2x2");
}

#[test]
fn router_4x2_delivers_every_pattern_and_length() {
    delivers_every_pattern_and_length("router-4x2");
}

#[test]
fn router_5x8_carries_half_the_load() {
    let simulation = build(&load("router-5x8"));
    // Its forty tiles share their code; each with its own, it is 130 MB and takes many minutes to compile.
    let bytes = simulation.build_report().cpp_bytes;
    assert!(bytes < 16 << 20, "{bytes} bytes of C++");
    let options = Options {
        load: Load::HALF,
        warmup: 500,
        cycles: 5000,
        ..Options::default()
    };
    let results = delivers(&simulation, &options);
    assert!(
        (results.accepted - 0.5).abs() < 0.01,
        "{}",
        results.accepted
    );
    // The bar of the design.
    assert!(
        results.latency.head_zero_load <= Some(8),
        "{:?}",
        results.latency
    );
}

/// Arrays with a single row, a single column, one and eight channels, and buffers as small as they may be.
#[test]
fn routers_of_odd_shapes_deliver() {
    for shape in [
        "rows = 1\ncolumns = 3\nvirtual_channels = 1",
        "rows = 3\ncolumns = 1\nvirtual_channels = 8",
    ] {
        let small = "payload_bytes = 64\ninput_buffer_blocks = 24\nprivate_blocks = 3\nrow_buffer_flits = 2\ncolumn_buffer_flits = 2\n\
                     routing = { in_supernode_entries = 3, out_supernode_entries = 2 }";
        let text = format!("name = \"odd\"\n[router]\n{shape}\n{small}");
        let simulation = build(&Config::parse("odd", &text).unwrap());
        for (seed, pattern) in [Pattern::Uniform, Pattern::Neighbour]
            .into_iter()
            .enumerate()
        {
            let options = Options {
                pattern,
                lengths: "1,2,9".parse().unwrap(),
                seed: seed as u64,
                cycles: 2000,
                ..stress()
            };
            delivers(&simulation, &options);
        }
    }
}

/// Sources that mix packets on the link, slow credits, links that stall for long, at full load.
#[test]
fn a_router_delivers_under_the_worst_of_everything() {
    let simulation = build(&load("router-2x2"));
    for seed in 0..6 {
        let (share, mean_cycles) = (0.5, [1.0, 10.0, 150.0][seed as usize % 3]);
        let options = Options {
            load: Load::FULL,
            lengths: "1,4,69".parse().unwrap(),
            vc_policy: VcPolicy::Random,
            interleave: true,
            no_route: 0.1,
            stalls: Stalls { share, mean_cycles },
            credit_round_trip: 60,
            cycles: 3000,
            patience: 10_000,
            seed,
            ..stress()
        };
        let results = delivers(&simulation, &options);
        assert!(
            results.packets.dropped.of(DropCause::NoRoute) > 0,
            "{:?}",
            results.packets
        );
    }
}

/// More hops than are left, ports and groups that there are not, multicast that is too long, and damage on top: dropped and
/// counted by the cause that comes first.
#[test]
fn packets_that_no_router_may_send_on_are_dropped() {
    let simulation = build(&load("router-2x2"));
    for (seed, store) in [Store::Never, Store::Odd, Store::Always]
        .into_iter()
        .enumerate()
    {
        let options = Options {
            lengths: "1,4,40".parse().unwrap(),
            misfits: 0.3,
            damage: 0.3,
            multicast: 0.2,
            routing: Routing::Mixed,
            store,
            cycles: 3000,
            seed: seed as u64,
            ..stress()
        };
        let dropped = delivers(&simulation, &options).packets.dropped;
        for cause in [DropCause::HopLimit, DropCause::NoRoute, DropCause::TooLong] {
            assert!(dropped.of(cause) > 0, "{options:?}: {dropped:?}");
        }
    }
}

/// Neither what registers and memories hold before the reset nor undriven pins reach the outputs.
#[test]
fn results_do_not_depend_on_what_was_before_the_reset() {
    let simulation = build(&load("router-2x2"));
    let run = |start: Start| {
        let chip = simulation.chip(start).unwrap();
        let mut quiet = |_| ();
        let bench = Bench::new(chip, simulation.params(), &stress(), &mut quiet);
        bench.unwrap().run().unwrap()
    };
    let zeros = run(Start::Zeros);
    assert!(zeros.passed());
    for start in [Start::Ones, Start::Random(1), Start::Random(2)] {
        assert_eq!(run(start), zeros, "{start:?}");
    }
}

fn fantree(arguments: &str) -> Command {
    Command::new(cargo_bin!("fantree"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments.split_whitespace())
}

#[test]
fn sim_prints_its_results_as_json() {
    let arguments =
        "sim configs/router-2x2.toml --pattern tornado --load 0.25 --packet-flits 7 --warmup 100 \
                     --cycles 900 --seed 3";
    let output = fantree(&format!("{arguments} --json")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let results: serde_json::Value = serde_json::from_str(&text).unwrap();
    for (path, value) in [
        ("/config", "router-2x2".into()),
        ("/ports", 4.into()),
        ("/pattern", "tornado".into()),
        ("/packets/dropped/no_route", 0.into()),
        ("/packets/lost", 0.into()),
        ("/packets/duplicated", 0.into()),
        ("/packets/misrouted", 0.into()),
        ("/packets/corrupted", 0.into()),
        ("/packets/reordered", 0.into()),
        ("/cycles", 900.into()),
        ("/seed", 3.into()),
        (
            "/command",
            format!(
                "fantree {}",
                arguments.split_whitespace().collect::<Vec<_>>().join(" ")
            )
            .into(),
        ),
    ] {
        assert_eq!(results.pointer(path), Some(&value), "{path}");
    }
    for path in [
        "/offered",
        "/accepted",
        "/packets/sent",
        "/packets/delivered",
        "/latency/head_zero_load",
        "/latency/mean",
        "/latency/p50",
        "/latency/p99",
        "/latency/max",
        "/fairness",
        "/cycles_per_second",
        "/build_seconds",
    ] {
        let number = results.pointer(path).and_then(serde_json::Value::as_f64);
        assert!(
            number.is_some_and(|number| number > 0.0),
            "{path}: {number:?}"
        );
    }
}

#[test]
fn sim_refuses_what_a_router_cannot_do() {
    for (arguments, error) in [
        (
            "--pattern bit-reverse",
            "error: pattern bit-reverse is not defined for 40 ports; legal are powers of two: 2, 4, 8, 16, 32, 64\n",
        ),
        (
            "--packet-flits 70",
            "error: packet length `70` is not legal: this router takes packets of 1 to 69 flits\n",
        ),
        ("--vc-policy fixed=4", "error: there is no virtual channel 4; legal are 0 to 3\n"),
        (
            "--credit-round-trip 18446744073709551615",
            "error: a credit round trip of 18446744073709551615 cycles is not legal: 1 to 100000\n",
        ),
        (
            "--warmup 18446744073709551615 --cycles 1",
            "error: 18446744073709551615 cycles before a measurement of 1 are not legal: 1000000000000 at most together\n",
        ),
        // Found before the chip is built, which takes minutes.
        ("--wave src", "error: src is a folder, not a file\n"),
        (
            "--wave Cargo.toml/x.fst",
            "error: cannot create Cargo.toml: File exists (os error 17)\n",
        ),
    ] {
        fantree(&format!("sim configs/router-5x8.toml {arguments}"))
            .assert()
            .code(1)
            .stdout_eq("")
            .stderr_eq(error);
    }
    fantree("sim configs/router-5x8.toml --load 1.5")
        .assert()
        .code(2);
}
