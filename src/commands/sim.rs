//! `fantree sim`: random traffic through a router under Verilator.

use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use clap::ValueEnum;
use fantree_gen::config::Config;
use fantree_hdl::router::DropCause;
use fantree_tb::router::{
    Dropped, Options, Phase, Progress, Routing, Run, Simulation, SourceQueues, Stalls, Store,
    VcPolicy,
};
use fantree_tb::traffic::{Arrivals, Lengths, Load, Pattern};
use serde::Serialize;

use super::{progress, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Configuration file (TOML).
    config: PathBuf,
    #[command(flatten)]
    traffic: Traffic,
    /// Write all signals of the whole run into this file (FST); takes a chip compiled for it.
    #[arg(long, value_name = "FILE")]
    wave: Option<PathBuf>,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
}

/// What goes through the router.
#[derive(clap::Args)]
pub struct Traffic {
    /// Where packets go: uniform, permutation, complement, tornado, transpose, shuffle, bit-reverse, neighbour,
    /// hotspot[:PORT[:SHARE]], row-to-column, all-to-one[:PORT], or bursty (uniform, in bursts).
    #[arg(long, default_value_t = Pattern::Uniform)]
    pattern: Pattern,
    /// Flits a cycle a port that are offered, above 0; at 1.0 a packet is always waiting.
    #[arg(long, default_value_t = Load::HALF)]
    load: Load,
    /// Packets arrive in bursts, whatever the pattern.
    #[arg(long)]
    bursty: bool,
    /// Length of the packets in flits, or several to choose from, such as 1,4,69.
    #[arg(long, value_name = "FLITS", default_value_t = Lengths::fixed(4))]
    packet_flits: Lengths,
    /// Virtual channel of a packet: most-credits, random, or fixed=N.
    #[arg(long, value_name = "POLICY", default_value_t = VcPolicy::MostCredits)]
    vc_policy: VcPolicy,
    /// Packets wait at a source in one queue, or in one a destination; these leave at once, or more slowly to ports that
    /// the router reports as congested.
    #[arg(long, value_enum, default_value_t = SourceQueues::One)]
    source_queues: SourceQueues,
    /// Flits in the buffers of a port from which on it is congested; 0 never. Else three quarters of what they hold.
    #[arg(long, value_name = "FLITS")]
    backlog_limit: Option<u32>,
    /// Sources mix the flits of packets of different virtual channels on the link.
    #[arg(long)]
    interleave: bool,
    /// Share of the packets whose address has no route.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    no_route: f64,
    /// How packets are routed: by table to the first candidate port, by table to the idlest, by the packet itself.
    #[arg(long, value_enum, default_value_t = Routing::Deterministic)]
    routing: Routing,
    /// Candidate ports of a table entry: the destination and the ports after it.
    #[arg(long, value_name = "PORTS", default_value_t = 1)]
    candidates: usize,
    /// Share of the packets that go to a multicast group, if they are short enough.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    multicast: f64,
    /// Ports that store packets whole before they send them on; the others cut through.
    #[arg(long, value_enum, default_value_t = Store::Never)]
    store: Store,
    /// Share of the packets that are damaged on their way into the chip.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    damage: f64,
    /// Share of the cycles in which a receiver takes no flits, and in which its buffer does not drain.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    stall: f64,
    /// Cycles that a credit needs from a flit on the link back to its sender.
    #[arg(long, value_name = "CYCLES", default_value_t = 8)]
    credit_round_trip: usize,
    /// Cycles of traffic before the measurement.
    #[arg(long, value_name = "CYCLES", default_value_t = 1000)]
    warmup: u64,
    /// Cycles of the measurement.
    #[arg(long, default_value_t = 5000)]
    cycles: u64,
    /// The same seed gives the same run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Traffic {
    /// As the bench takes it.
    pub fn options(&self) -> Options {
        Options {
            pattern: self.pattern,
            load: self.load,
            arrivals: match self.bursty {
                true => Arrivals::BURSTY,
                false => self.pattern.arrivals(),
            },
            lengths: self.packet_flits.clone(),
            vc_policy: self.vc_policy,
            source_queues: self.source_queues,
            backlog_limit: self.backlog_limit,
            interleave: self.interleave,
            no_route: self.no_route,
            routing: self.routing,
            candidates: self.candidates,
            multicast: self.multicast,
            store: self.store,
            damage: self.damage,
            stalls: Stalls::share(self.stall),
            credit_round_trip: self.credit_round_trip,
            warmup: self.warmup,
            cycles: self.cycles,
            seed: self.seed,
            ..Options::default()
        }
    }

    /// The command line that gives the same run; what is not asked for by everybody only where it differs.
    pub fn command(&self, command: &str, config: &Path) -> String {
        let mut line = format!(
            "fantree {command} {} --pattern {} --load {} --packet-flits {} --warmup {} --cycles {} --seed {}",
            quoted(config),
            self.pattern,
            self.load,
            self.packet_flits,
            self.warmup,
            self.cycles,
            self.seed,
        );
        let mut add = |differs: bool, argument: String| {
            if differs {
                line += " ";
                line += &argument;
            }
        };
        let usual = Options::default();
        let policy = self.vc_policy;
        add(policy != usual.vc_policy, format!("--vc-policy {policy}"));
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map_or(String::new(), |value| value.get_name().to_string())
        };
        let queues = name(self.source_queues.to_possible_value());
        add(
            self.source_queues != usual.source_queues,
            format!("--source-queues {queues}"),
        );
        let limit = self.backlog_limit;
        add(
            limit.is_some(),
            format!("--backlog-limit {}", limit.unwrap_or_default()),
        );
        add(self.bursty, "--bursty".into());
        add(self.interleave, "--interleave".into());
        add(self.no_route > 0.0, format!("--no-route {}", self.no_route));
        let routing = name(self.routing.to_possible_value());
        add(
            self.routing != usual.routing,
            format!("--routing {routing}"),
        );
        let candidates = self.candidates;
        add(
            candidates != usual.candidates,
            format!("--candidates {candidates}"),
        );
        add(
            self.multicast > 0.0,
            format!("--multicast {}", self.multicast),
        );
        let store = name(self.store.to_possible_value());
        add(self.store != usual.store, format!("--store {store}"));
        add(self.damage > 0.0, format!("--damage {}", self.damage));
        add(self.stall > 0.0, format!("--stall {}", self.stall));
        let round_trip = self.credit_round_trip;
        add(
            round_trip != usual.credit_round_trip,
            format!("--credit-round-trip {round_trip}"),
        );
        line
    }
}

/// A path as a shell reads it.
pub fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
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
    let simulation = build(&config, args.wave.is_some())?;
    let run = simulate(&simulation, &options, args.wave.as_deref())?;
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

/// Makes the folder of a file, and sure that it can be one, before minutes are spent on what it will hold.
fn make_room(file: &Path) -> Result<()> {
    ensure!(!file.is_dir(), "{} is a folder, not a file", file.display());
    let folder = file.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    Ok(())
}

/// Builds the chip, showing what it is busy with.
pub fn build(config: &Config, trace: bool) -> Result<Simulation> {
    let spinner = progress::spinner(format!("generating {}", config.name));
    let simulation = Simulation::build(config, trace, &mut |stage| {
        spinner.set_message(format!("{}: {stage}", config.name));
    })?;
    spinner.finish_and_clear();
    Ok(simulation)
}

/// Runs the chip, showing how far it is.
pub fn simulate(simulation: &Simulation, options: &Options, wave: Option<&Path>) -> Result<Run> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Args as _, FromArgMatches};

    fn parse(line: &str) -> Args {
        let command = Args::augment_args(clap::Command::new("sim"));
        let matches = command
            .try_get_matches_from(line.split(' ').skip(1))
            .unwrap();
        Args::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn the_command_repeats_itself() {
        for line in [
            "fantree sim a.toml --pattern uniform --load 0.5 --packet-flits 4 --warmup 1000 --cycles 5000 --seed 1",
            "fantree sim a.toml --pattern hotspot:3:0.5 --load 1 --packet-flits 1,69 --warmup 0 --cycles 1 --seed 9 \
             --vc-policy fixed=2 --source-queues throttled --backlog-limit 40 --bursty --interleave --no-route 0.1 --stall 0.25 --credit-round-trip 3",
        ] {
            let args = parse(line);
            assert_eq!(args.traffic.command("sim", &args.config), line);
        }
    }

    #[test]
    fn a_path_is_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted(Path::new("configs/a-b.toml")), "configs/a-b.toml");
        assert_eq!(quoted(Path::new("it's mine.toml")), r"'it'\''s mine.toml'");
    }
}
