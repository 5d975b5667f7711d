//! `fantree sim`: random traffic through a router under Verilator.

mod traffic;

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use clap::{Args as _, FromArgMatches};
use fantree_gen::config::Config;
use fantree_gen::mutate;
use fantree_gen::output;
use fantree_hdl::router::DropCause;
use fantree_tb::coverage;
use fantree_tb::regress::Simulator;
use fantree_tb::router::{Dropped, Observe, Options, Phase, Progress, Run, Simulation, WaveFile};
use serde::Serialize;

use super::{progress, Outcome};
pub use traffic::{Manner, Traffic};

#[derive(clap::Args)]
pub struct Args {
    /// Configuration file (TOML).
    config: PathBuf,
    #[command(flatten)]
    traffic: Traffic,
    /// Write all signals into this file (FST); takes a chip compiled for it.
    #[arg(long, value_name = "FILE")]
    wave: Option<PathBuf>,
    /// Cycles of the run that the wave shall have, counted as those of violations are; else all.
    #[arg(long, value_name = "FROM..TO", value_parser = cycles, requires = "wave")]
    wave_cycles: Option<Range<u64>>,
    /// Leave in this folder what the run covers, for `fantree coverage`; takes a chip compiled for it, and 2.4 times
    /// the time.
    #[arg(long, value_name = "DIR")]
    coverage: Option<PathBuf>,
    /// Only compile the chip, so that later runs find it compiled.
    #[arg(long)]
    compile_only: bool,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
}

/// The command for those who run it: its arguments, and whether they fit a configuration.
pub fn simulator(program: PathBuf) -> Simulator {
    let command = Args::augment_args(clap::Command::new("sim"));
    Simulator::new(program, command, |config, matches| {
        let options = Args::from_arg_matches(matches)?.traffic.options();
        Ok(options.check(&config.router.params())?)
    })
}

/// What `--json` prints.
#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    run: &'a Run,
    command: &'a str,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let config = Config::load(&args.config)?;
    let options = args.traffic.options();
    options.check(&config.router.params())?;
    let command = args.traffic.command("sim", &args.config);
    if let Some(wave) = &args.wave {
        make_room(wave)?;
    }
    if let Some(dir) = &args.coverage {
        output::check(dir)?;
    }
    let observe = Observe {
        trace: args.wave.is_some(),
        lines: args.coverage.is_some(),
    };
    let simulation = observed(&config, args.traffic.mutant(), observe)?;
    if args.compile_only {
        return Ok(Outcome::Passed);
    }
    let wave = args.wave.as_deref().map(|path| WaveFile {
        path,
        cycles: args.wave_cycles.clone(),
    });
    let run = simulate(&simulation, &options, wave)?;
    if let (Some(dir), Some(lines)) = (&args.coverage, &run.lines) {
        coverage::write(dir, &run.config, &run.results.coverage, lines)?;
    }
    if args.json {
        let output = Output {
            run: &run,
            command: &command,
        };
        println!("{}", serde_json::to_string_pretty(&output)?);
    } else {
        print(&run, &options, &simulation);
        if let Some(wave) = &args.wave {
            println!("  wave         {}", wave.display());
        }
        println!("  seed         {}; repeat with: {command}", options.seed);
    }
    for violation in &run.results.violations {
        eprintln!("{violation}");
    }
    Ok(match run.results.passed() {
        true => Outcome::Passed,
        false => Outcome::Failed,
    })
}

/// Reads `FROM..TO`.
fn cycles(text: &str) -> Result<Range<u64>, String> {
    let range = || {
        let (from, to) = text.split_once("..")?;
        let cycles: Range<u64> = from.parse().ok()?..to.parse().ok()?;
        (!cycles.is_empty()).then_some(cycles)
    };
    range().ok_or("legal is FROM..TO, two numbers of which TO is the greater".into())
}

/// Makes the folder of a file, and sure that it can be one, before minutes are spent on what it will hold.
fn make_room(file: &Path) -> Result<()> {
    ensure!(!file.is_dir(), "{} is a folder, not a file", file.display());
    let is_device = file.metadata().is_ok_and(|there| !there.is_file());
    ensure!(
        !is_device,
        "{} is a device, a wave needs a file",
        file.display()
    );
    let folder = file.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    Ok(())
}

/// Builds the chip, showing what it is busy with.
pub fn build(config: &Config, trace: bool) -> Result<Simulation> {
    observed(config, None, Observe::waves(trace))
}

/// As [`build`], for a chip of which more can be seen, with the mutant of this name in it.
pub fn observed(config: &Config, mutant: Option<&str>, observe: Observe) -> Result<Simulation> {
    let spinner = progress::spinner(format!("generating {}", config.name));
    let mut stage = |stage| spinner.set_message(format!("{}: {stage}", config.name));
    let simulation = match mutant {
        None => Simulation::observed(config, observe, &mut stage)?,
        Some(name) => {
            let design = fantree_gen::generate_router(config)?;
            let mutant = mutate::named(mutate::mutants(&design), name)
                .with_context(|| format!("{} cannot be built", config.name))?;
            Simulation::mutated(config, design, &[mutant], observe, &mut stage)?.awake(1)
        }
    };
    spinner.finish_and_clear();
    Ok(simulation)
}

/// Runs the chip, showing how far it is.
pub fn simulate(simulation: &Simulation, options: &Options, wave: Option<WaveFile>) -> Result<Run> {
    let bar = progress::cycles(options.warmup + options.cycles);
    let run = simulation.run(options, wave, &mut |Progress { phase, done, .. }| {
        bar.set_position(done);
        bar.set_message(match phase {
            Phase::Setup => "routing tables",
            Phase::ZeroLoad => "idle latency",
            Phase::Warmup => "warm-up",
            Phase::Measure => "measurement",
            Phase::Drain => "drain",
        });
    })?;
    bar.finish_and_clear();
    Ok(run)
}

/// What packets were dropped for, in brackets.
fn causes(dropped: &Dropped) -> String {
    let causes: Vec<String> = DropCause::ALL
        .into_iter()
        .filter(|&cause| dropped.of(cause) > 0)
        .map(|cause| format!("{} {}", cause.name(), dropped.of(cause)))
        .collect();
    match causes.is_empty() {
        true => String::new(),
        false => format!(" ({})", causes.join(", ")),
    }
}

fn print(run: &Run, options: &Options, simulation: &Simulation) {
    let Run {
        config, results, ..
    } = run;
    let number = |value: Option<u64>| value.map_or("-".into(), |value| value.to_string());
    let decimal = |value: Option<f64>, digits: usize| {
        value.map_or("-".into(), |value| format!("{value:.digits$}"))
    };
    let (latency, packets) = (&results.latency, &results.packets);
    println!(
        "{config}: {} ports, {}, packets of {} flits, {}",
        results.ports, results.pattern, options.lengths, options.vc_policy
    );
    println!("  offered      {:.4} flits a cycle a port", results.offered);
    println!("  accepted     {:.4}", results.accepted);
    println!(
        "  latency      mean {}, p50 {}, p99 {}, max {} cycles; head through the idle chip {}",
        decimal(latency.mean, 1),
        number(latency.p50),
        number(latency.p99),
        number(latency.max),
        number(latency.head_zero_load),
    );
    println!("  fairness     {}", decimal(results.fairness, 3));
    println!(
        "  packets      {} sent, {} delivered, {} dropped{}",
        packets.sent,
        packets.delivered,
        packets.dropped.total(),
        causes(&packets.dropped),
    );
    println!(
        "  faults       {} lost, {} duplicated, {} misrouted, {} corrupted, {} reordered; {} violations",
        packets.lost,
        packets.duplicated,
        packets.misrouted,
        packets.corrupted,
        packets.reordered,
        results.violation_count
    );
    println!(
        "  simulation   {} cycles, {:.0} a second; compiled in {:.1} s{}",
        results.simulated_cycles,
        run.cycles_per_second,
        run.build_seconds,
        if simulation.build_report().cached {
            " (before)"
        } else {
            ""
        }
    );
}
