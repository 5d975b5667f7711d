//! The parser of a plan: from TOML to [`Plan`], or to every problem found.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use fantree_gen::config::problem::join;
use fantree_gen::config::{Config, Finding};
use toml::de::{DeTable, DeValue};
use toml::Spanned;

use super::super::simulator::Simulator;
use super::super::DEFAULT_TIMEOUT;
use super::read::Reader;
use super::{Amount, Chip, Choice, Coverage, Plan, Test, Value};
use crate::coverage::Goals;

/// Most runs of a test, and the longest time in seconds: a week.
const MOST_RUNS: u64 = 1_000_000;
const MOST_SECONDS: u64 = 7 * 24 * 3600;

/// Reads a plan; configurations are looked for in `folder`.
pub fn parse(
    file: &str,
    text: &str,
    folder: &Path,
    simulator: &Simulator,
) -> Result<Plan, Vec<Finding>> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(errors.iter().map(Finding::syntax).collect());
    }
    let mut parser = Parser {
        reader: Reader {
            text,
            findings: Vec::new(),
        },
        folder,
        simulator,
    };
    let plan = parser.plan(file, document.get_ref());
    match parser.reader.findings {
        findings if findings.is_empty() => Ok(plan),
        findings => Err(findings),
    }
}

struct Parser<'a> {
    reader: Reader<'a>,
    folder: &'a Path,
    simulator: &'a Simulator,
}

impl Parser<'_> {
    fn plan(&mut self, file: &str, table: &DeTable) -> Plan {
        let known = [
            "time-budget",
            "timeout",
            "fail-fast",
            "options",
            "coverage",
            "test",
        ];
        let reader = &mut self.reader;
        reader.only("", table, &known);
        let mut seconds = |name: &str| {
            let value = table.get(name)?;
            reader.integer(name, value, 1..=MOST_SECONDS)
        };
        let (time_budget, timeout) = (seconds("time-budget"), seconds("timeout"));
        let fail_fast = table.get("fail-fast");
        let fail_fast = fail_fast.and_then(|value| reader.boolean("fail-fast", value));
        let mut plan = Plan {
            file: file.into(),
            text: reader.text.into(),
            time_budget,
            timeout: timeout.unwrap_or(DEFAULT_TIMEOUT),
            fail_fast: fail_fast.unwrap_or(false),
            coverage: self.coverage(table),
            tests: Vec::new(),
        };
        let legal = "[[test]] tables";
        let Some(tests) = self.reader.required("", table, 0..0, "test", legal) else {
            return plan;
        };
        let Some(tests) = self.reader.array("test", tests, "[[test]] tables") else {
            return plan;
        };
        let mut names = BTreeSet::new();
        for test in tests {
            plan.tests.extend(self.test(test, table, &mut names));
        }
        plan
    }

    fn coverage(&mut self, table: &DeTable) -> Coverage {
        let mut coverage = Coverage::default();
        let Some(value) = table.get("coverage") else {
            return coverage;
        };
        let Some(table) = self.reader.table("coverage", value) else {
            return coverage;
        };
        let known = ["lines", "functional", "exclusions"];
        self.reader.only("coverage", table, &known);
        let mut percent = |name: &str| {
            let value = table.get(name)?;
            self.reader
                .integer(&format!("coverage.{name}"), value, 0..=100)
        };
        coverage.goals = Goals {
            lines: percent("lines").unwrap_or(0) as f64,
            functional: percent("functional").unwrap_or(0) as f64,
        };
        let file = table.get("exclusions");
        let file = file.and_then(|file| self.reader.string("coverage.exclusions", file));
        coverage.exclusions = file.map(|file| self.folder.join(file));
        coverage
    }

    /// A test; `plan` is the table that has the options of all.
    fn test(
        &mut self,
        value: &Spanned<DeValue>,
        plan: &DeTable,
        names: &mut BTreeSet<String>,
    ) -> Option<Test> {
        let table = self.reader.table("test", value)?;
        let known = [
            "name",
            "description",
            "configs",
            "seeds",
            "runs",
            "each",
            "any",
        ];
        let reader = &mut self.reader;
        reader.only("test", table, &known);
        let header = value.span();
        let header = header.start..header.start;
        let legal = "letters, digits and `-`";
        let name = reader.required("test", table, header.clone(), "name", legal);
        let span = name.map_or(header.clone(), Spanned::span);
        let name = name.and_then(|value| reader.name("test.name", value, names));
        let description = table.get("description");
        let description = description.and_then(|it| reader.string("test.description", it));
        let description = description.unwrap_or_default().to_owned();
        let chips = self.chips(table, header);
        let amount = self.amount(table);
        let mut choices = |path: &str, table: &DeTable, name: &str| {
            let options = table.get(name);
            options.map_or(Vec::new(), |options| self.choices(path, options, &chips))
        };
        let common = choices("options", plan, "options");
        let each = choices("test.each", table, "each");
        let any = choices("test.any", table, "any");
        // What a test says of an option stands above what the plan says.
        let mut each_of_all = common;
        each_of_all.retain(|it| [&each, &any].iter().all(|own| !has(own, &it.option)));
        each_of_all.extend(each);
        Some(Test {
            name: name?,
            description,
            chips,
            amount: amount?,
            each: each_of_all,
            any,
            span,
        })
    }

    fn chips(&mut self, table: &DeTable, header: Range<usize>) -> Vec<Chip> {
        let (path, legal) = ("test.configs", "a list of configuration files");
        let reader = &mut self.reader;
        let files = reader.required("test", table, header, "configs", legal);
        let files = files.and_then(|value| reader.array(path, value, "configuration files"));
        let mut chips = Vec::new();
        for file in files.unwrap_or_default() {
            let Some(name) = reader.string(path, file) else {
                continue;
            };
            let name = self.folder.join(name);
            match Config::load(&name) {
                Ok(config) => chips.push(Chip { file: name, config }),
                Err(error) => {
                    let legal = "a configuration that `fantree config check` passes";
                    let finding = Finding::wrong(reader.text, file.span(), path, "", legal.into());
                    reader
                        .findings
                        .push(finding.help(error.to_string().trim_end()));
                }
            }
        }
        chips
    }

    fn amount(&mut self, table: &DeTable) -> Option<Amount> {
        let reader = &mut self.reader;
        let (seeds, runs) = (table.get("seeds"), table.get("runs"));
        match (seeds, runs) {
            (None, None) => Some(Amount::Seeds(1)),
            (Some(_), Some(runs)) => {
                reader.wrong(
                    "test.runs",
                    runs.span(),
                    "one of `seeds` and `runs`, not both",
                );
                None
            }
            (None, Some(runs)) => {
                let runs = reader.integer("test.runs", runs, 1..=MOST_RUNS)?;
                Some(Amount::Runs(runs))
            }
            (Some(seeds), None) => match seeds.get_ref() {
                DeValue::Array(list) if !list.is_empty() => {
                    let seed = |it| reader.integer("test.seeds", it, 0..=u64::MAX);
                    Some(Amount::TheseSeeds(
                        list.iter().map(seed).collect::<Option<_>>()?,
                    ))
                }
                DeValue::Integer(_) => {
                    let seeds = reader.integer("test.seeds", seeds, 1..=MOST_RUNS)?;
                    Some(Amount::Seeds(seeds))
                }
                _ => {
                    reader.wrong("test.seeds", seeds.span(), "how many, or a list of seeds");
                    None
                }
            },
        }
    }

    /// A table of options with their values, which are to fit all chips' sizes.
    fn choices(&mut self, path: &str, value: &Spanned<DeValue>, chips: &[Chip]) -> Vec<Choice> {
        let mut choices = Vec::new();
        let Some(table) = self.reader.table(path, value) else {
            return choices;
        };
        self.reader.only(path, table, &self.simulator.options());
        for (key, value) in table.iter() {
            let option: &str = key.get_ref();
            if !self.simulator.options().contains(&option) {
                continue;
            }
            let path = join(path, option);
            let values = match value.get_ref() {
                DeValue::Array(_) => self.reader.array(&path, value, "values"),
                _ => Some(std::slice::from_ref(value)),
            };
            let values = values.unwrap_or_default().iter();
            choices.push(Choice {
                option: option.into(),
                values: values
                    .filter_map(|value| self.value(&path, option, value, chips))
                    .collect(),
            });
        }
        choices
    }

    fn value(
        &mut self,
        path: &str,
        option: &str,
        value: &Spanned<DeValue>,
        chips: &[Chip],
    ) -> Option<Value> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) => {
                self.reader.text[value.span()].to_owned()
            }
            _ => {
                self.reader
                    .wrong(path, value.span(), "a text, a number, true or false");
                return None;
            }
        };
        let check = |chip: &Chip| {
            let params = chip.config.router.params();
            let value = Value::new(&text, &params)?;
            for text in value.extremes(&params) {
                self.simulator.check_value(option, &text)?;
            }
            Ok(value)
        };
        let checked: Result<Vec<Value>, String> = chips.iter().map(check).collect();
        match checked {
            Ok(mut values) => values.pop(),
            Err(legal) => {
                let span = value.span();
                let finding = Finding::wrong(self.reader.text, span, path, "", legal);
                let help = self.simulator.help(option).unwrap_or_default();
                self.reader.findings.push(finding.help(help));
                None
            }
        }
    }
}

fn has(choices: &[Choice], option: &str) -> bool {
    choices.iter().any(|choice| choice.option == option)
}
