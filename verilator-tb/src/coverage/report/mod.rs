//! What was covered and what never was, for tables, pages and thresholds.

mod functional;
mod lines;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Exclusions, Merged};

pub use functional::{Bin, GroupReport, Question};
pub use lines::{Excluded, Missed, Unit};

/// How many of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub hit: usize,
    pub all: usize,
}

impl Tally {
    fn count(&mut self, hit: bool) {
        self.hit += usize::from(hit);
        self.all += 1;
    }

    /// The share in percent; all of nothing.
    pub fn percent(self) -> f64 {
        match self.all {
            0 => 100.0,
            all => 100.0 * self.hit as f64 / all as f64,
        }
    }
}

impl std::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |sum, tally| Self {
            hit: sum.hit + tally.hit,
            all: sum.all + tally.all,
        })
    }
}

/// What is to be reached, in percent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Goals {
    /// Of the lines of the Verilog.
    pub lines: f64,
    /// Of the bins of points and crosses.
    pub functional: f64,
}

/// The coverage of runs, judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub runs: usize,
    pub configs: BTreeSet<String>,
    pub lines: Tally,
    /// Ways of conditions, one that is not written included.
    pub branches: Tally,
    /// Bins of points and of crosses.
    pub functional: Tally,
    pub units: Vec<Unit>,
    pub groups: Vec<GroupReport>,
    pub excluded: Vec<Excluded>,
    /// Exclusions, of lines and of bins, that are not needed.
    pub stale: Vec<String>,
}

impl Report {
    pub fn new(merged: &Merged, exclusions: &Exclusions) -> Self {
        let lines::Judged {
            units,
            excluded,
            stale,
        } = lines::judge(&merged.lines, exclusions);
        let groups: Vec<GroupReport> = merged
            .functional
            .groups()
            .iter()
            .map(GroupReport::new)
            .collect();
        let questions = groups.iter().flat_map(GroupReport::questions);
        let mut stale: Vec<String> = stale.iter().map(ToString::to_string).collect();
        stale.extend(groups.iter().flat_map(GroupReport::stale));
        Self {
            runs: merged.runs,
            configs: merged.configs.clone(),
            lines: units.iter().map(|unit| unit.lines).sum(),
            branches: units.iter().map(|unit| unit.branches).sum(),
            functional: questions.map(Question::tally).sum(),
            units,
            groups,
            excluded,
            stale,
        }
    }

    /// What keeps the report from being good: goals that are missed, exclusions that are stale.
    pub fn problems(&self, goals: &Goals) -> Vec<String> {
        let missed = [
            ("lines", self.lines, goals.lines),
            ("functional", self.functional, goals.functional),
        ]
        .into_iter()
        .filter(|(_, tally, goal)| tally.percent() < *goal)
        .map(|(what, tally, goal)| {
            let Tally { hit, all } = tally;
            format!(
                "{what}: {:.2} % ({hit} of {all}), below {goal} %",
                tally.percent()
            )
        });
        missed.chain(self.stale.iter().cloned()).collect()
    }
}
