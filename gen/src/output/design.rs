//! What files a design consists of, and the manifest that describes them.

use serde_json::{json, Value};

use super::constraints::{sdc, Megahertz};
use super::folder::{with_manifest, Files};
use super::{file_lists, fusesoc, FILE_LIST, TCL_LIST};
use crate::config::Config;
use crate::verilog::{Design, Direction, Module};

/// The files of a configuration's design, constrained to a clock.
pub fn files(design: &Design, config: &Config, clock: Megahertz) -> Files {
    let modules = design.modules();
    let mut files: Files = modules
        .iter()
        .map(|module| (path(module), module.to_verilog()))
        .collect();
    files.insert(FILE_LIST.into(), file_lists::for_simulators(design));
    files.insert(TCL_LIST.into(), file_lists::for_tcl(design));
    files.insert(constraints(design), sdc(design, clock));
    files.insert(core_file(config), fusesoc::core(design, config));
    let about = json!({
        "top": design.top().name,
        "megahertz": clock,
        "parameters": config,
        "modules": modules.iter().map(describe).collect::<Vec<Value>>(),
    });
    with_manifest(files, about)
}

/// The file of a module.
pub fn path(module: &Module) -> String {
    format!("rtl/{}.v", module.name)
}

/// The file of the timing constraints.
pub fn constraints(design: &Design) -> String {
    format!("{}.sdc", design.top().name)
}

/// The file that makes the design a core of FuseSoC.
pub fn core_file(config: &Config) -> String {
    format!("{}.core", config.name)
}

fn describe(module: &Module) -> Value {
    let ports: Vec<Value> = module
        .ports
        .iter()
        .map(|port| {
            json!({
                "name": port.name,
                "direction": match port.direction {
                    Direction::Input => "input",
                    Direction::Output => "output",
                    Direction::InOut => "inout",
                },
                "width": port.width,
            })
        })
        .collect();
    json!({
        "name": module.name,
        "declared": module.declared,
        "file": path(module),
        "instances": module.instances,
        "hash": module.hash,
        "external": module.is_external,
        "ports": ports,
    })
}
