//! What the chip carries, and how fast, beside the bars of the 40-port chip.

use anyhow::Result;
use fantree_tb::router::{Options, Results, Simulation};
use fantree_tb::traffic::{Load, Pattern};
use serde::Serialize;

use crate::commands::sim;

/// Cycles that fairness is measured over: less, and the rounding of whole packets shows.
const FAIRNESS_CYCLES: u64 = 40_000;
/// The port that a tenth of all traffic goes to.
const HOT_PORT: usize = 0;

/// A figure and what it should be.
#[derive(Debug, Clone, Serialize)]
pub struct Measurement {
    pub name: &'static str,
    pub unit: &'static str,
    pub value: f64,
    /// What the 40-port chip must reach, and what it should.
    pub bar: f64,
    pub goal: f64,
    #[serde(skip)]
    pub decimals: usize,
}

impl Measurement {
    /// Whether the value reaches a mark; where the goal is below the bar, less is better.
    pub fn reaches(&self, mark: f64) -> bool {
        match self.goal < self.bar {
            true => self.value <= mark,
            false => self.value >= mark,
        }
    }
}

/// A run of traffic and the figures that are read off its results.
struct Case {
    pattern: Pattern,
    load: f64,
    cycles: u64,
    figures: &'static [Figure],
}

/// Name, unit, bar, goal, decimals, and where it stands.
type Figure = (
    &'static str,
    &'static str,
    f64,
    f64,
    usize,
    fn(&Results) -> Option<f64>,
);

const FLITS: &str = "flits a cycle a port";

fn accepted(results: &Results) -> Option<f64> {
    Some(results.accepted)
}

/// Accepted at all ports but the hot one.
fn accepted_elsewhere(results: &Results) -> Option<f64> {
    let others = results.by_port.iter().enumerate();
    let others = others.filter(|(port, _)| *port != HOT_PORT);
    let rates: Vec<f64> = others.map(|(_, port)| port.accepted).collect();
    (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64)
}

fn cases(cycles: u64) -> Vec<Case> {
    let case = |pattern, load, cycles, figures| Case {
        pattern,
        load,
        cycles,
        figures,
    };
    let hotspot = Pattern::Hotspot {
        port: HOT_PORT,
        share: 0.1,
    };
    vec![
        case(
            Pattern::Uniform,
            1.0,
            cycles,
            &[
                (
                    "accepted, uniform",
                    FLITS,
                    0.95,
                    0.98,
                    4,
                    accepted as fn(&Results) -> Option<f64>,
                ),
                ("head through the idle chip", "cycles", 8.0, 6.0, 0, |r| {
                    r.latency.head_zero_load.map(|cycles| cycles as f64)
                }),
            ],
        ),
        case(
            Pattern::Permutation,
            1.0,
            cycles,
            &[("accepted, permutation", FLITS, 0.99, 0.995, 4, accepted)],
        ),
        case(
            Pattern::Complement,
            1.0,
            cycles,
            &[("accepted, complement", FLITS, 0.99, 0.995, 4, accepted)],
        ),
        case(
            Pattern::Tornado,
            1.0,
            cycles,
            &[("accepted, tornado", FLITS, 0.99, 0.995, 4, accepted)],
        ),
        case(
            Pattern::RowToColumn,
            1.0,
            cycles,
            &[("accepted, row to column", FLITS, 0.52, 0.57, 4, accepted)],
        ),
        case(
            hotspot,
            0.8,
            cycles,
            &[(
                "accepted beside a hot port",
                FLITS,
                0.17,
                0.18,
                4,
                accepted_elsewhere,
            )],
        ),
        case(
            Pattern::Uniform,
            0.8,
            cycles,
            &[
                ("mean latency at 0.8", "cycles", 35.0, 27.0, 1, |r| {
                    r.latency.mean
                }),
                ("p99 latency at 0.8", "cycles", 150.0, 100.0, 0, |r| {
                    r.latency.p99.map(|cycles| cycles as f64)
                }),
            ],
        ),
        case(
            Pattern::AllToOne { port: HOT_PORT },
            1.0,
            FAIRNESS_CYCLES,
            &[(
                "slowest over fastest source, all to one",
                "",
                0.9,
                0.97,
                3,
                |r| r.fairness,
            )],
        ),
    ]
}

/// Runs all cases with packets of 4 flits; false if a run broke a rule.
pub fn measure(
    simulation: &Simulation,
    cycles: u64,
    seed: u64,
) -> Result<(Vec<Measurement>, bool)> {
    let mut measurements = Vec::new();
    let mut passed = true;
    for Case {
        pattern,
        load,
        cycles,
        figures,
    } in cases(cycles)
    {
        let options = Options {
            pattern,
            load: Load::new(load).expect("a load of the table"),
            cycles,
            seed,
            // The queues of sources that send to a hot port drain for long.
            patience: 10 * cycles,
            ..Options::default()
        };
        let results = sim::simulate(simulation, &options, None)?.results;
        passed &= results.passed();
        for violation in &results.violations {
            eprintln!("{pattern}: {violation}");
        }
        for &(name, unit, bar, goal, decimals, read) in figures {
            measurements.extend(read(&results).map(|value| Measurement {
                name,
                unit,
                value,
                bar,
                goal,
                decimals,
            }));
        }
    }
    Ok((measurements, passed))
}
