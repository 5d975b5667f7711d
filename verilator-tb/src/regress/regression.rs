//! A regression: the cases of a plan, what is done of them, and who does the rest.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{bail, Context, Result};
use sha2::{Digest, Sha256};

use super::autopsy::{ASIDE, FOLDER};
use super::cannot;
use super::case::{Case, Id};
use super::crew::Crew;
use super::journal::{Journal, Record};
use super::schedule::Schedule;
use super::worker::Terms;

/// The journal in the folder of the regression.
const JOURNAL: &str = "results.jsonl";
/// Locked while a regression runs in the folder.
const LOCK: &str = "lock";

/// Why cases were not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The time budget was used up.
    Budget,
    /// A case had failed.
    Failure,
}

/// When no further case is started.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    pub time_budget: Option<Duration>,
    pub fail_fast: bool,
}

/// How far a regression is.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    pub done: usize,
    pub failed: usize,
    /// What is being done, in a few words each.
    pub doing: Vec<String>,
}

/// The cases in their order, each with what came of it, if it was run.
#[derive(Debug)]
pub struct Summary {
    pub cases: Vec<(Case, Option<Record>)>,
    /// Cases that were done before.
    pub resumed: usize,
    pub stopped: Option<Stopped>,
    pub seconds: f64,
}

impl Summary {
    /// The cases that failed.
    pub fn failures(&self) -> impl Iterator<Item = (&Case, &Record)> {
        let done = self.cases.iter();
        let done = done.filter_map(|(case, record)| Some((case, record.as_ref()?)));
        done.filter(|(_, record)| !record.outcome.passed())
    }

    pub fn not_run(&self) -> usize {
        let cases = self.cases.iter();
        cases.filter(|(_, record)| record.is_none()).count()
    }
}

/// A regression in its folder, which nobody else runs in.
pub struct Regression {
    cases: Vec<Case>,
    journal: Journal,
    done: BTreeMap<Id, Record>,
    _lock: File,
}

impl Regression {
    /// Opens the folder of a regression: with what was done there of the same cases by the same program, unless it is to
    /// start afresh.
    pub fn open(terms: &Terms, cases: Vec<Case>, program: &Path, fresh: bool) -> Result<Self> {
        let out = &terms.out;
        let failures = out.join(FOLDER);
        std::fs::create_dir_all(&failures).with_context(|| cannot("create", &failures))?;
        let lock = lock(out)?;
        let fingerprint = fingerprint(&cases, program, terms.coverage)?;
        let path = out.join(JOURNAL);
        let (journal, records) = match fresh {
            true => (Journal::start(&path, &fingerprint)?, Vec::new()),
            false => Journal::open(&path, &fingerprint)?,
        };
        let done = records
            .into_iter()
            .map(|record| (record.case.clone(), record));
        let done: BTreeMap<Id, Record> = done.collect();
        remove_others(&failures, &done)?;
        let covered = terms.covered();
        if done.is_empty() && covered.exists() {
            std::fs::remove_dir_all(&covered).with_context(|| cannot("remove", &covered))?;
        }
        Ok(Self {
            cases,
            journal,
            done,
            _lock: lock,
        })
    }

    /// How many cases there are, and how many of them are done.
    pub fn counts(&self) -> (usize, usize) {
        (self.cases.len(), self.done.len())
    }

    /// Has a crew do what is left.
    pub fn run(
        mut self,
        crew: &mut dyn Crew,
        limits: Limits,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Summary> {
        let start = Instant::now();
        let resumed = self.done.len();
        let left = self.cases.iter();
        let left = left.filter(|case| !self.done.contains_key(&case.id));
        let mut schedule = Schedule::new(left.cloned());
        let mut idle: Vec<usize> = (0..crew.size()).rev().collect();
        let mut doing: BTreeMap<usize, String> = BTreeMap::new();
        let mut stopped = None;
        loop {
            let late = limits
                .time_budget
                .is_some_and(|budget| start.elapsed() >= budget);
            let failed = self.done.values().any(|record| !record.outcome.passed());
            if late || limits.fail_fast && (failed || schedule.has_failed()) {
                schedule.stop();
                let why = if late {
                    Stopped::Budget
                } else {
                    Stopped::Failure
                };
                stopped.get_or_insert(why);
            }
            while let Some(worker) = idle.pop() {
                let Some(job) = schedule.next(worker) else {
                    idle.push(worker);
                    break;
                };
                doing.insert(worker, job.to_string());
                crew.start(worker, job)?;
            }
            progress(self.progress(&doing));
            if !schedule.is_busy() {
                break;
            }
            let (worker, report) = crew.wait()?;
            for record in schedule.finished(worker, report)? {
                self.journal.add(&record)?;
                self.done.insert(record.case.clone(), record);
            }
            doing.remove(&worker);
            idle.push(worker);
        }
        let mut done = self.done;
        let cases = self.cases.into_iter().map(|case| {
            let record = done.remove(&case.id);
            (case, record)
        });
        let cases: Vec<(Case, Option<Record>)> = cases.collect();
        let all = cases.iter().all(|(_, record)| record.is_some());
        Ok(Summary {
            cases,
            resumed,
            // What stopped nothing is not worth telling.
            stopped: stopped.filter(|_| !all),
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    fn progress(&self, doing: &BTreeMap<usize, String>) -> Progress {
        let failed = self.done.values().filter(|record| !record.outcome.passed());
        Progress {
            done: self.done.len(),
            failed: failed.count(),
            doing: doing.values().cloned().collect(),
        }
    }
}

fn lock(out: &Path) -> Result<File> {
    let path = out.join(LOCK);
    let file = File::create(&path).with_context(|| cannot("create", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => bail!("another regression runs in {}", out.display()),
        Err(TryLockError::Error(error)) => Err(error).with_context(|| cannot("lock", &path)),
    }
}

/// A hash of all that the results depend on.
fn fingerprint(cases: &[Case], program: &Path, coverage: bool) -> Result<String> {
    let read = |path: &Path| std::fs::read(path).with_context(|| cannot("read", path));
    let mut hash = Sha256::new();
    hash.update(read(program)?);
    hash.update(serde_json::to_vec(&(cases, coverage))?);
    let configs: BTreeMap<&PathBuf, ()> = cases.iter().map(|case| (&case.config, ())).collect();
    for config in configs.keys() {
        hash.update(Sha256::digest(read(config)?));
    }
    let digest = hash.finalize();
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Removes the folders of failures that no record knows: half-written ones, and those of other cases.
fn remove_others(failures: &Path, done: &BTreeMap<Id, Record>) -> Result<()> {
    let autopsies = done.values().filter_map(|record| record.autopsy.as_ref());
    let known: Vec<_> = autopsies.filter_map(|it| it.folder.file_name()).collect();
    for entry in std::fs::read_dir(failures)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let is_ours = path.join("case.toml").exists() || name.to_string_lossy().starts_with(ASIDE);
        if is_ours && !known.contains(&name.as_os_str()) {
            std::fs::remove_dir_all(&path).with_context(|| cannot("remove", &path))?;
        }
    }
    Ok(())
}
