//! `fantree generate`: the Verilog of a configuration.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use fantree_gen::config::Config;
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
    let design = write(&config, &dir)?;
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
        println!("  {dir}/rtl/{top}.v    top module, with its sub-modules beside it");
        println!("  {dir}/{}    list of files", output::FILE_LIST);
        println!("  {dir}/{}    list of modules", output::MANIFEST);
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
pub fn write(config: &Config, dir: &Path) -> Result<Design> {
    let spinner = progress::spinner(format!("generating {}", config.name));
    let design = generate(config)?;
    output::replace(dir, &output::files(&design, config))?;
    spinner.finish_and_clear();
    Ok(design)
}
