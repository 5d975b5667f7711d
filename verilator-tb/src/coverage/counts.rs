//! Counters of samples, and what is merged of them.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::{Definition, Group};

/// Counts the samples of a group: a place for each combination of bins, so that a sample costs one addition.
#[derive(Debug, Clone)]
pub struct Counter<G> {
    counts: Vec<u64>,
    group: PhantomData<G>,
}

impl<G: Group> Default for Counter<G> {
    fn default() -> Self {
        Self {
            counts: vec![0; G::definition().combinations()],
            group: PhantomData,
        }
    }
}

impl<G: Group> Counter<G> {
    #[inline]
    pub fn sample(&mut self, sample: G) {
        self.sample_times(sample, 1);
    }

    /// Counts a sample so many times.
    #[inline]
    pub fn sample_times(&mut self, sample: G, times: u64) {
        self.counts[sample.index()] += times;
    }

    /// The counts, with their definition.
    pub fn counts(&self) -> Counts {
        let samples = self.counts.iter().copied().enumerate();
        Counts {
            definition: G::definition(),
            samples: samples.filter(|&(_, count)| count > 0).collect(),
        }
    }
}

/// How often each combination of a group's bins was sampled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    definition: Definition,
    samples: BTreeMap<usize, u64>,
}

impl Counts {
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// How often each combination of these points' bins was sampled, the last point counting fastest.
    pub fn of(&self, points: &[usize]) -> Vec<u64> {
        let sizes = points.iter().map(|&point| self.size(point));
        let mut counts = vec![0; sizes.product()];
        for (&index, &count) in &self.samples {
            let bins = self.definition.bins(index);
            let place = points
                .iter()
                .fold(0, |place, &point| place * self.size(point) + bins[point]);
            counts[place] += count;
        }
        counts
    }

    fn size(&self, point: usize) -> usize {
        self.definition.points[point].bins.len()
    }
}

/// Why the coverage of two runs is not merged: they were made by programs that define a group differently.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("group `{0}` has other points, bins or crosses than in the runs before: written by another version of fantree")]
pub struct Mismatch(pub String);

/// The functional coverage of a run, or of many.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Functional(Vec<Counts>);

impl FromIterator<Counts> for Functional {
    fn from_iter<I: IntoIterator<Item = Counts>>(groups: I) -> Self {
        Self(groups.into_iter().collect())
    }
}

impl Functional {
    pub fn groups(&self) -> &[Counts] {
        &self.0
    }

    /// A group with samples that it cannot have.
    pub(super) fn damaged_group(&self) -> Option<&str> {
        let is_damaged = |counts: &&Counts| {
            let all = counts.definition.combinations();
            counts.samples.keys().any(|&index| index >= all)
        };
        let damaged = self.0.iter().find(is_damaged);
        damaged.map(|counts| counts.definition.name.as_str())
    }

    /// Adds the samples of another run; on an error, nothing.
    pub fn merge(&mut self, other: &Functional) -> Result<(), Mismatch> {
        let name = |counts: &Counts| counts.definition.name.clone();
        let place = |counts: &Counts| self.0.iter().position(|it| name(it) == name(counts));
        let places: Vec<Option<usize>> = other.0.iter().map(place).collect();
        for (counts, place) in other.0.iter().zip(&places) {
            if place.is_some_and(|place| self.0[place].definition != counts.definition) {
                return Err(Mismatch(name(counts)));
            }
        }
        for (counts, place) in other.0.iter().zip(places) {
            let Some(place) = place else {
                self.0.push(counts.clone());
                continue;
            };
            for (&index, &count) in &counts.samples {
                *self.0[place].samples.entry(index).or_default() += count;
            }
        }
        Ok(())
    }
}
