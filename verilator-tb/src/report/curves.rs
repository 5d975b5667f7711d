//! Sections of what sweeps found: latency and throughput over the load, and where each router saturates.

use super::{Axis, Curve, Figure, Item, Section, Table};
use crate::sweep::{self, Estimate, Point};

/// Curves of a plot: as many as are told apart at once.
const CURVES: usize = 4;

/// Plots of latency and throughput.
pub fn latency_and_throughput(curves: &[sweep::Curve]) -> Section {
    let plots = groups(curves).into_iter().flat_map(|group| {
        [
            latency(&group, "mean", |point| point.mean),
            latency(&group, "p99", |point| point.p99),
            accepted(&group),
        ]
    });
    Section {
        title: "Latency and throughput".into(),
        text: "Latency counts from a packet's entry into the queue of its source until its tail has left the router. \
               Bands are 95 % confidence, where there are several seeds."
            .into(),
        items: plots.map(Item::Figure).collect(),
    }
}

/// Where the routers saturate, if that was searched for.
pub fn saturation(sweeps: &[sweep::Sweep]) -> Option<Section> {
    let rows = sweeps.iter().flat_map(|sweep| {
        let criterion = sweep.criterion;
        sweep.curves.iter().filter_map(move |curve| {
            let found = curve.saturation.as_ref()?;
            let number = |value: Option<f64>, places: usize| {
                value.map_or(String::new(), |it| format!("{it:.places$}"))
            };
            Some(vec![
                curve.config.clone(),
                curve.pattern.clone(),
                format!("{:.3}", found.load.mean),
                number(found.load.margin, 3),
                found.by_seed.len().to_string(),
                number(curve.zero_load, 1),
                format!("{} %", 100.0 * criterion.shortfall),
                format!("{} ×", criterion.latency_factor),
            ])
        })
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let header = [
        "configuration",
        "pattern",
        "load (flits/cycle/port)",
        "± 95 %",
        "seeds",
        "latency without load (cycles)",
        "shortfall",
        "latency factor",
    ];
    (!rows.is_empty()).then(|| Section {
        title: "Saturation".into(),
        text: "The greatest load that is carried: above it, accepted falls short of offered by more than the shortfall, or \
               the mean latency exceeds so many times that without load."
            .into(),
        items: vec![Item::Table(Table::new("Saturation points", &header, rows))],
    })
}

/// Curves to be compared, so few that a plot holds them: by pattern of one configuration, else by configuration.
struct Group<'a> {
    /// What all have in common.
    name: String,
    curves: Vec<(&'a str, Vec<&'a Point>)>,
}

fn groups(curves: &[sweep::Curve]) -> Vec<Group<'_>> {
    let Some(first) = curves.first() else {
        return Vec::new();
    };
    let by_pattern = curves.iter().all(|curve| curve.config == first.config);
    let mut groups: Vec<Group> = Vec::new();
    for curve in curves {
        let (name, label) = match by_pattern {
            true => (&curve.config, &curve.pattern),
            false => (&curve.pattern, &curve.config),
        };
        let open = |group: &&mut Group| group.name == *name && group.curves.len() < CURVES;
        let points = curve.points.iter().collect();
        match groups.iter_mut().find(open) {
            Some(group) => group.curves.push((label, points)),
            None => groups.push(Group {
                name: name.clone(),
                curves: vec![(label, points)],
            }),
        }
    }
    groups
}

impl<'a> Group<'a> {
    /// Without the runs at full load. There a packet is always waiting, so that its latency tells nothing of a queue.
    fn below_full_load(&self) -> Self {
        let below = |points: &[&'a Point]| {
            let below = points.iter().filter(|point| !point.is_full_load());
            below.copied().collect()
        };
        let curves = self.curves.iter();
        Self {
            name: self.name.clone(),
            curves: curves
                .map(|(label, points)| (*label, below(points)))
                .collect(),
        }
    }

    /// All loads of the curves.
    fn loads(&self) -> Vec<f64> {
        let points = self.curves.iter().flat_map(|(_, points)| points);
        let mut loads: Vec<f64> = points.map(|point| point.load).collect();
        loads.sort_by(f64::total_cmp);
        loads.dedup();
        loads
    }

    fn figure(&self, title: &str, y: Axis, value: fn(&Point) -> Option<Estimate>) -> Figure {
        let xs = self.loads();
        let curve = |(label, points): &(&str, Vec<&Point>)| {
            let at = |x: &f64| points.iter().find(|point| point.load == *x);
            Curve::estimated(
                label,
                xs.iter().map(|x| at(x).and_then(|point| value(point))),
            )
        };
        let labels: Vec<&str> = self.curves.iter().map(|(label, _)| *label).collect();
        Figure {
            title: format!("{title}: {} ({})", self.name, labels.join(", ")),
            caption: String::new(),
            x: Axis::new("offered load", "flits/cycle/port"),
            y,
            curves: self.curves.iter().map(curve).collect(),
            xs,
            guide: None,
            top: None,
        }
    }
}

/// The plot ends a little above what is carried: the latency of a saturated router only tells how long it was run.
fn latency(group: &Group, what: &str, value: fn(&Point) -> Option<Estimate>) -> Figure {
    let axis = Axis::new(&format!("{what} packet latency"), "cycles");
    let group = &group.below_full_load();
    let points = || {
        group
            .curves
            .iter()
            .flat_map(|(_, points)| points.iter().copied())
    };
    let carried = points().filter(|point| !point.saturated);
    let most = carried.filter_map(value).map(|it| it.interval().1);
    let is_cut = points().any(|point| point.saturated);
    let caption = match is_cut {
        true => "A curve that leaves the plot at the top saturates.",
        false => "",
    };
    Figure {
        caption: caption.into(),
        top: most.reduce(f64::max).filter(|_| is_cut).map(|it| 1.3 * it),
        ..group.figure(&capitalized(&format!("{what} latency")), axis, value)
    }
}

fn accepted(group: &Group) -> Figure {
    let axis = Axis::new("accepted", "flits/cycle/port");
    let end = group.loads().into_iter().fold(0.0, f64::max);
    Figure {
        caption: "What leaves the router. Below the grey line, packets wait at their sources."
            .into(),
        guide: Some(("all that is offered".into(), [(0.0, 0.0), (end, end)])),
        ..group.figure("Accepted", axis, |point| Some(point.accepted))
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::run::tests::point;

    fn curve(config: &str, pattern: &str, points: Vec<Point>) -> sweep::Curve {
        sweep::Curve {
            config: config.into(),
            rows: 1,
            columns: 2,
            pattern: pattern.into(),
            zero_load: Some(9.0),
            saturation: None,
            points,
        }
    }

    fn figures(section: &Section) -> Vec<&Figure> {
        let items = section.items.iter();
        items
            .map(|item| match item {
                Item::Figure(figure) => figure,
                other => panic!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn curves_of_one_configuration_are_compared_by_pattern() {
        let patterns = ["a", "b", "c", "d", "e"];
        let curves = patterns.map(|pattern| curve("small", pattern, vec![point(0.5)]));
        let section = latency_and_throughput(&curves);
        let titles: Vec<&str> = figures(&section).iter().map(|it| &*it.title).collect();
        assert_eq!(
            titles,
            [
                "Mean latency: small (a, b, c, d)",
                "P99 latency: small (a, b, c, d)",
                "Accepted: small (a, b, c, d)",
                "Mean latency: small (e)",
                "P99 latency: small (e)",
                "Accepted: small (e)",
            ]
        );
    }

    #[test]
    fn configurations_are_compared_by_pattern_with_loads_of_their_own() {
        let curves = [
            curve("small", "a", vec![point(0.1), point(0.5)]),
            curve("large", "a", vec![point(0.2)]),
            curve("small", "b", vec![point(0.1)]),
        ];
        let section = latency_and_throughput(&curves);
        let figures = figures(&section);
        assert_eq!(figures.len(), 6);
        let [small, large] = &figures[0].curves[..] else {
            panic!("{:?}", figures[0])
        };
        assert_eq!((&*small.label, &*large.label), ("small", "large"));
        assert_eq!(figures[0].xs, [0.1, 0.2, 0.5]);
        assert_eq!(small.values.iter().flatten().count(), 2);
        assert_eq!(large.values[1], Some(20.0), "{large:?}");
        assert_eq!(figures[3].title, "Mean latency: b (small)");
    }

    #[test]
    fn saturated_loads_do_not_stretch_the_plot() {
        let saturated = Point {
            saturated: true,
            mean: Some(Estimate {
                mean: 4000.0,
                margin: None,
            }),
            ..point(0.9)
        };
        let curves = [curve("small", "a", vec![point(0.5), saturated])];
        let section = latency_and_throughput(&curves);
        let mean = figures(&section)[0];
        assert_eq!(mean.top, Some(26.0), "a third above 20");
        assert!(mean.caption.contains("saturates"));
        assert_eq!(
            mean.table().rows[1][1],
            "4000",
            "the table has it all the same"
        );
    }

    #[test]
    fn saturation_points_are_told_with_what_they_mean() {
        let mut found = curve("small", "a", vec![point(0.5)]);
        assert_eq!(saturation(&[]), None);
        found.saturation = Some(sweep::Saturation {
            load: Estimate {
                mean: 0.875,
                margin: Some(0.01),
            },
            by_seed: Vec::new(),
        });
        let sweep = sweep::Sweep {
            format: sweep::FORMAT.into(),
            command: String::new(),
            seeds: 0,
            cycles: 1,
            criterion: sweep::Criterion {
                shortfall: 0.05,
                latency_factor: 10.0,
            },
            curves: vec![found],
        };
        let section = saturation(&[sweep]).unwrap();
        let Item::Table(table) = &section.items[0] else {
            panic!("{section:?}")
        };
        let row = ["small", "a", "0.875", "0.010", "0", "9.0", "5 %", "10 ×"];
        assert_eq!(table.rows, [row]);
    }
}
