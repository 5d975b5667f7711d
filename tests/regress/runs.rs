//! Regressions that are interrupted, ended early, or spread over ranks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use snapbox::cmd::cargo_bin;

use super::{ends, fantree, folder, names, results, PLAN, ROOT};

/// Killed ten times at random moments, a regression goes on where it was, and ends as one that was left alone.
#[test]
fn an_interrupted_regression_goes_on_where_it_was() {
    let folder = folder();
    let path = folder.path();
    let arguments = ["regress", "plan.toml", "--jobs", "2"];
    ends(fantree(path, &arguments), 1);
    let out = path.join("build/regress");
    let undisturbed = results(&out);
    std::fs::remove_dir_all(&out).unwrap();

    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut done = 0;
    for _ in 0..10 {
        let mut child = fantree(path, &arguments).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(random.gen_range(50..2500)));
        // It may have come to its end.
        child.kill().unwrap();
        child.wait().unwrap();
        let cases = journaled(&out);
        assert!(cases.values().all(|&lines| lines == 1), "{cases:?}");
        assert!(
            cases.len() >= done,
            "{} of {done} cases are left",
            cases.len()
        );
        done = cases.len();
        assert_whole(&out);
    }
    ends(fantree(path, &arguments), 1);
    assert_eq!(results(&out), undisturbed);
    assert_eq!(journaled(&out).len(), 7);
    assert_eq!(names(&out.join("failures")), ["bad-0"]);
    // Nothing is left to do, and that does not take long.
    let said = ends(fantree(path, &arguments), 1);
    assert!(said.starts_with("7 of 7 cases were done before"), "{said}");
}

/// How many whole lines the journal has of each case.
fn journaled(out: &Path) -> BTreeMap<String, usize> {
    let journal = std::fs::read_to_string(out.join("results.jsonl")).unwrap_or_default();
    let mut cases = BTreeMap::new();
    for line in journal.split_inclusive('\n').skip(1) {
        if line.ends_with('\n') {
            let record: Value = serde_json::from_str(line).unwrap();
            let case = record["case"].as_str().unwrap();
            *cases.entry(case.into()).or_default() += 1;
        }
    }
    cases
}

/// Whatever has a name that is not hidden is whole.
fn assert_whole(out: &Path) {
    let failures = out.join("failures");
    if !failures.exists() {
        return;
    }
    for name in names(&failures)
        .iter()
        .filter(|name| !name.starts_with('.'))
    {
        let case = std::fs::read_to_string(failures.join(name).join("case.toml")).unwrap();
        assert!(case.parse::<toml::Table>().is_ok(), "{name}");
        fantree_tb::wave::Wave::open(&failures.join(name).join("wave.fst")).unwrap();
    }
    for name in ["results.json"]
        .iter()
        .filter(|name| out.join(name).exists())
    {
        let text = std::fs::read_to_string(out.join(name)).unwrap();
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{name}");
    }
}

#[test]
fn a_failure_or_the_budget_can_end_a_regression() {
    let folder = folder();
    let path = folder.path();
    let plan = PLAN.replacen("[[test]]", "fail-fast = true\n[[test]]", 1);
    std::fs::write(path.join("plan.toml"), plan).unwrap();
    let regress = |more: &[&str]| {
        let common = ["regress", "plan.toml", "--jobs", "1"];
        fantree(path, &[&common[..], more].concat())
    };
    // Every case is given up when nothing happens for a cycle.
    let failing = [
        "--sim-option",
        "patience=1",
        "--sim-option",
        "incident=0@1:stop=3000",
    ];
    let said = ends(regress(&failing), 1);
    assert!(
        said.contains("7 cases: 0 passed, 1 failed, 6 not run"),
        "{said}"
    );
    assert!(said.contains("stopped by a failure"), "{said}");
    let said = ends(regress(&["--time-budget", "0", "--fresh"]), 0);
    assert!(
        said.contains("7 cases: 0 passed, 0 failed, 7 not run"),
        "{said}"
    );
    assert!(said.contains("stopped by the time budget"), "{said}");
}

/// Three ranks, one of which hands out the cases, come to the same results as threads.
#[test]
#[ignore = "takes mpirun, and a program that is built with --features mpi: make mpi-test"]
fn ranks_of_mpi_come_to_the_same_results() {
    let folder = folder();
    let path = folder.path();
    ends(fantree(path, &["regress", "plan.toml"]), 1);
    let out = path.join("build/regress");
    let alone = results(&out);
    std::fs::remove_dir_all(&out).unwrap();
    let mut mpirun = Command::new("mpirun");
    let program = PathBuf::from(cargo_bin!("fantree"));
    mpirun
        .args(["--allow-run-as-root", "--oversubscribe", "-n", "3"])
        .arg(program)
        .args(["regress", "plan.toml"])
        .current_dir(path)
        .env("FANTREE_CACHE", Path::new(ROOT).join("build/verilator"));
    let said = ends(mpirun, 1);
    assert!(
        said.contains("7 cases: 6 passed, 1 failed, 0 not run"),
        "{said}"
    );
    assert_eq!(results(&out), alone);
}
