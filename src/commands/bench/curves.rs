//! Latency and load: curves of all patterns, up to near the load at which each saturates.
//!
//! A pattern's saturation is what it accepts while a packet always waits. Above it queues only grow, so the loads are
//! shares of it.

use std::path::Path;

use anyhow::{Context, Result};
use fantree_tb::report::{Axis, Curve, Figure};
use fantree_tb::router::{Options, Results, Simulation};
use fantree_tb::traffic::{Load, Pattern, Shape};
use serde::Serialize;

use super::runner::Runner;

/// Loads that are measured, as shares of the saturation.
const SHARES: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
/// Curves of a picture: as many as are told apart at once.
const CURVES: usize = 4;

/// The points of one pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PatternCurve {
    #[serde(serialize_with = "as_text")]
    pub pattern: Pattern,
    /// Flits a cycle a port that are accepted at full load.
    pub saturation: f64,
    pub points: Vec<Point>,
}

/// Flits a cycle a port, and cycles from entry into the queue of the source to tail out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Point {
    pub offered: f64,
    pub accepted: f64,
    pub mean: Option<f64>,
    pub p50: Option<u64>,
    pub p99: Option<u64>,
    pub max: Option<u64>,
}

fn as_text<S: serde::Serializer>(pattern: &Pattern, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(pattern)
}

impl Point {
    fn of(results: &Results) -> Self {
        let latency = &results.latency;
        Self {
            offered: results.offered,
            accepted: results.accepted,
            mean: latency.mean,
            p50: latency.p50,
            p99: latency.p99,
            max: latency.max,
        }
    }
}

/// Measures every pattern that the chip's shape allows; false if a run broke a rule.
pub fn measure(simulation: &Simulation, base: &Options) -> Result<(Vec<PatternCurve>, bool)> {
    let params = simulation.params();
    let shape = Shape {
        rows: params.rows,
        columns: params.columns,
    };
    let is_defined = |pattern: &Pattern| pattern.check(shape).is_ok();
    let patterns: Vec<Pattern> = Pattern::ALL.into_iter().filter(is_defined).collect();
    let mut runner = Runner::new(simulation, patterns.len() * (SHARES.len() + 1));
    let curves: Result<Vec<PatternCurve>> = patterns
        .into_iter()
        .map(|pattern| of_pattern(pattern, &mut runner, base))
        .collect();
    Ok((curves?, runner.finish()))
}

fn of_pattern(pattern: Pattern, runner: &mut Runner, base: &Options) -> Result<PatternCurve> {
    let at = |load| Options {
        pattern,
        arrivals: pattern.arrivals(),
        load,
        ..base.clone()
    };
    let saturation = runner.run(&at(Load::FULL))?.results.accepted;
    let loads = SHARES
        .iter()
        .filter_map(|share| Load::new(share * saturation));
    let points: Result<Vec<Point>> = loads
        .map(|load| Ok(Point::of(&runner.run(&at(load))?.results)))
        .collect();
    Ok(PatternCurve {
        pattern,
        saturation,
        points: points?,
    })
}

/// A picture of a few patterns.
pub struct Picture {
    /// Name of its file.
    pub file: String,
    pub figure: Figure,
}

/// Mean and 99th percentile of all patterns, four to a picture, in the order of [`Pattern::ALL`].
pub fn pictures(curves: &[PatternCurve]) -> Vec<Picture> {
    let mean: fn(&Point) -> Option<f64> = |point| point.mean;
    let p99: fn(&Point) -> Option<f64> = |point| point.p99.map(|cycles| cycles as f64);
    Pattern::ALL
        .chunks(CURVES)
        .map(|group| -> Vec<&PatternCurve> {
            let in_group = |curve: &&PatternCurve| group.contains(&curve.pattern);
            curves.iter().filter(in_group).collect()
        })
        .filter(|group| !group.is_empty())
        .enumerate()
        .flat_map(|(i, group)| {
            [("mean", mean), ("p99", p99)].map(|(value, read)| Picture {
                file: format!("{value}-{}.svg", i + 1),
                figure: figure(value, &group, read),
            })
        })
        .collect()
}

fn figure(value: &str, group: &[&PatternCurve], read: fn(&Point) -> Option<f64>) -> Figure {
    let offered = group.iter().flat_map(|curve| &curve.points);
    let mut xs: Vec<f64> = offered.map(|point| point.offered).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let curve = |curve: &&PatternCurve| {
        let at = |x: &f64| curve.points.iter().find(|point| point.offered == *x);
        Curve::new(
            curve.pattern.name(),
            xs.iter().map(|x| at(x).and_then(read)),
        )
    };
    let names: Vec<&str> = group.iter().map(|curve| curve.pattern.name()).collect();
    Figure {
        title: format!("{value} latency: {}", names.join(", ")),
        caption: String::new(),
        x: Axis::new("offered load", "flits/cycle/port"),
        y: Axis::new(&format!("{value} packet latency"), "cycles"),
        curves: group.iter().map(curve).collect(),
        xs,
        guide: None,
        top: None,
    }
}

/// All points as CSV.
pub fn csv(curves: &[PatternCurve]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "pattern",
        "saturation (flits/cycle/port)",
        "offered (flits/cycle/port)",
        "accepted (flits/cycle/port)",
        "mean latency (cycles)",
        "p50 (cycles)",
        "p99 (cycles)",
        "max (cycles)",
    ])?;
    for curve in curves {
        for point in &curve.points {
            let whole = |cycles: Option<u64>| cycles.map_or(String::new(), |it| it.to_string());
            writer.write_record([
                curve.pattern.to_string(),
                format!("{:.4}", curve.saturation),
                format!("{:.4}", point.offered),
                format!("{:.4}", point.accepted),
                point.mean.map_or(String::new(), |it| format!("{it:.2}")),
                whole(point.p50),
                whole(point.p99),
                whole(point.max),
            ])?;
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// File name of the points.
pub const CSV: &str = "curves.csv";

/// Writes points and pictures into a folder.
pub fn write(curves: &[PatternCurve], dir: &Path) -> Result<()> {
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    write(CSV, &csv(curves)?)?;
    pictures(curves)
        .iter()
        .try_for_each(|picture| write(&picture.file, &picture.figure.svg()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(pattern: Pattern, saturation: f64) -> PatternCurve {
        let point = |share: f64| Point {
            offered: share * saturation,
            accepted: share * saturation,
            mean: Some(10.0 / (1.0 - share)),
            p50: Some(9),
            p99: (share > 0.2).then_some(40),
            max: Some(50),
        };
        PatternCurve {
            pattern,
            saturation,
            points: vec![point(0.1), point(0.5)],
        }
    }

    #[test]
    fn every_pattern_is_in_a_picture_with_all_its_points() {
        let curves: Vec<PatternCurve> = Pattern::ALL.map(|pattern| curve(pattern, 0.9)).into();
        let pictures = pictures(&curves);
        assert_eq!(pictures.len(), 2 * Pattern::ALL.len().div_ceil(CURVES));
        for pattern in Pattern::ALL {
            let shows = |picture: &&Picture| {
                let mut curves = picture.figure.curves.iter();
                curves.any(|curve| curve.label == pattern.name())
            };
            let files: Vec<&str> = pictures.iter().filter(shows).map(|it| &*it.file).collect();
            assert_eq!(files.len(), 2, "{pattern}: {files:?}");
        }
    }

    #[test]
    fn patterns_that_saturate_elsewhere_have_points_of_their_own() {
        let curves = [curve(Pattern::Uniform, 1.0), curve(Pattern::Tornado, 0.5)];
        let figure = &pictures(&curves)[0].figure;
        assert_eq!(figure.xs, [0.05, 0.1, 0.25, 0.5]);
        let values: Vec<_> = figure.curves.iter().map(|it| it.values.clone()).collect();
        let mean = |share: f64| Some(10.0 / (1.0 - share));
        assert_eq!(values[0], [None, mean(0.1), None, mean(0.5)]);
        assert_eq!(values[1], [mean(0.1), None, mean(0.5), None]);
    }

    #[test]
    fn csv_has_a_row_for_each_point() {
        let csv = csv(&[curve(Pattern::Uniform, 1.0)]).unwrap();
        let rows: Vec<&str> = csv.lines().skip(1).collect();
        assert_eq!(
            rows,
            [
                "uniform,1.0000,0.1000,0.1000,11.11,9,,50",
                "uniform,1.0000,0.5000,0.5000,20.00,9,40,50"
            ]
        );
    }
}
