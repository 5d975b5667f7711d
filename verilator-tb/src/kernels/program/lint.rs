//! Linters on the Verilog of random kernels.

use fantree_gen::lint::{Memories, Target, CHECKS};
use fantree_gen::output::FILE_LIST;
use fantree_gen::tool::YOSYS;
use std::fs;
use std::io;

/// Findings that are about what a kernel says, and a random one may say: a comparison that is always true.
const ABOUT_THE_KERNEL: [&str; 2] = ["CMPCONST", "UNSIGNED"];

/// What Verilator and Icarus have to say about a text; Yosys would take more time than all the rest.
pub fn findings(verilog: &str, top: &str) -> io::Result<Vec<String>> {
    let directory = tempfile::Builder::new()
        .prefix("fantree-kernels-")
        .tempdir()?;
    fs::create_dir(directory.path().join("rtl"))?;
    fs::write(directory.path().join("rtl/design.v"), verilog)?;
    fs::write(directory.path().join(FILE_LIST), "rtl/design.v\n")?;
    let target = Target {
        dir: directory.path(),
        top,
        memories: Memories::Kept,
    };
    let mut all = vec![];
    for check in CHECKS.iter().filter(|check| check.tool != YOSYS) {
        let findings = check.run(target).map_err(io::Error::other)?;
        let counts = findings.iter().filter(|finding| {
            let code = finding.code.as_deref().unwrap_or_default();
            !ABOUT_THE_KERNEL.contains(&code)
        });
        all.extend(counts.map(|finding| {
            let code = finding.code.as_deref().unwrap_or_default();
            let place = finding.place.as_deref().unwrap_or_default();
            format!("{} {code} {place}: {}", check.tool.program, finding.message)
        }));
    }
    Ok(all)
}
