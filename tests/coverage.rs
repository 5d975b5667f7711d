//! `fantree sim --coverage` and `fantree coverage`, as a user meets them.

use std::path::Path;

use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command};

fn fantree(arguments: &[&str], scratch: &Path) -> Command {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/router-2x2.toml");
    Command::new(cargo_bin!("fantree"))
        // Models are kept for all tests; everything else is written to the scratch folder.
        .env(
            "FANTREE_CACHE",
            concat!(env!("CARGO_MANIFEST_DIR"), "/build/verilator"),
        )
        .current_dir(scratch)
        .args(
            arguments
                .iter()
                .map(|argument| argument.replace("CONFIG", config)),
        )
}

/// The report of the runs in folders.
fn report(dirs: &[&str], scratch: &Path) -> Value {
    let arguments = [&["coverage", "--json"], dirs].concat();
    let output = fantree(&arguments, scratch).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let report = serde_json::from_slice(&output.stdout).unwrap();
    let file = std::fs::read_to_string(scratch.join("build/coverage/coverage.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&file).unwrap(), report);
    report
}

fn hit(report: &Value, what: &str) -> u64 {
    report[what]["hit"].as_u64().unwrap()
}

#[test]
fn runs_add_up() {
    let scratch = tempfile::tempdir().unwrap();
    let scratch = scratch.path();
    for (folder, traffic) in [
        (
            "one",
            ["--routing", "deterministic", "--packet-flits", "1,4"],
        ),
        ("two", ["--routing", "source", "--packet-flits", "69"]),
    ] {
        let run = [
            "sim",
            "CONFIG",
            "--cycles",
            "300",
            "--coverage",
            &format!("runs/{folder}"),
        ];
        fantree(&[&run[..], &traffic].concat(), scratch)
            .assert()
            .success();
    }
    let (one, two) = (
        report(&["runs/one"], scratch),
        report(&["runs/two"], scratch),
    );
    let both = report(&["runs"], scratch);
    assert_eq!(both["runs"], 2);
    for what in ["lines", "branches", "functional"] {
        let least = hit(&one, what).max(hit(&two, what));
        assert_eq!(both[what]["all"], one[what]["all"], "{what}");
        assert!(hit(&both, what) > least && least > 0, "{what}: {both:#}");
    }
    // A folder that is named twice is counted once.
    assert_eq!(report(&["runs", "runs/one"], scratch), both);

    // The packets that arrive are those of the monitors, and what never ran is told with its text.
    let arrived = both["groups"].as_array().unwrap().iter();
    let arrived: Vec<&Value> = arrived
        .filter(|group| group["name"] == "packet arrived")
        .collect();
    let bins = arrived[0]["points"][1]["bins"].as_array().unwrap();
    let counts: Vec<bool> = bins
        .iter()
        .map(|bin| bin["count"].as_u64() > Some(0))
        .collect();
    assert_eq!(counts, [true, true, false, true], "{bins:?}");
    let output = fantree(&["coverage", "runs"], scratch).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "never ran in multicast_table:\n",
        "(router-2x2), 2 lines: if (&waited_q) begin\n",
        "never seen, packet arrived: length:\n  several blocks\n",
        "2 runs of router-2x2\n",
    ] {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}

#[test]
fn goals_exclusions_and_folders_are_checked() {
    let scratch = tempfile::tempdir().unwrap();
    let scratch = scratch.path();
    fantree(
        &["sim", "CONFIG", "--cycles", "10", "--coverage", "run"],
        scratch,
    )
    .assert()
    .success();
    let exclusions = "[[exclude]]\nmodule = \"fifo_#x#\"\ntext = \"held_d = held_q + #'d1;\"\nreason = \"wrong\"\n";
    std::fs::write(scratch.join("coverage.toml"), exclusions).unwrap();
    let output = fantree(
        &[
            "coverage",
            "run",
            "--exclusions",
            "coverage.toml",
            "--functional",
            "99",
        ],
        scratch,
    )
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    let (goal, stale) = errors.split_once('\n').unwrap();
    assert!(
        goal.starts_with("functional: ") && goal.ends_with(", below 99 %"),
        "{errors}"
    );
    assert!(
        stale.starts_with(
            "coverage.toml:1: `held_d = held_q + #'d1;` of `fifo_#x#` is excluded, but line "
        ) && stale.ends_with("` ran\n"),
        "{errors}"
    );
    fantree(&["coverage", "."], &scratch.join("build"))
        .assert()
        .code(1)
        .stderr_eq("error: no coverage in .: `fantree sim --coverage DIR` writes it\n");
    // What is not a run's folder is left alone, and nothing is lost.
    fantree(&["sim", "CONFIG", "--cycles", "10", "--coverage", "."], scratch)
        .assert()
        .code(1)
        .stderr_eq("error: [..] is not a folder that fantree wrote (it has no manifest.json): choose another, or remove it\n");
}
