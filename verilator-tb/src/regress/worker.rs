//! A worker: does one job after the other.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::autopsy;
use super::case::{Case, Settings};
use super::child::{self, Ended, How};
use super::outcome::Outcome;
use super::schedule::{Job, Report};
use super::simulator::Simulator;

/// Seconds after which a compiler counts as hanging.
const COMPILE_SECONDS: u64 = 3600;

/// What all workers of a regression keep to.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Terms {
    /// The folder of the regression.
    pub out: PathBuf,
    /// Seconds after which a run counts as hanging.
    pub timeout: u64,
    /// Whether what the cases cover is counted.
    pub coverage: bool,
}

impl Terms {
    /// Where each case leaves what it covers, in a folder of its own.
    pub fn covered(&self) -> PathBuf {
        self.out.join("coverage/runs")
    }
}

/// Does the jobs of a regression.
pub struct Worker {
    pub simulator: Simulator,
    pub terms: Terms,
}

impl Worker {
    pub fn work(&self, job: &Job) -> Report {
        let done = match job {
            Job::Compile(case) => {
                let compiled = self.compile(&case.config, &case.settings, &self.coverage(case));
                compiled.map(Report::Compiled)
            }
            Job::Run(case) => {
                let ended = self.run(&case.config, &case.settings, &self.coverage(case));
                ended.map(|ended| Report::Ran(Outcome::from(&ended)))
            }
            Job::Examine(case, outcome) => {
                autopsy::examine(self, case, outcome).map(Report::Examined)
            }
        };
        done.unwrap_or_else(|error| Report::Broken(format!("{error:#}")))
    }

    /// The words that have a case leave what it covers.
    fn coverage(&self, case: &Case) -> Vec<String> {
        match self.terms.coverage {
            false => Vec::new(),
            true => {
                let folder = self.terms.covered().join(case.id.folder());
                vec!["--coverage".into(), folder.display().to_string()]
            }
        }
    }

    /// Compiles a chip, with `more` words; gives what was said if there is none.
    pub fn compile(
        &self,
        config: &Path,
        settings: &Settings,
        more: &[String],
    ) -> Result<Option<String>> {
        let mut words = settings.words(config);
        words.push("--compile-only".into());
        words.extend_from_slice(more);
        let ended = child::run(self.simulator.program(), &words, COMPILE_SECONDS)?;
        Ok(match ended.how {
            How::Exited(0) => None,
            _ => Some(Outcome::from(&ended).text().into()),
        })
    }

    /// Runs `fantree sim --json` with `more` words.
    pub fn run(&self, config: &Path, settings: &Settings, more: &[String]) -> Result<Ended> {
        let mut words = settings.words(config);
        words.push("--json".into());
        words.extend_from_slice(more);
        child::run(self.simulator.program(), &words, self.terms.timeout)
    }
}
