//! Runs the tools that generated Verilog must please.

use fantree_gen::verilog::{emit, Design};
use rust_hdl::core::block::Block;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Emits a block and lets Verilator, Icarus and Yosys read it.
pub fn checked(block: &dyn Block, name: &str) -> Design {
    let design = emit(block, name).unwrap_or_else(|error| panic!("{error}"));
    lint(&design.to_verilog(), name);
    design
}

/// Fails unless every tool reads the text without a word, and Yosys finds no latch in it.
pub fn lint(verilog: &str, top: &str) {
    let folder = scratch(top);
    let file = folder.join(format!("{top}.v"));
    fs::write(&file, verilog).expect("the scratch folder is writable");
    let file = file.display().to_string();
    let silent = |program: &str, arguments: &[&str]| {
        let output = run(program, arguments);
        let said = said(&output);
        assert!(
            output.status.success() && said.trim().is_empty(),
            "{program} on {top}:\n{said}\n{verilog}"
        );
    };
    silent(
        "verilator",
        &[
            "--lint-only",
            "-Wall",
            "-Wno-DECLFILENAME",
            "--top-module",
            top,
            &file,
        ],
    );
    silent(
        "iverilog",
        &["-g2005", "-Wall", "-s", top, "-o", "/dev/null", &file],
    );
    let script = format!("read_verilog {file}; synth -top {top}; check -assert");
    let output = run("yosys", &["-p", &script]);
    let said = said(&output);
    let bad = |line: &&str| line.contains("Warning") || line.contains("Latch inferred");
    let found: Vec<&str> = said.lines().filter(bad).collect();
    assert!(
        output.status.success() && found.is_empty(),
        "yosys on {top}: {found:?}\n{verilog}"
    );
    let _ = fs::remove_dir_all(folder);
}

/// A folder of this test alone.
pub fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("fantree-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary folder is writable");
    folder
}

fn run(program: &str, arguments: &[&str]) -> Output {
    let output = Command::new(program).args(arguments).output();
    output.unwrap_or_else(|error| panic!("{program} must be installed: {error}"))
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}
