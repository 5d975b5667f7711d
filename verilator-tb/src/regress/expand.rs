//! From a plan to its cases.

use std::collections::BTreeMap;

use fantree_gen::config::{Finding, Invalid};

use super::case::{Case, Id, Settings};
use super::plan::{Amount, Chip, Choice, Plan, Test};
use super::simulator::Simulator;
use crate::traffic::stream;
use rand::Rng;

/// What shapes the cases besides the plan.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// The first seed.
    pub seed: u64,
    /// Options that every case has, whatever the plan says.
    pub options: BTreeMap<String, String>,
}

/// All cases of a plan, in its order. The same plan and shape give the same cases.
pub fn cases(plan: &Plan, shape: &Shape, simulator: &Simulator) -> Result<Vec<Case>, Invalid> {
    let (mut cases, mut findings) = (Vec::new(), Vec::new());
    for test in &plan.tests {
        let expansion = Expansion {
            test,
            shape,
            simulator,
        };
        match expansion.cases() {
            Ok(of_test) => cases.extend(of_test),
            Err(message) => findings.push(Finding {
                span: test.span.clone(),
                field: "test".into(),
                message,
                value: Some(test.name.clone()),
                legal: None,
                help: None,
            }),
        }
    }
    match findings.is_empty() {
        true => Ok(cases),
        false => Err(plan.invalid(findings)),
    }
}

struct Expansion<'a> {
    test: &'a Test,
    shape: &'a Shape,
    simulator: &'a Simulator,
}

/// What a case's values are drawn by.
#[derive(Clone, Copy)]
struct Draw {
    seed: u64,
    turn: usize,
}

/// A value for each option of `each`, by its place in the list.
type Combination = Vec<usize>;

impl Expansion<'_> {
    fn cases(&self) -> Result<Vec<Case>, String> {
        let first = self.shape.seed;
        let seeds = match &self.test.amount {
            Amount::Runs(runs) => return self.runs(*runs),
            Amount::Seeds(count) => (0..*count).map(|i| first.wrapping_add(i)).collect(),
            Amount::TheseSeeds(seeds) => seeds.clone(),
        };
        let mut cases = Vec::new();
        for number in 0..self.combinations() {
            let combination = self.combination(number);
            for chip in self.defined(&combination)? {
                // Seeds are the same for all combinations; what is drawn must not be.
                let turn = cases.len();
                for &seed in &seeds {
                    let draw = Draw { seed, turn };
                    cases.push(self.case(cases.len(), &combination, chip, draw)?);
                }
            }
        }
        Ok(cases)
    }

    /// Cases that go through all combinations in turn, and through the chips in turn. The turn of the chips shifts with
    /// every round of the first option, so that in time each of its values meets each chip.
    fn runs(&self, runs: u64) -> Result<Vec<Case>, String> {
        let mut sizes = self.test.each.iter().map(|choice| choice.values.len());
        let round = sizes.find(|&values| values > 1).unwrap_or(usize::MAX);
        let case = |number: usize| {
            let combination = self.combination(number % self.combinations());
            let chips = self.defined(&combination)?;
            let chip = chips[(number + number / round) % chips.len()];
            let seed = self.shape.seed.wrapping_add(number as u64);
            self.case(number, &combination, chip, Draw { seed, turn: 0 })
        };
        (0..runs as usize).map(case).collect()
    }

    fn combinations(&self) -> usize {
        let sizes = self.test.each.iter().map(|choice| choice.values.len());
        sizes.product()
    }

    /// The combination of a number: the first option changes fastest.
    fn combination(&self, number: usize) -> Combination {
        let mut rest = number;
        let mut digit = |choice: &Choice| {
            let digit = rest % choice.values.len();
            rest /= choice.values.len();
            digit
        };
        self.test.each.iter().map(&mut digit).collect()
    }

    /// The chips on which a combination is defined.
    fn defined(&self, combination: &Combination) -> Result<Vec<&Chip>, String> {
        let (mut chips, mut refusal) = (Vec::new(), String::new());
        for chip in &self.test.chips {
            let settings = self.settings(combination, chip, None);
            match self
                .simulator
                .check(&chip.config, &settings.words(&chip.file))
            {
                Ok(()) => chips.push(chip),
                Err(error) => refusal = format!("{}: {error}", settings.command(&chip.file)),
            }
        }
        match chips.is_empty() {
            true => Err(format!("no configuration of the test takes {refusal}")),
            false => Ok(chips),
        }
    }

    fn case(
        &self,
        number: usize,
        combination: &Combination,
        chip: &Chip,
        draw: Draw,
    ) -> Result<Case, String> {
        let case = Case {
            id: Id {
                test: self.test.name.clone(),
                number,
            },
            config: chip.file.clone(),
            settings: self.settings(combination, chip, Some(draw)),
        };
        let words = case.settings.words(&case.config);
        match self.simulator.check(&chip.config, &words) {
            Ok(()) => Ok(case),
            Err(error) => Err(format!(
                "case {} does not fit: {}: {error}",
                case.id,
                case.command()
            )),
        }
    }

    /// The options of a combination; for a case, its seed and what is drawn for it, too.
    fn settings(&self, combination: &Combination, chip: &Chip, draw: Option<Draw>) -> Settings {
        let params = chip.config.router.params();
        let mut settings = Settings::default();
        // A range among these is one value, drawn like the others.
        let mut set = |choice: &Choice, value: Option<usize>| {
            let label = format!("option {}", choice.option);
            let Draw { seed, turn } = draw.unwrap_or(Draw {
                seed: self.shape.seed,
                turn: 0,
            });
            let mut random = stream(seed, &label, turn);
            let value = value.unwrap_or_else(|| random.gen_range(0..choice.values.len()));
            let text = choice.values[value].draw(&params, &mut random);
            settings.set(self.simulator, &choice.option, text);
        };
        for (choice, &value) in self.test.each.iter().zip(combination) {
            set(choice, Some(value));
        }
        if draw.is_some() {
            self.test.any.iter().for_each(|choice| set(choice, None));
        }
        for (option, text) in &self.shape.options {
            settings.set(self.simulator, option, text.clone());
        }
        match draw {
            Some(Draw { seed, .. }) => settings.with("seed", seed),
            None => settings,
        }
    }
}
