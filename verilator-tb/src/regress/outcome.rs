//! What came of a case.

use serde::{Deserialize, Serialize};

use super::child::{Ended, How};
use crate::wave::Unit;

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Passed,
    /// A check found something.
    Failed,
    /// There are no results.
    Crashed,
    TimedOut,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Crashed => "crashed",
            Status::TimedOut => "timed out",
        }
    }
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub status: Status,
    /// Packets that were sent.
    pub packets: u64,
    /// Cycles that were simulated.
    pub cycles: u64,
    /// The first broken rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
    /// Why there are no results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    pub seconds: f64,
}

/// A broken rule, as the JSON of a run has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Violation {
    pub check: String,
    pub cycle: u64,
    pub since: u64,
    /// The link that it is about, or else the first that another broken rule names: one that holds things up.
    pub link: Option<String>,
    pub text: String,
}

impl Violation {
    /// The port that it is about, and which of its links.
    pub fn port(&self) -> Option<(usize, Unit)> {
        let (side, port) = self.link.as_ref()?.split_once(' ')?;
        let unit = match side {
            "rx" => Unit::LinkIn,
            _ => Unit::LinkOut,
        };
        Some((port.parse().ok()?, unit))
    }
}

/// The part of a run's JSON that is read.
#[derive(Deserialize)]
struct Run {
    packets: Packets,
    simulated_cycles: u64,
    violations: Vec<Violation>,
}

#[derive(Deserialize)]
struct Packets {
    sent: u64,
}

/// The first violation.
fn first(violations: Vec<Violation>) -> Option<Violation> {
    let link = violations.iter().find_map(|it| it.link.clone());
    let first = violations.into_iter().next()?;
    Some(Violation { link, ..first })
}

/// Last lines of what a process said that are kept.
const LINES: usize = 20;

impl Outcome {
    pub fn passed(&self) -> bool {
        self.status == Status::Passed
    }

    /// What failed, in a word: the check, or how the run ended.
    pub fn check(&self) -> &str {
        match &self.violation {
            Some(violation) => &violation.check,
            None => self.status.name(),
        }
    }

    /// What there is to say of it, in a line or a few.
    pub fn text(&self) -> &str {
        match (&self.violation, &self.message) {
            (Some(violation), _) => &violation.text,
            (None, Some(message)) => message,
            (None, None) => self.status.name(),
        }
    }

    /// Without results, as what somebody says happened.
    pub fn without_results(status: Status, message: String, seconds: f64) -> Self {
        Self {
            status,
            packets: 0,
            cycles: 0,
            violation: None,
            message: Some(message),
            seconds,
        }
    }
}

/// Of a process that ran `fantree sim --json`.
impl From<&Ended> for Outcome {
    fn from(ended: &Ended) -> Self {
        let run = match ended.how {
            How::Exited(0 | 1) => serde_json::from_str::<Run>(&ended.stdout).ok(),
            _ => None,
        };
        let how = match (ended.how, run) {
            (how, Some(run)) => {
                let status = match how {
                    How::Exited(0) => Status::Passed,
                    _ => Status::Failed,
                };
                return Self {
                    status,
                    packets: run.packets.sent,
                    cycles: run.simulated_cycles,
                    violation: first(run.violations),
                    message: None,
                    seconds: ended.seconds,
                };
            }
            (How::TimedOut(seconds), None) => {
                let message = format!("no end after {seconds} seconds");
                return Self::without_results(Status::TimedOut, message, ended.seconds);
            }
            (How::Exited(code), None) => format!("exit code {code}"),
            (How::Killed(signal), None) => format!("ended by signal {signal}"),
        };
        let said: Vec<&str> = ended.stderr.trim().lines().collect();
        let said = said[said.len().saturating_sub(LINES)..].join("\n");
        let message = format!("{how}: {said}");
        Self::without_results(Status::Crashed, message, ended.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(how: How, stdout: &str) -> Outcome {
        Outcome::from(&Ended {
            how,
            stdout: stdout.into(),
            stderr: "error: alas".into(),
            seconds: 2.0,
        })
    }

    #[test]
    fn results_are_read_and_what_has_none_says_why() {
        let run = |violations: &str| {
            format!(
                r#"{{"packets": {{"sent": 9}}, "simulated_cycles": 70, "violations": [{violations}]}}"#
            )
        };
        let passed = outcome(How::Exited(0), &run(""));
        assert!(passed.passed());
        assert_eq!((passed.packets, passed.cycles), (9, 70));
        let violation = r#"{"check": "stuck", "cycle": 60, "since": 10, "link": null, "text": "cycle 60: stuck"},
               {"check": "lost", "cycle": 70, "since": 9, "link": "tx 3", "text": "cycle 70: lost"}"#;
        let failed = outcome(How::Exited(1), &run(violation));
        assert_eq!((failed.status, failed.check()), (Status::Failed, "stuck"));
        assert_eq!(failed.text(), "cycle 60: stuck");
        let port = failed.violation.and_then(|violation| violation.port());
        assert_eq!(port, Some((3, Unit::LinkOut)));

        let crashed = outcome(How::Killed(6), &run(""));
        assert_eq!(crashed.status, Status::Crashed);
        assert_eq!(crashed.text(), "ended by signal 6: error: alas");
        assert_eq!(outcome(How::Exited(0), "").check(), "crashed");
        assert_eq!(
            outcome(How::TimedOut(9), "").text(),
            "no end after 9 seconds"
        );
    }
}
