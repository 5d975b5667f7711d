//! Generated folders in the hands of other flows. `make regress` runs these tests, after the set-up.

use std::path::{Path, PathBuf};

use snapbox::cmd::{cargo_bin, Command};

/// A file of the project.
fn ours(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Generates the smallest router into `chip`.
fn generate(scratch: &Path) {
    Command::new(cargo_bin!("fantree"))
        .current_dir(scratch)
        .arg("generate")
        .arg(ours("configs/router-2x2.toml"))
        .args(["--out", "chip"])
        .assert()
        .success();
}

/// Runs a target of a core that is somewhere below the folder.
fn fusesoc(scratch: &Path, target: &[&str], core: &str) -> Command {
    Command::new(ours("build/tools/fusesoc/bin/fusesoc"))
        .current_dir(scratch)
        .args(["--cores-root", ".", "run", "--target"])
        .args(target)
        .arg(core)
}

#[test]
#[ignore = "needs scripts/setup-flows.sh"]
fn fusesoc_lints_the_core() {
    let scratch = tempfile::tempdir().unwrap();
    generate(scratch.path());
    let core = "fantree:rtl:router-2x2";
    fusesoc(scratch.path(), &["lint"], core).assert().success();

    let router = scratch.path().join("chip/rtl/router.v");
    let text = std::fs::read_to_string(&router).unwrap();
    let wrong = text.replace("endmodule", "wire forgotten;\nendmodule");
    std::fs::write(&router, wrong).unwrap();
    let refused = fusesoc(scratch.path(), &["lint"], core).output().unwrap();
    let said = [refused.stdout, refused.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(!refused.status.success(), "{said}");
    assert!(said.contains("%Warning-UNUSED"), "{said}");
}

/// The board of somebody else has the router in it.
#[test]
#[ignore = "needs scripts/setup-flows.sh"]
fn another_core_depends_on_ours() {
    let scratch = tempfile::tempdir().unwrap();
    generate(scratch.path());
    let board = scratch.path().join("board");
    std::fs::create_dir(&board).unwrap();
    let core = "CAPI=2:
name: somebody:boards:board:1.0.0
filesets:
  rtl:
    depend: [fantree:rtl:router-2x2]
    file_type: verilogSource-2005
    files: [board.v]
targets:
  lint:
    filesets: [rtl]
    toplevel: board
    flow: lint
    flow_options:
      tool: verilator
";
    std::fs::write(board.join("board.core"), core).unwrap();
    let verilog = "module board (input wire clock, input wire reset, output wire congested);
    /* verilator lint_off PINMISSING */
    router chip (.clock(clock), .reset(reset), .report_congested(congested));
endmodule
";
    std::fs::write(board.join("board.v"), verilog).unwrap();
    fusesoc(scratch.path(), &["lint"], "somebody:boards:board")
        .assert()
        .success();
}

/// Yosys would run for minutes.
#[test]
#[ignore = "needs scripts/setup-flows.sh"]
fn fusesoc_sets_the_synthesis_of_the_core_up() {
    let scratch = tempfile::tempdir().unwrap();
    generate(scratch.path());
    let core = "fantree:rtl:router-2x2";
    fusesoc(scratch.path(), &["synth", "--setup"], core)
        .assert()
        .success();
    let folder = "build/fantree_rtl_router-2x2_0.1.0/synth/edalize_yosys_procs.tcl";
    let script = std::fs::read_to_string(scratch.path().join(folder)).unwrap();
    assert!(script.contains("synth_ecp5"), "{script}");
}

/// The top is mapped with its tiles left out: it has all the ports, and registers of its own.
#[test]
#[ignore = "needs scripts/setup-flows.sh and scripts/setup-synth.sh"]
fn opensta_finds_every_port_constrained() {
    let scratch = tempfile::tempdir().unwrap();
    generate(scratch.path());
    let liberty = ours("build/synth-tools/osu018_stdcells.lib");
    let liberty = liberty.display();
    let mapping = format!(
        "read_verilog chip/rtl/*.v; hierarchy -check -top router; blackbox router_tile; \
         synth -flatten -top router; dfflibmap -liberty {liberty}; abc -liberty {liberty}; \
         write_verilog -noattr -noexpr netlist.v"
    );
    Command::new("yosys")
        .current_dir(scratch.path())
        .args(["-q", "-p", &mapping])
        .assert()
        .success();
    let script = format!(
        "read_liberty {liberty}
read_verilog netlist.v
link_design router
puts {{constraints:}}
read_sdc chip/router.sdc
check_setup -verbose -no_clock -no_input_delay -no_output_delay
report_checks -to cfg_rdata[0]
"
    );
    std::fs::write(scratch.path().join("script.tcl"), script).unwrap();
    let output = Command::new("sta")
        .current_dir(scratch.path())
        .args(["-exit", "script.tcl"])
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let (_, read) = said.split_once("constraints:\n").expect("it got so far");
    // Neither a warning about a command or a port, nor one about a port without a delay.
    assert!(read.starts_with("Startpoint: "), "{said}");
    for line in ["clock clock (rise edge)", "-0.57", "slack (MET)"] {
        assert!(read.contains(line), "no {line} in {said}");
    }
}
