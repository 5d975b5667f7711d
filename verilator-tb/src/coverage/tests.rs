//! Points, merging, folders, reports and what is wrong with them.

use std::path::{Path, PathBuf};

use super::*;

point! {
    /// How big it is.
    enum Size: "size" {
        Small = "small",
        Large = "large",
    }
}

point! {
    /// What it looks like.
    enum Colour: "colour" {
        Red = "red",
        Green = "green",
        Blue = "blue",
    }
}

group! {
    /// A thing that passes by.
    struct Thing: "thing" {
        size: Size,
        colour: Colour,
    }
    crosses {
        size, colour;
    }
    ignored {
        size: Size::Large, colour: Colour::Blue => "paint is dear";
    }
}

/// Counts of things.
fn things(samples: &[(Size, Colour, u64)]) -> Functional {
    let mut counter = Counter::<Thing>::default();
    for &(size, colour, times) in samples {
        counter.sample_times(Thing { size, colour }, times);
    }
    [counter.counts()].into_iter().collect()
}

/// A module with a register and a condition, under a module that is not of the design.
const VERILOG: &str = "module unit_8 (input a);
  always @(*) begin
    b = 0;
    if (a) begin
      b = 1;
    end
  end
endmodule
module top;
endmodule
";

/// Verilator's data of [`VERILOG`].
fn data(always: u64, taken: u64) -> String {
    [("block", "2-3", 2, always), ("if", "4-5", 4, taken), ("else", "", 4, always - taken)]
        .map(|(kind, lines, line, hits)| {
            let page = if kind == "block" { "v_line" } else { "v_branch" };
            let column = if kind == "else" { 6 } else { 5 };
            format!(
                "C '\u{1}f\u{2}x.v\u{1}l\u{2}{line}\u{1}n\u{2}{column}\u{1}page\u{2}{page}/unit_8\u{1}o\u{2}{kind}\u{1}S\u{2}{lines}' {hits}\n"
            )
        })
        .concat()
}

fn run(config: &str, functional: Functional, data: &str) -> Run {
    let is_design = |module: &str| module != "top";
    Run {
        config: config.into(),
        functional,
        lines: Lines::read(config, VERILOG, data, &is_design).unwrap(),
    }
}

fn merged(runs: &[&Run]) -> Merged {
    let mut merged = Merged::default();
    for run in runs {
        merged.add(run).unwrap();
    }
    merged
}

fn exclusions(text: &str) -> Exclusions {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    Exclusions::load(file.path()).unwrap()
}

/// Without the place of the file, which is a temporary one.
fn after_place(problem: &str) -> &str {
    problem.split_once(": ").unwrap().1
}

fn some_runs() -> [Run; 3] {
    [
        run("a", things(&[(Size::Small, Colour::Red, 2)]), &data(5, 0)),
        run(
            "b",
            things(&[
                (Size::Small, Colour::Red, 1),
                (Size::Large, Colour::Green, 4),
            ]),
            &data(1, 1),
        ),
        run("a", things(&[]), &data(9, 3)),
    ]
}

#[test]
fn merging_is_associative_and_in_any_order() {
    let [a, b, c] = &some_runs();
    let all = merged(&[a, b, c]);
    assert_eq!(merged(&[c, a, b]), all);

    let mut functional = b.functional.clone();
    functional.merge(&c.functional).unwrap();
    let mut lines = b.lines.clone();
    lines.merge(&c.lines);
    let mut last = a.clone();
    last.functional.merge(&functional).unwrap();
    last.lines.merge(&lines);
    assert_eq!((last.functional, last.lines), (all.functional, all.lines));
}

#[test]
fn a_report_counts_bins_and_leaves_out_ignored_ones() {
    let [a, b, c] = &some_runs();
    let report = Report::new(&merged(&[a, b, c]), &Exclusions::default());
    let group = &report.groups[0];
    assert_eq!(
        (group.name.as_str(), group.about.as_str()),
        ("thing", "A thing that passes by.")
    );
    let tallies: Vec<(&str, Tally)> = group
        .questions()
        .map(|it| (it.name.as_str(), it.tally()))
        .collect();
    let tally = |hit, all| Tally { hit, all };
    assert_eq!(
        tallies,
        [
            ("size", tally(2, 2)),
            ("colour", tally(2, 3)),
            ("size × colour", tally(2, 5))
        ]
    );
    assert_eq!(report.functional, tally(6, 10));
    let cross = &group.crosses[0];
    let missed: Vec<&str> = cross.missed().map(|bin| bin.name.as_str()).collect();
    assert_eq!(missed, ["small × green", "small × blue", "large × red"]);
    assert_eq!(cross.bins[0].count, 3);
    assert_eq!(cross.bins[5].ignored.as_deref(), Some("paint is dear"));
}

#[test]
fn what_is_ignored_must_not_be_seen() {
    let seen = run("a", things(&[(Size::Large, Colour::Blue, 7)]), &data(1, 1));
    let report = Report::new(&merged(&[&seen]), &Exclusions::default());
    assert_eq!(
        report.stale,
        ["thing: size × colour: `large × blue` is ignored (paint is dear), but was seen 7 times"]
    );
}

#[test]
fn other_definitions_are_not_merged() {
    let mut other = serde_json::to_value(things(&[])).unwrap();
    other[0]["definition"]["points"][0]["bins"][1] = "huge".into();
    let mut functional = things(&[(Size::Small, Colour::Red, 1)]);
    let before = functional.clone();
    let mismatch = functional
        .merge(&serde_json::from_value(other).unwrap())
        .unwrap_err();
    assert_eq!(
        mismatch.to_string(),
        "group `thing` has other points, bins or crosses than in the runs before: written by another version of fantree"
    );
    assert_eq!(functional, before);
}

#[test]
fn a_module_of_two_configurations_is_one() {
    let [a, b, _] = &some_runs();
    let report = Report::new(&merged(&[a, b]), &Exclusions::default());
    let [unit] = &report.units[..] else {
        panic!("{:?}", report.units);
    };
    assert_eq!((unit.name.as_str(), unit.modules), ("unit", 1));
    assert_eq!(unit.lines, Tally { hit: 4, all: 4 });
    assert_eq!(unit.branches, Tally { hit: 2, all: 2 });

    let alone = Report::new(&merged(&[a]), &Exclusions::default());
    assert_eq!(alone.lines, Tally { hit: 2, all: 4 });
    let missed = &alone.units[0].missed;
    assert_eq!(missed.len(), 1);
    assert_eq!(
        (missed[0].line, missed[0].text.as_str(), missed[0].lines),
        (4, "if (a) begin", 2)
    );
}

#[test]
fn an_excluded_block_is_not_counted() {
    let [a, ..] = &some_runs();
    let text = "[[exclude]]\nmodule = \"unit_#\"\ntext = \"b = 1;\"\nreason = \"never so\"";
    let report = Report::new(&merged(&[a]), &exclusions(text));
    assert_eq!(report.lines, Tally { hit: 2, all: 2 });
    assert_eq!(report.excluded.len(), 1);
    assert_eq!(report.excluded[0].reason, "never so");
    assert_eq!(
        report.problems(&Goals {
            lines: 100.0,
            functional: 0.0
        }),
        [""; 0]
    );
}

#[test]
fn missed_goals_and_stale_exclusions_are_told() {
    let [a, b, _] = &some_runs();
    let goals = Goals {
        lines: 75.0,
        functional: 90.0,
    };
    let report = Report::new(&merged(&[a]), &Exclusions::default());
    assert_eq!(
        report.problems(&goals),
        [
            "lines: 50.00 % (2 of 4), below 75 %",
            "functional: 30.00 % (3 of 10), below 90 %"
        ]
    );

    let text = "[[exclude]]\nmodule = \"unit_8\"\ntext = \"b = 1;\"\nreason = \"never so\"\n\
                [[exclude]]\nmodule = \"unit_8\"\ntext = \"c = 1;\"\nreason = \"gone\"";
    let report = Report::new(&merged(&[b]), &exclusions(text));
    let problems = report.problems(&Goals::default());
    assert_eq!(
        problems
            .iter()
            .map(|it| after_place(it))
            .collect::<Vec<_>>(),
        [
            "`b = 1;` of `unit_8` is excluded, but line 4 of `unit_8` ran",
            "`c = 1;` of `unit_8` is excluded, but no block has that line"
        ]
    );
}

/// Writes a run of `a`, and gives its folder.
fn written(folder: &Path) -> PathBuf {
    let lines = LineData {
        verilog: VERILOG.into(),
        top: "top",
        data: data(5, 0),
    };
    write(
        folder,
        "a",
        &things(&[(Size::Small, Colour::Red, 2)]),
        &lines,
    )
    .unwrap();
    folder.into()
}

#[test]
fn a_folder_is_read_as_it_was_written_and_counted_once() {
    let scratch = tempfile::tempdir().unwrap();
    let first = written(&scratch.path().join("runs/1"));
    written(&scratch.path().join("runs/2"));
    // A second time: it replaces the first.
    written(&first);
    assert_eq!(Run::read(&first).unwrap(), some_runs()[0]);

    let dirs = [first, scratch.path().join("runs")];
    let merged = merge(&dirs).unwrap();
    assert_eq!(merged.runs, 2);
    assert_eq!(merged.functional, things(&[(Size::Small, Colour::Red, 4)]));
}

#[test]
fn files_for_other_programs_name_each_other() {
    let [a, b, _] = &some_runs();
    let merged = merged(&[a, b]);
    let files = files(&merged, &Report::new(&merged, &Exclusions::default()));
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(
        names,
        [
            "coverage.info",
            "coverage.json",
            "manifest.json",
            "rtl/a/unit_8.v"
        ]
    );
    assert_eq!(
        files["coverage.info"],
        "TN:\nSF:rtl/a/unit_8.v\nDA:2,6\nDA:3,6\nDA:4,1\nDA:5,1\nLF:4\nLH:4\nend_of_record\n"
    );
    assert!(VERILOG.starts_with(&files["rtl/a/unit_8.v"]));
    let report: serde_json::Value = serde_json::from_str(&files["coverage.json"]).unwrap();
    assert_eq!(
        report["functional"],
        serde_json::json!({ "hit": 6, "all": 10 })
    );
}

#[test]
fn folders_without_coverage_or_with_broken_files_are_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let error = |dir: &Path| {
        let error = merge(&[dir.into()]).unwrap_err();
        error.to_string().replace(
            &scratch.path().canonicalize().unwrap().display().to_string(),
            "…",
        )
    };
    let empty = scratch.path().canonicalize().unwrap().join("empty");
    std::fs::create_dir(&empty).unwrap();
    assert_eq!(
        error(&empty),
        "no coverage in …/empty: `fantree sim --coverage DIR` writes it"
    );

    let dir = written(&scratch.path().join("run"));
    let break_file = |file: &str, right: &str, wrong: &str| {
        let path = dir.join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(right), "{text}");
        std::fs::write(&path, text.replacen(right, wrong, 1)).unwrap();
        let error = error(&dir);
        std::fs::write(&path, text).unwrap();
        error
    };
    assert_eq!(
        break_file("functional.json", "\"0\":2", "\"6\":2"),
        "…/run/functional.json: group `thing` has samples of no bin"
    );
    assert_eq!(
        break_file("functional.json", "[", ""),
        "…/run/functional.json: invalid type: map, expected a sequence at line 1 column 0"
    );
    assert_eq!(
        break_file("design.v", "module unit_8", "\nmodule unit_9"),
        "…/run/verilator.dat: line 2 of the Verilog is not in module `unit_8`, as the data say"
    );
}
