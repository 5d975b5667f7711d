//! What the chip carries, and how fast, beside the bars of the 40-port chip.

use anyhow::Result;
use fantree_tb::router::{Incident, IncidentKind, Options, Routing, Run, Simulation, SourceQueues};
use fantree_tb::traffic::{Load, Pattern};

use super::measurement::{Marks, Measurement, NO_MARKS};
use super::runner::Runner;

/// Cycles that fairness is measured over: less, and the rounding of whole packets shows.
const FAIRNESS_CYCLES: u64 = 40_000;
/// The port that a tenth of all traffic goes to, or that is slow.
const HOT_PORT: usize = 0;

/// Flits in a port's buffers that mean congestion, where it is to be told early.
const EARLY_LIMIT: u32 = 32;

/// A run and the figures that are read off it.
struct Case {
    options: Options,
    figures: Vec<Figure>,
}

struct Figure {
    name: &'static str,
    unit: &'static str,
    marks: Marks,
    decimals: usize,
    read: fn(&Run) -> Option<f64>,
}

impl Figure {
    fn with(&self, value: f64) -> Measurement {
        Measurement {
            name: self.name,
            unit: self.unit,
            value,
            marks: self.marks,
            decimals: self.decimals,
        }
    }
}

/// A figure in flits a cycle a port.
fn rate(name: &'static str, marks: Marks, read: fn(&Run) -> Option<f64>) -> Figure {
    Figure {
        name,
        unit: "flits a cycle a port",
        marks,
        decimals: 4,
        read,
    }
}

/// A figure in cycles.
fn cycles(name: &'static str, marks: Marks, read: fn(&Run) -> Option<f64>) -> Figure {
    Figure {
        name,
        unit: "cycles",
        marks,
        decimals: 0,
        read,
    }
}

fn marks(bar: f64, goal: f64) -> Marks {
    Marks {
        bar: Some(bar),
        goal: Some(goal),
    }
}

fn accepted(run: &Run) -> Option<f64> {
    Some(run.results.accepted)
}

/// Accepted at all ports but the hot one.
fn accepted_elsewhere(run: &Run) -> Option<f64> {
    let others = run.results.by_port.iter().enumerate();
    let others = others.filter(|(port, _)| *port != HOT_PORT);
    let rates: Vec<f64> = others.map(|(_, port)| port.accepted).collect();
    (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64)
}

fn mean_latency(run: &Run) -> Option<f64> {
    run.results.latency.mean
}

fn p99_latency(run: &Run) -> Option<f64> {
    run.results.latency.p99.map(|cycles| cycles as f64)
}

fn load(flits_a_cycle: f64) -> Load {
    Load::new(flits_a_cycle).expect("a load of the table")
}

/// All cases; `base` says how long, from which seed.
fn cases(base: &Options) -> Vec<Case> {
    let case = |options, figures| Case { options, figures };
    let full = |pattern| Options {
        pattern,
        load: Load::FULL,
        ..base.clone()
    };
    let permutation = |pattern, name| {
        case(
            full(pattern),
            vec![rate(name, marks(0.99, 0.995), accepted)],
        )
    };
    vec![
        case(
            full(Pattern::Uniform),
            vec![
                rate("accepted, uniform", marks(0.95, 0.98), accepted),
                cycles("head through the idle chip", marks(8.0, 6.0), |run| {
                    let head = run.results.latency.head_zero_load;
                    head.map(|cycles| cycles as f64)
                }),
                Figure {
                    name: "simulation at full load",
                    unit: "cycles a second",
                    marks: marks(3000.0, 8000.0),
                    decimals: 0,
                    read: |run| Some(run.cycles_per_second),
                },
            ],
        ),
        permutation(Pattern::Permutation, "accepted, permutation"),
        permutation(Pattern::Complement, "accepted, complement"),
        permutation(Pattern::Tornado, "accepted, tornado"),
        case(
            full(Pattern::RowToColumn),
            vec![rate(
                "accepted, row to column, over all ports",
                marks(0.52, 0.57),
                accepted,
            )],
        ),
        case(
            Options {
                load: load(0.8),
                ..full(Pattern::Uniform)
            },
            vec![
                Figure {
                    decimals: 1,
                    ..cycles(
                        "mean latency, uniform at 0.8",
                        marks(35.0, 27.0),
                        mean_latency,
                    )
                },
                cycles(
                    "p99 latency, uniform at 0.8",
                    marks(150.0, 100.0),
                    p99_latency,
                ),
            ],
        ),
        case(
            Options {
                cycles: FAIRNESS_CYCLES,
                ..full(Pattern::AllToOne { port: HOT_PORT })
            },
            vec![Figure {
                name: "slowest over fastest source, all to one",
                unit: "",
                marks: marks(0.9, 0.97),
                decimals: 3,
                read: |run| run.results.fairness,
            }],
        ),
    ]
    .into_iter()
    .chain(beside_a_hot_port(base))
    .chain(around_a_slow_port(base))
    .collect()
}

/// A tenth of all traffic to one port: how much gets through to the others.
fn beside_a_hot_port(base: &Options) -> Vec<Case> {
    let case = |source_queues, figures| Case {
        options: Options {
            pattern: Pattern::Hotspot {
                port: HOT_PORT,
                share: 0.1,
            },
            load: load(0.8),
            source_queues,
            ..base.clone()
        },
        figures,
    };
    let goal = Marks {
        bar: None,
        goal: Some(0.36),
    };
    vec![
        case(
            SourceQueues::One,
            vec![rate(
                "accepted beside a hot port, sources with one queue",
                marks(0.17, 0.18),
                accepted_elsewhere,
            )],
        ),
        case(
            SourceQueues::PerDestination,
            vec![rate(
                "accepted beside a hot port, a queue a destination",
                NO_MARKS,
                accepted_elsewhere,
            )],
        ),
        case(
            SourceQueues::Throttled,
            vec![
                rate(
                    "accepted beside a hot port, slowed down by reports",
                    goal,
                    accepted_elsewhere,
                ),
                rate("accepted at the hot port then", NO_MARKS, |run| {
                    Some(run.results.by_port[HOT_PORT].accepted)
                }),
            ],
        ),
    ]
}

/// Adaptive packets with two candidates each, while one port takes a quarter of its rate: those that sense congestion go
/// round it.
fn around_a_slow_port(base: &Options) -> Vec<Case> {
    let case = |backlog_limit, accepted_name, latency_name| Case {
        options: Options {
            routing: Routing::Adaptive,
            candidates: 2,
            load: load(0.8),
            backlog_limit,
            incident: Some(Incident {
                port: HOT_PORT,
                after: 0,
                kind: IncidentKind::Slow(0.75),
            }),
            ..base.clone()
        },
        figures: vec![
            rate(accepted_name, NO_MARKS, accepted),
            cycles(latency_name, NO_MARKS, mean_latency),
        ],
    };
    vec![
        case(
            Some(0),
            "accepted around a slow port, no congestion sensing",
            "mean latency around a slow port, no congestion sensing",
        ),
        case(
            None,
            "accepted around a slow port, sensing from 3/4 of its buffers",
            "mean latency around a slow port, sensing from 3/4",
        ),
        case(
            Some(EARLY_LIMIT),
            "accepted around a slow port, sensing from 32 flits",
            "mean latency around a slow port, sensing from 32 flits",
        ),
    ]
}

/// Runs all cases; false if a run broke a rule.
pub fn measure(simulation: &Simulation, base: &Options) -> Result<(Vec<Measurement>, bool)> {
    let base = Options {
        // The queues of sources that send to a hot port drain for long.
        patience: 10 * base.cycles,
        ..base.clone()
    };
    let cases = cases(&base);
    let mut runner = Runner::new(simulation, cases.len());
    let mut measurements = Vec::new();
    for Case { options, figures } in cases {
        let run = runner.run(&options)?;
        let measured = figures
            .iter()
            .filter_map(|figure| Some(figure.with((figure.read)(&run)?)));
        measurements.extend(measured);
    }
    Ok((measurements, runner.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of the page are the command's, but a case that has changed since shows here.
    #[test]
    fn the_page_has_the_cases_and_marks_of_today() {
        let page = include_str!("../../../docs/performance.md");
        let (_, part) = page
            .split_once("<!-- fantree bench: measurements -->")
            .expect("a part");
        let (part, _) = part.split_once("<!-- end -->").expect("its end");
        let rows: Vec<Vec<&str>> = part
            .lines()
            .filter(|line| line.starts_with("| "))
            .skip(1)
            .map(|line| line.split('|').map(str::trim).collect())
            .collect();
        let figures = cases(&Options::default());
        let figures = figures.iter().flat_map(|case| &case.figures);
        let today: Vec<[String; 6]> = figures.map(|figure| figure.with(0.0).cells()).collect();
        // The time that the compilation takes is no case.
        assert_eq!(rows.len(), today.len() + 1);
        for ([name, _, bar, goal, _, unit], row) in today.iter().zip(rows) {
            assert_eq!([row[1], row[3], row[4], row[6]], [name, bar, goal, unit]);
        }
    }
}
