//! Random runs of routers of many shapes. Every packet must arrive, and every credit must come home.
//!
//! What has no order is drawn at random: stalls, splits of buffers, lengths, loads, damaged packets, multicast. What must
//! not be left to chance is gone through one by one ([`Cross`]): every pattern with every way of routing and of storing.
//!
//! `FANTREE_RUNS` sets how many runs, `FANTREE_SEED` the number of the first, `FANTREE_STRUCTURES` of how many routers; a
//! failure names the command that repeats it.

use std::collections::BTreeSet;
use std::fmt;

use fantree_gen::config::{Config, Router};
use fantree_tb::router::{
    Options, Routing, Simulation, SplitPolicy, Stalls, Store, VcPolicy, Violation,
};
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

/// A number from the environment.
fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is {text}; legal is a number"))
    })
}

fn parsed(structure: &&str) -> Config {
    let text = format!("name = \"random\"\n[router]\n{structure}");
    Config::parse("structure", &text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn pick<T: Clone>(random: &mut impl Rng, of: &[T]) -> T {
    of.choose(random).expect("something to pick from").clone()
}

/// What every so many runs go through from end to end.
#[derive(Debug, Clone, Copy)]
struct Cross {
    pattern: Pattern,
    routing: Routing,
    store: Store,
}

impl Cross {
    const ROUTINGS: [Routing; 4] = [
        Routing::Deterministic,
        Routing::Adaptive,
        Routing::Source,
        Routing::Mixed,
    ];
    const STORES: [Store; 3] = [Store::Never, Store::Always, Store::Odd];
    const COUNT: u64 = (Pattern::ALL.len() * Self::ROUTINGS.len() * Self::STORES.len()) as u64;

    /// That of a run: so many runs in a row, whichever is the first, go through all.
    fn of(run: u64) -> Self {
        let mut rest = run;
        let mut digit = |base: usize| {
            let digit = rest % base as u64;
            rest /= base as u64;
            digit as usize
        };
        Self {
            pattern: Pattern::ALL[digit(Pattern::ALL.len())],
            routing: Self::ROUTINGS[digit(Self::ROUTINGS.len())],
            store: Self::STORES[digit(Self::STORES.len())],
        }
    }

    /// The structure of a run: the next in turn on which the pattern is defined. The turn shifts with every round of the
    /// patterns, so that in time each meets each.
    fn structure(self, run: u64, structures: &[Config]) -> usize {
        let turn = run % Self::COUNT + run % Self::COUNT / Pattern::ALL.len() as u64;
        let is_defined = |&i: &usize| {
            let Router { rows, columns, .. } = structures[i].router;
            self.pattern.check(Shape { rows, columns }).is_ok()
        };
        let defined: Vec<usize> = (0..structures.len()).filter(is_defined).collect();
        defined[turn as usize % defined.len()]
    }
}

impl fmt::Display for Cross {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            pattern,
            routing,
            store,
        } = self;
        write!(f, "{pattern} × {routing:?} × {store:?}")
    }
}

fn options(run: u64, cross: Cross, simulation: &Simulation) -> Options {
    let random = &mut Xoshiro256PlusPlus::seed_from_u64(run);
    let params = simulation.params();
    let Cross {
        pattern,
        routing,
        store,
    } = cross;
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
        routing,
        candidates: random.gen_range(1..=most_candidates),
        multicast: pick(random, &[0.0, 0.1, 1.0]),
        store,
        split: pick(random, &[SplitPolicy::Reset, SplitPolicy::Random]),
        stalls: Stalls {
            share: pick(random, &[0.0, 0.3, 0.7]),
            mean_cycles: pick(random, &[2.0, 20.0]),
        },
        credit_round_trip: pick(random, &[1, 8, 50]),
        warmup: 50,
        cycles: random.gen_range(200..1500),
        patience: 20_000,
        seed: run,
        ..Options::default()
    }
}

#[test]
fn random_runs_of_random_routers_deliver_everything() {
    let runs = number("FANTREE_RUNS", 40);
    let first = number("FANTREE_SEED", 1);
    // Few runs are for few structures, which are dear to compile.
    let most = STRUCTURES.len() as u64;
    let count = number("FANTREE_STRUCTURES", runs.div_ceil(17)).clamp(1, most) as usize;
    let structures: Vec<Config> = STRUCTURES.iter().take(count).map(parsed).collect();
    let mut left: BTreeSet<String> = (0..Cross::COUNT)
        .map(|run| Cross::of(run).to_string())
        .collect();
    let mut failures = Vec::new();
    for (i, config) in structures.iter().enumerate() {
        let simulation = Simulation::build(config, false, &mut |_| ()).unwrap();
        for run in first..first + runs {
            let cross = Cross::of(run);
            if cross.structure(run, &structures) != i {
                continue;
            }
            let options = options(run, cross, &simulation);
            let results = simulation
                .run(&options, None, &mut |_| ())
                .unwrap_or_else(|error| panic!("{options:?}: {error:#}"))
                .results;
            let packets = results.packets;
            if results.passed() && packets.delivered + packets.dropped.total() == packets.sent {
                left.remove(&cross.to_string());
                continue;
            }
            let violations: Vec<String> = results
                .violations
                .iter()
                .map(Violation::to_string)
                .collect();
            failures.push(format!(
                "FANTREE_SEED={run} FANTREE_RUNS=1 FANTREE_STRUCTURES={count} cargo test --test router_random\n\
                 {:?}\n{options:?}\n{packets:?}\n{}",
                STRUCTURES[i],
                violations.join("\n")
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {runs} runs failed\n{}",
        failures.len(),
        failures.join("\n\n")
    );
    println!(
        "{runs} runs, {} of {} kinds left out: {left:?}",
        left.len(),
        Cross::COUNT
    );
    assert!(runs < Cross::COUNT || left.is_empty(), "left out: {left:?}");
}

/// The runs of `make regress` go through all kinds, and each structure has its part in them.
#[test]
fn the_runs_of_a_regression_have_every_kind_on_every_structure() {
    let structures: Vec<Config> = STRUCTURES.iter().map(parsed).collect();
    for first in [0, 1, 1_796_000_000, u64::MAX - 204] {
        let mut kinds = BTreeSet::new();
        let mut counts = [0; STRUCTURES.len()];
        for run in first..first + 204 {
            let cross = Cross::of(run);
            kinds.insert(cross.to_string());
            counts[cross.structure(run, &structures)] += 1;
        }
        assert_eq!(kinds.len() as u64, Cross::COUNT, "from {first}");
        assert!(counts.iter().all(|&count| count >= 12), "{counts:?}");
    }
}
