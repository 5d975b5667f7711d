//! Functional coverage, by group, point and cross.

use serde::{Deserialize, Serialize};

use super::Tally;
use crate::coverage::group::digits;
use crate::coverage::{Counts, Definition};

/// A group of points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupReport {
    pub name: String,
    pub about: String,
    pub points: Vec<Question>,
    pub crosses: Vec<Question>,
}

/// A point, or several crossed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    pub name: String,
    /// What a point is; empty for a cross.
    pub about: String,
    pub bins: Vec<Bin>,
}

/// A bin of a point, or a combination of bins of a cross.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    pub name: String,
    pub count: u64,
    /// Why it cannot be hit, if it cannot.
    pub ignored: Option<String>,
}

impl GroupReport {
    pub fn new(counts: &Counts) -> Self {
        let definition = counts.definition();
        let (name, about) = (definition.name.clone(), definition.about.clone());
        let points = 0..definition.points.len();
        Self {
            name,
            about,
            points: points
                .map(|point| Question::new(counts, &[point]))
                .collect(),
            crosses: definition
                .crosses
                .iter()
                .map(|cross| Question::new(counts, cross))
                .collect(),
        }
    }

    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.points.iter().chain(&self.crosses)
    }

    /// Bins that are ignored and were hit all the same.
    pub fn stale(&self) -> impl Iterator<Item = String> + '_ {
        let bins = self
            .questions()
            .flat_map(|question| question.bins.iter().map(move |bin| (question, bin)));
        bins.filter(|(_, bin)| bin.count > 0).filter_map(|(question, bin)| {
            let because = bin.ignored.as_ref()?;
            let (group, question, Bin { name, count, .. }) = (&self.name, &question.name, bin);
            Some(format!("{group}: {question}: `{name}` is ignored ({because}), but was seen {count} times"))
        })
    }
}

impl Question {
    fn new(counts: &Counts, points: &[usize]) -> Self {
        let definition = counts.definition();
        let axes = points.iter().map(|&point| &definition.points[point]);
        let names: Vec<&str> = axes.clone().map(|axis| axis.name.as_str()).collect();
        let about = match points {
            [point] => definition.points[*point].about.clone(),
            _ => String::new(),
        };
        let bins = counts.of(points).into_iter().enumerate();
        Self {
            name: names.join(" × "),
            about,
            bins: bins
                .map(|(place, count)| Bin::new(definition, points, place, count))
                .collect(),
        }
    }

    /// The bins that were hit, of those that can be.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for bin in self.bins.iter().filter(|bin| bin.ignored.is_none()) {
            tally.count(bin.count > 0);
        }
        tally
    }

    /// Bins that can be hit and never were.
    pub fn missed(&self) -> impl Iterator<Item = &Bin> {
        self.bins
            .iter()
            .filter(|bin| bin.count == 0 && bin.ignored.is_none())
    }
}

impl Bin {
    fn new(definition: &Definition, points: &[usize], place: usize, count: u64) -> Self {
        let axes = points
            .iter()
            .map(|&point| definition.points[point].bins.len());
        let bins = digits(place, axes);
        let names = points
            .iter()
            .zip(&bins)
            .map(|(&point, &bin)| definition.points[point].bins[bin].as_str());
        Self {
            name: names.collect::<Vec<_>>().join(" × "),
            count,
            ignored: definition.why_ignored(points, &bins).map(String::from),
        }
    }
}
