//! Two ends of a link over a channel that does anything to what it carries.

use std::path::Path;

use fantree_gen::config::Config;
use fantree_hdl::link::{Event, LinkParams};
use fantree_tb::link::{expected_goodput, run, Faults, LinkedChip, Options, Outage, Results};
use fantree_tb::router::{self, Bench, Simulation};
use fantree_tb::traffic::Load;

/// The link of the chip's ports, with a replay buffer and an input buffer for `delay`.
fn params(delay: usize) -> LinkParams {
    LinkParams {
        virtual_channels: 4,
        max_packet_flits: 69,
        block_flits: 4,
        input_buffer_blocks: 512,
        replay_flits: (2 * delay + 45).next_power_of_two(),
        frame_flits: 14,
    }
}

fn options(delay: usize) -> Options {
    Options {
        delay,
        ..Options::new(params(delay))
    }
}

/// A run without a violation.
fn clean(options: &Options) -> Results {
    let results = run(options).unwrap_or_else(|error| panic!("{error:#}"));
    let seen: Vec<String> = results.violations.iter().map(|it| it.to_string()).collect();
    assert!(seen.is_empty(), "seed {}: {seen:#?}", options.seed);
    results
}

#[test]
fn full_load_fills_the_line() {
    for delay in [1, 32] {
        let options = Options {
            cycles: 100_000,
            ..options(delay)
        };
        for direction in clean(&options).directions {
            assert!(direction.goodput > 0.93, "{direction:?}");
            assert_eq!(direction.count(Event::Replay), 0);
            assert_eq!(direction.count(Event::CrcError), 0);
        }
    }
}

#[test]
fn a_single_flit_takes_five_cycles() {
    let options = Options {
        load: [0.01; 2],
        packet_flits: 1..=1,
        ..options(3)
    };
    for direction in clean(&options).directions {
        assert_eq!(direction.least_latency, 5);
        assert!(direction.mean_latency < 5.5, "{direction:?}");
    }
}

#[test]
fn nothing_is_lost_by_bit_errors() {
    for (delay, rate, burst) in [(1, 1e-3, 1), (7, 1e-4, 1), (30, 1e-4, 40), (512, 1e-5, 1)] {
        let faults = Faults {
            rate,
            burst,
            ..Faults::default()
        };
        let results = clean(&Options {
            faults: [faults; 2],
            ..options(delay)
        });
        for direction in results.directions {
            assert!(direction.count(Event::Replay) > 0, "{direction:?}");
        }
    }
}

#[test]
fn nothing_is_lost_with_frames_lost_and_doubled() {
    for (seed, delay) in [1, 2, 5, 19, 100, 300].into_iter().enumerate() {
        let faults = Faults {
            rate: 1e-5,
            burst: 3,
            lost: 0.05,
            doubled: 0.05,
        };
        clean(&Options {
            faults: [faults; 2],
            load: [1.0, 0.2],
            packet_flits: 1..=20,
            drain: 0.5,
            seed: seed as u64,
            ..options(delay)
        });
    }
}

#[test]
fn goodput_is_that_of_go_back_n() {
    for delay in [1, 8, 32] {
        for rate in [1e-6, 1e-5, 3e-5, 1e-4] {
            let options = Options {
                faults: [Faults::bits(rate); 2],
                cycles: 200_000,
                ..options(delay)
            };
            for direction in clean(&options).directions {
                let expected = expected_goodput(&options.params, delay, direction.spoiled());
                let ratio = direction.goodput / expected;
                assert!(
                    (ratio - 1.0).abs() < 0.03,
                    "delay {delay}, {rate}: {ratio:.4} of {expected:.4}"
                );
            }
        }
    }
}

#[test]
fn outages_lose_what_they_report_and_no_credit() {
    for (seed, delay) in [1, 4, 33, 200].into_iter().enumerate() {
        let outage = |from, start| Outage {
            from,
            cycles: start..start + 900,
        };
        let results = clean(&Options {
            outages: vec![
                outage(0, 3000),
                outage(1, 7000),
                outage(0, 11_000),
                outage(1, 11_100),
            ],
            silence_limit: 500,
            faults: [Faults::bits(1e-5); 2],
            drain: 0.3,
            seed: seed as u64,
            ..options(delay)
        });
        for direction in results.directions {
            assert!(direction.count(Event::LinkDown) >= 3, "{direction:?}");
            assert!(direction.count(Event::Timeout) >= 2, "{direction:?}");
            assert!(direction.begun > direction.whole, "{direction:?}");
        }
    }
}

/// The router's own bench, with all its monitors, over links at all ports.
#[test]
fn nothing_is_lost_between_routers() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let config = Config::load(&configs.join("router-2x2.toml")).expect("a named configuration");
    let simulation = Simulation::build(&config, false, &mut |_| ()).expect("a router");
    let params = simulation.params();
    let router = router::Options {
        load: Load::FULL,
        warmup: 500,
        cycles: 10_000,
        patience: 20_000,
        ..router::Options::default()
    };
    for rate in [1e-4, 1e-5] {
        let faults = Faults {
            lost: 0.01,
            doubled: 0.01,
            ..Faults::bits(rate)
        };
        let link = Options {
            faults: [faults; 2],
            delay: 5,
            ..Options::new(LinkParams::new(params, 128, 14))
        };
        let chip = simulation.chip(7).expect("a chip");
        let mut chip = LinkedChip::new(chip, params.ports(), &link).expect("links");
        let mut quiet = |_| ();
        let bench = Bench::new(&mut chip, params, &router, &mut quiet).expect("legal options");
        let results = bench.run().expect("it runs");
        assert!(results.passed(), "{rate}: {:?}", results.violations);
        assert!(results.packets.delivered > 1000);
        assert!(chip.count(Event::Replay) > 100);
        assert_eq!(chip.count(Event::LinkDown), 0);
    }
}
