//! `fantree bench`: what the whole chip carries, how large it is as a program, and how fast, beside its bars.

mod curves;
mod measurement;
mod page;
mod runner;
mod saturation;
mod traffic;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use fantree_gen::config::{self, Config};
use fantree_tb::router::Options;
use fantree_tb::traffic::Load;
use serde::Serialize;

use self::curves::PatternCurve;
use self::measurement::{Marks, Measurement};
use self::saturation::Saturation;
use super::{sim, Outcome};

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
    /// Measure the curves of latency and load of all patterns, too.
    #[arg(long)]
    curves: bool,
    /// Write the figures into this page, and the curves beside it.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
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
    /// What it carries, and how fast. The marks are those of the 40-port chip with 4 virtual channels.
    measurements: Vec<Measurement>,
    /// Uniform traffic at full load, by virtual channels and packet length.
    saturation: Vec<Saturation>,
    /// Latency and load of all patterns, where that was asked for.
    curves: Vec<PatternCurve>,
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
    if let Some(page) = &args.page {
        page::check(page, args.curves)?;
    }
    let (figures, passed) = measure(&config, &options, args.curves)?;

    let folder = Path::new(FOLDER);
    let json = serde_json::to_string_pretty(&figures)?;
    let path = folder.join(format!("{}.json", config.name));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, &json))
        .with_context(|| format!("cannot write {}", path.display()))?;
    if args.curves {
        curves::write(&figures.curves, &folder.join(&config.name))?;
    }
    if let Some(page) = &args.page {
        let Figures {
            measurements,
            saturation,
            curves,
            ..
        } = &figures;
        page::update(page, measurements, saturation, curves)?;
    }
    if args.json {
        println!("{json}");
    } else {
        print(&figures);
        println!("  figures      {}", path.display());
        if args.curves {
            println!("  curves       {}", folder.join(&config.name).display());
        }
    }
    Ok(if passed {
        Outcome::Passed
    } else {
        Outcome::Failed
    })
}

fn measure(config: &Config, options: &Options, with_curves: bool) -> Result<(Figures, bool)> {
    let start = Instant::now();
    let design = fantree_gen::generate_router(config)?;
    let verilog = design.to_verilog();
    let generate_seconds = start.elapsed().as_secs_f64();

    let simulation = sim::build(config, false)?;
    let build = simulation.build_report();
    let (mut measurements, mut passed) = traffic::measure(&simulation, options)?;
    measurements.push(Measurement {
        name: "from Verilog to a compiled model",
        unit: "seconds",
        value: build.build_seconds,
        marks: Marks {
            bar: Some(360.0),
            goal: Some(180.0),
        },
        decimals: 0,
    });
    let (saturation, kept_rules) = saturation::measure(config, &simulation, options)?;
    passed &= kept_rules;
    let mut curves = Vec::new();
    if with_curves {
        let (measured, kept_rules) = curves::measure(&simulation, options)?;
        curves = measured;
        passed &= kept_rules;
    }
    let figures = Figures {
        config: config.name.clone(),
        generate_seconds,
        modules: design.modules().len(),
        instances: design.instances(),
        verilog_lines: verilog.lines().count(),
        cpp_bytes: build.cpp_bytes,
        model_bytes: build.library_bytes,
        measurements,
        saturation,
        curves,
        cycles: options.cycles,
        seed: options.seed,
        debug: cfg!(debug_assertions),
    };
    Ok((figures, passed))
}

fn print(figures: &Figures) {
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!("{}", figures.config);
    println!(
        "  Verilog      {} lines, {} modules, {} instances, generated in {:.2} s",
        figures.verilog_lines, figures.modules, figures.instances, figures.generate_seconds
    );
    println!(
        "  model        {:.1} MB of C++, {:.1} MB compiled",
        megabytes(figures.cpp_bytes),
        megabytes(figures.model_bytes),
    );
    println!("{}", measurement::table(&figures.measurements));
    println!("Accepted of uniform traffic at full load, in flits a cycle a port:");
    println!("{}", saturation::table(&figures.saturation));
    if figures.debug {
        println!("  (bench without optimisation: its speed tells little)");
    }
}
