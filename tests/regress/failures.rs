//! What becomes of a case that fails.

use std::collections::BTreeSet;
use std::path::Path;

use fantree_gen::mutate::Kind;
use serde_json::Value;
use strum::IntoEnumIterator;

use super::{ends, fantree, folder, names, traced_cycles, ROOT};

#[test]
fn a_failure_is_shrunk_and_laid_out_with_its_wave() {
    let folder = folder();
    let path = folder.path();
    let said = ends(fantree(path, &["regress", "plan.toml"]), 1);
    assert!(
        said.contains("7 cases: 6 passed, 1 failed, 0 not run"),
        "{said}"
    );
    assert!(said.contains(" bad/0    stuck   cycle "), "{said}");

    let failure = path.join("build/regress/failures/bad-0");
    let present = names(&failure);
    for file in [
        "case.toml",
        "config.toml",
        "log.txt",
        "wave.fst",
        "wave.gtkw",
    ] {
        assert!(present.contains(&file.into()), "{present:?}");
    }

    // What repeats it stands in the table, in the folder, and in the reports.
    let case: toml::Table = std::fs::read_to_string(failure.join("case.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let command = case["command"].as_str().unwrap();
    assert!(said.contains(command), "{command}\n{said}");
    let junit = std::fs::read_to_string(path.join("build/regress/junit.xml")).unwrap();
    assert!(junit.contains(command), "{junit}");
    assert!(
        junit.contains("tests=\"7\" skipped=\"0\" errors=\"0\" failures=\"1\""),
        "{junit}"
    );

    // It is smaller than what the plan has, and fails in the same way.
    assert!(
        !command.contains("--pattern") && !command.contains("--interleave"),
        "{command}"
    );
    let options = case["options"].as_table().unwrap();
    assert!(options["cycles"].as_integer().unwrap() < 1000, "{options}");
    assert!(options["packets"].as_integer().unwrap() < 100, "{options}");
    let config = std::fs::read_to_string(failure.join("config.toml")).unwrap();
    assert!(config.contains("\nrows = 1\n"), "{config}");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let repeated = fantree(path, &words).arg("--json").output().unwrap();
    assert_eq!(repeated.status.code(), Some(1));
    let run: Value = serde_json::from_slice(&repeated.stdout).unwrap();
    let first = &run["violations"][0];
    assert_eq!(first["check"], "stuck");
    assert_eq!(first["text"].as_str(), case["violation"].as_str());

    // The wave begins before the last progress and ends with the failure.
    let (from, to) = traced_cycles(&failure.join("wave.fst"));
    let (since, cycle) = (
        first["since"].as_u64().unwrap(),
        first["cycle"].as_u64().unwrap(),
    );
    assert!(
        from <= since && since < from + 310,
        "{from} to {to}, {first}"
    );
    assert!(to >= cycle && to < cycle + 60, "{from} to {to}, {first}");
}

/// Its chip may take as long to compile as it does: the time of a case is that of its run.
#[test]
fn a_case_that_hangs_is_ended() {
    let folder = folder();
    let path = folder.path();
    let arguments = ["regress", "plan.toml", "--only", "good/0", "--timeout", "1"];
    let said = ends(
        fantree(
            path,
            &[&arguments[..], &["--sim-option", "cycles=900000000"]].concat(),
        ),
        1,
    );
    assert!(
        said.contains("good/0   timed out   no end after 1 seconds"),
        "{said}"
    );
    assert!(said.contains("--cycles 900000000"), "{said}");
    let log = path.join("build/regress/failures/good-0/log.txt");
    assert!(std::fs::read_to_string(log)
        .unwrap()
        .contains("no end after 1 seconds"));
}

/// Every kind of fault ends as a small case that fails in the same way, with the wave of its failure.
#[test]
#[ignore = "shrinks nineteen faults, each on chips of its own: make regress"]
fn each_kind_of_fault_becomes_a_small_case_with_a_wave() {
    let out = tempfile::tempdir().unwrap();
    let plan = Path::new(ROOT).join("tests/faults.toml");
    let faults: toml::Table = std::fs::read_to_string(&plan).unwrap().parse().unwrap();
    let faults = faults["test"][0]["each"]["mutant"].as_array().unwrap();
    let kind = |fault: &toml::Value| fault.as_str().unwrap().split('/').nth(1).unwrap().parse();
    let kinds: BTreeSet<Kind> = faults.iter().map(|fault| kind(fault).unwrap()).collect();
    assert_eq!(kinds, Kind::iter().collect());

    let arguments = ["regress", "tests/faults.toml", "--out"];
    let mut regress = fantree(Path::new(ROOT), &arguments);
    regress.arg(out.path());
    ends(regress, 1);
    let failures = out.path().join("failures");
    assert_eq!(names(&failures).len(), faults.len());
    for name in names(&failures) {
        let failure = failures.join(&name);
        let case = std::fs::read_to_string(failure.join("case.toml")).unwrap();
        let case: toml::Table = case.parse().unwrap();
        assert!(
            case["options"]["cycles"].as_integer().unwrap() < 1000,
            "{case}"
        );
        let words: Vec<&str> = case["command"].as_str().unwrap().split(' ').collect();
        let again = fantree(Path::new(ROOT), &words[1..]).arg("--json").output();
        let run: Value = serde_json::from_slice(&again.unwrap().stdout).unwrap();
        let first = &run["violations"][0];
        assert_eq!(first["text"].as_str(), case["violation"].as_str(), "{name}");
        let (from, to) = traced_cycles(&failure.join("wave.fst"));
        let (since, cycle) = (
            first["since"].as_u64().unwrap(),
            first["cycle"].as_u64().unwrap(),
        );
        assert!(
            from <= since + 4 && to >= cycle && to < cycle + 60,
            "{name}: {from} to {to}, {first}"
        );
    }
}
