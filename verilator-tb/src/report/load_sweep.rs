//! The report of runs that differ in nothing but the load.

use fantree_gen::config::Config;

use super::{Axis, Curve, Figure, Report};
use crate::router::{Options, Results};

/// What happened at each load; `command` measures it again.
pub fn load_sweep(config: &Config, options: &Options, runs: &[Results], command: &str) -> Report {
    Report {
        title: format!("{} under {} traffic", config.name, options.pattern),
        subtitle: config.description.clone(),
        facts: facts(config, options, runs),
        figures: vec![latency(runs), accepted(runs)],
        command: command.into(),
    }
}

fn facts(config: &Config, options: &Options, runs: &[Results]) -> Vec<(String, String)> {
    let router = &config.router;
    [
        (
            "Ports",
            format!(
                "{} ({} rows × {} columns)",
                router.ports(),
                router.rows,
                router.columns
            ),
        ),
        (
            "Virtual channels",
            format!(
                "{}, chosen by {}",
                router.virtual_channels, options.vc_policy
            ),
        ),
        ("Packets", format!("{} flits of 16 bytes", options.lengths)),
        ("Warm-up", format!("{} cycles", options.warmup)),
        (
            "Measured",
            format!("{} cycles at each load", options.cycles),
        ),
        ("Seed", options.seed.to_string()),
        ("Delivered", delivered(runs)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// Whether every packet of every run arrived as it should.
fn delivered(runs: &[Results]) -> String {
    let sum = |count: fn(&Results) -> u64| runs.iter().map(count).sum::<u64>();
    let (sent, delivered) = (
        sum(|run| run.packets.sent),
        sum(|run| run.packets.delivered),
    );
    let broken = sum(|run| run.violation_count as u64);
    match broken {
        0 if sent == delivered => format!("all {sent} packets, whole, once and in order"),
        0 => format!("{delivered} of {sent} packets; the others were dropped and counted"),
        _ => format!("{delivered} of {sent} packets; rules were broken {broken} times"),
    }
}

fn figure(title: &str, caption: &str, y: Axis, runs: &[Results], curves: Vec<Curve>) -> Figure {
    Figure {
        title: title.into(),
        caption: caption.into(),
        x: Axis::new("offered load", "flits/cycle/port"),
        y,
        xs: runs.iter().map(|run| run.offered).collect(),
        curves,
        guide: None,
    }
}

fn latency(runs: &[Results]) -> Figure {
    let curve =
        |label, value: fn(&Results) -> Option<f64>| Curve::new(label, runs.iter().map(value));
    let curves = vec![
        curve("mean", |run| run.latency.mean),
        curve("median", |run| run.latency.p50.map(|it| it as f64)),
        curve("99th percentile", |run| run.latency.p99.map(|it| it as f64)),
    ];
    let zero_load = runs
        .iter()
        .filter_map(|run| run.latency.head_zero_load)
        .max();
    let idle = zero_load.map_or_else(String::new, |cycles| {
        format!(" In the idle chip, a head takes {cycles} cycles from port to port.")
    });
    let caption = format!(
        "From a packet's entry into the queue of its source until its tail has left the router.{idle} Near saturation, \
         latency grows with the length of the run."
    );
    let axis = Axis::new("packet latency", "cycles");
    figure("Latency and load", &caption, axis, runs, curves)
}

fn accepted(runs: &[Results]) -> Figure {
    let port = |run: &Results, pick: fn(f64, f64) -> f64| {
        let ports = run.by_port.iter().map(|port| port.accepted);
        ports.reduce(pick)
    };
    let curves = vec![
        Curve::new("all ports", runs.iter().map(|run| Some(run.accepted))),
        Curve::new("slowest port", runs.iter().map(|run| port(run, f64::min))),
        Curve::new("fastest port", runs.iter().map(|run| port(run, f64::max))),
    ];
    let end = runs.iter().map(|run| run.offered).fold(0.0, f64::max);
    Figure {
        guide: Some(("all that is offered".into(), [(0.0, 0.0), (end, end)])),
        ..figure(
            "Accepted and offered",
            "What leaves the router. Below the dashed line, packets wait at their sources.",
            Axis::new("accepted", "flits/cycle/port"),
            runs,
            curves,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::{Latency, Packets, PortResults};

    fn run(offered: f64, mean: Option<f64>) -> Results {
        Results {
            ports: 2,
            rows: 1,
            columns: 2,
            pattern: "uniform".into(),
            offered,
            accepted: 0.9 * offered,
            packets: Packets {
                sent: 100,
                delivered: 100,
                ..Packets::default()
            },
            latency: Latency {
                head_zero_load: Some(6),
                mean,
                p50: mean.map(|it| it as u64),
                p90: mean.map(|it| 2 * it as u64),
                p99: mean.map(|it| 3 * it as u64),
                p999: mean.map(|it| 4 * it as u64),
                max: mean.map(|it| 4 * it as u64),
            },
            fairness: Some(1.0),
            cycles: 1000,
            simulated_cycles: 2000,
            seed: 1,
            by_port: [0.8, 1.0]
                .map(|share| PortResults {
                    accepted: share * offered,
                    ..PortResults::default()
                })
                .into(),
            deliveries: vec![],
            latency_bins: vec![],
            occupancy: Default::default(),
            violation_count: 0,
            violations: vec![],
            coverage: Default::default(),
        }
    }

    fn report(runs: &[Results]) -> Report {
        let config =
            Config::parse("a.toml", "name = \"a\"\n[router]\nrows = 1\ncolumns = 2\n").unwrap();
        load_sweep(&config, &Options::default(), runs, "fantree demo")
    }

    fn fact(report: &Report, name: &str) -> String {
        let found = report.facts.iter().find(|(it, _)| it == name);
        found.unwrap_or_else(|| panic!("no {name}")).1.clone()
    }

    #[test]
    fn tables_have_what_was_measured() {
        let report = report(&[run(0.5, Some(12.5)), run(0.9, None)]);
        let rows: Vec<_> = report.figures.iter().map(Figure::rows).collect();
        assert_eq!(rows[0], [["0.5", "12.5", "12", "36"], ["0.9", "", "", ""]]);
        assert_eq!(
            rows[1],
            [
                ["0.5", "0.45", "0.40", "0.5"],
                ["0.9", "0.81", "0.72", "0.9"]
            ]
        );
        assert_eq!(report.title, "a under uniform traffic");
        assert_eq!(fact(&report, "Ports"), "2 (1 rows × 2 columns)");
        assert!(report.figures[0].caption.contains("a head takes 6 cycles"));
    }

    #[test]
    fn harm_is_told() {
        let delivered = |change: fn(&mut Results)| {
            let mut changed = run(0.5, None);
            change(&mut changed);
            fact(&report(&[run(0.5, None), changed]), "Delivered")
        };
        assert_eq!(
            delivered(|_| ()),
            "all 200 packets, whole, once and in order"
        );
        assert_eq!(
            delivered(|run| run.packets.delivered = 90),
            "190 of 200 packets; the others were dropped and counted"
        );
        assert_eq!(
            delivered(|run| run.violation_count = 3),
            "200 of 200 packets; rules were broken 3 times"
        );
    }
}
