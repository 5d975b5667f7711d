//! What came of a regression, for other programs: JSON, and the XML of JUnit.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use super::autopsy::Autopsy;
use super::case::Case;
use super::journal::Record;
use super::outcome::{Outcome, Status};
use super::regression::Summary;

/// The name of the suite in JUnit's XML.
const SUITE: &str = "regress";

#[derive(Serialize)]
struct Results<'a> {
    plan: &'a str,
    passed: usize,
    failed: usize,
    not_run: usize,
    seconds: f64,
    cases: Vec<CaseResult<'a>>,
}

#[derive(Serialize)]
struct CaseResult<'a> {
    case: String,
    command: String,
    #[serde(flatten)]
    outcome: Option<&'a Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    autopsy: Option<&'a Autopsy>,
}

/// The results as JSON: the same for the same cases, whoever ran them and in which order, but for `seconds`.
pub fn json(plan: &str, summary: &Summary) -> Result<String, serde_json::Error> {
    let failed = summary.failures().count();
    let results = Results {
        plan,
        passed: summary.cases.len() - failed - summary.not_run(),
        failed,
        not_run: summary.not_run(),
        seconds: summary.seconds,
        cases: summary
            .cases
            .iter()
            .map(|(case, record)| CaseResult {
                case: case.id.to_string(),
                command: case.command(),
                outcome: record.as_ref().map(|record| &record.outcome),
                autopsy: record.as_ref().and_then(|record| record.autopsy.as_ref()),
            })
            .collect(),
    };
    Ok(serde_json::to_string_pretty(&results)? + "\n")
}

/// The results as JUnit's XML: a suite with a test for each case.
pub fn junit(summary: &Summary) -> Result<String, quick_junit::SerializeError> {
    let mut suite = TestSuite::new(SUITE);
    suite.set_time(Duration::from_secs_f64(summary.seconds));
    for (case, record) in &summary.cases {
        suite.add_test_case(test_case(case, record.as_ref()));
    }
    let mut report = Report::new("fantree");
    report.add_test_suite(suite);
    report.to_string()
}

fn test_case(case: &Case, record: Option<&Record>) -> TestCase {
    let mut status = match record.map(|record| record.outcome.status) {
        None => TestCaseStatus::skipped(),
        Some(Status::Passed) => TestCaseStatus::success(),
        Some(Status::Failed) => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Some(Status::Crashed | Status::TimedOut) => {
            TestCaseStatus::non_success(NonSuccessKind::Error)
        }
    };
    if let Some(Record { outcome, .. }) = record.filter(|record| !record.outcome.passed()) {
        status.set_type(outcome.check());
        status.set_message(outcome.text());
    }
    let mut test = TestCase::new(case.id.to_string(), status);
    test.set_classname(&*case.id.test);
    if let Some(record) = record {
        test.set_time(Duration::from_secs_f64(record.outcome.seconds));
    }
    let autopsy = record.and_then(|record| record.autopsy.as_ref());
    let repeat = autopsy.map_or(case.command(), |autopsy| autopsy.command.clone());
    test.set_system_out(format!("repeat with: {repeat}"));
    test
}
