//! The section of one run: its latencies, its ports, its buffers, and how fair it was to the sources.

use serde::Deserialize;

use super::bars::Bar;
use super::{Axis, Bars, Curve, Figure, HeatMap, Item, Section, Table};
use crate::router::PortResults;
use crate::sweep::{self, Detail, Point};

/// A run as `fantree sim --json` prints it, as far as a report shows it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Run {
    pub config: String,
    pub rows: usize,
    pub columns: usize,
    pub pattern: String,
    pub offered: f64,
    #[serde(flatten)]
    pub detail: Detail,
}

impl Run {
    /// The run of a curve that tells most: at the greatest load below the full one that is carried, else at the least one.
    pub fn of_curve(curve: &sweep::Curve) -> Option<Self> {
        let carried = |point: &&Point| !point.saturated && !point.is_full_load();
        let point = curve.points.iter().rev().find(carried);
        let Point { load, detail, .. } = point.or(curve.points.first())?;
        Some(Self {
            config: curve.config.clone(),
            rows: curve.rows,
            columns: curve.columns,
            pattern: curve.pattern.clone(),
            offered: *load,
            detail: detail.clone(),
        })
    }

    pub fn section(&self) -> Section {
        let Self {
            config,
            pattern,
            offered,
            detail,
            ..
        } = self;
        Section {
            title: format!("{config}: {pattern} at {offered:.2}"),
            text: format!(
                "One run, of seed {}, with {offered:.3} flits a cycle a port offered.",
                detail.seed
            ),
            items: vec![
                Item::Bars(self.latencies()),
                Item::HeatMaps(self.maps()),
                Item::Bars(self.fairness()),
                Item::Table(self.ports()),
                Item::Figure(self.occupancy()),
            ],
        }
    }

    /// Names the plots of this run among those of others.
    fn titled(&self, what: &str) -> String {
        let Self {
            config,
            pattern,
            offered,
            ..
        } = self;
        format!("{what}: {config}, {pattern} at {offered:.2}")
    }

    fn latencies(&self) -> Bars {
        let Detail {
            latency,
            latency_bins,
            ..
        } = &self.detail;
        let packets: u64 = latency_bins.iter().map(|bin| bin.packets).sum();
        let share = |packets_of_bin: u64| 100.0 * packets_of_bin as f64 / packets as f64;
        let width = latency_bins.first().map_or(1, |bin| bin.to - bin.from + 1);
        // The last bin may be wide: it is drawn as wide as the others.
        let bar = |bin: &crate::router::LatencyBin| Bar {
            label: format!("{} to {}", bin.from, bin.to),
            from: bin.from as f64,
            to: (bin.from + width) as f64,
            value: share(bin.packets),
        };
        let marks = [
            ("median", latency.p50),
            ("99th percentile", latency.p99),
            ("99.9th percentile", latency.p999),
        ];
        let marks = marks.into_iter();
        Bars {
            title: self.titled("Latencies"),
            caption: format!(
                "How many of {packets} packets took how long. The last bar has all slower ones, up to {} cycles.",
                latency.max.unwrap_or_default()
            ),
            x: Axis::new("packet latency", "cycles"),
            y: Axis::new("packets", "%"),
            bars: latency_bins.iter().map(bar).collect(),
            marks: marks
                .filter_map(|(name, cycles)| Some((name.into(), cycles? as f64)))
                .collect(),
        }
    }

    fn maps(&self) -> Vec<HeatMap> {
        let capacity = self.detail.occupancy.capacity;
        let map =
            |title: &str, caption: &str, most, value: fn(&PortResults) -> Option<f64>| HeatMap {
                title: title.into(),
                caption: caption.into(),
                columns: self.columns,
                values: self.detail.by_port.iter().map(value).collect(),
                most,
            };
        vec![
            map("Accepted", "Flits a cycle out of each port.", Some(1.0), |it| Some(it.accepted)),
            map("Latency", "Mean latency of the packets out of each port, in cycles.", None, |it| it.latency),
            map("Busy", "Share of the cycles in which the link out of a port has a flit.", Some(1.0), |it| Some(it.busy)),
            map(
                "Stalled",
                "Share of the cycles in which a packet waits at a port's source and nothing enters the router.",
                Some(1.0),
                |it| Some(it.stalled),
            ),
            map(
                "Buffered",
                &format!("Mean number of blocks in use of a port's input buffer, of {capacity}."),
                Some(capacity as f64),
                |it| Some(it.occupancy),
            ),
        ]
    }

    fn fairness(&self) -> Bars {
        let ports = self.detail.by_port.iter().enumerate();
        let bars = ports.map(|(port, results)| Bar {
            label: port.to_string(),
            from: port as f64 - 0.4,
            to: port as f64 + 0.4,
            value: results.delivered_from,
        });
        Bars {
            title: self.titled("Fairness"),
            caption: "What is delivered of each source: a fair router treats equal sources alike."
                .into(),
            x: Axis::new("source", "port"),
            y: Axis::new("delivered", "flits/cycle"),
            bars: bars.collect(),
            marks: Vec::new(),
        }
    }

    /// The numbers of the maps.
    fn ports(&self) -> Table {
        let header = [
            "port",
            "row",
            "column",
            "offered (flits/cycle)",
            "delivered from (flits/cycle)",
            "accepted (flits/cycle)",
            "mean latency (cycles)",
            "busy (share)",
            "stalled (share)",
            "buffered (blocks)",
        ];
        let row = |(port, results): (usize, &PortResults)| {
            let mut row = [port, port / self.columns, port % self.columns]
                .map(|it| it.to_string())
                .to_vec();
            row.extend(
                [results.offered, results.delivered_from, results.accepted]
                    .map(|it| format!("{it:.4}")),
            );
            row.push(
                results
                    .latency
                    .map_or(String::new(), |it| format!("{it:.1}")),
            );
            row.extend([results.busy, results.stalled].map(|it| format!("{it:.4}")));
            row.push(format!("{:.1}", results.occupancy));
            row
        };
        let rows = self.detail.by_port.iter().enumerate().map(row);
        Table::new(&self.titled("Ports"), &header, rows.collect())
    }

    fn occupancy(&self) -> Figure {
        let occupancy = &self.detail.occupancy;
        let samples = || occupancy.samples.iter();
        Figure {
            title: self.titled("Buffers"),
            caption: format!(
                "Blocks of the input buffers that are in use or on the way back to their sender; each has {}.",
                occupancy.capacity
            ),
            x: Axis::new("time in the measurement", "cycles"),
            y: Axis::new("in use", "blocks"),
            xs: samples().map(|it| it.cycle as f64).collect(),
            curves: vec![
                Curve::new("mean of all ports", samples().map(|it| Some(it.mean))),
                Curve::new("fullest port", samples().map(|it| Some(it.fullest as f64))),
            ],
            guide: None,
            top: None,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::router::{Latency, LatencyBin, Occupancy, OccupancySample};
    use crate::sweep::Estimate;

    /// A point whose values follow from its load.
    pub fn point(load: f64) -> Point {
        let single = |mean| Estimate { mean, margin: None };
        Point {
            load,
            offered: single(load),
            accepted: single(0.9 * load),
            mean: Some(single(20.0)),
            p50: Some(single(18.0)),
            p99: Some(single(50.0)),
            max: Some(90),
            fairness: Some(single(1.0)),
            saturated: false,
            detail: Detail {
                seed: 7,
                latency: Latency {
                    p50: Some(18),
                    p99: Some(50),
                    max: Some(90),
                    ..Latency::default()
                },
                latency_bins: vec![
                    LatencyBin {
                        from: 10,
                        to: 29,
                        packets: 3,
                    },
                    LatencyBin {
                        from: 30,
                        to: 49,
                        packets: 0,
                    },
                    LatencyBin {
                        from: 50,
                        to: 90,
                        packets: 1,
                    },
                ],
                by_port: vec![
                    PortResults {
                        accepted: load,
                        delivered_from: 0.5 * load,
                        latency: Some(20.0),
                        ..PortResults::default()
                    },
                    PortResults::default(),
                ],
                occupancy: Occupancy {
                    capacity: 96,
                    samples: vec![OccupancySample {
                        cycle: 0,
                        mean: 2.5,
                        fullest: 4,
                    }],
                },
            },
        }
    }

    fn run() -> Run {
        let curve = sweep::Curve {
            config: "small".into(),
            rows: 1,
            columns: 2,
            pattern: "uniform".into(),
            zero_load: None,
            saturation: None,
            points: vec![
                point(0.1),
                point(0.4),
                Point {
                    saturated: true,
                    ..point(0.8)
                },
            ],
        };
        Run::of_curve(&curve).unwrap()
    }

    #[test]
    fn the_run_shown_is_that_of_the_greatest_load_that_is_carried() {
        assert_eq!(run().section().title, "small: uniform at 0.40");
    }

    #[test]
    fn the_last_bin_is_drawn_as_wide_as_the_others_and_tells_its_range() {
        let bars = run().latencies();
        let ranges: Vec<(f64, f64)> = bars.bars.iter().map(|bar| (bar.from, bar.to)).collect();
        assert_eq!(ranges, [(10.0, 30.0), (30.0, 50.0), (50.0, 70.0)]);
        let rows = bars.table().rows;
        assert_eq!(rows[0], ["10 to 29", "75"]);
        assert_eq!(rows[2], ["50 to 90", "25"]);
        assert_eq!(rows[3], ["median: 18", ""]);
        assert!(bars.caption.contains("4 packets") && bars.caption.contains("up to 90 cycles"));
    }

    #[test]
    fn every_port_is_in_the_table() {
        let table = run().ports();
        assert_eq!(
            table.rows[0][..7],
            ["0", "0", "0", "0.0000", "0.2000", "0.4000", "20.0"]
        );
        assert_eq!(
            table.rows[1][..7],
            ["1", "0", "1", "0.0000", "0.0000", "0.0000", ""]
        );
        assert!(table.rows.iter().all(|row| row.len() == table.header.len()));
    }
}
