//! Which job comes next.
//!
//! A chip is compiled by a job of its own before any of its cases, and while one worker compiles, the others run what is
//! ready: nobody waits for a compiler that another has started. A case that failed is looked into at once.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::autopsy::Autopsy;
use super::case::Case;
use super::journal::Record;
use super::outcome::{Outcome, Status};

/// Work for one worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Job {
    /// Compile the chip of a case.
    Compile(Case),
    Run(Case),
    /// Repeat a case that failed with waves on, and shrink it.
    Examine(Case, Outcome),
}

impl Job {
    pub fn case(&self) -> &Case {
        match self {
            Job::Compile(case) | Job::Run(case) | Job::Examine(case, _) => case,
        }
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Job::Compile(case) => write!(f, "compiling {}", case.config.display()),
            Job::Run(case) => write!(f, "{}", case.id),
            Job::Examine(case, _) => write!(f, "looking into {}", case.id),
        }
    }
}

/// What came of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Report {
    /// With what the compiler said if there is no chip.
    Compiled(Option<String>),
    Ran(Outcome),
    Examined(Autopsy),
    /// The job could not be done: the disk is full, the program is gone.
    Broken(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chip {
    Absent,
    Compiling,
    Ready,
}

/// The jobs of a regression.
pub struct Schedule {
    /// Cases that have not been started, in their order.
    waiting: VecDeque<Case>,
    /// Cases that failed and have not been looked into.
    failed: VecDeque<(Case, Outcome)>,
    chips: BTreeMap<PathBuf, Chip>,
    /// What each worker does that does something.
    jobs: BTreeMap<usize, Job>,
}

impl Schedule {
    pub fn new(cases: impl IntoIterator<Item = Case>) -> Self {
        let waiting: VecDeque<Case> = cases.into_iter().collect();
        let chips = waiting
            .iter()
            .map(|case| (case.config.clone(), Chip::Absent));
        Self {
            chips: chips.collect(),
            waiting,
            failed: VecDeque::new(),
            jobs: BTreeMap::new(),
        }
    }

    /// Starts no further case; what has failed is still looked into.
    pub fn stop(&mut self) {
        self.waiting.clear();
    }

    /// The next job of a worker; none if there is nothing to do for it now.
    pub fn next(&mut self, worker: usize) -> Option<Job> {
        let job = self.examine().or_else(|| self.compile_or_run())?;
        self.jobs.insert(worker, job.clone());
        Some(job)
    }

    /// Whether there is a failure that has not been looked into.
    pub fn has_failed(&self) -> bool {
        let examined = |job: &Job| matches!(job, Job::Examine(..));
        !self.failed.is_empty() || self.jobs.values().any(examined)
    }

    /// Whether jobs are being done.
    pub fn is_busy(&self) -> bool {
        !self.jobs.is_empty()
    }

    /// The first failure whose chip nobody compiles for waves.
    fn examine(&mut self) -> Option<Job> {
        let busy = |case: &Case| {
            let mut jobs = self.jobs.values();
            jobs.any(|job| matches!(job, Job::Examine(other, _) if other.config == case.config))
        };
        let first = self.failed.iter().position(|(case, _)| !busy(case))?;
        let (case, outcome) = self.failed.remove(first)?;
        Some(Job::Examine(case, outcome))
    }

    /// A chip is compiled while no other is, so that there is soon something to run, and when there is nothing.
    fn compile_or_run(&mut self) -> Option<Job> {
        let first = |chip: Chip| {
            let mut waiting = self.waiting.iter();
            waiting.position(|case| self.chips[&case.config] == chip)
        };
        let compiling = self.chips.values().any(|&chip| chip == Chip::Compiling);
        let (ready, absent) = (first(Chip::Ready), first(Chip::Absent));
        match (absent, ready) {
            (Some(absent), ready) if !compiling || ready.is_none() => {
                let case = self.waiting[absent].clone();
                self.chips.insert(case.config.clone(), Chip::Compiling);
                Some(Job::Compile(case))
            }
            (_, ready) => Some(Job::Run(self.waiting.remove(ready?)?)),
        }
    }

    /// Takes the report of a worker; gives the cases that are done with it.
    pub fn finished(&mut self, worker: usize, report: Report) -> anyhow::Result<Vec<Record>> {
        let job = self.jobs.remove(&worker);
        let job =
            job.ok_or_else(|| anyhow::anyhow!("a report of worker {worker}, who had no job"))?;
        Ok(match (job, report) {
            (Job::Compile(case), Report::Compiled(refused)) => {
                self.chips.insert(case.config.clone(), Chip::Ready);
                match refused {
                    Some(message) => self.give_up(&case, &message),
                    None => Vec::new(),
                }
            }
            (Job::Run(case), Report::Ran(outcome)) if outcome.passed() => vec![Record {
                case: case.id,
                outcome,
                autopsy: None,
            }],
            (Job::Run(case), Report::Ran(outcome)) => {
                self.failed.push_back((case, outcome));
                Vec::new()
            }
            (Job::Examine(case, outcome), Report::Examined(autopsy)) => vec![Record {
                case: case.id,
                outcome,
                autopsy: Some(autopsy),
            }],
            (job, Report::Broken(message)) => anyhow::bail!("case {}: {message}", job.case().id),
            (job, report) => anyhow::bail!("{report:?} is no report of {job:?}"),
        })
    }

    /// There is no chip for the cases of a configuration.
    fn give_up(&mut self, of: &Case, message: &str) -> Vec<Record> {
        let (without, others): (Vec<Case>, Vec<Case>) = self
            .waiting
            .drain(..)
            .partition(|case| case.config == of.config);
        self.waiting = others.into();
        without
            .into_iter()
            .map(|case| Record {
                case: case.id,
                outcome: Outcome::without_results(Status::Crashed, message.into(), 0.0),
                autopsy: None,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::{Id, Settings};
    use super::*;

    fn cases(configs: &[&str]) -> Vec<Case> {
        let case = |(number, config): (usize, &&str)| Case {
            id: Id {
                test: "t".into(),
                number,
            },
            config: config.into(),
            settings: Settings::default(),
        };
        configs.iter().enumerate().map(case).collect()
    }

    fn outcome(status: Status) -> Outcome {
        Outcome::without_results(status, String::new(), 0.0)
    }

    /// What a worker is to do, in short.
    fn next(schedule: &mut Schedule, worker: usize) -> String {
        match schedule.next(worker) {
            None => "wait".into(),
            Some(Job::Compile(case)) => format!("compile {}", case.config.display()),
            Some(Job::Run(case)) => format!("run {}", case.id.number),
            Some(Job::Examine(case, _)) => format!("examine {}", case.id.number),
        }
    }

    #[test]
    fn a_chip_is_compiled_once_and_nobody_waits_for_it_who_can_do_something_else() {
        let mut schedule = Schedule::new(cases(&["a", "b", "a", "b"]));
        assert_eq!(next(&mut schedule, 0), "compile a");
        assert_eq!(next(&mut schedule, 1), "compile b");
        assert_eq!(next(&mut schedule, 2), "wait");
        schedule.finished(0, Report::Compiled(None)).unwrap();
        assert_eq!(next(&mut schedule, 0), "run 0");
        assert_eq!(next(&mut schedule, 2), "run 2");
        schedule.finished(1, Report::Compiled(None)).unwrap();
        let passed = Report::Ran(outcome(Status::Passed));
        let done = schedule.finished(2, passed).unwrap();
        assert_eq!(done[0].case.number, 2);
        assert_eq!(next(&mut schedule, 1), "run 1");
        assert_eq!(next(&mut schedule, 2), "run 3");
        assert_eq!(next(&mut schedule, 3), "wait");
    }

    #[test]
    fn failures_come_first_and_those_of_a_chip_one_by_one() {
        let mut schedule = Schedule::new(cases(&["a", "a", "a"]));
        next(&mut schedule, 0);
        schedule.finished(0, Report::Compiled(None)).unwrap();
        for worker in 0..2 {
            next(&mut schedule, worker);
        }
        for worker in 0..2 {
            let failed = Report::Ran(outcome(Status::Failed));
            assert_eq!(schedule.finished(worker, failed).unwrap(), []);
        }
        schedule.stop();
        assert_eq!(next(&mut schedule, 0), "examine 0");
        assert_eq!(next(&mut schedule, 1), "wait");
        let done = schedule.finished(0, Report::Examined(Autopsy::default()));
        assert_eq!(done.unwrap()[0].case.number, 0);
        assert_eq!(next(&mut schedule, 1), "examine 1");
    }

    #[test]
    fn without_a_chip_its_cases_have_crashed() {
        let mut schedule = Schedule::new(cases(&["a", "b", "a"]));
        next(&mut schedule, 0);
        let refused = Report::Compiled(Some("no compiler".into()));
        let done = schedule.finished(0, refused).unwrap();
        let numbers: Vec<usize> = done.iter().map(|record| record.case.number).collect();
        assert_eq!(numbers, [0, 2]);
        assert_eq!(done[0].outcome.text(), "no compiler");
        assert_eq!(next(&mut schedule, 0), "compile b");
    }
}
