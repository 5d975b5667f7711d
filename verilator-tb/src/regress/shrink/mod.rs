//! Makes a failing case small: shorter, with fewer packets, with plainer options, on a smaller chip.
//!
//! Greedy and in a fixed order, so that a case always shrinks to the same one. What is smaller is taken if the same check
//! is still the first to fail.

mod chip;
mod options;

use std::collections::HashSet;

use anyhow::Result;
use fantree_gen::config::{listing, Config};

use super::case::Settings;
use super::outcome::Outcome;

/// Simulations, and chips that are compiled for them, after which the case is small enough.
const MOST_RUNS: usize = 100;
const MOST_CHIPS: usize = 10;

/// A case that may be smaller.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub config: Config,
    pub settings: Settings,
}

/// What candidates are tried with.
pub trait Trial {
    /// Whether the options fit the chip, and there is such a chip.
    fn fits(&self, candidate: &Candidate) -> bool;

    /// The number that an option has if it is not given.
    fn usual(&self, option: &str) -> Option<u64>;

    fn run(&self, candidate: &Candidate) -> Result<Outcome>;
}

/// The smallest case that was found to fail in the same way.
#[derive(Debug, Clone, PartialEq)]
pub struct Shrunk {
    pub candidate: Candidate,
    pub outcome: Outcome,
    /// Simulations that it took.
    pub runs: usize,
    /// What became smaller, in words.
    pub steps: Vec<String>,
}

impl Shrunk {
    /// The case as it is.
    pub fn none(candidate: Candidate, outcome: Outcome) -> Self {
        Self {
            candidate,
            outcome,
            runs: 0,
            steps: Vec::new(),
        }
    }
}

/// Shrinks a case that failed with this outcome.
pub fn shrink<T: Trial>(candidate: Candidate, outcome: Outcome, trial: &T) -> Result<Shrunk> {
    let mut shrinker = Shrinker {
        trial,
        chips: HashSet::from([listing(&candidate.config)]),
        best: Shrunk::none(candidate, outcome),
    };
    shrinker.shorten()?;
    shrinker.simplify()?;
    shrinker.shrink_chip()?;
    shrinker.shorten()?;
    Ok(shrinker.best)
}

struct Shrinker<'a, T> {
    trial: &'a T,
    /// All that were compiled.
    chips: HashSet<String>,
    best: Shrunk,
}

impl<T: Trial> Shrinker<'_, T> {
    /// Tries a candidate; takes it if it fails in the same way.
    fn attempt(&mut self, candidate: Candidate, step: String) -> Result<bool> {
        let chip = listing(&candidate.config);
        let is_new = !self.chips.contains(&chip);
        let spent = self.best.runs == MOST_RUNS || is_new && self.chips.len() > MOST_CHIPS;
        if spent || candidate == self.best.candidate || !self.trial.fits(&candidate) {
            return Ok(false);
        }
        self.chips.insert(chip);
        self.best.runs += 1;
        let outcome = self.trial.run(&candidate)?;
        let before = &self.best.outcome;
        let same = outcome.status == before.status && outcome.check() == before.check();
        if same {
            self.best.candidate = candidate;
            self.best.outcome = outcome;
            self.best.steps.push(step);
        }
        Ok(same)
    }

    /// Tries other options on the same chip.
    fn attempt_settings(&mut self, settings: Settings, step: String) -> Result<bool> {
        let config = self.best.candidate.config.clone();
        self.attempt(Candidate { config, settings }, step)
    }
}

#[cfg(test)]
mod tests;
