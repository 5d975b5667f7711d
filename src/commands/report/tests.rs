//! The sections of tests: how they went, and how the test plan stands.

use fantree_tb::report::{Item, Section, Table};

use crate::commands::testplan::{standings, Outcomes, Plan, Standing, Status};

/// Tests by suite, and those that failed; `None` without any.
pub fn results(outcomes: &Outcomes) -> Option<Section> {
    let suites = outcomes.suites();
    let rows = suites.iter().map(|(suite, tests)| {
        let of = |status| {
            tests
                .iter()
                .filter(|(_, it)| *it == status)
                .count()
                .to_string()
        };
        vec![
            suite.to_string(),
            of(Status::Passed),
            of(Status::Failed),
            of(Status::NotRun),
        ]
    });
    let header = ["suite", "passed", "failed", "not run"];
    let mut items = vec![Item::Table(Table::new(
        "Tests by suite",
        &header,
        rows.collect(),
    ))];
    let failed = suites.iter().flat_map(|(suite, tests)| {
        let failed = tests.iter().filter(|(_, status)| *status == Status::Failed);
        failed.map(|(test, _)| vec![suite.to_string(), test.to_string()])
    });
    let failed: Vec<Vec<String>> = failed.collect();
    let text = match failed.len() {
        0 => "No test failed.".into(),
        count => format!("Failed: {count}."),
    };
    if !failed.is_empty() {
        items.insert(
            0,
            Item::Table(Table::new("Tests that failed", &["suite", "test"], failed)),
        );
    }
    (!suites.is_empty()).then(|| Section {
        title: "Tests".into(),
        text,
        items,
    })
}

/// How the points of the test plan stand.
pub fn plan(plan: &Plan, outcomes: &Outcomes) -> Section {
    let points = standings(plan, outcomes);
    let row = |point: &Standing| {
        vec![
            format!("{}/{}", point.unit, point.feature),
            point.what.to_owned(),
            format!("{:?}", point.stage),
            point.tests.len().to_string(),
            point.status.name().to_owned(),
        ]
    };
    let of = |status| points.iter().filter(|it| it.status == status).count();
    let header = ["point", "what", "stage", "tests", "status"];
    Section {
        title: "Test plan".into(),
        text: format!(
            "Of {} points, {} passed, {} were not run, {} failed, {} have no test.",
            points.len(),
            of(Status::Passed),
            of(Status::NotRun),
            of(Status::Failed),
            of(Status::NoTest),
        ),
        items: vec![Item::Table(Table::new(
            "Test plan",
            &header,
            points.iter().map(row).collect(),
        ))],
    }
}
