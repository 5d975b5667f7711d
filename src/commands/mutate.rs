//! `fantree mutate`: faults in the Verilog of a router, to test the tests.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{ensure, Result};
use fantree_gen::config::Config;
use fantree_gen::mutate::{self, Kind, Mutant};
use fantree_gen::output;
use fantree_tb::mutation::{Group, Report, Targets, Waivers};
use serde_json::json;

use super::{progress, table, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Configuration file (TOML), and others in which to look for what nothing finds in the first.
    #[arg(required = true)]
    configs: Vec<PathBuf>,
    /// Only this fault.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["unit", "kind"])]
    mutant: Option<String>,
    /// Only faults of this unit, such as output_unit.
    #[arg(long)]
    unit: Option<String>,
    /// Only faults of this kind, such as lost-credit.
    #[arg(long)]
    kind: Option<Kind>,
    /// So many faults, spread over units and kinds.
    #[arg(long, value_name = "NUMBER", default_value_t = 400)]
    sample: usize,
    /// All faults that there are.
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// Print the names of the faults and what each changes, and run none.
    #[arg(long)]
    list: bool,
    /// Faults that nothing can find, each with the reason (TOML).
    #[arg(long, value_name = "FILE")]
    waivers: Option<PathBuf>,
    /// Least share of the faults that must be found.
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    score: f64,
    /// Folder of the page and the JSON, `build/mutate/<name>` by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let configs = args.configs.iter().map(|file| Config::load(file));
    let configs = configs.collect::<Result<Vec<_>, _>>()?;
    let config = &configs[0];
    let waivers = match &args.waivers {
        Some(file) => Waivers::load(file)?,
        None => Waivers::default(),
    };
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| PathBuf::from("build/mutate").join(&config.name));
    output::check(&out)?;
    let targets = Targets::new(config)?;
    let all: Vec<Mutant> = targets.mutants().cloned().collect();
    let mutants = chosen(args, all.clone())?;
    if args.list {
        mutants.iter().for_each(print);
        return Ok(Outcome::Passed);
    }
    let bar = progress::counted("faults", mutants.len());
    let mut building = |stage| bar.set_message(format!("{}: {stage}", config.name));
    let mut verdicts = targets.hunt(config, &mutants, &waivers, &mut building, &|| bar.inc(1))?;
    for config in &configs[1..] {
        let mut building = |stage| bar.set_message(format!("{}: {stage}", config.name));
        let targets = Targets::new(config)?;
        targets.hunt_again(config, &mut verdicts, &mut building, &|| ())?;
    }
    bar.finish_and_clear();

    let stale = waivers.stale(&all, &verdicts);
    let report = Report::new(&config.name, verdicts);
    let files = BTreeMap::from([
        ("mutants.json".to_string(), format!("{:#}\n", report.json())),
        ("mutants.md".to_string(), report.markdown()),
    ]);
    let about = json!({ "config": config.name });
    output::replace(&out, &output::with_manifest(files, about))?;
    print_table("unit", report.by_unit());
    print_table("kind", report.by_kind());
    let score = report.score();
    println!(
        "{} faults of {}: {:.1} % found, of those that can be; at least {:.1} % must be",
        report.verdicts.len(),
        all.len(),
        100.0 * score,
        100.0 * args.score
    );
    println!("results in {}: mutants.md, mutants.json", out.display());
    for survivor in report.survivors() {
        eprintln!("nothing finds {}", survivor.mutant);
        survivor
            .mutant
            .changes
            .iter()
            .for_each(|change| eprintln!("  {change}"));
    }
    stale.iter().for_each(|stale| eprintln!("{stale}"));
    Ok(match score >= args.score && stale.is_empty() {
        true => Outcome::Passed,
        false => Outcome::Failed,
    })
}

/// The faults that are asked for.
fn chosen(args: &Args, mut mutants: Vec<Mutant>) -> Result<Vec<Mutant>> {
    if let Some(name) = &args.mutant {
        return Ok(vec![mutate::named(mutants, name)?]);
    }
    if let Some(unit) = &args.unit {
        let mut units: Vec<String> = mutants.iter().map(|it| it.unit.clone()).collect();
        units.sort();
        units.dedup();
        ensure!(
            units.contains(unit),
            "there is no unit `{unit}`; there are {}",
            units.join(", ")
        );
        mutants.retain(|mutant| mutant.unit == *unit);
    }
    if let Some(kind) = args.kind {
        mutants.retain(|mutant| mutant.kind == kind);
    }
    Ok(match args.all {
        true => mutants,
        false => mutate::sample(mutants, args.sample),
    })
}

fn print(mutant: &Mutant) {
    println!("{mutant}");
    mutant
        .changes
        .iter()
        .for_each(|change| println!("  {change}"));
}

fn print_table(what: &str, groups: BTreeMap<String, Group>) {
    let mut lines = table::lined([what, "faults", "found", "waived", "by"]);
    for (name, group) in groups {
        lines.add_row([
            name,
            group.mutants.to_string(),
            group.killed.to_string(),
            group.waived.to_string(),
            group.killed_by(),
        ]);
    }
    println!("{lines}");
}
