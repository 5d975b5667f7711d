//! `fantree coverage`: what runs have covered together, and what never was.

use std::path::{Path, PathBuf};

use anyhow::Result;
use comfy_table::{CellAlignment, Table};
use fantree_gen::output;
use fantree_tb::coverage::{self, Exclusions, Goals, Missed, Question, Report, Tally, Unit};

use super::{progress, table, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Folders that `fantree sim --coverage` wrote, or that have such folders below them.
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Lines of the Verilog that need not run, with reasons (TOML).
    #[arg(long, value_name = "FILE")]
    exclusions: Option<PathBuf>,
    /// Fail if fewer of the lines ran.
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    lines: f64,
    /// Fail if fewer of the bins of points and crosses were hit.
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    functional: f64,
    /// Folder for the report as JSON, lcov's `coverage.info` and the modules; what an earlier run left there is replaced,
    /// anything else is refused.
    #[arg(long, value_name = "DIR", default_value = "build/coverage")]
    out: PathBuf,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let exclusions = match &args.exclusions {
        Some(file) => Exclusions::load(file)?,
        None => Exclusions::default(),
    };
    let goals = Goals {
        lines: args.lines,
        functional: args.functional,
    };
    let spinner = progress::spinner("merging".into());
    let merged = coverage::merge(&args.dirs)?;
    let report = Report::new(&merged, &exclusions);
    output::replace(&args.out, &coverage::files(&merged, &report))?;
    spinner.finish_and_clear();
    match args.json {
        true => println!("{}", serde_json::to_string_pretty(&report)?),
        false => print(&report, &args.out),
    }
    let problems = report.problems(&goals);
    for problem in &problems {
        eprintln!("{problem}");
    }
    Ok(match problems.is_empty() {
        true => Outcome::Passed,
        false => Outcome::Failed,
    })
}

/// Prints a report whose files are in a folder.
pub fn print(report: &Report, out: &Path) {
    println!("{}", units(report));
    println!("{}", questions(report));
    print_missed(report);
    let configs: Vec<&str> = report.configs.iter().map(String::as_str).collect();
    println!("{} runs of {}", report.runs, configs.join(", "));
    for (what, tally) in [
        ("lines", report.lines),
        ("branches", report.branches),
        ("functional", report.functional),
    ] {
        let Tally { hit, all } = tally;
        println!("  {what:<12} {:.2} % ({hit} of {all})", tally.percent());
    }
    let lines: usize = report.excluded.iter().map(|it| it.block.lines).sum();
    println!(
        "  excluded     {lines} lines in {} blocks",
        report.excluded.len()
    );
    println!("  files        {}", out.display());
}

/// Hit, all, and the share.
fn cells(tally: Tally) -> [String; 3] {
    let Tally { hit, all } = tally;
    [
        hit.to_string(),
        all.to_string(),
        format!("{:.1} %", tally.percent()),
    ]
}

fn units(report: &Report) -> Table {
    let header = [
        "unit",
        "texts",
        "lines hit",
        "of",
        "share",
        "branches hit",
        "of",
        "share",
    ];
    let mut table = table::lined(header.to_vec());
    for Unit {
        name,
        modules,
        lines,
        branches,
        ..
    } in &report.units
    {
        let mut row = vec![name.clone(), modules.to_string()];
        row.extend(cells(*lines));
        row.extend(cells(*branches));
        table.add_row(row);
    }
    align(&mut table, 1);
    table
}

fn questions(report: &Report) -> Table {
    let mut table = table::lined(vec!["sampled", "point or cross", "bins hit", "of", "share"]);
    for group in &report.groups {
        for question in group.questions() {
            let mut row = vec![group.name.clone(), question.name.clone()];
            row.extend(cells(question.tally()));
            table.add_row(row);
        }
    }
    align(&mut table, 2);
    table
}

fn align(table: &mut Table, from: usize) {
    for column in table.column_iter_mut().skip(from) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

fn print_missed(report: &Report) {
    for unit in report.units.iter().filter(|unit| !unit.missed.is_empty()) {
        println!("never ran in {}:", unit.name);
        for Missed {
            module,
            configs,
            line,
            text,
            lines,
        } in &unit.missed
        {
            let configs: Vec<&str> = configs.iter().map(String::as_str).collect();
            println!(
                "  {module}:{line} ({}), {lines} lines: {text}",
                configs.join(", ")
            );
        }
    }
    for group in &report.groups {
        let open = |question: &&Question| question.missed().next().is_some();
        for question in group.questions().filter(open) {
            println!("never seen, {}: {}:", group.name, question.name);
            for bin in question.missed() {
                println!("  {}", bin.name);
            }
        }
    }
}
