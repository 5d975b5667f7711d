//! A page with everything: what the tests of `fantree report` have in common.

use std::path::{Path, PathBuf};

use snapbox::cmd::{cargo_bin, Command};

pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The program in a folder, with the compiled models that other tests left.
pub fn fantree(folder: &Path, arguments: &str) -> Command {
    Command::new(cargo_bin!("fantree"))
        .current_dir(folder)
        .env("FANTREE_CACHE", Path::new(ROOT).join("build/verilator"))
        .args(arguments.split_whitespace())
}

pub fn config() -> PathBuf {
    Path::new(ROOT).join("configs/router-2x2.toml")
}

/// What the program prints when all is well.
#[track_caller]
pub fn passes(command: Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

pub const JUNIT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="all" tests="2" failures="1" errors="0">
  <testsuite name="suite" tests="2" disabled="0" errors="0" failures="1">
    <testcase name="good"/>
    <testcase name="bad &lt;one&gt;"><failure type="test failure"/></testcase>
  </testsuite>
</testsuites>
"#;

pub const PLAN: &str = r#"
[unit.feature]
what = "It does what it says"
stage = "V1"
tests = ["suite good"]
"#;

pub const SYNTHESIS: &str = r#"{
  "format": 1, "config": "router-2x2", "yosys": "Yosys 0.23", "depth": 1,
  "blocks": [{"name": "tile", "hash": "0", "placed": {"megahertz": 81.5}, "mapped": [{"technology": "ecp5", "library": null, "area":
    {"module": "tile", "instances": 1, "whole": {"luts": 120}, "own": {"luts": 20}, "levels": 9, "parts":
      [{"module": "fifo", "instances": 2, "whole": {"luts": 100}, "own": {"luts": 100}, "levels": 5, "parts": []}]}}]}]
}"#;

/// A folder with something of everything, and its report.
pub fn everything(folder: &Path) -> String {
    let sweep = "sweep --pattern uniform,tornado --loads 0.2..0.8:0.3,1 --seeds 2 --cycles 400 --warmup 200 --resolution 0.1";
    passes(fantree(folder, sweep).arg(config()));
    let sim = "sim --load 0.4 --cycles 300 --json --coverage runs";
    let run = passes(fantree(folder, sim).arg(config()));
    std::fs::write(folder.join("run.json"), run).unwrap();
    passes(fantree(folder, "coverage runs"));
    std::fs::create_dir_all(folder.join("build/synth/router-2x2")).unwrap();
    for (file, text) in [
        ("build/synth/router-2x2/report.json", SYNTHESIS),
        (
            "build/synth/router-2x2/tile-ecp5.svg",
            "<svg viewBox=\"0 0 9 9\"><rect/></svg>",
        ),
        ("junit.xml", JUNIT),
        ("plan.toml", PLAN),
    ] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let command = fantree(
        folder,
        "report build run.json junit.xml plan.toml --out pages/report.html",
    );
    let text = passes(command);
    for line in [
        "     2 curves",
        "     1 single runs",
        "     2 tests",
        "report: pages/report.html",
    ] {
        assert!(text.lines().any(|it| it == line), "no {line} in {text}");
    }
    std::fs::read_to_string(folder.join("pages/report.html")).unwrap()
}
