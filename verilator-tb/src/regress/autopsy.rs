//! What is done about a case that failed: it is shrunk, repeated with waves on around the failure, and laid out in a
//! folder of its own.
//!
//! | file | holds |
//! |---|---|
//! | `case.toml` | the case, what failed, the command that repeats it |
//! | `config.toml` | the chip |
//! | `log.txt` | what was said, and what the case lost in shrinking |
//! | `wave.fst`, `wave.gtkw` | all signals around the failure, and what GTKWave shows of them |

use std::fs::Permissions;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fantree_gen::config::{listing, Config};
use serde::{Deserialize, Serialize};

use super::cannot;
use super::case::{Case, Settings};
use super::outcome::{Outcome, Status, Violation};
use super::shrink::{shrink, Candidate, Shrunk, Trial};
use super::worker::Worker;
use crate::router::wave_time;
use crate::wave::{gtkwave, router_view, Focus, Unit, Wave};

/// Folder of the failures in that of the regression.
pub const FOLDER: &str = "failures";
/// Cycles of the wave before what is to be seen in it, and after.
const BEFORE: u64 = 300;
const AFTER: u64 = 50;
/// Most cycles of a wave.
const MOST: u64 = 5000;
/// Cycles that GTKWave's window spans.
const SHOWN: u64 = 40;
/// Those of them before where it began.
const LEAD: u64 = 10;

/// What was found out about a failure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Autopsy {
    /// Where it lies.
    pub folder: PathBuf,
    /// The command that repeats the case as it was shrunk.
    pub command: String,
    /// Simulations that shrinking took.
    pub runs: usize,
    /// Whether there is a wave.
    pub wave: bool,
}

/// Looks into a failure.
pub fn examine(worker: &Worker, case: &Case, outcome: &Outcome) -> Result<Autopsy> {
    let failures = worker.terms.out.join(FOLDER);
    let folder = failures.join(case.id.folder());
    std::fs::create_dir_all(&failures).with_context(|| cannot("create", &failures))?;
    let aside = tempfile::Builder::new()
        .prefix(ASIDE)
        // What is to be seen by others in the end.
        .permissions(Permissions::from_mode(0o777))
        .tempdir_in(&failures)
        .with_context(|| cannot("write in", &failures))?;
    let examination = Examination {
        worker,
        case,
        aside: aside.path(),
    };
    let shrunk = examination.shrunk(outcome)?;
    let file = folder.join("config.toml");
    let command = shrunk.candidate.settings.command(&file);
    let (wave, said) = examination.record(&shrunk)?;
    examination.write(outcome, &shrunk, &command, &said)?;
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| cannot("replace", &folder))?;
    }
    std::fs::rename(aside.keep(), &folder).with_context(|| cannot("create", &folder))?;
    Ok(Autopsy {
        folder,
        command,
        runs: shrunk.runs,
        wave,
    })
}

/// Begins the names of folders that are not finished.
pub const ASIDE: &str = ".aside-";

struct Examination<'a> {
    worker: &'a Worker,
    case: &'a Case,
    /// The folder while it is written.
    aside: &'a Path,
}

impl Examination<'_> {
    /// The smallest case that fails in the same way. Only what a check found is shrunk: a case that hangs would hang
    /// many times.
    fn shrunk(&self, outcome: &Outcome) -> Result<Shrunk> {
        let candidate = Candidate {
            config: Config::load(&self.case.config)?,
            settings: self.case.settings.clone(),
        };
        match outcome.status {
            Status::Failed => shrink(candidate, outcome.clone(), self),
            _ => Ok(Shrunk::none(candidate, outcome.clone())),
        }
    }

    fn config(&self) -> PathBuf {
        self.aside.join("config.toml")
    }

    fn write_config(&self, config: &Config) -> Result<()> {
        let path = self.config();
        std::fs::write(&path, listing(config)).with_context(|| cannot("write", &path))
    }

    /// Repeats the case with waves on; gives whether there is a wave, and what was said.
    fn record(&self, shrunk: &Shrunk) -> Result<(bool, String)> {
        let Candidate { config, settings } = &shrunk.candidate;
        self.write_config(config)?;
        let Some(violation) = &shrunk.outcome.violation else {
            return Ok((false, String::new()));
        };
        let path = self.aside.join("wave.fst");
        let window = window(violation);
        let cycles = format!("{}..{}", window.start, window.end);
        let file = path.display().to_string();
        let wave = ["--wave".into(), file, "--wave-cycles".into(), cycles];
        if let Some(refused) = self.worker.compile(&self.config(), settings, &wave[..2])? {
            return Ok((false, refused));
        }
        let ended = self.worker.run(&self.config(), settings, &wave)?;
        let again = Outcome::from(&ended);
        let mut said = ended.stderr;
        if again.check() != violation.check {
            said += &format!("with waves on: {}: {}\n", again.check(), again.text());
        }
        if !path.exists() {
            return Ok((false, said));
        }
        self.write_save_file(config, &path, violation, window)?;
        Ok((true, said))
    }

    fn write_save_file(
        &self,
        config: &Config,
        path: &Path,
        violation: &Violation,
        window: Range<u64>,
    ) -> Result<()> {
        let wave = Wave::open(path)?;
        // Where it began, if that is known; else where it showed.
        let cycle = match violation.since {
            0 => violation.cycle.min(window.end - 1),
            since => since,
        };
        let port = violation.port();
        let open = port.map(|(port, unit)| [(port, unit), (port, Unit::Occupancy)]);
        let focus = Focus {
            cycle,
            markers: vec![(violation.check.clone(), cycle)],
            cycles: SHOWN,
            open: open.into_iter().flatten().collect(),
        };
        let mut view = router_view(&config.router, &focus);
        view.start = wave_time(cycle.saturating_sub(LEAD).max(window.start));
        // A link to the program would be one into this folder, which is about to move.
        let program = self.worker.simulator.program();
        let decoder = gtkwave::startable(program, self.aside)?;
        let decoder = decoder.filter(|decoder| decoder == program);
        view.write(&wave, decoder.as_deref())?;
        Ok(())
    }

    fn write(&self, outcome: &Outcome, shrunk: &Shrunk, command: &str, said: &str) -> Result<()> {
        let Case { id, settings, .. } = self.case;
        let mut log = format!("$ {}\n{}\n", self.case.command(), outcome.text());
        if !shrunk.steps.is_empty() {
            log += &format!("\nshrunk in {} runs:\n", shrunk.runs);
            shrunk
                .steps
                .iter()
                .for_each(|step| log += &format!("  {step}\n"));
        }
        let said = match said {
            "" => shrunk.outcome.text(),
            said => said.trim_end(),
        };
        log += &format!("\n$ {command}\n{said}\n");
        let about = CaseFile {
            case: id.to_string(),
            seed: settings.number("seed").unwrap_or_default(),
            check: outcome.check(),
            violation: shrunk.outcome.text(),
            command,
            found_with: &self.case.command(),
            options: options(&shrunk.candidate.settings),
        };
        for (name, text) in [("log.txt", log), ("case.toml", toml::to_string(&about)?)] {
            let path = self.aside.join(name);
            std::fs::write(&path, text).with_context(|| cannot("write", &path))?;
        }
        Ok(())
    }
}

impl Trial for Examination<'_> {
    fn fits(&self, candidate: &Candidate) -> bool {
        let Candidate { config, settings } = candidate;
        let words = settings.words(&self.config());
        let check = self.worker.simulator.check(config, &words);
        // The configuration's own rules are those of its file.
        check.is_ok() && Config::parse("candidate", &listing(config)).is_ok()
    }

    fn usual(&self, option: &str) -> Option<u64> {
        self.worker.simulator.default(option)?.parse().ok()
    }

    fn run(&self, candidate: &Candidate) -> Result<Outcome> {
        self.write_config(&candidate.config)?;
        let (file, settings) = (self.config(), &candidate.settings);
        match self.worker.compile(&file, settings, &[])? {
            None => Ok(Outcome::from(&self.worker.run(&file, settings, &[])?)),
            Some(said) => Ok(Outcome::without_results(Status::Crashed, said, 0.0)),
        }
    }
}

/// What `case.toml` holds.
#[derive(Serialize)]
struct CaseFile<'a> {
    case: String,
    seed: u64,
    check: &'a str,
    violation: &'a str,
    /// What repeats it, as it was shrunk, and as the plan has it.
    command: &'a str,
    found_with: &'a str,
    options: toml::Table,
}

/// As a plan has them.
fn options(settings: &Settings) -> toml::Table {
    let value = |value: &Option<String>| match value {
        None => toml::Value::Boolean(true),
        Some(text) => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(integer), _) => toml::Value::Integer(integer),
            (_, Ok(float)) => toml::Value::Float(float),
            _ => toml::Value::String(text.clone()),
        },
    };
    let settings = settings.0.iter();
    settings
        .map(|(option, it)| (option.clone(), value(it)))
        .collect()
}

/// The cycles around a failure: from what it began with, if that is known to be long before.
fn window(violation: &Violation) -> Range<u64> {
    let from = violation.since.saturating_sub(BEFORE);
    from..(violation.cycle + AFTER).min(from + MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_reaches_from_the_cause_to_the_failure() {
        let window = |since, cycle| {
            window(&Violation {
                check: String::new(),
                cycle,
                since,
                link: None,
                text: String::new(),
            })
        };
        assert_eq!(window(1000, 1000), 700..1050);
        assert_eq!(window(100, 900), 0..950);
        // Nothing happens any more once all is stuck.
        assert_eq!(window(2000, 22_000), 1700..6700);
    }
}
