//! Random runs of routers of many shapes: every pattern, way of routing, store-and-forward, stalls, splits of buffers,
//! damaged packets, multicast. Every packet must arrive, and every credit must come home.
//!
//! `FANTREE_RUNS` sets how many runs, `FANTREE_SEED` where they start; a failure names the run that repeats it.

use fantree_gen::config::Config;
use fantree_tb::router::{Options, Routing, Simulation, Split, Stalls, Store, VcPolicy, MAX_VCS};
use fantree_tb::traffic::{Arrivals, Lengths, Load, Pattern, Shape};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Structures that are compiled; everything else is set through registers or by the bench.
const STRUCTURES: [&str; 12] = [
    "rows = 2\ncolumns = 2",
    "rows = 4\ncolumns = 2\nvirtual_channels = 2\nblock_flits = 2\nprivate_blocks = 35\nrow_buffer_flits = 6\ncolumn_buffer_flits = 5",
    "rows = 1\ncolumns = 3\nvirtual_channels = 1\nprivate_blocks = 10\nblock_flits = 8\nrouting = { candidates = 1 }",
    "rows = 3\ncolumns = 1\nvirtual_channels = 8\nblock_flits = 16\nprivate_blocks = 5",
    "rows = 2\ncolumns = 3\nvirtual_channels = 6\nphases = 3\nblock_flits = 4",
    "rows = 3\ncolumns = 3\nblock_flits = 1\nprivate_blocks = 69\ninput_buffer_blocks = 300",
    "rows = 2\ncolumns = 5\nrow_buffer_flits = 2\ncolumn_buffer_flits = 2",
    "rows = 5\ncolumns = 2\nrow_buffer_flits = 33\ncolumn_buffer_flits = 17\nrouting = { candidates = 40 }",
    "rows = 4\ncolumns = 4\nvirtual_channels = 3\nphases = 3\ninput_buffer_blocks = 54",
    "rows = 3\ncolumns = 5\nphases = 2\npayload_bytes = 64\nprivate_blocks = 3\ninput_buffer_blocks = 12",
    "rows = 8\ncolumns = 3\nvirtual_channels = 2\npayload_bytes = 2048\nprivate_blocks = 34",
    "rows = 5\ncolumns = 8\nphases = 2",
];

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is {text}; legal is a number"))
    })
}

fn pick<T: Clone>(random: &mut impl Rng, of: &[T]) -> T {
    of.choose(random).expect("something to pick from").clone()
}

/// A split of the buffer, in which every channel can hold the longest packet.
fn split(random: &mut impl Rng, simulation: &Simulation) -> Split {
    let params = simulation.params();
    let vcs = params.virtual_channels;
    let longest = params.blocks_of(params.max_packet_flits);
    let mut split = Split {
        block_flits: params.block_flits,
        private: [0; MAX_VCS],
        shared: 0,
    };
    let mut left = params.input_buffer_blocks;
    if random.gen() {
        // The shared blocks hold the longest packet; some of the rest is private.
        left -= longest;
        split.shared = longest;
        for vc in 0..vcs {
            split.private[vc] = random.gen_range(0..=left / (vcs - vc));
            left -= split.private[vc];
        }
    } else if longest * vcs <= left {
        split.private[..vcs].fill(longest);
        left -= longest * vcs;
    } else {
        return Split::of(params);
    }
    split.shared += random.gen_range(0..=left);
    split
}

fn options(seed: u64, simulation: &Simulation) -> Options {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
    let params = simulation.params();
    let shape = Shape {
        rows: params.rows,
        columns: params.columns,
    };
    let patterns: Vec<Pattern> = Pattern::ALL
        .into_iter()
        .filter(|pattern| pattern.check(shape).is_ok())
        .collect();
    let pattern = pick(random, &patterns);
    let longest = params.max_packet_flits;
    let lengths: Lengths = match random.gen_range(0..4) {
        0 => Lengths::fixed(random.gen_range(1..=longest)),
        1 => "1,2,3,4".parse().unwrap(),
        2 => format!("1,4,{longest}").parse().unwrap(),
        _ => format!("1,{}", params.max_multicast_flits().max(2))
            .parse()
            .unwrap(),
    };
    let most_candidates = params.candidates.min(params.ports());
    Options {
        pattern,
        load: pick(random, &[Load::FULL, Load::HALF, Load::new(0.1).unwrap()]),
        arrivals: pick(random, &[pattern.arrivals(), Arrivals::BURSTY]),
        lengths,
        vc_policy: pick(random, &[VcPolicy::MostCredits, VcPolicy::Random]),
        interleave: random.gen(),
        no_route: pick(random, &[0.0, 0.05]),
        damage: pick(random, &[0.0, 0.0, 0.1]),
        routing: pick(
            random,
            &[
                Routing::Deterministic,
                Routing::Adaptive,
                Routing::Source,
                Routing::Mixed,
            ],
        ),
        candidates: random.gen_range(1..=most_candidates),
        multicast: pick(random, &[0.0, 0.1, 1.0]),
        store: pick(random, &[Store::Never, Store::Always, Store::Odd]),
        split: random.gen::<bool>().then(|| split(random, simulation)),
        stalls: Stalls {
            share: pick(random, &[0.0, 0.3, 0.7]),
            mean_cycles: pick(random, &[2.0, 20.0]),
        },
        credit_round_trip: pick(random, &[1, 8, 50]),
        warmup: 50,
        cycles: random.gen_range(200..1500),
        patience: 20_000,
        seed,
        ..Options::default()
    }
}

#[test]
fn random_runs_of_random_routers_deliver_everything() {
    let runs = number("FANTREE_RUNS", 40);
    let first = number("FANTREE_SEED", 1);
    // Few runs are for few structures, which are dear to compile.
    let structures = STRUCTURES.len().min(runs.div_ceil(17) as usize);
    let mut failures = Vec::new();
    for (i, structure) in STRUCTURES.iter().take(structures).enumerate() {
        let text = format!("name = \"random\"\n[router]\n{structure}");
        let config = Config::parse("structure", &text).unwrap_or_else(|e| panic!("{text}\n{e}"));
        let simulation = Simulation::build(&config, false, &mut |_| ()).unwrap();
        for run in (0..runs).filter(|run| *run as usize % structures == i) {
            let options = options(first + run, &simulation);
            let results = simulation
                .run(&options, None, &mut |_| ())
                .unwrap_or_else(|error| panic!("{structure}\n{options:?}: {error:#}"))
                .results;
            let packets = results.packets;
            if !results.passed() || packets.delivered + packets.dropped.total() != packets.sent {
                let violations: Vec<String> =
                    results.violations.iter().map(|v| v.to_string()).collect();
                failures.push(format!(
                    "FANTREE_SEED={} of {structure:?}\n{options:?}\n{packets:?}\n{}",
                    first + run,
                    violations.join("\n")
                ));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {runs} runs failed\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}
