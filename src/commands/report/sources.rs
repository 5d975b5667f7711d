//! What a report is made of: files of other commands, found by their names in folders, told by their content.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail, Context, Result};
use fantree_tb::coverage;
use fantree_tb::report::Run;
use fantree_tb::sweep::Sweep;
use serde::Deserialize;
use serde_json::Value;

use super::area::Synthesis;
use crate::commands::sweep;
use crate::commands::synth::Baseline;
use crate::commands::testplan::{Outcomes, Plan};

/// Everything that was found.
#[derive(Default)]
pub struct Sources {
    pub sweeps: Vec<Sweep>,
    pub runs: Vec<Run>,
    pub coverage: Vec<coverage::Report>,
    pub synthesis: Vec<Synthesis>,
    pub tests: Outcomes,
    pub plan: Option<Plan>,
}

/// Files that are looked for in folders. Others have to be named.
const NAMES: [&str; 4] = [sweep::FILE, coverage::REPORT, "report.json", "junit.xml"];
/// Folders below a folder in which they are looked for.
const DEPTH: usize = 3;

impl Sources {
    pub fn find<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Result<Self> {
        let mut sources = Self::default();
        for path in paths {
            let named = !path.is_dir();
            let files = match named {
                true => vec![path.clone()],
                false => below(path, DEPTH)?,
            };
            for file in files {
                let cannot = || format!("cannot report {}", file.display());
                let known = sources.read(&file).with_context(cannot)?;
                // Others have files of these names, too.
                if named && !known {
                    let what = "it is JSON of none of `fantree sweep`, `sim --json`, `coverage` and `synth`";
                    return Err(anyhow!(what).context(cannot()));
                }
            }
        }
        Ok(sources)
    }

    /// How much there is of what.
    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        let curves = self.sweeps.iter().map(|it| it.curves.len()).sum();
        vec![
            ("curves", curves),
            ("single runs", self.runs.len()),
            ("coverage reports", self.coverage.len()),
            ("synthesized configurations", self.synthesis.len()),
            ("tests", self.tests.len()),
            (
                "points of the test plan",
                self.plan.iter().map(Plan::len).sum(),
            ),
        ]
    }

    /// Whether the file is of a command whose results are reported.
    fn read(&mut self, file: &Path) -> Result<bool> {
        let extension = file.extension().and_then(|it| it.to_str());
        match extension {
            Some("xml") => self.tests.read(file)?,
            Some("toml") => self.plan = Some(Plan::read(file)?),
            Some("json") => return self.read_json(file),
            _ => bail!("it is no JSON (.json), JUnit (.xml) or test plan (.toml)"),
        }
        Ok(true)
    }

    fn read_json(&mut self, file: &Path) -> Result<bool> {
        let text = fs::read_to_string(file)?;
        let value: Value = serde_json::from_str(&text).context("it is broken JSON")?;
        let has = |fields: &[&str]| fields.iter().all(|field| value.get(field).is_some());
        if has(&["format", "curves"]) {
            Sweep::check_format(value["format"].as_str().unwrap_or_default())?;
            self.sweeps.push(parsed(value, "fantree sweep")?);
        } else if has(&["units", "groups"]) {
            self.coverage.push(parsed(value, "fantree coverage")?);
        } else if has(&["yosys", "blocks"]) {
            self.synthesis
                .push(Synthesis::new(Baseline::read(file)?, file));
        } else if has(&["config", "by_port"]) {
            self.runs.push(parsed(value, "fantree sim --json")?);
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

/// What a command wrote, if this version did.
fn parsed<T: for<'a> Deserialize<'a>>(value: Value, command: &str) -> Result<T> {
    serde_json::from_value(value)
        .with_context(|| format!("another version of fantree wrote it: repeat `{command}`"))
}

/// The files of these names in a folder and those below it, sorted.
fn below(folder: &Path, depth: usize) -> Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read {}", folder.display());
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).with_context(cannot)?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()
        .with_context(cannot)?;
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            if depth > 0 && !path.is_symlink() {
                files.extend(below(&path, depth - 1)?);
            }
        } else if NAMES.iter().any(|known| name == *known) {
            files.push(path);
        }
    }
    Ok(files)
}
