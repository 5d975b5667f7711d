//! `fantree regress`: plans, failures, interruptions, as a user meets them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use fantree_gen::mutate::Kind;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use snapbox::cmd::cargo_bin;
use strum::IntoEnumIterator;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Passing cases, and one that is stuck: a receiver stops for longer than the bench waits.
const PLAN: &str = r#"
[[test]]
name = "good"
configs = ["small.toml"]
runs = 6
each = { routing = ["deterministic", "mixed"] }
any = { cycles = "200..=4000", multicast = [0.0, 0.2] }

[[test]]
name = "bad"
configs = ["small.toml"]
each = { cycles = 4000, incident = "0@300:stop=9000", interleave = true, pattern = "tornado", packet-flits = "1,2" }
"#;

/// A chip that compiles in seconds.
const SMALL: &str = "name = \"small\"
[router]
rows = 2
columns = 2
virtual_channels = 2
payload_bytes = 64
input_buffer_blocks = 8
private_blocks = 3
row_buffer_flits = 3
column_buffer_flits = 3
routing = { in_supernode_entries = 4, out_supernode_entries = 4 }
";

/// A folder with the plan and its chip.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    std::fs::write(folder.path().join("small.toml"), SMALL).unwrap();
    folder
}

/// The program in a folder, with the compiled models that other tests left.
fn fantree(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin!("fantree"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("FANTREE_CACHE", Path::new(ROOT).join("build/verilator"));
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command that ends with this exit code; gives what it prints.
#[track_caller]
fn ends(mut command: Command, code: i32) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().unwrap();
    let (stdout, stderr) = (text(&stdout), text(&stderr));
    assert_eq!(status.code(), Some(code), "{stdout}{stderr}");
    stdout
}

/// The results of a regression, without times.
fn results(out: &Path) -> Value {
    let text = std::fs::read_to_string(out.join("results.json")).unwrap();
    let mut results: Value = serde_json::from_str(&text).unwrap();
    results["seconds"].take();
    for case in results["cases"].as_array_mut().unwrap() {
        case["seconds"].take();
    }
    results
}

/// What a folder holds, by name.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = entries.map(|it| name(it).into_string().unwrap()).collect();
    names.sort();
    names
}

/// The first and the last time at which a wave has a clock edge, in cycles of two units.
fn traced_cycles(wave: &Path) -> (u64, u64) {
    let mut wave = fantree_tb::wave::Wave::open(wave).unwrap();
    let edges = wave.changes("TOP.bench.router.clock").unwrap();
    let cycle = |edge: Option<&(u64, String)>| edge.unwrap().0 / 2;
    (cycle(edges.first()), cycle(edges.last()))
}

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
