//! `fantree regress`: plans, failures, interruptions, as a user meets them.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use snapbox::cmd::cargo_bin;

mod failures;
mod plans;
mod runs;

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
