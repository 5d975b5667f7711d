//! The lint checks find what is wrong in a folder of Verilog, and nothing where nothing is.

use std::path::Path;

use fantree_gen::lint::{Finding, Memories, Target, CHECKS};

const CLEAN: &str = "\
module top(
    input wire clock,
    input wire reset,
    output reg [3:0] count
);
    always @(posedge clock) begin
        if (reset) count <= 4'd0;
        else count <= count + 4'd1;
    end
endmodule
";

/// The findings of all tools on a folder with one file, `rtl/top.v`.
fn lint(verilog: &str) -> Vec<Vec<Finding>> {
    lint_with(verilog, Memories::Kept)
}

fn lint_with(verilog: &str, memories: Memories) -> Vec<Vec<Finding>> {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "rtl/top.v", verilog);
    write(dir.path(), "files.f", "// top: top\nrtl/top.v\n");
    let target = Target {
        dir: dir.path(),
        top: "top",
        memories,
    };
    CHECKS.map(|check| check.run(target).unwrap()).into()
}

fn write(dir: &Path, file: &str, text: &str) {
    let path = dir.join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Which of the tools (Icarus, Verilator, Yosys) find something.
fn finders(verilog: &str) -> [bool; 3] {
    let findings = lint(verilog);
    [0, 1, 2].map(|tool| !findings[tool].is_empty())
}

#[test]
fn clean_verilog_has_no_findings() {
    assert_eq!(lint(CLEAN), [[], [], []] as [[Finding; 0]; 3]);
}

#[test]
fn a_memory_that_cannot_be_flip_flops_is_found_if_that_is_asked() {
    let memory = CLEAN
        .replace(
            "        if (reset) count <= 4'd0;\n        else count <= count + 4'd1;\n",
            "        words[reset] <= 4'd1;\n        count <= words[reset];\n",
        )
        .replace("    always", "    reg [3:0] words [0:1];\n    always");
    let yosys = |verilog: &str, memories| lint_with(verilog, memories).swap_remove(2);
    assert_eq!(
        lint_with(&memory, Memories::FlipFlops),
        [[], [], []] as [[Finding; 0]; 3]
    );

    let two_clocks = memory.replace(
        "endmodule",
        "    always @(negedge clock) words[!reset] <= 4'd2;\nendmodule",
    );
    assert_eq!(yosys(&two_clocks, Memories::Kept), []);
    let findings = yosys(&two_clocks, Memories::FlipFlops);
    assert_eq!(
        findings[0].message,
        "Assertion failed: there are memories that are no flip-flops"
    );
}

#[test]
fn a_wrong_width_is_verilators_to_find() {
    assert_eq!(
        finders(&CLEAN.replace("4'd1", "5'd1")),
        [false, true, false]
    );
}

#[test]
fn a_latch_is_found_by_verilator_and_yosys() {
    let latch = CLEAN
        .replace("@(posedge clock)", "@(*)")
        .replace("        else count <= count + 4'd1;\n", "")
        .replace("count <= 4'd0", "count = {4{clock}}");
    assert_eq!(finders(&latch), [false, true, true]);
}

#[test]
fn a_syntax_error_is_found_by_all() {
    assert_eq!(finders(&CLEAN.replace("endmodule", "")), [true; 3]);
}

#[test]
fn a_missing_module_is_found_by_all() {
    assert_eq!(
        finders(&CLEAN.replace("endmodule", "gone g();\nendmodule")),
        [true; 3]
    );
}
