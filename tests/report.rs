//! `fantree report`, from what the other commands leave to a page.

mod reported;

use reported::{everything, fantree, passes};

#[test]
fn a_report_has_everything_that_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let html = everything(folder.path());
    for text in [
        "Mean latency: router-2x2 (uniform, tornado)",
        "Saturation points",
        "<h3>router-2x2: uniform at ",
        "99.9th percentile",
        "<h4>Stalled</h4>",
        "Coverage of 1 runs of router-2x2",
        "<td>suite</td><td>bad &lt;one&gt;</td>",
        "<td>unit/feature</td><td>It does what it says</td><td>V1</td><td>1</td><td>passed</td>",
        "<td>· fifo</td><td>2</td><td>100</td><td>5</td>",
        "tile: 81.5 MHz, placed and routed.",
    ] {
        assert!(html.contains(text), "no {text}");
    }
    // Three plots of the sweep; of each of three runs a histogram, the sources, the buffers and five maps; the area.
    assert_eq!(html.matches("<svg").count(), 3 + 3 * (3 + 5) + 1);
    assert_eq!(
        html.matches("<svg").count(),
        html.matches("</title><desc>").count()
    );
    let tables = html.matches("<table>").count();
    assert_eq!(html.matches("href=\"data:text/csv").count(), tables);
    assert!(!html.contains("Nothing was found"));

    // The same files give the same page.
    let again = fantree(
        folder.path(),
        "report build run.json junit.xml plan.toml --out pages/report.html",
    );
    passes(again);
    let page = std::fs::read_to_string(folder.path().join("pages/report.html")).unwrap();
    assert_eq!(page, html);
    assert_eq!(
        std::fs::read_dir(folder.path().join("pages"))
            .unwrap()
            .count(),
        1
    );
}

/// Compiled models have a file of such a name, too: they are where all other results are.
#[test]
fn other_files_in_a_folder_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("build/verilator/0123456789abcdef");
    std::fs::create_dir_all(&model).unwrap();
    std::fs::write(model.join("report.json"), "{\"build_seconds\": 1.5}").unwrap();
    passes(fantree(folder.path(), "report"));
}

#[test]
fn a_section_without_data_says_what_makes_it() {
    let folder = tempfile::tempdir().unwrap();
    passes(fantree(folder.path(), "report"));
    let html = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert_eq!(html.matches("Nothing was found. This makes it:").count(), 7);
    for command in [
        "fantree sweep",
        "fantree coverage",
        "fantree regress",
        "fantree synth",
    ] {
        assert!(
            html.contains(&format!("<pre>{command}")) || html.contains(command),
            "{command}"
        );
    }
}

#[test]
fn what_is_wrong_is_told_and_the_page_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::create_dir(folder.join("folder")).unwrap();
    for (file, text) in [
        ("report.html", "the page of yesterday"),
        ("broken.json", "{"),
        ("other.json", "{\"a\": 1}"),
        (
            "newer.json",
            "{\"format\": \"fantree-sweep/2\", \"curves\": []}",
        ),
        ("older.json", "{\"config\": \"a\", \"by_port\": []}"),
        (
            "half.json",
            "{\"format\": \"fantree-sweep/1\", \"curves\": [{}]}",
        ),
        (
            "synth.json",
            "{\"format\": 9, \"yosys\": \"\", \"blocks\": []}",
        ),
        ("broken.xml", "<testsuites"),
        ("broken.toml", "[a"),
        ("text.txt", "text"),
    ] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    for (arguments, message) in [
        ("none.json", "cannot report none.json"),
        ("nowhere", "cannot report nowhere: it is no JSON (.json), JUnit (.xml) or test plan (.toml)"),
        ("broken.json", "cannot report broken.json: it is broken JSON"),
        ("other.json", "it is JSON of none of `fantree sweep`, `sim --json`, `coverage` and `synth`"),
        (
            "newer.json",
            "it has the format `fantree-sweep/2`, and this program reads `fantree-sweep/1`: measure again by `fantree sweep`",
        ),
        ("older.json", "another version of fantree wrote it: repeat `fantree sim --json`"),
        ("half.json", "another version of fantree wrote it: repeat `fantree sweep`"),
        ("synth.json", "another version of fantree wrote it"),
        ("broken.xml", "broken.xml is no JUnit report"),
        ("broken.toml", "broken.toml is no test plan"),
        ("text.txt", "it is no JSON (.json), JUnit (.xml) or test plan (.toml)"),
        ("folder --out folder", "folder is a folder, not a file"),
    ] {
        let output = fantree(folder, &format!("report {arguments}")).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments}: {text}");
        assert!(text.contains(message), "{arguments}: {text}");
    }
    let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
    assert_eq!(page, "the page of yesterday");
}
