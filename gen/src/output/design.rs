//! What files a design consists of, and the manifest that describes them.

use serde::Serialize;
use serde_json::{json, Value};

use super::folder::{with_manifest, Files};
use super::FILE_LIST;
use crate::verilog::{Design, Direction, Module};

/// The files of a design. `parameters` is what the design was made from, for the manifest.
pub fn files(design: &Design, parameters: &impl Serialize) -> Files {
    let modules = design.modules();
    let mut files: Files = modules
        .iter()
        .map(|module| (path(module), module.to_verilog()))
        .collect();
    files.insert(FILE_LIST.into(), file_list(design));
    let about = json!({
        "top": design.top().name,
        "parameters": parameters,
        "modules": modules.iter().map(describe).collect::<Vec<Value>>(),
    });
    with_manifest(files, about)
}

fn path(module: &Module) -> String {
    format!("rtl/{}.v", module.name)
}

/// Sub-modules come first, as some tools want it.
fn file_list(design: &Design) -> String {
    let paths = design.modules().iter().map(path).collect::<Vec<_>>();
    let top = &design.top().name;
    format!(
        "// Top: {top}. Paths are relative to this file: verilator -F {FILE_LIST}\n{}\n",
        paths.join("\n")
    )
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
