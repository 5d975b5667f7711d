//! `fantree generate` and `fantree lint`, as a user meets them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command};

/// The command line, with the workspace's configurations and a scratch folder to run in.
fn fantree(scratch: &Path) -> Command {
    Command::new(cargo_bin!("fantree")).current_dir(scratch)
}

fn configuration(name: &str) -> String {
    format!("{}/configs/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder with their texts, by path.
fn read(dir: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().to_str().unwrap().to_owned();
                files.insert(name, std::fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn a_folder_has_each_module_once_and_a_manifest_of_them() {
    let scratch = tempfile::tempdir().unwrap();
    fantree(scratch.path())
        .args(["generate", &configuration("router-2x2")])
        .assert()
        .success();
    let files = read(&scratch.path().join("build/router-2x2"));

    let manifest: Value = serde_json::from_str(&files["manifest.json"]).unwrap();
    assert_eq!(manifest["top"], "router");
    assert_eq!(manifest["parameters"]["router"]["rows"], 2);
    let listed: Vec<&str> = files["files.f"].lines().skip(1).collect();
    let modules = manifest["modules"].as_array().unwrap();
    assert_eq!(listed.len(), modules.len());
    for (module, path) in modules.iter().zip(listed) {
        assert_eq!(module["file"], path);
        let name = module["name"].as_str().unwrap();
        let text = &files[path];
        assert!(text.contains(&format!("module {name} (")), "{path}");
        assert_eq!(text.matches("endmodule").count(), 1, "{path}");
    }
    let tile = modules
        .iter()
        .find(|it| it["declared"] == "router_tile")
        .unwrap();
    assert_eq!(tile["instances"], 4);
    // Nothing but the modules, the files beside them, and the manifest that lists all.
    let beside = [
        "files.f",
        "files.tcl",
        "router-2x2.core",
        "router.sdc",
        "manifest.json",
    ];
    assert_eq!(files.len(), modules.len() + beside.len());
    let listed = manifest["files"].as_array().unwrap();
    for name in files.keys().filter(|name| *name != "manifest.json") {
        assert!(listed.contains(&name.as_str().into()), "{name}");
    }
}

#[test]
fn every_port_is_constrained_to_the_clock_that_is_asked_for() {
    let scratch = tempfile::tempdir().unwrap();
    let generate = |arguments: &[&str]| {
        fantree(scratch.path())
            .args(["generate", &configuration("router-2x2")])
            .args(arguments)
            .assert()
    };
    generate(&["--megahertz", "156.25"]).success();
    let files = read(&scratch.path().join("build/router-2x2"));
    let manifest: Value = serde_json::from_str(&files["manifest.json"]).unwrap();
    assert_eq!(manifest["megahertz"], 156.25);
    let modules = manifest["modules"].as_array().unwrap();
    let top = modules.iter().find(|it| it["name"] == "router").unwrap();
    let expected = top["ports"].as_array().unwrap().iter().map(|port| {
        let name = port["name"].as_str().unwrap();
        let direction = port["direction"].as_str().unwrap();
        let bits = if port["width"] == 1 { "" } else { "[*]" };
        match name {
            "clock" => "create_clock -name clock -period 6.400 [get_ports {clock}]".into(),
            _ => format!("set_{direction}_delay -clock clock 3.200 [get_ports {{{name}{bits}}}]"),
        }
    });
    let commands = files["router.sdc"].lines();
    let commands = commands.filter(|line| !line.is_empty() && !line.starts_with('#'));
    assert_eq!(
        commands.collect::<Vec<_>>(),
        expected.collect::<Vec<String>>()
    );

    generate(&["--megahertz", "0"]).code(2).stderr_eq(
        "error: invalid value '0' for '--megahertz <MHZ>': not a number from 1 to 10000\n...\n",
    );
}

#[test]
fn the_list_for_tcl_holds_wherever_it_is_read() {
    let scratch = tempfile::tempdir().unwrap();
    fantree(scratch.path())
        .args([
            "generate",
            &configuration("router-2x2"),
            "--out",
            "deep/chip",
        ])
        .assert()
        .success();
    let script = "yosys -import
source deep/chip/files.tcl
read_verilog {*}$fantree_verilog
hierarchy -check -top $fantree_top
if {![file exists $fantree_sdc]} { error {no constraints} }
";
    std::fs::write(scratch.path().join("script.tcl"), script).unwrap();
    Command::new("yosys")
        .current_dir(scratch.path())
        .args(["-q", "-c", "script.tcl"])
        .assert()
        .success()
        .stderr_eq("");
}

#[test]
fn runs_repeat_byte_by_byte() {
    let scratch = tempfile::tempdir().unwrap();
    for dir in ["first", "second", "second"] {
        fantree(scratch.path())
            .args(["generate", &configuration("router-4x2"), "--out", dir])
            .assert()
            .success();
    }
    assert_eq!(
        read(&scratch.path().join("first")),
        read(&scratch.path().join("second"))
    );
}

#[test]
fn another_configuration_leaves_nothing_of_the_first() {
    let scratch = tempfile::tempdir().unwrap();
    let generate = |name: &str, dir: &str| {
        fantree(scratch.path())
            .args(["generate", &configuration(name), "--out", dir])
            .assert()
            .success();
    };
    generate("router-2x2", "fresh");
    generate("router-4x2", "reused");
    generate("router-2x2", "reused");
    assert_eq!(
        read(&scratch.path().join("fresh")),
        read(&scratch.path().join("reused"))
    );
}

#[test]
fn somebody_elses_folder_is_left_alone() {
    let scratch = tempfile::tempdir().unwrap();
    std::fs::create_dir(scratch.path().join("mine")).unwrap();
    std::fs::write(scratch.path().join("mine/thesis.tex"), "years of work").unwrap();
    fantree(scratch.path())
        .args(["generate", &configuration("router-2x2"), "--out", "mine"])
        .assert()
        .code(1)
        .stderr_eq(
            "error: [..]/mine is not a folder that fantree wrote (it has no manifest.json): \
             choose another, or remove it\n",
        );
    assert_eq!(read(&scratch.path().join("mine")).len(), 1);
}

#[test]
fn a_wrong_configuration_writes_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    std::fs::write(
        scratch.path().join("bad.toml"),
        "name = \"bad\"\n[router]\nrows = 0\n",
    )
    .unwrap();
    fantree(scratch.path())
        .args(["generate", "bad.toml"])
        .assert()
        .code(1)
        .stdout_eq("");
    assert_eq!(read(scratch.path()).len(), 1);
}

#[test]
fn the_smallest_router_lints_clean() {
    let scratch = tempfile::tempdir().unwrap();
    let output = fantree(scratch.path())
        .args(["lint", "--json", &configuration("router-2x2")])
        .output()
        .unwrap();
    assert!(output.status.success());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tools = report["tools"].as_array().unwrap();
    let clean = |tool: &Value| (tool["tool"].clone(), tool["findings"].clone());
    assert_eq!(
        tools.iter().map(clean).collect::<Vec<_>>(),
        ["iverilog", "verilator", "yosys"].map(|tool| (tool.into(), Value::Array(Vec::new())))
    );
}

#[test]
fn a_block_that_is_not_there_is_refused_with_those_that_are() {
    let scratch = tempfile::tempdir().unwrap();
    fantree(scratch.path())
        .args(["lint", &configuration("router-2x2"), "--block", "none"])
        .assert()
        .code(1)
        .stderr_eq("error: there is no module `none`; the modules are [..]router_tile[..]\n");
}

#[test]
fn a_missing_program_is_named_with_its_package() {
    let scratch = tempfile::tempdir().unwrap();
    fantree(scratch.path())
        .args(["lint", &configuration("router-2x2")])
        .env("PATH", scratch.path())
        .assert()
        .code(3)
        .stderr_eq(
            "error: `iverilog` is not installed: Debian has it in `iverilog` \
             (`make setup`, or `apt-get install iverilog`)\n",
        );
}
