//! `fantree demo`: a small router from its configuration to a report and a wave, step by step.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table};
use fantree_gen::config::{self, Config};
use fantree_gen::lint::{Memories, Target};
use fantree_gen::output::Megahertz;
use fantree_gen::verilog::Design;
use fantree_tb::report::{latency_and_throughput, Report, Run};
use fantree_tb::router::{self, Options, Results, Simulation};
use fantree_tb::sweep::{Criterion, Curve};
use fantree_tb::traffic::Load;

use super::{generate, lint, sim, table, wave, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Output folder.
    #[arg(long, value_name = "DIR", default_value = "build/demo")]
    out: PathBuf,
}

/// The configuration is part of the program, so that the demo runs from any folder.
const CONFIG: &str = include_str!("../../configs/router-4x2.toml");
const CONFIG_FILE: &str = "configs/router-4x2.toml";

const LOADS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];
/// The load of the run in the wave: packets meet, and are still told apart.
const WAVE_LOAD: f64 = 0.3;

fn load(flits_a_cycle: f64) -> Load {
    Load::new(flits_a_cycle).expect("a legal load")
}

/// A run at a load: short, since it is the shape of the curves that is to be seen.
fn options(flits_a_cycle: f64) -> Options {
    Options {
        load: load(flits_a_cycle),
        warmup: 500,
        cycles: 3000,
        ..Options::default()
    }
}

pub fn run(args: &Args) -> Result<Outcome> {
    let config = Config::parse(CONFIG_FILE, CONFIG).map_err(config::Error::from)?;
    let verilog = args.out.join("verilog");
    let design = generate::write(&config, &verilog, Megahertz::default())?;
    let lines = design.to_verilog().lines().count();
    step(
        "generated",
        format!(
            "{}: {} modules, {lines} lines of Verilog",
            config.name,
            design.modules().len()
        ),
    );

    if !is_clean(&design, &verilog, &args.out.join("lint-passed"))? {
        return Ok(Outcome::Failed);
    }

    let simulation = sim::build(&config, true)?;
    let report = simulation.build_report();
    let age = if report.cached { ", before" } else { "" };
    step(
        "compiled",
        format!("by Verilator in {:.1} s{age}", report.build_seconds),
    );

    let runs: Vec<router::Run> = LOADS
        .iter()
        .map(|&load| sim::simulate(&simulation, &options(load), None))
        .collect::<Result<_>>()?;
    step(
        "simulated",
        format!(
            "at {} loads, packets of {} flits:",
            runs.len(),
            options(LOADS[0]).lengths
        ),
    );
    println!("\n{}", load_table(&runs));
    println!("Offered and accepted in flits a cycle a port; latencies in cycles.\n");

    let report = args.out.join("report.html");
    let results: Vec<Results> = runs.into_iter().map(|run| run.results).collect();
    write_report(&config, &results, &report)?;
    let recording = record(&config, &simulation, &args.out)?;

    let wave = args.out.join(wave::FILE);
    println!("  {:30} the Verilog", verilog.join("rtl").display());
    println!("  {:30} the curves: open it in a browser", report.display());
    println!(
        "  {:30} every signal for {} cycles",
        wave.display(),
        recording.run.results.simulated_cycles
    );
    println!(
        "  {:30} {}",
        recording.save_file.display(),
        wave::open_command(&recording.save_file)
    );

    let all = results.iter().chain([&recording.run.results]);
    let broken: Vec<_> = all.flat_map(|results| &results.violations).collect();
    broken.iter().for_each(|violation| eprintln!("{violation}"));
    Ok(if broken.is_empty() {
        Outcome::Passed
    } else {
        Outcome::Failed
    })
}

/// Tells that a step is done.
fn step(done: &str, what: String) {
    println!("{done:10} {what}");
}

/// Checks the Verilog, unless `passed` says that this very design was found clean before: synthesis takes its time.
fn is_clean(design: &Design, dir: &Path, passed: &Path) -> Result<bool> {
    let top = design.top();
    if std::fs::read_to_string(passed).is_ok_and(|hash| hash == top.hash) {
        step("linted", "clean, before".into());
        return Ok(true);
    }
    let target = Target {
        dir,
        top: &top.name,
        memories: Memories::Kept,
    };
    let reports = lint::check(target)?;
    if reports.iter().any(|report| !report.findings.is_empty()) {
        lint::print_table(target, &reports);
        return Ok(false);
    }
    let tools: Vec<_> = reports
        .iter()
        .map(|report| format!("{} {:.1} s", report.tool, report.seconds))
        .collect();
    step("linted", format!("clean: {}", tools.join(", ")));
    std::fs::write(passed, &top.hash)
        .with_context(|| format!("cannot write {}", passed.display()))?;
    Ok(true)
}

fn load_table(runs: &[router::Run]) -> Table {
    let mut table = table::lined([
        "offered", "accepted", "mean", "p50", "p99", "max", "fairness", "packets", "lost",
        "cycles/s",
    ]);
    for router::Run {
        results,
        cycles_per_second,
        ..
    } in runs
    {
        let latency = &results.latency;
        let cycles = |value: Option<u64>| value.map_or("-".into(), |value| value.to_string());
        table.add_row([
            format!("{:.3}", results.offered),
            format!("{:.3}", results.accepted),
            latency.mean.map_or("-".into(), |mean| format!("{mean:.1}")),
            cycles(latency.p50),
            cycles(latency.p99),
            cycles(latency.max),
            results
                .fairness
                .map_or("-".into(), |fairness| format!("{fairness:.3}")),
            results.packets.delivered.to_string(),
            results.packets.lost.to_string(),
            format!("{cycles_per_second:.0}"),
        ]);
    }
    table
        .column_iter_mut()
        .for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    table
}

fn write_report(config: &Config, results: &[Results], path: &Path) -> Result<()> {
    let Options {
        warmup,
        cycles,
        seed,
        lengths,
        pattern,
        ..
    } = options(LOADS[0]);
    let command = format!(
        "fantree demo\n\nOne of the loads:\nfantree sim {CONFIG_FILE} --pattern {pattern} --load {} --packet-flits {lengths} \
         --warmup {warmup} --cycles {cycles} --seed {seed}",
        LOADS[LOADS.len() / 2]
    );
    let loads = LOADS.map(load);
    let criterion = Criterion::default();
    let curve = Curve::of(&config.name, &lengths, &criterion, &loads, results);
    let run = Run::of_curve(&curve).map(|run| run.section());
    let facts = [
        (
            "Ports",
            format!(
                "{} ({} rows × {} columns)",
                config.router.ports(),
                curve.rows,
                curve.columns
            ),
        ),
        (
            "Virtual channels",
            config.router.virtual_channels.to_string(),
        ),
        ("Packets", format!("{lengths} flits of 16 bytes")),
        (
            "Measured",
            format!("{cycles} cycles at each load, after {warmup} of warm-up"),
        ),
        ("Seed", seed.to_string()),
        ("Delivered", delivered(results)),
    ];
    let report = Report {
        title: format!("{} under {pattern} traffic", config.name),
        subtitle: config.description.clone(),
        facts: facts.map(|(name, value)| (name.to_owned(), value)).into(),
        sections: [latency_and_throughput(&[curve])]
            .into_iter()
            .chain(run)
            .collect(),
        command,
    };
    std::fs::write(path, report.html()).with_context(|| format!("cannot write {}", path.display()))
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

fn record(config: &Config, simulation: &Simulation, dir: &Path) -> Result<wave::Recording> {
    let options = Options {
        warmup: 0,
        cycles: 200,
        ..options(WAVE_LOAD)
    };
    wave::record(config, simulation, &options, dir, None)
}
