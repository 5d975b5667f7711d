//! `fantree trace`: lives of packets, as they are told.

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command};
use snapbox::{assert_data_eq, file};

/// A run in which packets are much in each other's way.
const RUN: &str =
    "trace configs/router-2x2.toml --load 0.9 --packet-flits 1,4,20 --multicast 0.2 --no-route 0.1";

fn fantree(arguments: &str) -> Output {
    let command = Command::new(cargo_bin!("fantree")).current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(arguments.split(' ')).output().unwrap()
}

/// What the run tells with more arguments; its wave is left in a folder.
fn told(folder: &Path, more: &str) -> String {
    let output = fantree(&format!("{RUN} --out {}{more}", folder.display()));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Without the lines that name the wave and the command.
fn life(text: &str) -> String {
    let is_footer = |line: &&str| line.starts_with("  wave ") || line.starts_with("  repeat ");
    let lines = text.lines().filter(|line| !is_footer(line));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn lives_are_told_in_words() {
    let scratch = tempfile::tempdir().unwrap();
    for (packet, expected) in [
        (60, file!["trace/dropped.txt"]),
        (65, file!["trace/multicast.txt"]),
        (66, file!["trace/waiting.txt"]),
    ] {
        let text = told(scratch.path(), &format!(" --packet {packet}"));
        assert!(text.contains("repeat with: fantree trace"), "{text}");
        assert_data_eq!(life(&text), expected.raw());
    }
}

#[test]
fn the_slowest_packets_come_first_and_json_has_all() {
    let scratch = tempfile::tempdir().unwrap();
    let all: Vec<Value> = serde_json::from_str(&told(scratch.path(), " --json")).unwrap();
    let slowest: Vec<Value> =
        serde_json::from_str(&told(scratch.path(), " --json --slowest 3")).unwrap();
    let latency = |it: &Value| it["latency"].as_u64();
    let mut latencies: Vec<u64> = all.iter().filter_map(latency).collect();
    latencies.sort_unstable_by(|a, b| b.cmp(a));
    let found: Vec<u64> = slowest.iter().filter_map(latency).collect();
    assert_eq!(found, latencies[..3]);

    let id = slowest[0]["id"].as_u64().unwrap();
    let text = told(scratch.path(), &format!(" --json --packet {id}"));
    let packet: Value = serde_json::from_str(&text).unwrap();
    for field in ["id", "from", "to", "injected", "arrived", "latency", "fate"] {
        assert_eq!(packet[field], slowest[0][field], "{field}");
    }
    let events = packet["events"].as_array().unwrap();
    assert_eq!(events[0]["event"], "injected");
    assert_eq!(events[0]["cycle"], packet["injected"]);
    let last = events.last().unwrap();
    assert_eq!(
        (&last["event"], &last["unit"]),
        (&"arrived".into(), &"link-out".into())
    );
    assert_eq!(last["cycle"], packet["arrived"]);
}

#[test]
fn a_wave_that_is_there_is_followed_without_a_run() {
    let scratch = tempfile::tempdir().unwrap();
    let whole = told(scratch.path(), " --packet 66");
    let wave = scratch.path().join("wave.fst");
    let from = |more: &str| {
        let wave = wave.display();
        fantree(&format!(
            "trace configs/router-2x2.toml --from {wave}{more}"
        ))
    };
    // The queues of the sources are not in the wave.
    let again = String::from_utf8(from(" --packet 66").stdout).unwrap();
    let events = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.contains("  tile "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(events(&again), events(&whole));
    let cut = String::from_utf8(from(" --packet 66 --until 450").stdout).unwrap();
    assert!(cut.contains("on its way: tile 0,1 column channel"), "{cut}");

    let output = from(" --packet 999");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("there is no packet 999: they are 0 to "),
        "{errors}"
    );
}
