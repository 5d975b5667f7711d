//! Plans, what is wrong with them, and the cases that they come to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Command};

use super::*;

/// A simulator that knows a few options, and takes `pattern` only on square arrays.
fn simulator() -> Simulator {
    let number = |name: &'static str| {
        let argument = Arg::new(name).long(name).help(format!("Number of {name}."));
        argument.value_parser(clap::value_parser!(u64))
    };
    let command = Command::new("sim")
        .arg(Arg::new("config").required(true))
        .arg(number("cycles").default_value("5000"))
        .arg(number("seed"))
        .arg(
            Arg::new("pattern")
                .long("pattern")
                .value_parser(["uniform", "transpose"]),
        )
        .arg(Arg::new("lengths").long("lengths"))
        .arg(Arg::new("bursty").long("bursty").action(ArgAction::SetTrue));
    Simulator::new("fantree".into(), command, |config, matches| {
        let transpose = matches
            .get_one("pattern")
            .is_some_and(|it: &String| it == "transpose");
        let square = config.router.rows == config.router.columns;
        anyhow::ensure!(!transpose || square, "transpose is for square arrays");
        Ok(())
    })
}

/// A folder with two chips.
fn chips() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, columns) in [("square", 2), ("wide", 3)] {
        let text = format!("name = \"{name}\"\n[router]\nrows = 2\ncolumns = {columns}\n");
        std::fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    }
    std::fs::write(folder.path().join("broken.toml"), "name = \"broken\"\n").unwrap();
    folder
}

fn parse(text: &str) -> Result<Plan, fantree_gen::config::Invalid> {
    let folder = chips();
    Plan::parse("plan.toml", text, folder.path(), &simulator())
}

/// The cases of a plan, as commands without their folder.
fn commands(text: &str, seed: u64) -> Vec<String> {
    let shape = Shape {
        seed,
        ..Shape::default()
    };
    let cases = cases(&parse(text).unwrap(), &shape, &simulator()).unwrap();
    let command = |case: Case| {
        let file = PathBuf::from(case.config.file_name().unwrap());
        case.settings.command(&file).replace("fantree sim ", "")
    };
    cases.into_iter().map(command).collect()
}

#[test]
fn a_wrong_plan_is_refused_at_its_place() {
    let test =
        |lines: &str| format!("[[test]]\nname = \"a\"\nconfigs = [\"square.toml\"]\n{lines}");
    let several = format!("{}{}", test(""), test(""));
    for (text, first_line) in [
        ("", "1:1: error: `test` is missing; legal is [[test]] tables"),
        ("timeout = 0\ntest = []", "1:11: error: `timeout` is 0; legal is 1 to 604800"),
        ("fail-fast = 1\ntest = []", "1:13: error: `fail-fast` is 1, of type integer instead of boolean; legal is true or false"),
        ("time_budget = 5\ntest = []", "1:1: error: `time_budget` is not a field"),
        ("[coverage]\nlines = 101\n[[test]]", "2:9: error: `coverage.lines` is 101; legal is 0 to 100"),
        ("[[test]]\nname = \"a b\"\nconfigs = [\"square.toml\"]", "2:8: error: `test.name` is \"a b\"; legal is letters, digits and `-`"),
        (&several, "5:8: error: `test.name` is \"a\"; legal is a name that no other test has"),
        ("[[test]]\nname = \"a\"", "1:1: error: `test.configs` is missing; legal is a list of configuration files"),
        ("[[test]]\nname = \"a\"\nconfigs = [\"broken.toml\"]", "3:12: error: `test.configs` is \"broken.toml\"; legal is a configuration that `fantree config check` passes"),
        (&test("runs = 2\nseeds = 1"), "4:8: error: `test.runs` is 2; legal is one of `seeds` and `runs`, not both"),
        (&test("seeds = []"), "4:9: error: `test.seeds` is []; legal is how many, or a list of seeds"),
        (&test("each = { cycels = 5 }"), "4:10: error: `test.each.cycels` is not a field"),
        (&test("each = { seed = 5 }"), "4:10: error: `test.each.seed` is not a field"),
        (&test("each = { cycles = [1, \"many\"] }"), "4:23: error: `test.each.cycles` is \"many\"; legal is a whole number from 0"),
        (&test("each = { pattern = \"unifrom\" }"), "4:20: error: `test.each.pattern` is \"unifrom\"; legal is uniform, transpose"),
        (&test("any = { bursty = 1 }"), "4:18: error: `test.any.bursty` is 1; legal is true or false"),
        (&test("any = { cycles = \"9..=1\" }"), "4:18: error: `test.any.cycles` is \"9..=1\"; legal is FROM..=TO, two whole numbers of which TO is not the less"),
        (&test("any = { lengths = \"{long}\" }"), "4:19: error: `test.any.lengths` is \"{long}\"; legal is text in which only {ports}, {channels}, {longest}, {multicast}, {candidates} stand in braces"),
        ("timeout = 5\ntimeout = 6", "2:1: error: duplicate key"),
    ] {
        let error = parse(text).map(|_| ()).unwrap_err().to_string();
        let line = error.lines().next().unwrap();
        assert_eq!(line, format!("plan.toml:{first_line}"), "{text}\n{error}");
    }
}

#[test]
fn all_problems_are_told_at_once_and_what_an_option_is_for() {
    let text = "timeout = 0\n[[test]]\nname = \"\"\nconfigs = [\"square.toml\"]\neach = { cycles = -1, cycle = 2 }";
    let error = parse(text).unwrap_err().to_string();
    assert!(error.ends_with("plan.toml: 4 errors"), "{error}");
    assert!(error.contains("= help: Number of cycles."), "{error}");
    assert!(error.contains("= help: did you mean `cycles`?"), "{error}");
}

#[test]
fn each_is_crossed_on_every_chip_that_takes_it() {
    let text = "[options]\ncycles = 9\n[[test]]\nname = \"a\"\nconfigs = [\"square.toml\", \"wide.toml\"]\nseeds = 2\n\
                each = { pattern = [\"uniform\", \"transpose\"] }";
    assert_eq!(
        commands(text, 5),
        [
            "square.toml --cycles 9 --pattern uniform --seed 5",
            "square.toml --cycles 9 --pattern uniform --seed 6",
            "wide.toml --cycles 9 --pattern uniform --seed 5",
            "wide.toml --cycles 9 --pattern uniform --seed 6",
            "square.toml --cycles 9 --pattern transpose --seed 5",
            "square.toml --cycles 9 --pattern transpose --seed 6",
        ]
    );
}

#[test]
fn a_combination_that_no_chip_takes_is_an_error_of_its_test() {
    let text =
        "[[test]]\nname = \"a\"\nconfigs = [\"wide.toml\"]\neach = { pattern = \"transpose\" }";
    let plan = parse(text).unwrap();
    let error = cases(&plan, &Shape::default(), &simulator()).unwrap_err();
    let error = error.to_string();
    let (place, rest) = error.lines().next().unwrap().split_once(" takes ").unwrap();
    assert_eq!(place, "plan.toml:2:8: error: no configuration of the test");
    assert!(
        rest.ends_with("wide.toml --pattern transpose: transpose is for square arrays"),
        "{rest}"
    );
}

#[test]
fn runs_go_through_combinations_and_chips_in_turn_and_draw_the_rest() {
    let text = "[[test]]\nname = \"a\"\nconfigs = [\"square.toml\", \"wide.toml\"]\nruns = 8\n\
                each = { pattern = [\"uniform\", \"transpose\"], bursty = [true, false] }\n\
                any = { cycles = \"1..=1000\", lengths = [\"1\", \"{longest}\"] }";
    let first = commands(text, 1);
    let kinds: BTreeSet<(bool, bool)> = first
        .iter()
        .map(|command| (command.contains("transpose"), command.contains("--bursty")))
        .collect();
    assert_eq!(kinds.len(), 4);
    for file in ["square", "wide"] {
        let of_file = |it: &&String| it.starts_with(file) && it.contains("uniform");
        assert_eq!(first.iter().filter(of_file).count(), 2, "{first:#?}");
    }
    let drawn: BTreeSet<&str> = first
        .iter()
        .map(|it| it.split("--cycles ").nth(1).unwrap())
        .collect();
    assert_eq!(drawn.len(), 8);
    assert!(first.iter().any(|it| it.contains("--lengths 69")));
    // The same seed, the same cases; the next seed is the next case.
    assert_eq!(commands(text, 1), first);
    let draws = |command: &String| command.split("--cycles").nth(1).map(String::from);
    assert_eq!(draws(&commands(text, 2)[0]), draws(&first[1]));
}

#[test]
fn an_option_of_the_command_line_is_above_the_plan() {
    let text = "[[test]]\nname = \"a\"\nconfigs = [\"square.toml\"]\nany = { cycles = [1, 2] }";
    let shape = Shape {
        seed: 1,
        options: [("cycles".to_string(), "77".to_string())].into(),
    };
    let cases = cases(&parse(text).unwrap(), &shape, &simulator()).unwrap();
    assert_eq!(cases[0].settings.number("cycles"), Some(77));
}

#[test]
fn a_file_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.json");
    write_whole(&path, "one").unwrap();
    write_whole(&path, "two").unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(write_whole(Path::new("/nowhere/a.json"), "").is_err());
}
