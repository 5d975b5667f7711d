//! `fantree bench`: what the whole chip carries, how large it is as a program, and how fast, beside its bars.

mod traffic;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use comfy_table::CellAlignment;
use fantree_gen::config::{self, Config};
use fantree_tb::router::{Options, Run};
use fantree_tb::traffic::Load;
use serde::Serialize;

use self::traffic::Measurement;
use super::{sim, table, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Configuration file (TOML) instead of the 40-port chip.
    config: Option<PathBuf>,
    /// Cycles of every measurement but that of fairness, which has 40 000.
    #[arg(long, default_value_t = 5000)]
    cycles: u64,
    /// The same seed gives the same traffic.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
}

const CONFIG: &str = include_str!("../../../configs/router-5x8.toml");
const CONFIG_FILE: &str = "configs/router-5x8.toml";

/// Where each configuration's figures are kept.
const FOLDER: &str = "build/bench";

/// What is measured.
#[derive(Serialize)]
struct Figures {
    config: String,
    /// Seconds from the configuration to its Verilog.
    generate_seconds: f64,
    modules: usize,
    instances: usize,
    verilog_lines: usize,
    /// Bytes of the C++ that Verilator makes.
    cpp_bytes: u64,
    /// Bytes of the compiled model.
    model_bytes: u64,
    /// Seconds from Verilog to the compiled model, when it was compiled.
    build_seconds: f64,
    /// Of the run at full load: uniform traffic, packets of 4 flits.
    cycles_per_second: f64,
    /// What it carries. The bars are those of the 40-port chip with 4 virtual channels.
    measurements: Vec<Measurement>,
    cycles: u64,
    seed: u64,
    /// The bench itself was compiled without optimisation: its speed tells little.
    debug: bool,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let config = match &args.config {
        Some(path) => Config::load(path)?,
        None => Config::parse(CONFIG_FILE, CONFIG).map_err(config::Error::from)?,
    };
    let options = Options {
        load: Load::FULL,
        cycles: args.cycles,
        seed: args.seed,
        ..Options::default()
    };
    options.check(&config.router.params())?;
    let (figures, passed) = measure(&config, &options)?;

    let json = serde_json::to_string_pretty(&figures)?;
    let path = Path::new(FOLDER).join(format!("{}.json", config.name));
    std::fs::create_dir_all(FOLDER)
        .and_then(|()| std::fs::write(&path, &json))
        .with_context(|| format!("cannot write {}", path.display()))?;
    if args.json {
        println!("{json}");
    } else {
        print(&figures);
        println!("  figures      {}", path.display());
    }
    Ok(if passed {
        Outcome::Passed
    } else {
        Outcome::Failed
    })
}

fn measure(config: &Config, options: &Options) -> Result<(Figures, bool)> {
    let start = Instant::now();
    let design = fantree_gen::generate(config)?;
    let verilog = design.to_verilog();
    let generate_seconds = start.elapsed().as_secs_f64();

    let simulation = sim::build(config, false)?;
    let build = simulation.build_report();
    let Run {
        results,
        cycles_per_second,
        ..
    } = sim::simulate(&simulation, options, None)?;
    results
        .violations
        .iter()
        .for_each(|violation| eprintln!("{violation}"));
    let (mut measurements, kept_rules) =
        traffic::measure(&simulation, options.cycles, options.seed)?;
    measurements.extend([
        Measurement {
            name: "speed at full load",
            unit: "cycles a second",
            value: cycles_per_second,
            bar: 3000.0,
            goal: 8000.0,
            decimals: 0,
        },
        Measurement {
            name: "from Verilog to a compiled model",
            unit: "s",
            value: build.build_seconds,
            bar: 360.0,
            goal: 180.0,
            decimals: 0,
        },
    ]);
    let figures = Figures {
        config: config.name.clone(),
        generate_seconds,
        modules: design.modules().len(),
        instances: design.instances(),
        verilog_lines: verilog.lines().count(),
        cpp_bytes: build.cpp_bytes,
        model_bytes: build.library_bytes,
        build_seconds: build.build_seconds,
        cycles_per_second,
        measurements,
        cycles: results.cycles,
        seed: results.seed,
        debug: cfg!(debug_assertions),
    };
    Ok((figures, results.passed() && kept_rules))
}

fn print(figures: &Figures) {
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!("{}", figures.config);
    println!(
        "  Verilog      {} lines, {} modules, {} instances, generated in {:.2} s",
        figures.verilog_lines, figures.modules, figures.instances, figures.generate_seconds
    );
    println!(
        "  model        {:.1} MB of C++, {:.1} MB compiled, in {:.0} s",
        megabytes(figures.cpp_bytes),
        megabytes(figures.model_bytes),
        figures.build_seconds
    );
    let mut table = table::lined(["measured", "value", "bar", "goal", "reached", "unit"]);
    for measurement in &figures.measurements {
        let number = |value: f64| format!("{value:.*}", measurement.decimals);
        let verdict = match (
            measurement.reaches(measurement.goal),
            measurement.reaches(measurement.bar),
        ) {
            (true, _) => "goal",
            (_, true) => "bar",
            _ => "neither",
        };
        table.add_row([
            measurement.name,
            &number(measurement.value),
            &number(measurement.bar),
            &number(measurement.goal),
            verdict,
            measurement.unit,
        ]);
    }
    for column in table.column_iter_mut().skip(1).take(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    if figures.debug {
        println!("  (bench without optimisation: its speed tells little)");
    }
}
