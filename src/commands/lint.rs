//! `fantree lint`: the Verilog of a configuration, checked by the tools that will read it.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use fantree_gen::config::Config;
use fantree_gen::lint::{Check, Finding, Memories, Target, CHECKS};
use fantree_gen::output::Megahertz;
use serde_json::json;

use super::{generate, progress, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Configuration file (TOML).
    config: PathBuf,
    /// Check this module and what is below it, instead of the whole design.
    #[arg(long, value_name = "MODULE")]
    block: Option<String>,
    /// Have Yosys turn memories into flip-flops as well, as its `synth` does by itself: minutes instead of seconds.
    #[arg(long)]
    full: bool,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

/// What one tool said.
pub struct Report {
    pub tool: &'static str,
    pub findings: Vec<Finding>,
    pub seconds: f64,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let config = Config::load(&args.config)?;
    let dir = generate::folder_of(&config);
    let design = generate::write(&config, &dir, Megahertz::default())?;
    let top = match &args.block {
        Some(name) => &generate::block(&design, name)?.name,
        None => &design.top().name,
    };

    let target = Target {
        dir: &dir,
        top,
        memories: match args.full {
            true => Memories::FlipFlops,
            false => Memories::Kept,
        },
    };
    let reports = check(target)?;
    if args.json {
        print_json(target, &reports);
    } else {
        print_table(target, &reports);
    }
    let clean = reports.iter().all(|report| report.findings.is_empty());
    Ok(if clean {
        Outcome::Passed
    } else {
        Outcome::Failed
    })
}

/// Runs all tools, showing which.
pub fn check(target: Target) -> Result<Vec<Report>> {
    let run = |check: Check| {
        let tool = check.tool.program;
        let spinner = progress::spinner(format!("{tool} on {}", target.top));
        let start = Instant::now();
        let findings = check.run(target)?;
        let seconds = start.elapsed().as_secs_f64();
        spinner.finish_and_clear();
        Ok(Report {
            tool,
            findings,
            seconds,
        })
    };
    CHECKS.into_iter().map(run).collect()
}

pub fn print_table(target: Target, reports: &[Report]) {
    println!("{} in {}", target.top, target.dir.display());
    println!("{:10} {:>8} {:>8}", "tool", "findings", "seconds");
    for Report {
        tool,
        findings,
        seconds,
    } in reports
    {
        println!("{tool:10} {:8} {seconds:8.1}", findings.len());
        for Finding {
            code,
            place,
            message,
        } in findings
        {
            let place = place
                .as_ref()
                .map(|place| format!("{place}: "))
                .unwrap_or_default();
            let code = code
                .as_ref()
                .map(|code| format!("{code}: "))
                .unwrap_or_default();
            println!("  {place}{code}{message}");
        }
    }
}

fn print_json(target: Target, reports: &[Report]) {
    let tools: Vec<_> = reports
        .iter()
        .map(|it| json!({ "tool": it.tool, "seconds": it.seconds, "findings": it.findings }))
        .collect();
    println!(
        "{:#}",
        json!({ "dir": target.dir, "top": target.top, "tools": tools })
    );
}
