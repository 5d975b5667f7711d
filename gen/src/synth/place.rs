//! Place and route of a block on an ECP5, with nextpnr.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{bail, Context, Result};
use serde::{Deserialize, Serialize};

use super::harness::{self, Harness};
use super::{ecp5, job, Job};
use crate::tool;

/// The largest ECP5, in its fastest grade.
const DEVICE: &str = "LFE5U-85F, speed grade 8";
const OPTIONS: [&str; 5] = ["--85k", "--package", "CABGA756", "--speed", "8"];
/// Placement is deterministic for a seed.
const SEED: &str = "1";
/// What nextpnr aims at, in MHz: more than it reaches, so that it does its best everywhere.
const TARGET: &str = "200";
/// It spreads congestion over the whole chip, net by net in rounds. The one by default rips nets up one by one: an hour for a tile.
const ROUTER: &str = "router2";

/// A placed and routed block.
#[derive(Debug, Clone, Serialize)]
pub struct Placement {
    pub device: &'static str,
    /// Its name and version.
    pub nextpnr: String,
    pub megahertz: f64,
    /// Cells in use by kind, the harness's included.
    pub used: BTreeMap<String, u64>,
    /// Registers around the block, which are not its own.
    pub harness_flip_flops: usize,
    pub critical_path: CriticalPath,
}

/// The path that limits the clock. Times in nanoseconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CriticalPath {
    pub logic: f64,
    pub routing: f64,
    /// Cells between its ends.
    pub cells: usize,
    /// Nets from the first register's output to the last register's input.
    pub nets: Vec<String>,
    pub to: String,
}

/// Maps a block as a whole, places and routes it.
pub fn place(job: &Job, nextpnr: &Path, cache: &Path) -> Result<Placement> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let folder = folder.path();
    let harness = Harness::new(job.block)?;
    let verilog = job.design.to_verilog() + &harness.text;
    job::run(
        folder,
        &verilog,
        &format!(
            "read_verilog {}; {}; write_json {}",
            job::VERILOG,
            ecp5::script(harness::TOP),
            job::NETLIST
        ),
    )?;
    let report = folder.join("report.json");
    let output = tool::run(nextpnr, |command| {
        command
            .current_dir(folder)
            .env("YOWASP_CACHE_DIR", cache)
            .args(OPTIONS)
            .args(["--json", job::NETLIST, "--report", "report.json"])
            .args(["--freq", TARGET, "--seed", SEED, "--router", ROUTER])
            .args([
                "--timing-allow-fail",
                "--lpf-allow-unconstrained",
                "--quiet",
            ])
    })?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let errors: Vec<&str> = text.lines().filter(|it| it.starts_with("ERROR")).collect();
        bail!("nextpnr: {}: {}", output.status, errors.join("; "));
    }
    let report = std::fs::read_to_string(&report).context("nextpnr wrote no report")?;
    let report: Report = serde_json::from_str(&report).context("cannot read nextpnr's report")?;
    report.placement(version(nextpnr, cache)?, harness.flip_flops)
}

/// Says it to the error output, in brackets at the end of the line.
fn version(nextpnr: &Path, cache: &Path) -> Result<String> {
    let output = tool::run(nextpnr, |command| {
        command.env("YOWASP_CACHE_DIR", cache).arg("--version")
    })?;
    let text = String::from_utf8_lossy(&output.stderr);
    let version = text.rsplit_once("Version ").map_or("", |(_, it)| it);
    let version = version.trim().trim_end_matches(')');
    Ok(format!(
        "nextpnr-ecp5 {}",
        version.trim_start_matches("nextpnr-")
    ))
}

/// What nextpnr reports.
#[derive(Deserialize)]
struct Report {
    fmax: BTreeMap<String, Clock>,
    utilization: BTreeMap<String, Utilization>,
    critical_paths: Vec<TimedPath>,
}

#[derive(Deserialize)]
struct Clock {
    achieved: f64,
}

#[derive(Deserialize)]
struct Utilization {
    used: u64,
}

#[derive(Deserialize)]
struct TimedPath {
    /// Clock and edge, as in `posedge clock`.
    from: String,
    to: String,
    path: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    #[serde(rename = "type")]
    kind: String,
    delay: f64,
    to: Pin,
    net: Option<String>,
}

#[derive(Deserialize)]
struct Pin {
    cell: String,
}

impl Report {
    fn placement(self, nextpnr: String, harness_flip_flops: usize) -> Result<Placement> {
        // The other paths are those from and to pins.
        let from_register = self.critical_paths.into_iter();
        let path = from_register
            .filter(|path| path.from == path.to)
            .find_map(|path| {
                let clock = path.from.strip_prefix("posedge ")?;
                Some((self.fmax.get(clock)?.achieved, path.path))
            });
        let (megahertz, segments) =
            path.context("nextpnr reports no path from register to register")?;
        let used = self.utilization.into_iter();
        Ok(Placement {
            device: DEVICE,
            nextpnr,
            megahertz,
            used: used
                .filter(|(_, it)| it.used > 0)
                .map(|(kind, it)| (kind, it.used))
                .collect(),
            harness_flip_flops,
            critical_path: CriticalPath::new(&segments),
        })
    }
}

impl CriticalPath {
    fn new(segments: &[Segment]) -> Self {
        let of_kind = |kind: &'static str| segments.iter().filter(move |it| it.kind == kind);
        let routing: f64 = of_kind("routing").map(|it| it.delay).sum();
        let all: f64 = segments.iter().map(|it| it.delay).sum();
        let nets = segments.iter().filter_map(|it| it.net.as_deref());
        Self {
            logic: all - routing,
            routing,
            cells: of_kind("logic").count(),
            nets: nets.map(of_block).collect(),
            to: segments
                .last()
                .map_or_else(String::new, |it| of_block(&it.to.cell)),
        }
    }
}

/// A name without the harness's.
fn of_block(name: &str) -> String {
    let inside = name.strip_prefix(harness::BLOCK);
    let inside = inside.and_then(|name| name.strip_prefix('.'));
    inside.unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_from_register_to_register_is_read() {
        let text = r#"{
            "fmax": {"$glbnet$clock": {"achieved": 125.5, "constraint": 200.0}},
            "utilization": {"TRELLIS_FF": {"used": 7, "available": 83640}, "MULT18X18D": {"used": 0, "available": 156}},
            "critical_paths": [
                {"from": "<async>", "to": "posedge $glbnet$clock", "path": []},
                {"from": "posedge $glbnet$clock", "to": "posedge $glbnet$clock", "path": [
                    {"type": "clk-to-q", "delay": 0.5, "from": {"cell": "a", "port": "Q"}, "to": {"cell": "a", "port": "Q"}},
                    {"type": "routing", "delay": 1.25, "net": "block.pool.used[3]", "from": {"cell": "a", "port": "Q"}, "to": {"cell": "b", "port": "A"}},
                    {"type": "logic", "delay": 0.25, "from": {"cell": "b", "port": "A"}, "to": {"cell": "b", "port": "F"}},
                    {"type": "routing", "delay": 0.75, "net": "captured[1]", "from": {"cell": "b", "port": "F"}, "to": {"cell": "block.c", "port": "DI"}},
                    {"type": "setup", "delay": 0.125, "from": {"cell": "block.c", "port": "DI"}, "to": {"cell": "block.c", "port": "DI"}}
                ]}
            ]
        }"#;
        let report: Report = serde_json::from_str(text).unwrap();
        let placement = report.placement("nextpnr-ecp5 0".into(), 2).unwrap();
        assert_eq!(placement.megahertz, 125.5);
        assert_eq!(placement.used, BTreeMap::from([("TRELLIS_FF".into(), 7)]));
        let path = CriticalPath {
            logic: 0.875,
            routing: 2.0,
            cells: 1,
            nets: vec!["pool.used[3]".into(), "captured[1]".into()],
            to: "c".into(),
        };
        assert_eq!(placement.critical_path, path);
    }
}
