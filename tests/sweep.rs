//! `fantree sweep` on a small router.

use std::path::{Path, PathBuf};

use fantree_tb::sweep::Sweep;
use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The program in a folder, with the compiled models that other tests left.
fn sweep(folder: &Path, arguments: &str) -> Command {
    Command::new(cargo_bin!("fantree"))
        .current_dir(folder)
        .env("FANTREE_CACHE", Path::new(ROOT).join("build/verilator"))
        .arg("sweep")
        .args(arguments.split_whitespace())
}

fn config(name: &str) -> PathBuf {
    Path::new(ROOT).join("configs").join(name)
}

/// What a sweep of the smallest router gives.
fn of_2x2(folder: &Path, arguments: &str) -> Sweep {
    let config = config("router-2x2.toml");
    let command = sweep(folder, arguments).arg(config).arg("--json");
    let output = command.assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn read(folder: &Path, file: &str) -> String {
    let path = folder.join("build/sweep/router-2x2").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_sweep_gives_curves_with_confidence_and_saturation_points() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let arguments =
        "--pattern uniform,all-to-one --loads 0.1..0.5:0.2,1 --seeds 3 --cycles 600 --warmup 300";
    let sweep = of_2x2(folder, arguments);
    let patterns: Vec<&str> = sweep.curves.iter().map(|it| &*it.pattern).collect();
    assert_eq!(patterns, ["uniform", "all-to-one"]);
    for curve in &sweep.curves {
        let loads: Vec<f64> = curve.points.iter().map(|point| point.load).collect();
        assert_eq!(loads, [0.1, 0.3, 0.5, 1.0], "{}", curve.pattern);
        // Six cycles of the head, and the three flits behind it.
        assert_eq!(curve.zero_load, Some(9.0), "{}", curve.pattern);
    }
    let [uniform, all_to_one] = &sweep.curves[..] else {
        panic!("{patterns:?}")
    };
    for point in &uniform.points {
        let load = point.load;
        let near = |value: f64| (value - load).abs() < 0.08;
        assert!(
            near(point.offered.mean) && near(point.accepted.mean),
            "{point:?}"
        );
        assert!(
            point.mean.unwrap().margin.is_some_and(|it| it > 0.0),
            "{point:?}"
        );
        assert!(!point.saturated || load == 1.0, "{point:?}");
        let detail = &point.detail;
        let mean = detail.by_port.iter().map(|port| port.accepted).sum::<f64>() / 4.0;
        assert!((mean - point.accepted.mean).abs() < 0.05, "{point:?}");
        assert!(detail.occupancy.samples.len() == 100 && !detail.latency_bins.is_empty());
    }
    let means: Vec<f64> = uniform
        .points
        .iter()
        .map(|it| it.mean.unwrap().mean)
        .collect();
    assert!(means.is_sorted() && means[0] >= 9.0, "{means:?}");

    // Of four ports that send to one, each gets a quarter.
    let saturation = |index: usize| sweep.curves[index].saturation.as_ref().unwrap();
    let quarter = saturation(1);
    assert_eq!(quarter.by_seed.len(), 3);
    assert!((0.2..0.28).contains(&quarter.load.mean), "{quarter:?}");
    assert!(saturation(0).load.mean > 0.7, "{:?}", saturation(0));
    let saturated: Vec<bool> = all_to_one.points.iter().map(|it| it.saturated).collect();
    assert_eq!(saturated, [false, true, true, true]);
    let to_the_port = &all_to_one.points[3].detail.by_port;
    assert!(
        to_the_port[0].busy > 0.9 && to_the_port[1].busy == 0.0,
        "{to_the_port:?}"
    );
    assert!(
        to_the_port.iter().all(|port| port.stalled > 0.05),
        "{to_the_port:?}"
    );

    let kept: Sweep = serde_json::from_str(&read(folder, "sweep.json")).unwrap();
    assert_eq!(kept, sweep);
    let rows = |file| read(folder, file).lines().count();
    assert_eq!((rows("points.csv"), rows("saturation.csv")), (1 + 8, 1 + 2));

    // The order in which the cores come to the runs makes no difference.
    assert_eq!(of_2x2(folder, arguments), sweep);
}

/// Whatever the seeds: the intervals that they give for the saturation point overlap, to the step of the search.
#[test]
fn the_saturation_point_is_stable_over_seeds() {
    const STEP: f64 = 0.02;
    let folder = tempfile::tempdir().unwrap();
    let found = |seed: u32| {
        let arguments = format!(
            "--loads 0.1 --seeds 4 --seed {seed} --cycles 1500 --warmup 500 --resolution {STEP} --shortfall 0.04"
        );
        let sweep = of_2x2(folder.path(), &arguments);
        sweep.curves[0].saturation.clone().unwrap()
    };
    let (first, second) = (found(1), found(1001));
    let ((low, high), (other_low, other_high)) = (first.load.interval(), second.load.interval());
    assert!(
        low - STEP <= other_high && other_low - STEP <= high,
        "{first:?}, {second:?}"
    );
    assert!(high - low < 0.2, "{first:?}");
}

#[test]
fn what_is_wrong_is_told_before_anything_is_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let config = config("router-2x2.toml");
    let config = config.to_str().unwrap();
    for (arguments, code, message) in [
        ("", 2, "the following required arguments were not provided"),
        ("none.toml", 1, "none.toml"),
        (
            "CONFIG --loads 0.5..2:0.1",
            2,
            "load `2` is not legal: flits a cycle a port, above 0 and at most 1",
        ),
        (
            "CONFIG --loads 0.5..0.9",
            2,
            "`0.5..0.9` is not a range of loads: write FROM..TO:STEP, such as 0.1..1.0:0.1",
        ),
        (
            "CONFIG --pattern uniform,nowhere",
            2,
            "there is no pattern `nowhere`",
        ),
        (
            "CONFIG --pattern all-to-one:9",
            1,
            "pattern all-to-one:9 names port 9; legal are 0 to 3",
        ),
        ("CONFIG --seeds 0", 2, "0 is not in 1..=1000"),
        (
            "CONFIG --cycles 0",
            1,
            "a measurement of 0 cycles is not legal: at least 1",
        ),
        (
            "CONFIG --shortfall 1",
            1,
            "a shortfall of 1 is not legal: above 0 and below 1",
        ),
        (
            "CONFIG --latency-factor 1",
            1,
            "1 times the latency without load is not legal: above 1",
        ),
        (
            "CONFIG --resolution 0",
            1,
            "a resolution of 0 is not legal: 0.001 to 0.5",
        ),
        (
            "CONFIG CONFIG",
            1,
            "another configuration is named `router-2x2`, too",
        ),
    ] {
        let arguments = arguments.replace("CONFIG", config);
        let output = sweep(folder.path(), &arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments}: {text}");
        assert!(text.contains(message), "{arguments}: {text}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine"), "a file").unwrap();
    let arguments = "--loads 0.1 --seeds 1 --cycles 100 --no-search --out .";
    let command = sweep(folder.path(), arguments).arg(config("router-2x2.toml"));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("is not a folder that fantree wrote"),
        "{text}"
    );
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
}

/// The table on the screen has what the file has.
#[test]
fn the_table_names_every_curve() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--pattern tornado --loads 0.25 --seeds 2 --cycles 300 --no-search";
    let command = sweep(folder.path(), arguments).arg(config("router-2x2.toml"));
    let output = command.assert().success().get_output().stdout.clone();
    let text = String::from_utf8(output).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(
        words.join(" ").contains("router-2x2 tornado 0.25 0."),
        "{text}"
    );
    assert!(!text.contains("saturates above"), "{text}");
    let json: Value = serde_json::from_str(&read(folder.path(), "sweep.json")).unwrap();
    let command = json["command"].as_str().unwrap();
    assert!(text.contains(&format!("repeat with: {command}")), "{text}");
    assert!(command.ends_with("--no-search"), "{command}");
}
