//! What a hunt found, by unit and by kind, as tables, Markdown and JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use fantree_gen::mutate::Change;
use serde_json::{json, Value};

use super::Verdict;

/// The verdicts of a hunt.
pub struct Report {
    pub config: String,
    /// By unit, kind and place.
    pub verdicts: Vec<Verdict>,
}

/// Some of the mutants, such as those of a unit.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Group {
    pub mutants: usize,
    pub killed: usize,
    pub waived: usize,
    /// How many each check killed.
    pub checks: BTreeMap<&'static str, usize>,
}

impl Group {
    /// Each check and how many it killed, those with the most first.
    pub fn killed_by(&self) -> String {
        let mut checks: Vec<_> = self.checks.iter().collect();
        checks.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let checks = checks
            .iter()
            .map(|(check, count)| format!("{check} {count}"));
        checks.collect::<Vec<_>>().join(", ")
    }
}

impl Report {
    pub fn new(config: &str, mut verdicts: Vec<Verdict>) -> Self {
        verdicts.sort_by_key(|it| {
            (
                it.mutant.unit.clone(),
                it.mutant.kind,
                it.mutant.place.clone(),
            )
        });
        let config = config.into();
        Self { config, verdicts }
    }

    /// Share of the mutants that were killed, of those that are not waived.
    pub fn score(&self) -> f64 {
        let all = self
            .groups(|_| String::new())
            .remove("")
            .unwrap_or_default();
        match all.mutants - all.waived {
            0 => 1.0,
            mutants => all.killed as f64 / mutants as f64,
        }
    }

    pub fn survivors(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().filter(|verdict| verdict.survived())
    }

    pub fn by_unit(&self) -> BTreeMap<String, Group> {
        self.groups(|verdict| verdict.mutant.unit.clone())
    }

    pub fn by_kind(&self) -> BTreeMap<String, Group> {
        self.groups(|verdict| verdict.mutant.kind.to_string())
    }

    fn groups(&self, key: impl Fn(&Verdict) -> String) -> BTreeMap<String, Group> {
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for verdict in &self.verdicts {
            let group = groups.entry(key(verdict)).or_default();
            group.mutants += 1;
            match (&verdict.kill, &verdict.waived) {
                (Some(kill), _) => {
                    group.killed += 1;
                    *group.checks.entry(kill.check).or_default() += 1;
                }
                (None, Some(_)) => group.waived += 1,
                (None, None) => {}
            }
        }
        groups
    }

    /// Everything, for other programs.
    pub fn json(&self) -> Value {
        let mutants = self.verdicts.iter().map(|verdict| {
            json!({
                "name": verdict.mutant.name(),
                "unit": verdict.mutant.unit,
                "kind": verdict.mutant.kind.to_string(),
                "killed": verdict.kill,
                "waived": verdict.waived,
                "changes": verdict.mutant.changes.iter().map(change).collect::<Vec<_>>(),
            })
        });
        json!({
            "config": self.config,
            "score": self.score(),
            "mutants": mutants.collect::<Vec<_>>(),
        })
    }

    /// A page: units by kinds, then every mutant with what killed it.
    pub fn markdown(&self) -> String {
        let mut page = format!(
            "# Faults in {}, and what finds them\n\nScore: {:.1} % of {} mutants.\n\n",
            self.config,
            100.0 * self.score(),
            self.verdicts.len()
        );
        for (what, groups) in [("unit", self.by_unit()), ("kind", self.by_kind())] {
            let _ = writeln!(
                page,
                "| {what} | mutants | killed | waived | by |\n|---|---|---|---|---|"
            );
            for (name, group) in groups {
                let Group {
                    mutants,
                    killed,
                    waived,
                    ..
                } = group;
                let by = group.killed_by();
                let _ = writeln!(page, "| {name} | {mutants} | {killed} | {waived} | {by} |");
            }
            page.push('\n');
        }
        page += "| unit | kind | place | found by | in |\n|---|---|---|---|---|\n";
        for Verdict {
            mutant,
            kill,
            waived,
        } in &self.verdicts
        {
            let (check, place) = match (kill, waived) {
                (Some(kill), _) => (kill.check, kill.by.as_str()),
                (None, Some(reason)) => ("waived", reason.as_str()),
                (None, None) => ("**nothing**", ""),
            };
            let (unit, kind, at) = (&mutant.unit, mutant.kind, &mutant.place);
            let _ = writeln!(page, "| {unit} | {kind} | {at} | {check} | {place} |");
        }
        page
    }
}

fn change(change: &Change) -> Value {
    json!({
        "module": change.module,
        "line": change.line,
        "right": change.right,
        "wrong": change.wrong,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Kill;
    use super::*;
    use fantree_gen::mutate::{Kind, Mutant};

    fn verdict(unit: &str, kill: Option<&'static str>, waived: Option<&str>) -> Verdict {
        Verdict {
            mutant: Mutant {
                unit: unit.into(),
                kind: Kind::LostCredit,
                place: "credit".into(),
                changes: Vec::new(),
            },
            kill: kill.map(|check| Kill {
                check,
                by: "tables".into(),
            }),
            waived: waived.map(String::from),
        }
    }

    #[test]
    fn what_is_waived_does_not_count() {
        let report = Report::new(
            "small",
            vec![
                verdict("fifo", Some("stuck"), None),
                verdict("fifo", Some("lost"), None),
                verdict("fifo", Some("lost"), None),
                verdict("arbiter", None, None),
                verdict("arbiter", None, Some("why")),
            ],
        );
        assert_eq!(report.score(), 0.75);
        assert_eq!(report.survivors().count(), 1);
        assert_eq!(report.by_unit()["fifo"].killed_by(), "lost 2, stuck 1");
        assert_eq!(report.by_kind()["lost-credit"].mutants, 5);
        let page = report.markdown();
        assert!(
            page.contains("| arbiter | lost-credit | credit | **nothing** |  |"),
            "{page}"
        );
        assert!(
            page.contains("| arbiter | lost-credit | credit | waived | why |"),
            "{page}"
        );
    }
}
