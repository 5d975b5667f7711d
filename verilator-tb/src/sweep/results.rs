//! What a sweep found, as JSON and CSV.

use serde::{Deserialize, Serialize};

use super::{Bounds, Criterion, Estimate};
use crate::report::Table;
use crate::router::{Latency, LatencyBin, Occupancy, PortResults, Results};
use crate::traffic::{Lengths, Load};

/// What says that a JSON file holds a sweep that this program reads.
pub const FORMAT: &str = "fantree-sweep/1";

/// Everything that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// [`FORMAT`].
    pub format: String,
    /// The command that measures it again.
    pub command: String,
    pub seeds: usize,
    /// Cycles of each measurement.
    pub cycles: u64,
    pub criterion: Criterion,
    pub curves: Vec<Curve>,
}

/// One configuration under one pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    pub config: String,
    pub rows: usize,
    pub columns: usize,
    pub pattern: String,
    /// Mean latency without load, in cycles.
    pub zero_load: Option<f64>,
    /// None where it was not searched for.
    pub saturation: Option<Saturation>,
    /// By ascending load.
    pub points: Vec<Point>,
}

/// Where a router saturates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Saturation {
    /// The greatest load that it carries, in flits a cycle a port.
    pub load: Estimate,
    /// What each seed found.
    pub by_seed: Vec<Bounds>,
}

/// One load. Rates are in flits a cycle a port, latencies in cycles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// As asked for.
    pub load: f64,
    pub offered: Estimate,
    pub accepted: Estimate,
    pub mean: Option<Estimate>,
    pub p50: Option<Estimate>,
    pub p99: Option<Estimate>,
    /// Of all seeds.
    pub max: Option<u64>,
    /// Slowest source over fastest.
    pub fairness: Option<Estimate>,
    /// More than half of the runs met the criterion.
    pub saturated: bool,
    /// The run with the first seed.
    pub detail: Detail,
}

/// The parts of a run's results that are more than a number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    pub seed: u64,
    pub latency: Latency,
    pub latency_bins: Vec<LatencyBin>,
    pub by_port: Vec<PortResults>,
    pub occupancy: Occupancy,
}

/// A JSON file of another version, or of another kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "it has the format `{0}`, and this program reads `{FORMAT}`: measure again by `fantree sweep`"
)]
pub struct UnknownFormat(pub String);

impl Sweep {
    /// Refuses what another version of the program wrote.
    pub fn check_format(format: &str) -> Result<(), UnknownFormat> {
        match format {
            FORMAT => Ok(()),
            other => Err(UnknownFormat(other.into())),
        }
    }
}

impl Detail {
    pub fn of(results: &Results) -> Self {
        Self {
            seed: results.seed,
            latency: results.latency,
            latency_bins: results.latency_bins.clone(),
            by_port: results.by_port.clone(),
            occupancy: results.occupancy.clone(),
        }
    }
}

impl Curve {
    /// A configuration's runs under one pattern, as many of each load, those of a load together. No saturation: that is
    /// not seen in them.
    pub fn of(
        config: &str,
        lengths: &Lengths,
        criterion: &Criterion,
        loads: &[Load],
        runs: &[Results],
    ) -> Self {
        let first = &runs[0];
        let zero_load = first.latency.without_load(lengths);
        let of_each = runs.chunks(runs.len() / loads.len());
        Self {
            config: config.into(),
            rows: first.rows,
            columns: first.columns,
            pattern: first.pattern.clone(),
            zero_load,
            saturation: None,
            points: loads
                .iter()
                .zip(of_each)
                .map(|(&load, runs)| Point::of(load, runs, criterion, zero_load))
                .collect(),
        }
    }
}

impl Point {
    /// Whether packets do not arrive at random, but are always there.
    pub fn is_full_load(&self) -> bool {
        self.load == Load::FULL.value()
    }

    /// The runs of one load, one or more, that differ in their seed.
    fn of(load: Load, runs: &[Results], criterion: &Criterion, zero_load: Option<f64>) -> Self {
        let every = |value: &dyn Fn(&Results) -> f64| {
            let values: Vec<f64> = runs.iter().map(value).collect();
            Estimate::of(&values).expect("one run or more")
        };
        // A load at which some runs delivered nothing has no latency.
        let some = |value: &dyn Fn(&Results) -> Option<f64>| {
            let values: Option<Vec<f64>> = runs.iter().map(value).collect();
            values.and_then(|values| Estimate::of(&values))
        };
        let cycles = |value: Option<u64>| value.map(|value| value as f64);
        let met = runs.iter().filter(|run| criterion.is_met(run, zero_load));
        Self {
            load: load.value(),
            offered: every(&|run| run.offered),
            accepted: every(&|run| run.accepted),
            mean: some(&|run| run.latency.mean),
            p50: some(&|run| cycles(run.latency.p50)),
            p99: some(&|run| cycles(run.latency.p99)),
            max: runs.iter().filter_map(|run| run.latency.max).max(),
            fairness: some(&|run| run.fairness),
            saturated: 2 * met.count() > runs.len(),
            detail: Detail::of(&runs[0]),
        }
    }
}

impl Sweep {
    /// The saturation points as a table.
    pub fn saturation_table(&self) -> Table {
        let header = ["config", "pattern", "load (flits/cycle/port)", "± 95 %"];
        let rows = self.curves.iter().filter_map(|curve| {
            let load = curve.saturation.as_ref()?.load;
            let mut row = vec![curve.config.clone(), curve.pattern.clone()];
            row.extend(cells(Some(load), 4));
            Some(row)
        });
        Table::new("Saturation points", &header, rows.collect())
    }
}

/// All points of curves as a table.
pub fn points_table(curves: &[Curve]) -> Table {
    let mut header = ["config", "pattern", "load (flits/cycle/port)"]
        .map(String::from)
        .to_vec();
    for (name, unit) in [
        ("offered", "flits/cycle/port"),
        ("accepted", "flits/cycle/port"),
        ("mean latency", "cycles"),
        ("p50", "cycles"),
        ("p99", "cycles"),
    ] {
        header.push(format!("{name} ({unit})"));
        header.push(format!("{name} ± 95 %"));
    }
    header.extend(["max (cycles)", "fairness", "fairness ± 95 %", "saturated"].map(String::from));
    let row = |curve: &Curve, point: &Point| {
        let mut row = vec![
            curve.config.clone(),
            curve.pattern.clone(),
            format!("{}", point.load),
        ];
        row.extend(cells(Some(point.offered), 4));
        row.extend(cells(Some(point.accepted), 4));
        for latency in [point.mean, point.p50, point.p99] {
            row.extend(cells(latency, 2));
        }
        row.push(point.max.map_or(String::new(), |max| max.to_string()));
        row.extend(cells(point.fairness, 4));
        row.push(point.saturated.to_string());
        row
    };
    let rows = curves
        .iter()
        .flat_map(|curve| curve.points.iter().map(move |point| row(curve, point)));
    Table::new("Points", &header, rows.collect())
}

/// Mean and margin; empty where there is none.
fn cells(estimate: Option<Estimate>, places: usize) -> [String; 2] {
    let number = |value: Option<f64>| value.map_or(String::new(), |it| format!("{it:.places$}"));
    [
        number(estimate.map(|it| it.mean)),
        number(estimate.and_then(|it| it.margin)),
    ]
}
