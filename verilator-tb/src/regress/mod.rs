//! Regressions: a plan's cases, run in parallel, each failure shrunk and laid out to be looked at.
//!
//! ```text
//! plan.toml ──► Plan ──► cases ──► Schedule ──► Crew of workers ──► `fantree sim` as a process
//!                                     ▲  │                              │
//!                                     │  └─ failures: shrunk, with wave │
//!                                     └──────────── outcomes ◄──────────┘
//!                                                      │
//!                                        journal (results.jsonl) ──► results.json, junit.xml
//! ```
//!
//! A case is the `fantree sim` command that repeats it, and runs as a process of its own: what crashes, hangs or aborts
//! fails alone. What is done stands in the journal, so that an interrupted regression goes on where it was. Results are
//! sorted by case and do not depend on who ran what when.
//!
//! | file | holds |
//! |---|---|
//! | [`plan`] | the plan's format and its checks |
//! | [`simulator`] | what is known of the options of `fantree sim` |
//! | `expand` | from the plan to [`Case`]s |
//! | `schedule`, [`crew`], `worker` | which job comes next, who does it, how |
//! | `child`, `outcome` | a case as a process, what came of it |
//! | `journal` | what is done, on disk |
//! | `autopsy`, `shrink` | what is done about a failure |
//! | `report` | JSON and JUnit |

mod autopsy;
mod case;
mod child;
pub mod crew;
mod expand;
mod journal;
mod outcome;
pub mod plan;
mod regression;
mod report;
mod schedule;
mod shrink;
pub mod simulator;
mod worker;

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result};

pub use autopsy::Autopsy;
pub use case::{Case, Id, Settings};
pub use crew::{Crew, Threads};
pub use expand::{cases, Shape};
pub use journal::Record;
pub use outcome::{Outcome, Status};
pub use plan::Plan;
pub use regression::{Limits, Progress, Regression, Stopped, Summary};
pub use report::{json, junit};
pub use schedule::{Job, Report};
pub use simulator::Simulator;
pub use worker::{Terms, Worker};

/// Seconds after which a case counts as hanging, unless the plan says otherwise.
pub const DEFAULT_TIMEOUT: u64 = 600;

/// Writes a file that is whole whenever it is there, and as open to others as any that a program makes.
pub fn write_whole(path: &Path, text: &str) -> Result<()> {
    let write = || {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let mut file = tempfile::Builder::new()
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        file.write_all(text.as_bytes())?;
        file.persist(path).map_err(|error| error.error)?;
        Ok::<(), std::io::Error>(())
    };
    write().with_context(|| cannot("write", path))
}

/// What could not be done with a file or a folder.
fn cannot(what: &str, path: &Path) -> String {
    format!("cannot {what} {}", path.display())
}

#[cfg(test)]
mod tests;
