//! `fantree sweep`: latency and throughput over loads, patterns, configurations and seeds, and where routers saturate.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use clap::value_parser;
use comfy_table::{CellAlignment, Table};
use fantree_gen::config::Config;
use fantree_gen::output::{self, Files};
use fantree_tb::router::Simulation;
use fantree_tb::shell::quoted;
use fantree_tb::sweep::{
    self, Breach, Case, Criterion, Curve, Estimate, Loads, Plan, Resolution, Sweep,
};
use fantree_tb::traffic::{Load, Pattern};
use serde_json::json;

use super::sim::{self, Manner};
use super::{progress, table, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Configuration files (TOML).
    #[arg(required = true, value_name = "CONFIG")]
    configs: Vec<PathBuf>,
    /// Where packets go: several of the patterns of `fantree sim`.
    #[arg(
        long,
        value_name = "PATTERN",
        value_delimiter = ',',
        default_value = "uniform"
    )]
    pattern: Vec<Pattern>,
    /// Flits a cycle a port that are offered: numbers and ranges FROM..TO:STEP, such as 0.1..0.8:0.1,0.85.
    #[arg(long, value_name = "LOADS", default_value = "0.1..1.0:0.1")]
    loads: Loads,
    /// Runs of each load, with one seed after another from --seed on: each curve has its interval of confidence.
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = value_parser!(u16).range(1..=1000))]
    seeds: u16,
    #[command(flatten)]
    manner: Manner,
    /// A load saturates the router if more than this share of what is offered is not accepted.
    #[arg(long, value_name = "SHARE", default_value_t = Criterion::default().shortfall)]
    shortfall: f64,
    /// A load saturates the router, too, if the mean latency is more than so many times that without load.
    #[arg(long, value_name = "FACTOR", default_value_t = Criterion::default().latency_factor)]
    latency_factor: f64,
    /// Steps of load that the saturation point is found to.
    #[arg(long, value_name = "STEP", default_value_t = 0.01)]
    resolution: f64,
    /// Measure the loads only.
    #[arg(long)]
    no_search: bool,
    /// Output folder instead of build/sweep/<names of the configurations>. What an earlier run left there is replaced,
    /// anything else is refused.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
}

/// Name of the file with everything.
pub const FILE: &str = "sweep.json";

/// Names of the tables beside it.
const POINTS: &str = "points.csv";
const SATURATIONS: &str = "saturation.csv";

/// Where sweeps are, each in a folder.
const FOLDER: &str = "build/sweep";

pub fn run(args: &Args) -> Result<Outcome> {
    let configs: Vec<Config> = args
        .configs
        .iter()
        .map(|path| Config::load(path))
        .collect::<Result<_, _>>()?;
    let plan = plan(args)?;
    check(args, &configs)?;
    let dir = args.out.clone().unwrap_or_else(|| folder(&configs));
    output::check(&dir)?;
    let simulations: Vec<Simulation> = configs
        .iter()
        .map(|config| sim::build(config, false))
        .collect::<Result<_>>()?;
    let cases = cases(args, &configs, &simulations);

    let bar = progress::runs(sweep::runs(cases.len(), &plan));
    let (curves, breaches) = sweep::measure(&cases, &plan, &|| bar.inc(1))?;
    bar.finish_and_clear();

    let sweep = Sweep {
        format: sweep::FORMAT.into(),
        command: command(args),
        seeds: plan.seeds,
        cycles: args.manner.options(Pattern::Uniform, Load::FULL).cycles,
        criterion: plan.criterion,
        curves,
    };
    output::replace(&dir, &files(&sweep, &configs)?)?;
    match args.json {
        true => println!("{}", serde_json::to_string_pretty(&sweep)?),
        false => print(&sweep, &dir),
    }
    for Breach { run, violation } in &breaches {
        eprintln!("{run}: {violation}");
    }
    Ok(match breaches.is_empty() {
        true => Outcome::Passed,
        false => Outcome::Failed,
    })
}

fn plan(args: &Args) -> Result<Plan> {
    let criterion = Criterion {
        shortfall: args.shortfall,
        latency_factor: args.latency_factor,
    };
    criterion.check()?;
    let resolution = Resolution::new(args.resolution)?;
    Ok(Plan {
        loads: args.loads.clone(),
        seeds: args.seeds.into(),
        criterion,
        search: (!args.no_search).then_some(resolution),
    })
}

/// Refuses what some configuration cannot do, before any of them is compiled.
fn check(args: &Args, configs: &[Config]) -> Result<()> {
    let mut names = BTreeSet::new();
    for (config, path) in configs.iter().zip(&args.configs) {
        let path = path.display();
        let name = &config.name;
        ensure!(
            names.insert(name),
            "{path}: another configuration is named `{name}`, too"
        );
        for &pattern in &args.pattern {
            let options = args.manner.options(pattern, Load::FULL);
            options
                .check(&config.router.params())
                .with_context(|| path.to_string())?;
        }
    }
    Ok(())
}

fn cases<'a>(args: &Args, configs: &'a [Config], simulations: &'a [Simulation]) -> Vec<Case<'a>> {
    let mut cases = Vec::new();
    for (config, simulation) in configs.iter().zip(simulations) {
        cases.extend(args.pattern.iter().map(|&pattern| Case {
            config: &config.name,
            simulation,
            options: args.manner.options(pattern, Load::FULL),
        }));
    }
    cases
}

/// The command line that measures the same.
fn command(args: &Args) -> String {
    let configs: Vec<String> = args
        .configs
        .iter()
        .map(|path| quoted(path.display()))
        .collect();
    let patterns: Vec<String> = args.pattern.iter().map(Pattern::to_string).collect();
    let Args {
        loads,
        seeds,
        manner,
        shortfall,
        latency_factor,
        resolution,
        ..
    } = args;
    let search = match args.no_search {
        true => "no-search".into(),
        false => format!("resolution {resolution}"),
    };
    format!(
        "fantree sweep {} --pattern {} --loads {loads} --seeds {seeds}{manner} --shortfall {shortfall} \
         --latency-factor {latency_factor} --{search}",
        configs.join(" "),
        patterns.join(","),
    )
}

fn folder(configs: &[Config]) -> PathBuf {
    let names: Vec<&str> = configs.iter().map(|config| config.name.as_str()).collect();
    Path::new(FOLDER).join(names.join("+"))
}

fn files(sweep: &Sweep, configs: &[Config]) -> Result<Files> {
    let json = serde_json::to_string_pretty(sweep)?;
    let points = sweep::points_table(&sweep.curves);
    let files = Files::from([
        (FILE.into(), json + "\n"),
        (POINTS.into(), points.csv()),
        (SATURATIONS.into(), sweep.saturation_table().csv()),
    ]);
    Ok(output::with_manifest(
        files,
        json!({ "parameters": configs }),
    ))
}

fn print(sweep: &Sweep, dir: &Path) {
    println!("{}", points(&sweep.curves));
    println!("Rates in flits a cycle a port, latencies in cycles, of {} seeds; ± is 95 % confidence; * is saturated.\n", sweep.seeds);
    let searched = || sweep.curves.iter().filter(|it| it.saturation.is_some());
    if searched().next().is_some() {
        let mut saturations = table::lined(["configuration", "pattern", "saturates above"]);
        for curve in searched() {
            let load = curve.saturation.as_ref().map(|it| it.load);
            let row = [curve.config.clone(), curve.pattern.clone(), cell(load, 3)];
            saturations.add_row(row);
        }
        println!("{saturations}\n");
    }
    println!("results: {}", dir.display());
    println!("repeat with: {}", sweep.command);
}

fn points(curves: &[Curve]) -> Table {
    let mut points = table::lined([
        "configuration",
        "pattern",
        "load",
        "accepted",
        "mean",
        "p50",
        "p99",
        "fairness",
    ]);
    for curve in curves {
        for point in &curve.points {
            let saturated = if point.saturated { " *" } else { "" };
            points.add_row([
                curve.config.clone(),
                curve.pattern.clone(),
                format!("{}{saturated}", point.load),
                cell(Some(point.accepted), 3),
                cell(point.mean, 1),
                cell(point.p50, 1),
                cell(point.p99, 1),
                cell(point.fairness, 3),
            ]);
        }
    }
    for column in points.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    points
}

/// A mean and its margin.
fn cell(estimate: Option<Estimate>, places: usize) -> String {
    match estimate {
        None => "-".into(),
        Some(Estimate { mean, margin: None }) => format!("{mean:.places$}"),
        Some(Estimate {
            mean,
            margin: Some(margin),
        }) => format!("{mean:.places$} ± {margin:.places$}"),
    }
}
