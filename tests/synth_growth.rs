//! What `fantree synth` says of an earlier run.

use std::path::Path;

use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command, OutputAssert};

/// Maps `credit_pool` of a router with so many virtual channels.
fn synth(scratch: &Path, virtual_channels: u32, arguments: &[&str]) -> OutputAssert {
    let config = format!(
        "name = \"chip\"\n[router]\nrows = 2\ncolumns = 2\nvirtual_channels = {virtual_channels}\n"
    );
    std::fs::write(scratch.join("chip.toml"), config).unwrap();
    Command::new(cargo_bin!("fantree"))
        .current_dir(scratch)
        .args(["synth", "chip.toml", "--target", "ecp5"])
        .args(["--block", "credit_pool"])
        .args(arguments)
        .assert()
}

fn report(scratch: &Path) -> String {
    std::fs::read_to_string(scratch.join("build/synth/chip/report.json")).unwrap()
}

/// Puts another text where the figures of the earlier run are.
fn forge(scratch: &Path, text: &str) {
    std::fs::write(scratch.join("build/synth/chip/report.json"), text).unwrap();
}

#[test]
fn units_that_grew_are_told_and_the_same_verilog_is_not() {
    let scratch = tempfile::tempdir().unwrap();
    let scratch = scratch.path();
    let said = |assert: OutputAssert| {
        let output = assert.success().get_output().stdout.clone();
        String::from_utf8(output).unwrap()
    };
    for _ in ["nothing before", "the same before"] {
        assert!(!said(synth(scratch, 2, &[])).contains("run before"));
    }
    std::fs::copy(
        scratch.join("build/synth/chip/report.json"),
        scratch.join("two.json"),
    )
    .unwrap();

    let grown = said(synth(scratch, 4, &[]));
    let (_, table) = grown
        .split_once("credit_pool since the run before")
        .unwrap();
    let row = |unit: &str| table.lines().find(|line| line.contains(unit)).unwrap();
    assert!(row("credit_pool").contains("+"), "{table}");
    assert!(
        row("round_robin_arbiter_2").contains("→ 0 (-100.0 %)"),
        "{table}"
    );
    assert!(row("round_robin_arbiter_4").contains("(new)"), "{table}");
    assert!(!said(synth(scratch, 4, &[])).contains("run before"));

    let report = said(synth(scratch, 4, &["--baseline", "two.json", "--json"]));
    let report: Value = serde_json::from_str(&report).unwrap();
    let block = &report["blocks"][0];
    let units = &block["comparison"]["mapped"][0]["units"];
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!(units[0]["path"], serde_json::json!(["credit_pool"]));
    let area = &units[0]["area"];
    assert_eq!(
        area["after"],
        number(&block["mapped"][0]["area"]["whole"]["luts"])
    );
    let percent = 100.0 * (number(&area["after"]) / number(&area["before"]) - 1.0);
    assert!((number(&area["percent"]) - percent).abs() < 1e-6, "{area}");
}

#[test]
fn growth_above_a_limit_fails_and_keeps_the_earlier_figures() {
    let scratch = tempfile::tempdir().unwrap();
    let scratch = scratch.path();
    synth(scratch, 2, &["--fail-above", "0"]).success();
    let earlier = report(scratch);
    for _ in ["once", "again"] {
        synth(scratch, 4, &["--fail-above", "10"])
            .code(1)
            .stderr_eq(
                "credit_pool grew by [..] % in ECP5, more than 10 %: its figures are not kept\n",
            );
        assert_eq!(report(scratch), earlier);
    }
    synth(scratch, 4, &["--fail-above", "1000"]).success();
    // It shrinks.
    synth(scratch, 2, &["--fail-above", "0"]).success();

    for percent in ["-1", "much", "inf"] {
        let limit = format!("--fail-above={percent}");
        synth(scratch, 2, &[&limit]).code(2).stderr_eq(format!(
            "error: invalid value '{percent}' for '--fail-above <PERCENT>': not a number from 0 on\n...\n"
        ));
    }
}

#[test]
fn a_report_that_cannot_be_compared_with_is_told() {
    let scratch = tempfile::tempdir().unwrap();
    let scratch = scratch.path();
    synth(scratch, 2, &[]).success();
    let whole = report(scratch);
    let half = &whole[..whole.len() / 2];
    let other = whole.replace("\"format\": 1", "\"format\": 99");
    let deeper = whole.replace("\"depth\": 2", "\"depth\": 3");
    let broken = "it is no report of `fantree synth`, or a broken one: [..]";
    for (text, reason) in [
        (half, broken),
        ("{ \"format\": 1 }", broken),
        ("{}", "another version of fantree wrote it"),
        (&other, "another version of fantree wrote it"),
        (&deeper, "it was made with `--depth 3`"),
    ] {
        let message = format!("cannot compare with build/synth/chip/report.json: {reason}\n");
        forge(scratch, text);
        // Where it decides whether the run fails, it must not be passed over.
        synth(scratch, 4, &["--fail-above", "10"])
            .code(1)
            .stderr_eq(format!("error: {message}"));
        synth(scratch, 4, &[])
            .success()
            .stderr_eq(format!("note: {message}"));
        assert_ne!(report(scratch), text);
    }
    synth(scratch, 2, &["--baseline", "gone.json"])
        .code(1)
        .stderr_eq("error: there is no gone.json\n");
}
