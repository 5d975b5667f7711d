//! `fantree mutate` and `fantree sim --mutant`, as a user meets them.

use std::path::Path;

use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command};

const CONFIG: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/structures/2x2-full.toml"
);

fn fantree(arguments: &[&str], scratch: &Path) -> Command {
    Command::new(cargo_bin!("fantree"))
        // Models are kept for all tests; everything else is written to the scratch folder.
        .env(
            "FANTREE_CACHE",
            concat!(env!("CARGO_MANIFEST_DIR"), "/build/verilator"),
        )
        .current_dir(scratch)
        .args(arguments)
}

/// Exit code and output of a command.
fn run(arguments: &[&str], scratch: &Path) -> (i32, String, String) {
    let output = fantree(arguments, scratch).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

/// `make mutate` takes all that there are.
#[test]
fn a_sample_of_faults_is_found() {
    let scratch = tempfile::tempdir().unwrap();
    let scratch = scratch.path();
    let waivers = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mutants.toml");
    let arguments = ["mutate", CONFIG, "--sample", "40", "--waivers", waivers];
    let (code, table, survivors) = run(&arguments, scratch);
    assert_eq!(code, 0, "{table}{survivors}");

    let folder = scratch.join("build/mutate/structure-2x2-full");
    let report = std::fs::read_to_string(folder.join("mutants.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let mutants = report["mutants"].as_array().unwrap();
    assert_eq!(mutants.len(), 40);
    assert!(report["score"].as_f64().unwrap() >= 0.95);
    let checks = |check: &str| {
        let killed = mutants.iter().filter(|it| it["killed"]["check"] == check);
        killed.count()
    };
    assert!(checks("lockstep") > 0 && checks("stuck") > 0, "{report:#}");
    for mutant in mutants {
        let name = mutant["name"].as_str().unwrap();
        assert!(table.contains(name.split('/').next().unwrap()), "{table}");
    }
}

/// What nothing finds is told, with the changed line, and is a failure.
#[test]
fn a_fault_that_nothing_finds_is_told() {
    let scratch = tempfile::tempdir().unwrap();
    let scratch = scratch.path();
    let survivor = "credit_pool/off-by-one/beyond_1";
    let mutate = ["mutate", CONFIG, "--mutant", survivor];
    let (code, table, error) = run(&mutate, scratch);
    assert_eq!(code, 1, "{table}{error}");
    let told = format!("nothing finds {survivor}\n  credit_pool:");
    assert!(error.starts_with(&told), "{error}");
    assert!(error.contains("used_1_q > private_1 -> used_1_q >= private_1"));

    let waivers = scratch.join("waivers.toml");
    let waiver = |name: &str| format!("[[equivalent]]\nmutants = [\"{name}\"]\nreason = \"r\"\n");
    std::fs::write(&waivers, waiver(survivor)).unwrap();
    let waived = [&mutate[..], &["--waivers", "waivers.toml"]].concat();
    assert_eq!(run(&waived, scratch).0, 0);

    std::fs::write(&waivers, waiver(survivor) + &waiver("credit_pool/gone/x")).unwrap();
    let (code, _, error) = run(&waived, scratch);
    assert_eq!(code, 1);
    assert_eq!(
        error,
        "waivers.toml:4: `credit_pool/gone/x` is waived, but there is no such mutant\n"
    );
}

/// A run with a fault fails, and the command that it prints fails in the same way.
#[test]
fn a_router_with_a_fault_is_run_again_by_the_command_that_is_printed() {
    let scratch = tempfile::tempdir().unwrap();
    let scratch = scratch.path();
    let mutant = "output_unit/swapped-ready/link_valid_d";
    let sim = ["sim", CONFIG, "--mutant", mutant, "--cycles", "300"];
    let (code, table, violations) = run(&[&sim[..], &["--stall", "0.3"]].concat(), scratch);
    assert_eq!(code, 1, "{table}{violations}");
    let (_, command) = table.split_once("repeat with: fantree ").unwrap();
    let again: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(run(&again, scratch).2, violations);

    let (code, _, error) = run(&["sim", CONFIG, "--mutant", "fifo/x/held"], scratch);
    assert_eq!(code, 1);
    assert!(error.contains("names like it: fifo/"), "{error}");
}
