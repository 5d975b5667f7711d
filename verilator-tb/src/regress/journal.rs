//! The journal: a line for each case that is done, written before anybody counts it.
//!
//! The first line tells which cases it is about. A line that was cut off while it was written counts as not there, and
//! its case is run again.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::autopsy::Autopsy;
use super::cannot;
use super::case::Id;
use super::outcome::Outcome;

/// A case that is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub case: Id,
    #[serde(flatten)]
    pub outcome: Outcome,
    /// What was found out about a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub autopsy: Option<Autopsy>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    /// A hash of plan, program and options.
    fingerprint: String,
}

/// An open journal.
pub struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens the journal of these cases with what is done of them, or starts one if there is none.
    pub fn open(path: &Path, fingerprint: &str) -> Result<(Self, Vec<Record>)> {
        match std::fs::read(path) {
            Ok(bytes) => match Self::read(&bytes, fingerprint) {
                Some((records, whole)) => {
                    let file = OpenOptions::new().append(true).open(path);
                    let file = file.with_context(|| cannot("open", path))?;
                    file.set_len(whole as u64)
                        .with_context(|| cannot("repair", path))?;
                    let path = path.into();
                    Ok((Self { file, path }, records))
                }
                None => Ok((Self::start(path, fingerprint)?, Vec::new())),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Ok((Self::start(path, fingerprint)?, Vec::new()))
            }
            Err(error) => Err(error).with_context(|| cannot("read", path)),
        }
    }

    /// Starts a journal, in the place of any other.
    pub fn start(path: &Path, fingerprint: &str) -> Result<Self> {
        let header = Header {
            fingerprint: fingerprint.into(),
        };
        super::write_whole(path, &(serde_json::to_string(&header)? + "\n"))?;
        let file = OpenOptions::new().append(true).open(path);
        Ok(Self {
            file: file.with_context(|| cannot("open", path))?,
            path: path.into(),
        })
    }

    /// The records, and the bytes of the lines that are whole; none if they are about other cases.
    fn read(bytes: &[u8], fingerprint: &str) -> Option<(Vec<Record>, usize)> {
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let first = lines.next().filter(|line| line.ends_with(b"\n"))?;
        let header: Header = serde_json::from_slice(first).ok()?;
        if header.fingerprint != fingerprint {
            return None;
        }
        let (mut records, mut whole) = (Vec::new(), first.len());
        for line in lines.take_while(|line| line.ends_with(b"\n")) {
            let Ok(record) = serde_json::from_slice(line) else {
                break;
            };
            records.push(record);
            whole += line.len();
        }
        Some((records, whole))
    }

    /// Adds a record, for good.
    pub fn add(&mut self, record: &Record) -> Result<()> {
        let line = serde_json::to_string(record)? + "\n";
        let written = self.file.write_all(line.as_bytes());
        let written = written.and_then(|()| self.file.sync_data());
        written.with_context(|| cannot("write", &self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::Status;
    use super::*;

    fn record(number: usize) -> Record {
        let test = "a".into();
        Record {
            case: Id { test, number },
            outcome: Outcome::without_results(Status::TimedOut, "no end".into(), 1.5),
            autopsy: None,
        }
    }

    fn records(path: &Path, fingerprint: &str) -> Vec<Record> {
        Journal::open(path, fingerprint).unwrap().1
    }

    /// Cut off anywhere, the journal has the lines before, and goes on behind them.
    #[test]
    fn a_torn_line_is_as_if_it_had_never_been() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let (mut journal, before) = Journal::open(&path, "x").unwrap();
        assert_eq!(before, []);
        let header = std::fs::read(&path).unwrap().len();
        journal.add(&record(0)).unwrap();
        let first = std::fs::read(&path).unwrap().len();
        journal.add(&record(1)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in (0..=whole.len()).rev() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let count = match length {
                length if length == whole.len() => 2,
                length if length >= first => 1,
                _ => 0,
            };
            let (mut journal, before) = Journal::open(&path, "x").unwrap();
            assert_eq!(before.len(), count, "{length} bytes");
            journal.add(&record(7)).unwrap();
            assert_eq!(records(&path, "x").len(), count + 1, "{length} bytes");
        }
        assert!(header < first);
    }

    #[test]
    fn a_journal_of_other_cases_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let (mut journal, _) = Journal::open(&path, "x").unwrap();
        journal.add(&record(0)).unwrap();
        assert_eq!(records(&path, "x"), [record(0)]);
        assert_eq!(records(&path, "y"), []);
        assert_eq!(records(&path, "x"), []);
    }
}
