//! `fantree report`, from what the other commands leave to a page in a browser.

use std::path::{Path, PathBuf};
use std::process;

use snapbox::cmd::{cargo_bin, Command};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The program in a folder, with the compiled models that other tests left.
fn fantree(folder: &Path, arguments: &str) -> Command {
    Command::new(cargo_bin!("fantree"))
        .current_dir(folder)
        .env("FANTREE_CACHE", Path::new(ROOT).join("build/verilator"))
        .args(arguments.split_whitespace())
}

fn config() -> PathBuf {
    Path::new(ROOT).join("configs/router-2x2.toml")
}

/// What the program prints when all is well.
#[track_caller]
fn passes(command: Command) -> String {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

const JUNIT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="all" tests="2" failures="1" errors="0">
  <testsuite name="suite" tests="2" disabled="0" errors="0" failures="1">
    <testcase name="good"/>
    <testcase name="bad &lt;one&gt;"><failure type="test failure"/></testcase>
  </testsuite>
</testsuites>
"#;

const PLAN: &str = r#"
[unit.feature]
what = "It does what it says"
stage = "V1"
tests = ["suite good"]
"#;

const SYNTHESIS: &str = r#"{
  "format": 1, "config": "router-2x2", "yosys": "Yosys 0.23", "depth": 1,
  "blocks": [{"name": "tile", "hash": "0", "placed": {"megahertz": 81.5}, "mapped": [{"technology": "ecp5", "library": null, "area":
    {"module": "tile", "instances": 1, "whole": {"luts": 120}, "own": {"luts": 20}, "levels": 9, "parts":
      [{"module": "fifo", "instances": 2, "whole": {"luts": 100}, "own": {"luts": 100}, "levels": 5, "parts": []}]}}]}]
}"#;

/// A folder with something of everything, and its report.
fn everything(folder: &Path) -> String {
    let sweep = "sweep --pattern uniform,tornado --loads 0.2..0.8:0.3,1 --seeds 2 --cycles 400 --warmup 200 --resolution 0.1";
    passes(fantree(folder, sweep).arg(config()));
    let sim = "sim --load 0.4 --cycles 300 --json --coverage runs";
    let run = passes(fantree(folder, sim).arg(config()));
    std::fs::write(folder.join("run.json"), run).unwrap();
    passes(fantree(folder, "coverage runs"));
    std::fs::create_dir_all(folder.join("build/synth/router-2x2")).unwrap();
    for (file, text) in [
        ("build/synth/router-2x2/report.json", SYNTHESIS),
        (
            "build/synth/router-2x2/tile-ecp5.svg",
            "<svg viewBox=\"0 0 9 9\"><rect/></svg>",
        ),
        ("junit.xml", JUNIT),
        ("plan.toml", PLAN),
    ] {
        std::fs::write(folder.join(file), text).unwrap();
    }
    let command = fantree(
        folder,
        "report build run.json junit.xml plan.toml --out pages/report.html",
    );
    let text = passes(command);
    for line in [
        "     2 curves",
        "     1 single runs",
        "     2 tests",
        "report: pages/report.html",
    ] {
        assert!(text.lines().any(|it| it == line), "no {line} in {text}");
    }
    std::fs::read_to_string(folder.join("pages/report.html")).unwrap()
}

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

/// A script that the test adds to the page: it leaves what the browser made of it in the page's title.
const PROBE: &str = "<script>addEventListener('load', () => {
  document.querySelectorAll('details').forEach(it => it.open = true);
  const root = document.documentElement, out = [];
  if (root.scrollWidth > innerWidth) out.push('the page is ' + root.scrollWidth + ' wide');
  document.querySelectorAll('body *').forEach(it => {
    const box = it.getBoundingClientRect();
    if (!it.closest('.wide, pre, svg') && box.right > innerWidth + 1) out.push(it.tagName + ' ends at ' + box.right);
  });
  document.querySelectorAll('svg text').forEach(it => {
    const height = it.getBoundingClientRect().height;
    if (height && height < 11) out.push('text of ' + height + ' pixels: ' + it.textContent);
  });
  document.querySelectorAll('svg').forEach(svg => {
    const frame = svg.getBoundingClientRect();
    svg.querySelectorAll('text').forEach(it => {
      const box = it.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1) out.push('cut off: ' + it.textContent);
    });
  });
  const loaded = performance.getEntriesByType('resource').map(it => it.name);
  document.title = JSON.stringify({width: innerWidth, out, loaded});
});</script>";

/// What the probe finds in a window of a width. The window of a headless browser is never narrower than 500 pixels, so the
/// page is in a frame.
fn probed(folder: &Path, html: &str, width: usize) -> String {
    let page = folder.join("probed.html");
    std::fs::write(&page, html.replace("</head>", &format!("{PROBE}</head>"))).unwrap();
    let frame = folder.join("frame.html");
    let text = format!(
        "<iframe id=page src=probed.html style='width:{width}px;height:900px;border:0'></iframe>\
         <script>addEventListener('load', () => {{ document.title = page.contentDocument.title }})</script>"
    );
    std::fs::write(&frame, text).unwrap();
    let profile = folder.join("profile");
    let output = process::Command::new("chromium")
        .args("--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split(' '))
        .args("--disable-component-update --disable-sync --allow-file-access-from-files --window-size=1400,1000".split(' '))
        .args(["--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", frame.display()))
        .output()
        .expect("chromium");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let title = dom
        .split_once("<title>")
        .and_then(|(_, rest)| rest.split_once("</title>"));
    title
        .unwrap_or_else(|| panic!("no title in {dom}"))
        .0
        .replace("&amp;", "&")
}

#[test]
#[ignore = "needs chromium"]
fn in_a_browser_nothing_overflows_and_nothing_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let html = everything(folder.path());
    for width in [360, 1200] {
        let found = probed(folder.path(), &html, width);
        assert_eq!(
            found,
            format!("{{\"width\":{width},\"out\":[],\"loaded\":[]}}")
        );
    }
}
