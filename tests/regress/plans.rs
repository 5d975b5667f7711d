//! Plans and their cases, the project's own among them.

use std::collections::BTreeMap;
use std::path::Path;

use super::{ends, fantree, folder, text, PLAN, ROOT};

#[test]
fn cases_are_listed_and_chosen_by_their_text() {
    let folder = folder();
    let list = |more: &[&str]| {
        let common = ["regress", "plan.toml", "--list"];
        ends(fantree(folder.path(), &[&common[..], more].concat()), 0)
    };
    let all = list(&[]);
    assert_eq!(all.lines().count(), 7);
    assert!(
        all.starts_with("good/0: fantree sim small.toml --routing deterministic --cycles "),
        "{all}"
    );
    assert!(all.ends_with(" --packet-flits 1,2 --seed 1\n"), "{all}");
    assert_eq!(list(&["--only", "mixed"]).lines().count(), 3);
    assert_eq!(
        list(&["--first", "1", "--seed", "9"])
            .matches("--seed 9")
            .count(),
        2
    );
    let mut wrong = fantree(
        folder.path(),
        &["regress", "plan.toml", "--sim-option", "load=2"],
    );
    let error = text(&wrong.output().unwrap().stderr);
    assert!(
        error.contains("--sim-option load=2: legal is another: load `2` is not legal"),
        "{error}"
    );
}

#[test]
fn a_wrong_plan_is_told_at_its_place() {
    let folder = folder();
    let path = folder.path();
    let plan = PLAN.replace("\"0@300:stop=9000\"", "\"0@300:explode\"");
    std::fs::write(path.join("plan.toml"), plan).unwrap();
    let output = fantree(path, &["regress", "plan.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(
        error.starts_with("plan.toml:12:36: error: `test.each.incident` is \"0@300:explode\"; legal is PORT@AFTER:stop=CYCLES"),
        "{error}"
    );
    assert!(!path.join("build").exists());
}

/// The first cases of the regression's plan on a few chips: what `make test` runs of it.
#[test]
fn the_first_cases_of_the_regression_pass() {
    let out = tempfile::tempdir().unwrap();
    let out = out.path().to_str().unwrap();
    let arguments = [
        "regress",
        "--only",
        "structures/2x",
        "--first",
        "12",
        "--out",
        out,
    ];
    let said = ends(fantree(Path::new(ROOT), &arguments), 0);
    assert!(said.contains(" 0 failed, 0 not run"), "{said}");
}

/// The cases of the test of routers, by pattern, routing and storing, and by structure.
#[test]
fn the_regression_has_every_kind_of_run_and_every_structure() {
    for seed in ["0", "1", "1796000000", "18446744073709551000"] {
        let arguments = ["regress", "--list", "--only", "routers/", "--seed", seed];
        let list = ends(fantree(Path::new(ROOT), &arguments), 0);
        let value = |line: &str, after: &str| {
            let rest = line.split_once(after).unwrap().1;
            rest.split(' ').next().unwrap().to_string()
        };
        let mut kinds = BTreeMap::new();
        let mut structures = BTreeMap::new();
        for line in list.lines() {
            let kind = ["--pattern ", "--routing ", "--store "].map(|option| value(line, option));
            *kinds.entry(kind).or_insert(0) += 1;
            *structures.entry(value(line, "sim ")).or_insert(0) += 1;
        }
        assert_eq!(kinds.len(), 12 * 4 * 3, "from {seed}");
        assert_eq!(structures.len(), 14);
        assert!(
            structures.values().all(|&count| count >= 12),
            "{structures:?}"
        );
    }
}
