//! `fantree testplan`: which points of the test plan have tests, and how these went.

mod plan;
mod report;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::{table, Outcome};
pub use plan::Plan;
use plan::Stage;
pub use report::{Outcomes, Status};

#[derive(clap::Args)]
pub struct Args {
    /// Test plan (TOML).
    #[arg(default_value = "tests/testplan.toml")]
    plan: PathBuf,
    /// JUnit reports of the tests; of `make test` and of `make regress` by default, as far as they are there.
    #[arg(long, value_name = "FILE", num_args = 1.., default_values = REPORTS)]
    junit: Vec<PathBuf>,
    /// Points whose tests have not been run are wrong, too.
    #[arg(long)]
    all: bool,
    /// List the tests that belong to no point.
    #[arg(long)]
    rest: bool,
    /// Print the points as JSON.
    #[arg(long)]
    json: bool,
}

const REPORTS: [&str; 2] = [
    "target/nextest/default/junit.xml",
    "build/regress/junit.xml",
];

/// A point as it stands.
#[derive(Debug, Serialize)]
pub struct Standing<'a> {
    pub unit: &'a str,
    pub feature: &'a str,
    pub what: &'a str,
    pub stage: Stage,
    pub status: Status,
    pub tests: BTreeMap<String, Status>,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let plan = Plan::read(&args.plan)?;
    let outcomes = Outcomes::of_files(&args.junit)?;
    let points = standings(&plan, &outcomes);
    if args.json {
        println!("{}", serde_json::to_string_pretty(&points)?);
    } else {
        print(&points);
        let rest = outcomes.besides(points.iter().flat_map(|point| point.tests.keys()));
        println!("{} tests belong to no point", rest.len());
        if args.rest {
            rest.iter().for_each(|test| println!("  {test}"));
        }
    }
    let wrong = |point: &Standing| match point.status {
        Status::Passed => false,
        Status::NotRun => args.all,
        Status::Failed | Status::NoTest => true,
    };
    Ok(match points.iter().any(wrong) {
        true => Outcome::Failed,
        false => Outcome::Passed,
    })
}

/// All points, with the tests of each.
pub fn standings<'a>(plan: &'a Plan, outcomes: &Outcomes) -> Vec<Standing<'a>> {
    let mut points = Vec::new();
    for (unit, features) in &plan.0 {
        for (feature, point) in features {
            let tests = outcomes.of(point);
            points.push(Standing {
                unit,
                feature,
                what: &point.what,
                stage: point.stage,
                status: tests.values().copied().max().unwrap_or(Status::NoTest),
                tests,
            });
        }
    }
    points
}

fn print(points: &[Standing]) {
    let mut lines = table::lined(["point", "what", "stage", "tests", "status"]);
    for point in points {
        let passed = point.tests.values().filter(|&&it| it == Status::Passed);
        lines.add_row([
            format!("{}/{}", point.unit, point.feature),
            point.what.to_string(),
            format!("{:?}", point.stage),
            format!("{} of {}", passed.count(), point.tests.len()),
            point.status.name().to_string(),
        ]);
    }
    println!("{lines}");
    let of = |status| points.iter().filter(|it| it.status == status).count();
    println!(
        "{} points: {} passed, {} not run, {} failed, {} without a test",
        points.len(),
        of(Status::Passed),
        of(Status::NotRun),
        of(Status::Failed),
        of(Status::NoTest),
    );
    for point in points {
        for (test, status) in &point.tests {
            if *status != Status::Passed {
                println!(
                    "  {}/{}: {test}: {}",
                    point.unit,
                    point.feature,
                    status.name()
                );
            }
        }
    }
}
