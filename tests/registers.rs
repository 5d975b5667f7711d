//! `fantree registers`: references and headers of a configuration, and the checked-in reference.

use std::process::Command;

const CHIP: &str = "configs/router-5x8.toml";

fn fantree() -> Command {
    Command::new(env!("CARGO_BIN_EXE_fantree"))
}

fn printed(format: &str) -> String {
    let output = fantree()
        .args(["registers", CHIP, "--format", format])
        .output();
    let output = output.expect("fantree runs");
    assert!(output.status.success(), "{format}");
    String::from_utf8(output.stdout).expect("it is text")
}

#[test]
fn the_reference_in_the_documents_is_that_of_the_sources() {
    let kept = std::fs::read_to_string("docs/registers.md").expect("it is there");
    assert_eq!(printed("markdown"), kept, "run scripts/regenerate.sh");
}

#[test]
fn every_format_has_every_register() {
    let json: serde_json::Value = serde_json::from_str(&printed("json")).expect("it is JSON");
    let groups = json["groups"].as_array().expect("groups").iter();
    let registers = groups.flat_map(|group| group["registers"].as_array().expect("registers"));
    let registers: Vec<(&str, Option<&str>)> = registers
        .map(|it| {
            (
                it["name"].as_str().expect("a name"),
                it["array"]["index"].as_str(),
            )
        })
        .collect();
    let has = |name| registers.iter().any(|(it, _)| *it == name);
    assert!(has("private_blocks") && has("offender.3"));
    for format in ["html", "c", "systemrdl"] {
        let text = printed(format).to_lowercase();
        for (name, index) in &registers {
            let spelled = match (format, index, name.split_once('.')) {
                ("html", Some(index), Some((name, word))) => format!("{name}[{index}].{word}"),
                ("html", Some(index), None) => format!("{name}[{index}]"),
                ("html", None, _) => name.to_string(),
                ("systemrdl", Some(_), Some((name, _))) => format!("}} {name}["),
                _ => name.replace('.', "_"),
            };
            assert!(text.contains(&spelled), "{spelled} in {format}");
        }
    }
}

#[test]
fn a_managed_chip_has_its_agents_registers_and_counters_that_clear() {
    let output = fantree()
        .args(["registers", "configs/router-2x2-managed.toml"])
        .output();
    let text = String::from_utf8(output.expect("fantree runs").stdout).expect("it is text");
    for row in [
        "| 0xc000 | lock | rw |",
        "| 0xc001 | refused | rc |",
        "| 0xc002 | identity | rw |",
        "| rx_packets[vc], vc < 2 | wc |",
    ] {
        assert!(text.contains(row), "{row}");
    }
    assert!(!printed("markdown").contains("| 0xc000 |"));
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("registers.h");
    let write = |config: &str| {
        let arguments = ["registers", config, "--format", "c", "--out"];
        fantree()
            .args(arguments)
            .arg(&file)
            .status()
            .expect("fantree runs")
            .code()
    };
    assert_eq!(write("tests/bad-configs/none.toml"), Some(1));
    assert!(!file.exists());
    assert_eq!(write(CHIP), Some(0));
    assert_eq!(
        std::fs::read_to_string(&file).expect("it is there"),
        printed("c")
    );
}
