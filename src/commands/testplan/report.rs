//! How tests went, as their JUnit reports tell.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use quick_junit::{Report, TestCaseStatus};
use serde::Serialize;
use wildmatch::WildMatch;

use super::plan::Point;

/// How a test or a point stands. Of several, the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Passed,
    /// There is no report of its suite.
    NotRun,
    Failed,
    /// The plan names none, or one that its suite does not have.
    NoTest,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::NotRun => "not run",
            Status::Failed => "FAILED",
            Status::NoTest => "NO TEST",
        }
    }
}

/// All tests of all reports, by suite and name.
#[derive(Debug, Default)]
pub struct Outcomes(BTreeMap<String, Status>);

impl Outcomes {
    /// Reads the reports; one that is not there has no tests.
    pub fn of_files(reports: &[PathBuf]) -> Result<Self> {
        let mut all = Self::default();
        for path in reports.iter().filter(|path| path.exists()) {
            all.read(path)?;
        }
        Ok(all)
    }

    /// Adds the tests of a report.
    pub fn read(&mut self, path: &Path) -> Result<()> {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        let report = Report::deserialize(BufReader::new(file))
            .with_context(|| format!("{} is no JUnit report", path.display()))?;
        self.add(&report);
        Ok(())
    }

    /// How many tests there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The tests by suite, with their names in it.
    pub fn suites(&self) -> BTreeMap<&str, Vec<(&str, Status)>> {
        let mut suites: BTreeMap<&str, Vec<(&str, Status)>> = BTreeMap::new();
        for (name, &status) in &self.0 {
            let (suite, test) = name.split_once(' ').unwrap_or((name, ""));
            suites.entry(suite).or_default().push((test, status));
        }
        suites
    }

    fn add(&mut self, report: &Report) {
        for suite in &report.test_suites {
            for case in &suite.test_cases {
                let status = match case.status {
                    TestCaseStatus::Success { .. } => Status::Passed,
                    TestCaseStatus::NonSuccess { .. } => Status::Failed,
                    TestCaseStatus::Skipped { .. } => Status::NotRun,
                };
                let name = format!("{} {}", suite.name.as_str(), case.name.as_str());
                self.0.insert(name, status);
            }
        }
    }

    /// Every test of a point with its status; a name that matches nothing stands for itself.
    pub fn of(&self, point: &Point) -> BTreeMap<String, Status> {
        let mut tests = BTreeMap::new();
        for pattern in &point.tests {
            let wanted = WildMatch::new(pattern);
            let matches = self.0.iter().filter(|(name, _)| wanted.matches(name));
            let found: Vec<_> = matches
                .map(|(name, &status)| (name.clone(), status))
                .collect();
            if found.is_empty() {
                tests.insert(pattern.clone(), self.without(pattern));
            }
            tests.extend(found);
        }
        tests
    }

    /// The tests that are not among these.
    pub fn besides<'a>(&self, tests: impl Iterator<Item = &'a String>) -> Vec<&str> {
        let tests: BTreeSet<&String> = tests.collect();
        let all = self.0.keys();
        all.filter(|test| !tests.contains(test))
            .map(String::as_str)
            .collect()
    }

    /// How a name stands that no test has.
    fn without(&self, pattern: &str) -> Status {
        let suite = |name: &str| name.split(' ').next().map(String::from);
        match self.0.keys().any(|name| suite(name) == suite(pattern)) {
            true => Status::NoTest,
            false => Status::NotRun,
        }
    }
}
