//! `fantree testplan`: points, their tests, and how these went.

use std::path::Path;

use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command};

const PLAN: &str = r#"
[buffer.order]
what = "Flits leave in the order in which they came"
stage = "V1"
tests = ["unit keeps_*"]

[buffer.full]
what = "A full buffer takes nothing"
stage = "V2"
tests = ["unit refuses", "regress full"]

[link.replay]
what = "A lost frame is sent again"
stage = "V3"
"#;

const JUNIT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="run" tests="3" failures="1" errors="0">
  <testsuite name="unit" tests="3" disabled="0" errors="0" failures="1">
    <testcase name="keeps_one" time="0.1"/>
    <testcase name="keeps_many" time="0.1"/>
    <testcase name="refuses" time="0.1"><failure type="test failure"/></testcase>
  </testsuite>
</testsuites>
"#;

fn testplan(folder: &Path) -> Command {
    Command::new(cargo_bin!("fantree"))
        .current_dir(folder)
        .arg("testplan")
        .args(["plan.toml", "--junit", "unit.xml", "regress.xml"])
}

fn folder(plan: &str, junit: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    std::fs::write(folder.path().join("unit.xml"), junit).unwrap();
    folder
}

fn statuses(plan: &str, junit: &str) -> Vec<String> {
    let folder = folder(plan, junit);
    let output = testplan(folder.path()).arg("--json").output().unwrap();
    let points: Value = serde_json::from_slice(&output.stdout).unwrap();
    let points = points.as_array().unwrap().iter();
    points
        .map(|point| point["status"].as_str().unwrap().to_string())
        .collect()
}

#[test]
fn a_point_stands_as_its_worst_test() {
    assert_eq!(statuses(PLAN, JUNIT), ["passed", "failed", "no-test"]);
    let fixed = JUNIT.replace("<failure type=\"test failure\"/>", "");
    assert_eq!(statuses(PLAN, &fixed), ["passed", "not-run", "no-test"]);
    let renamed = PLAN.replace("keeps_*", "kept_*");
    assert_eq!(statuses(&renamed, JUNIT), ["no-test", "failed", "no-test"]);
}

#[test]
fn a_point_without_a_test_is_wrong_and_one_that_was_not_run_if_all_are_asked_for() {
    let fixed = JUNIT.replace("<failure type=\"test failure\"/>", "");
    let (tested, _) = PLAN.split_once("[link.replay]").unwrap();
    let folder = folder(tested, &fixed);
    testplan(folder.path()).assert().success();
    testplan(folder.path()).arg("--all").assert().code(1);
    std::fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    testplan(folder.path())
        .assert()
        .code(1)
        .stdout_eq(snapbox::str![[r#"
...
3 points: 1 passed, 1 not run, 0 failed, 1 without a test
  buffer/full: regress full: not run
0 tests belong to no point

"#]]);
}

#[test]
fn tests_of_no_point_are_listed() {
    let folder = folder(&PLAN.replace("\"unit refuses\", ", ""), JUNIT);
    testplan(folder.path())
        .arg("--rest")
        .assert()
        .code(1)
        .stdout_eq(snapbox::str![[r#"
...
1 tests belong to no point
  unit refuses

"#]]);
}

#[test]
fn what_is_no_plan_or_no_report_is_told_with_its_place() {
    let wrong = PLAN.replace("V2", "V4");
    let folder = folder(&wrong, JUNIT);
    testplan(folder.path())
        .assert()
        .code(1)
        .stderr_eq(snapbox::str![[r#"
error: plan.toml is no test plan: TOML parse error at line 9, column 9
  |
9 | stage = "V4"
  |         ^^^^
unknown variant `V4`, expected one of `V1`, `V2`, `V3`


"#]]);
    let twice = format!("{PLAN}[buffer.order]\nwhat = \"again\"\nstage = \"V1\"\n");
    std::fs::write(folder.path().join("plan.toml"), twice).unwrap();
    testplan(folder.path()).assert().code(1);
    std::fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    std::fs::write(folder.path().join("unit.xml"), "<testsuites").unwrap();
    testplan(folder.path()).assert().code(1);
}
