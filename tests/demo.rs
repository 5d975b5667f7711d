//! `fantree demo` and `fantree bench`, from a folder that has nothing to do with the project.

use std::path::Path;

use fantree_tb::traffic::Pattern;
use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The program in a folder, with the compiled models that other tests left.
fn fantree(folder: &Path) -> Command {
    Command::new(cargo_bin!("fantree"))
        .current_dir(folder)
        .env("FANTREE_CACHE", Path::new(ROOT).join("build/verilator"))
}

/// What a run that passes prints.
fn passes(command: Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

/// The numbers of a table's lines that begin with one, by columns.
fn table(text: &str) -> Vec<Vec<f64>> {
    let numbers = |line: &str| {
        line.split_whitespace()
            .map(|cell| cell.parse().ok())
            .collect::<Option<Vec<f64>>>()
    };
    text.lines()
        .filter_map(numbers)
        .filter(|row| !row.is_empty())
        .collect()
}

#[test]
fn the_demo_ends_with_a_table_a_report_and_a_wave() {
    let folder = tempfile::tempdir().unwrap();
    let demo = || fantree(folder.path()).arg("demo");
    let text = passes(demo());
    let rows = table(&text);
    assert_eq!(rows.len(), 5, "{text}");
    for (row, load) in rows.iter().zip([0.1, 0.3, 0.5, 0.7, 0.9]) {
        let [offered, accepted, mean, p50, p99, max, fairness, packets, lost, _speed] = row[..]
        else {
            panic!("{row:?}");
        };
        assert!((offered - load).abs() < 0.03, "offered {offered} at {load}");
        assert!(
            (accepted - offered).abs() < 0.15,
            "accepted {accepted} of {offered}"
        );
        assert!(
            p50 <= p99 && p99 <= max && 9.0 < mean && mean < max,
            "{row:?}"
        );
        assert!(
            0.5 < fairness && fairness <= 1.0 && packets > 500.0,
            "{row:?}"
        );
        assert_eq!(lost, 0.0);
    }

    let out = folder.path().join("build/demo");
    let read = |file: &str| std::fs::read_to_string(out.join(file)).unwrap();
    let report = read("report.html");
    // Three plots of the loads; of one run a histogram, the sources, the buffers and five maps.
    assert_eq!(report.matches("<svg").count(), 3 + 3 + 5);
    for load in ["0.1", "0.3", "0.5", "0.7", "0.9"] {
        let cell = format!("<tr><td>{load}</td>");
        assert_eq!(
            report.matches(&cell).count(),
            3,
            "{cell} is in all three tables"
        );
    }
    assert!(read("verilog/files.f").contains("rtl/router.v"));
    assert!(read("wave.gtkw").contains("-port 7: row 3, column 1"));
    assert!(fantree_tb::wave::Wave::open(&out.join("wave.fst")).is_ok());

    // The second time, only the simulation is done again, with the same outcome.
    let again = passes(demo());
    assert!(again.contains("clean, before"), "{again}");
    let without_speed = |rows: Vec<Vec<f64>>| {
        rows.into_iter()
            .map(|row| row[..9].to_vec())
            .collect::<Vec<_>>()
    };
    assert_eq!(without_speed(table(&again)), without_speed(rows));
    assert_eq!(read("report.html"), report);
}

#[test]
fn a_demo_that_cannot_write_says_where() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("build"), "a file").unwrap();
    let command = fantree(folder.path()).arg("demo");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.starts_with("error: ") && text.contains("build/demo"),
        "{text}"
    );
}

#[test]
fn the_bench_measures_and_keeps_its_figures() {
    let folder = tempfile::tempdir().unwrap();
    let config = Path::new(ROOT).join("configs/router-2x2.toml");
    let parts = ["measurements", "saturation", "curves"];
    let empty =
        parts.map(|part| format!("{part}:\n<!-- fantree bench: {part} -->\n<!-- end -->\n"));
    let page = folder.path().join("page.md");
    std::fs::write(&page, empty.concat()).unwrap();
    let command = fantree(folder.path())
        .arg("bench")
        .arg(config)
        .args(["--cycles", "500", "--json", "--curves", "--page", "page.md"]);
    let figures: Value = serde_json::from_str(&passes(command)).unwrap();
    let number = |name: &str| {
        figures[name]
            .as_f64()
            .unwrap_or_else(|| panic!("no {name} in {figures}"))
    };
    assert_eq!(figures["config"], "router-2x2");
    assert_eq!((number("cycles"), number("seed")), (500.0, 1.0));
    let measured = |name: &str| {
        let all = figures["measurements"].as_array().expect("a list");
        let one = all.iter().find(|one| one["name"] == name);
        let value = one.and_then(|one| one["value"].as_f64());
        value.unwrap_or_else(|| panic!("no {name} in {figures}"))
    };
    assert!((0.9..=1.0).contains(&measured("accepted, uniform")));
    assert!((0.9..=1.0).contains(&measured("accepted, tornado")));
    assert_eq!(measured("head through the idle chip"), 6.0);
    assert!((0.9..=1.0).contains(&measured("slowest over fastest source, all to one")));
    assert!(
        number("instances") > number("modules") && number("modules") > 10.0,
        "{figures}"
    );
    for name in [
        "generate_seconds",
        "verilog_lines",
        "cpp_bytes",
        "model_bytes",
    ] {
        assert!(number(name) > 0.0, "{name} in {figures}");
    }
    for name in [
        "simulation at full load",
        "from Verilog to a compiled model",
    ] {
        assert!(measured(name) > 0.0, "{name} in {figures}");
    }
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let saturation = list(&figures["saturation"]);
    let channels: Vec<_> = saturation
        .iter()
        .map(|it| &it["virtual_channels"])
        .collect();
    assert_eq!(channels, [1, 2, 4]);
    for one in saturation.iter().flat_map(|it| list(&it["accepted"])) {
        let accepted = one["flits_a_cycle"].as_f64().unwrap();
        assert!((0.6..=1.0).contains(&accepted), "{one} in {figures}");
    }
    assert_eq!(list(&figures["curves"]).len(), Pattern::ALL.len());
    assert!(list(&figures["curves"])
        .iter()
        .all(|it| list(&it["points"]).len() == 10));

    // How wide the columns of its tables are is nobody's business: only what stands in them.
    let page = std::fs::read_to_string(page).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let uniform = format!(
        "| accepted, uniform | {:.4} |",
        measured("accepted, uniform")
    );
    for text in [
        &uniform,
        "| 1 | 0.",
        "![mean latency: uniform, permutation, complement, tornado](curves/mean-1.svg)",
    ] {
        assert!(page.contains(text), "no {text} in {page}");
    }
    for name in ["curves/p99-3.svg", "curves/curves.csv"] {
        assert!(
            folder
                .path()
                .join(name)
                .metadata()
                .is_ok_and(|it| it.len() > 1000),
            "{name}"
        );
    }
    let kept = std::fs::read_to_string(folder.path().join("build/bench/router-2x2.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), figures);
}
