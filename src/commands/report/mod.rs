//! `fantree report`: everything that was measured and checked as one HTML file.

mod area;
mod coverage;
mod sources;
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use fantree_tb::regress::write_whole;
use fantree_tb::report::{self, Item, Report, Run, Section};
use fantree_tb::shell::quoted;
use fantree_tb::sweep;

use super::Outcome;
use sources::Sources;

#[derive(clap::Args)]
pub struct Args {
    /// Results, or folders that have some: of `fantree sweep`, `sim --json`, `coverage` and `synth` (JSON), of tests (JUnit),
    /// and a test plan (TOML).
    #[arg(value_name = "DIR|FILE", default_values = PLACES)]
    sources: Vec<PathBuf>,
    /// The page.
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
}

/// Where the other commands leave their results.
const PLACES: [&str; 3] = [
    "build",
    "target/nextest/default/junit.xml",
    "tests/testplan.toml",
];

pub fn run(args: &Args) -> Result<Outcome> {
    let out = &args.out;
    ensure!(!out.is_dir(), "{} is a folder, not a file", out.display());
    // Without arguments, what was not made yet is not missed.
    let is_default = args
        .sources
        .iter()
        .map(PathBuf::as_path)
        .eq(PLACES.map(Path::new));
    let there = args
        .sources
        .iter()
        .filter(|path| !is_default || path.exists());
    let sources = Sources::find(there)?;
    if let Some(folder) = out.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
    }
    write_whole(out, &page(args, &sources)?.html())?;
    for (what, count) in sources.counts() {
        println!("{count:6} {what}");
    }
    println!("report: {}", out.display());
    Ok(Outcome::Passed)
}

fn page(args: &Args, sources: &Sources) -> Result<Report> {
    let paths: Vec<String> = args
        .sources
        .iter()
        .map(|path| quoted(path.display()))
        .collect();
    let facts = sources.counts().into_iter();
    Ok(Report {
        title: "Report".into(),
        subtitle: "Of routers that fantree generated, simulated and checked.".into(),
        facts: facts
            .map(|(what, count)| (what.into(), count.to_string()))
            .collect(),
        sections: sections(sources)?,
        command: format!(
            "fantree report {} --out {}",
            paths.join(" "),
            quoted(args.out.display())
        ),
    })
}

fn sections(sources: &Sources) -> Result<Vec<Section>> {
    let curves: Vec<sweep::Curve> = sources
        .sweeps
        .iter()
        .flat_map(|it| it.curves.clone())
        .collect();
    let sweep = "fantree sweep configs/router-4x2.toml";
    let of_curves = match curves.is_empty() {
        true => missing("Latency and throughput", sweep),
        false => report::latency_and_throughput(&curves),
    };
    let saturation = report::saturation(&sources.sweeps);
    let runs = curves
        .iter()
        .filter_map(Run::of_curve)
        .chain(sources.runs.iter().cloned());
    let runs: Vec<Item> = runs.map(|run| Item::Section(run.section())).collect();
    let runs = match runs.is_empty() {
        true => missing("Ports and buffers", sweep),
        false => Section {
            title: "Ports and buffers".into(),
            text: "Of each curve, the run at the greatest load that is carried.".into(),
            items: runs,
        },
    };
    Ok(vec![
        of_curves,
        saturation.unwrap_or_else(|| missing("Saturation", sweep)),
        runs,
        coverage::section(&sources.coverage).unwrap_or_else(|| {
            missing(
                "Coverage",
                "fantree sim configs/router-2x2.toml --coverage runs/1 && fantree coverage runs",
            )
        }),
        tests::results(&sources.tests).unwrap_or_else(|| missing("Tests", "fantree regress")),
        match &sources.plan {
            Some(plan) => tests::plan(plan, &sources.tests),
            None => missing("Test plan", "fantree report tests/testplan.toml"),
        },
        area::section(&sources.synthesis)
            .unwrap_or_else(|| missing("Area", "fantree synth configs/router-2x2.toml")),
    ])
}

/// A section without data, with the command that makes some.
fn missing(title: &str, command: &str) -> Section {
    Section {
        title: title.into(),
        text: "Nothing was found. This makes it:".into(),
        items: vec![Item::Command(command.into())],
    }
}
