//! `fantree trace`: a packet's life by cycle and unit, for those without a screen for waves.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{bail, Result};
use comfy_table::CellAlignment;
use fantree_gen::config::Config;
use fantree_tb::follow::{follow, Fate, Journey};
use fantree_tb::router::{Observe, Results};
use fantree_tb::wave::Wave;
use serde::Serialize;

use super::{sim, table, wave, Outcome};

#[derive(clap::Args)]
#[command(mut_arg("cycles", |it| it.default_value("200")))]
#[command(mut_arg("warmup", |it| it.default_value("0")))]
#[command(mut_arg("load", |it| it.default_value("0.3")))]
pub struct Args {
    /// Configuration file (TOML).
    config: PathBuf,
    #[command(flatten)]
    traffic: sim::Traffic,
    /// Tell the life of this packet; else all packets are listed.
    #[arg(long, value_name = "ID")]
    packet: Option<u32>,
    /// List only so many packets, those with the greatest latency.
    #[arg(long, value_name = "NUMBER", conflicts_with = "packet")]
    slowest: Option<usize>,
    /// Look no further than this cycle, to see what is on its way then.
    #[arg(long, value_name = "CYCLE")]
    until: Option<u64>,
    /// Follow the packets of this wave of the same chip, and run nothing.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    from: Option<PathBuf>,
    /// Folder of the wave, `build/wave/<name>` by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

/// A packet in the list.
#[derive(Serialize)]
struct Listed {
    id: u32,
    from: Option<usize>,
    to: Vec<usize>,
    flits: usize,
    vc: u32,
    /// Cycles: it entered its source's queue, its head came into the chip, its last flit left it.
    queued: Option<u64>,
    injected: Option<u64>,
    arrived: Option<u64>,
    /// From queue to last flit as `fantree sim` counts it; from its head on where the queue is not known.
    latency: Option<u64>,
    fate: Fate,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let config = Config::load(&args.config)?;
    let (path, results) = match &args.from {
        Some(path) => (path.clone(), None),
        None => {
            let dir = wave::folder(args.out.as_deref(), &config);
            let options = args.traffic.options();
            options.check(&config.router.params())?;
            let simulation = sim::observed(&config, args.traffic.mutant(), Observe::waves(true))?;
            let recording = wave::record(&config, &simulation, &options, &dir, args.packet)?;
            (dir.join(wave::FILE), Some(recording.run.results))
        }
    };
    let mut wave = Wave::open(&path)?;
    let until = args.until.unwrap_or(u64::MAX);
    let journeys = follow(&config.router, &mut wave, until)?;
    let queued = queued(results.as_ref());
    match args.packet {
        Some(id) => {
            let journey = find(&journeys, id)?;
            tell(journey, &listed(journey, &queued), args)?;
        }
        None => {
            let mut all: Vec<Listed> = journeys.iter().map(|it| listed(it, &queued)).collect();
            if let Some(number) = args.slowest {
                all.sort_by_key(|it| std::cmp::Reverse(it.latency));
                all.truncate(number);
            }
            list(&all, args)?;
        }
    }
    if !args.json {
        print_footer(args, &path);
    }
    let violations = results.iter().flat_map(|it| &it.violations);
    violations.for_each(|violation| eprintln!("{violation}"));
    Ok(match results.is_none_or(|results| results.passed()) {
        true => Outcome::Passed,
        false => Outcome::Failed,
    })
}

/// The packet with a number.
pub fn find(journeys: &[Journey], id: u32) -> Result<&Journey> {
    if let Some(journey) = journeys.iter().find(|it| it.id == id) {
        return Ok(journey);
    }
    let ids = || journeys.iter().map(|it| it.id);
    match (ids().min(), ids().max()) {
        (Some(first), Some(last)) => bail!("there is no packet {id}: they are {first} to {last}"),
        _ => bail!("there is no packet {id}, nor any other"),
    }
}

/// When packets entered their source's queue, by number, as far as the bench knows them to have arrived.
fn queued(results: Option<&Results>) -> HashMap<u32, u64> {
    let deliveries = results.iter().flat_map(|it| &it.deliveries);
    deliveries.map(|it| (it.packet, it.queued)).collect()
}

fn listed(journey: &Journey, queued: &HashMap<u32, u64>) -> Listed {
    let queued = queued.get(&journey.id).copied();
    let arrived = journey.arrived();
    let start = queued.or(journey.injected);
    Listed {
        id: journey.id,
        from: journey.from,
        to: journey.to(),
        flits: journey.header.flits(),
        vc: journey.header.vc,
        queued,
        injected: journey.injected,
        arrived,
        latency: arrived.zip(start).map(|(arrived, start)| arrived - start),
        fate: journey.fate(),
    }
}

fn tell(journey: &Journey, listed: &Listed, args: &Args) -> Result<()> {
    if args.json {
        #[derive(Serialize)]
        struct Told<'a> {
            #[serde(flatten)]
            packet: &'a Listed,
            events: &'a [fantree_tb::follow::Event],
        }
        let told = Told {
            packet: listed,
            events: &journey.events,
        };
        println!("{}", serde_json::to_string_pretty(&told)?);
        return Ok(());
    }
    println!("packet {}: {}", listed.id, journey.header.describe());
    println!("  cycle  tile and unit              event");
    for event in &journey.events {
        println!("{event}");
    }
    print!("{}", listed.fate);
    if let (Some(injected), Some(arrived)) = (listed.injected, listed.arrived) {
        print!(", {} cycles after its head came in", arrived - injected);
    }
    match (listed.queued, listed.latency) {
        (Some(queued), Some(latency)) => {
            println!(", {latency} after it was queued in cycle {queued}")
        }
        _ => println!(),
    }
    Ok(())
}

fn list(all: &[Listed], args: &Args) -> Result<()> {
    if args.json {
        println!("{}", serde_json::to_string_pretty(all)?);
        return Ok(());
    }
    let mut table = table::lined([
        "packet", "from", "to", "flits", "vc", "queued", "injected", "arrived", "latency", "fate",
    ]);
    let number = |value: Option<u64>| value.map_or("-".into(), |value| value.to_string());
    for it in all {
        let to: Vec<String> = it.to.iter().map(usize::to_string).collect();
        table.add_row([
            it.id.to_string(),
            it.from.map_or("-".into(), |port| port.to_string()),
            to.join(","),
            it.flits.to_string(),
            it.vc.to_string(),
            number(it.queued),
            number(it.injected),
            number(it.arrived),
            number(it.latency),
            it.fate.to_string(),
        ]);
    }
    let numbers = table.column_iter_mut().take(9);
    numbers.for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    println!("{table}");
    Ok(())
}

fn print_footer(args: &Args, wave: &Path) {
    println!("  wave         {}", wave.display());
    if args.from.is_none() {
        let mut command = args.traffic.command("trace", &args.config);
        if let Some(packet) = args.packet {
            command += &format!(" --packet {packet}");
        }
        println!("  repeat with: {command}");
    }
}
