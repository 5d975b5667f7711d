//! `fantree generate`: the Verilog of a configuration.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use fantree_gen::config::Config;
use fantree_gen::output::Megahertz;
use fantree_gen::verilog::{Design, Module};
use fantree_gen::{generate, output};
use serde_json::json;

use super::{progress, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Configuration file (TOML).
    config: PathBuf,
    /// Output folder, `build/<name>` by default; what an earlier run left there is replaced, anything else is refused.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Clock of the timing constraints, in MHz. By default a flit of 128 bits a cycle is what four lanes of 28 Gb/s carry.
    #[arg(long, value_name = "MHZ", default_value_t)]
    megahertz: Megahertz,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let config = Config::load(&args.config)?;
    let dir = match &args.out {
        Some(dir) => dir.clone(),
        None => folder_of(&config),
    };
    let start = Instant::now();
    let design = write(&config, &dir, args.megahertz)?;
    let seconds = start.elapsed().as_secs_f64();

    let (top, modules, instances) = (
        &design.top().name,
        design.modules().len(),
        design.instances(),
    );
    let lines = design.to_verilog().lines().count();
    if args.json {
        let summary = json!({
            "config": config.name,
            "dir": dir,
            "top": top,
            "modules": modules,
            "instances": instances,
            "lines": lines,
            "seconds": seconds,
        });
        println!("{summary:#}");
    } else {
        let dir = dir.display();
        println!(
            "{}: {modules} modules, {instances} instances, {lines} lines in {seconds:.1} s",
            config.name
        );
        let rtl = format!("rtl/{top}.v");
        let (sdc, core) = (output::constraints(&design), output::core_file(&config));
        for (file, holds) in [
            (rtl.as_str(), "top module, with its sub-modules beside it"),
            (output::FILE_LIST, "list of files for Verilator and Icarus"),
            (output::TCL_LIST, "list of files for tools that run Tcl"),
            (&sdc, "timing constraints"),
            (&core, "core of FuseSoC"),
            (output::MANIFEST, "list of modules"),
        ] {
            println!("  {dir}/{file}    {holds}");
        }
    }
    Ok(Outcome::Passed)
}

/// Where the output of a configuration goes unless told otherwise.
pub fn folder_of(config: &Config) -> PathBuf {
    Path::new("build").join(&config.name)
}

/// The module of a name, which a user gave.
pub fn block<'a>(design: &'a Design, name: &str) -> Result<&'a Module> {
    design.module(name).with_context(|| {
        let modules = design.modules().iter();
        let names: Vec<&str> = modules.map(|module| module.name.as_str()).collect();
        format!(
            "there is no module `{name}`; the modules are {}",
            names.join(", ")
        )
    })
}

/// Generates a configuration into a folder.
pub fn write(config: &Config, dir: &Path, clock: Megahertz) -> Result<Design> {
    let spinner = progress::spinner(format!("generating {}", config.name));
    let design = generate(config)?;
    output::replace(dir, &output::files(&design, config, clock))?;
    spinner.finish_and_clear();
    Ok(design)
}
