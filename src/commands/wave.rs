//! `fantree wave`: a short simulation to look at in GTKWave.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use fantree_gen::config::Config;
use fantree_tb::follow::follow;
use fantree_tb::lockstep::Alone;
use fantree_tb::router::{Observe, Options, Phase, Run, Simulation, WaveFile};
use fantree_tb::shell::quoted;
use fantree_tb::stimuli::legal;
use fantree_tb::wave::{block_view, filter, gtkwave, router_view, Focus, View, Wave};

use super::{generate, progress, sim, trace, Outcome};

#[derive(clap::Args)]
#[command(mut_arg("cycles", |it| it.default_value("200")))]
#[command(mut_arg("warmup", |it| it.default_value("0")))]
#[command(mut_arg("load", |it| it.default_value("0.3")))]
pub struct Args {
    /// Configuration file (TOML).
    config: PathBuf,
    #[command(flatten)]
    traffic: sim::Traffic,
    /// Look at this module alone, under random legal input, instead of at packets through the whole chip; of the other
    /// options, it takes the number of cycles and the seed.
    #[arg(long, value_name = "MODULE", conflicts_with = "packet")]
    block: Option<String>,
    /// Look at this packet: its injection, route and exit marked, the units on its way unfolded.
    #[arg(long, value_name = "ID")]
    packet: Option<u32>,
    /// Folder of the wave and of what GTKWave reads with it, `build/wave/<name>` by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do not open GTKWave, even if there is a screen.
    #[arg(long)]
    no_open: bool,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let config = Config::load(&args.config)?;
    if let Some(block) = &args.block {
        return run_block(args, &config, block);
    }
    let options = args.traffic.options();
    options.check(&config.router.params())?;
    let dir = folder(args.out.as_deref(), &config);
    let simulation = sim::observed(&config, args.traffic.mutant(), Observe::waves(true))?;
    let Recording { run, save_file } = record(&config, &simulation, &options, &dir, args.packet)?;

    let Run { results, .. } = &run;
    println!(
        "{}: {} packets in {} cycles, {} of them of traffic",
        config.name, results.packets.sent, results.simulated_cycles, options.cycles
    );
    println!("  wave         {}", dir.join(FILE).display());
    println!("  save file    {}", save_file.display());
    println!("  open with:   {}", open_command(&save_file));
    let mut command = args.traffic.command("wave", &args.config);
    if let Some(packet) = args.packet {
        command += &format!(" --packet {packet}");
    }
    println!("  repeat with: {command}");
    for violation in &results.violations {
        eprintln!("{violation}");
    }
    show(args, &save_file)?;
    Ok(match results.passed() {
        true => Outcome::Passed,
        false => Outcome::Failed,
    })
}

/// A module alone.
fn run_block(args: &Args, config: &Config, name: &str) -> Result<Outcome> {
    let design = fantree_gen::generate(config)?;
    let module = generate::block(&design, name)?;
    ensure!(
        module.name != design.top().name,
        "{name} is the whole chip: without --block, packets pass through it"
    );
    let options = args.traffic.options();
    let usual = || Path::new("build/wave").join(format!("{}-{name}", config.name));
    let dir = args.out.clone().unwrap_or_else(usual);
    let spinner = progress::spinner(format!("compiling {name}"));
    let alone = Alone::build(&design, module, &mut |stage| {
        spinner.set_message(format!("{name}: {stage}"));
    })?;
    spinner.finish_and_clear();

    let params = config.router.params();
    let path = dir.join(FILE);
    let declared = module.declared.as_deref().unwrap_or(name);
    let input = legal(declared, &params);
    alone.record(&path, options.cycles as usize, options.seed, input)?;
    let wave = Wave::open(&path)?;
    let save_file = save(&block_view(module, &params, &wave), &wave, &dir)?;
    println!("{name} of {}: {} cycles", config.name, options.cycles);
    println!("  wave         {}", path.display());
    println!("  save file    {}", save_file.display());
    println!("  open with:   {}", open_command(&save_file));
    println!(
        "  repeat with: fantree wave {} --block {name} --cycles {} --seed {}",
        quoted(args.config.display()),
        options.cycles,
        options.seed
    );
    show(args, &save_file)?;
    Ok(Outcome::Passed)
}

/// Opens GTKWave, if there is a screen.
fn show(args: &Args, save_file: &Path) -> Result<()> {
    if gtkwave::has_screen() && !args.no_open {
        gtkwave::open(save_file)?;
    }
    Ok(())
}

/// The folder that was asked for, or the usual one.
pub fn folder(asked: Option<&Path>, config: &Config) -> PathBuf {
    match asked {
        Some(dir) => dir.into(),
        None => Path::new("build/wave").join(&config.name),
    }
}

/// The command that opens a save file.
pub fn open_command(save_file: &Path) -> String {
    let file = quoted(save_file.display());
    format!("{} {file}", gtkwave::GTKWAVE.program)
}

/// The wave in its folder.
pub const FILE: &str = "wave.fst";

/// A run with its wave.
pub struct Recording {
    pub run: Run,
    /// What GTKWave opens.
    pub save_file: PathBuf,
}

/// Runs a chip that was built for waves, and writes the wave with its save file into a folder. The first packet of the
/// traffic is looked at, or the one that is asked for.
pub fn record(
    config: &Config,
    simulation: &Simulation,
    options: &Options,
    dir: &Path,
    packet: Option<u32>,
) -> Result<Recording> {
    let path = dir.join(FILE);
    let mut traffic_from = None;
    let wave = WaveFile {
        path: &path,
        cycles: None,
    };
    let run = simulation.run(options, Some(wave), &mut |progress| {
        if matches!(progress.phase, Phase::Warmup | Phase::Measure) {
            traffic_from.get_or_insert(progress.cycle);
        }
    })?;
    let mut wave = Wave::open(&path)?;
    let focus = match packet {
        Some(id) => {
            let journeys = follow(&config.router, &mut wave, u64::MAX)?;
            trace::find(&journeys, id)?.focus(&config.router)
        }
        None => Focus::first_packet(&config.router, &mut wave, traffic_from.unwrap_or(0))?,
    };
    let save_file = save(&router_view(&config.router, &focus), &wave, dir)?;
    Ok(Recording { run, save_file })
}

/// Writes the save file of a wave in a folder.
fn save(view: &View, wave: &Wave, dir: &Path) -> Result<PathBuf> {
    let program = std::env::current_exe()
        .context("cannot find the program that GTKWave decodes flits with")?;
    let decoder = gtkwave::startable(&program, dir)
        .with_context(|| format!("cannot link to the program in {}", dir.display()))?;
    if decoder.is_none() {
        eprintln!(
            "note: GTKWave can start neither {} nor a link in {}, because of their names: \
             flits are shown as numbers",
            program.display(),
            dir.display()
        );
    }
    Ok(view.write(wave, decoder.as_deref())?)
}

/// `fantree decode-…`, the process that GTKWave asks for texts.
pub fn decode(kind: filter::Kind) -> Result<Outcome> {
    match filter::run(kind, io::stdin().lock(), io::stdout().lock()) {
        // GTKWave was closed.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Outcome::Passed),
        outcome => Ok(outcome.map(|()| Outcome::Passed)?),
    }
}
