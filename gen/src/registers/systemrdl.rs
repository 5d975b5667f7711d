//! The map in SystemRDL 2.0, for other tools. Addresses there are of bytes: a register takes four.

use fantree_hdl::registers::{Access, FieldSpec, RegisterMap, RegisterSpec};

/// Bytes of an address.
const BYTES: usize = 4;

/// An address map of that name.
pub fn systemrdl(map: &RegisterMap, title: &str) -> String {
    let mut text = format!(
        "// {title}. Written by `fantree registers`: do not edit.\n\naddrmap fantree {{\n    name = \"{title}\";\n    \
         default regwidth = {};\n",
        map.data_bits
    );
    for group in &map.groups {
        text += &format!("\n    // {}\n", group.about);
        for spec in &group.registers {
            text += &register(spec);
        }
    }
    text + "};\n"
}

fn register(spec: &RegisterSpec) -> String {
    let identifier = spec.name.replace('.', "_");
    let mut text = format!("    reg {{\n        desc = {};\n", quoted(&spec.about));
    for field in &spec.fields {
        text += &self::field(field, spec.access);
    }
    let (address, array) = (spec.address * BYTES, spec.array.as_ref());
    let count = array.map_or(String::new(), |array| format!("[{}]", array.count));
    let step = array.map_or(String::new(), |array| {
        format!(" += {:#x}", array.stride * BYTES)
    });
    text + &format!("    }} {identifier}{count} @ {address:#x}{step};\n")
}

fn field(field: &FieldSpec, access: Access) -> String {
    let name = if field.name.is_empty() {
        "value"
    } else {
        &field.name
    };
    let properties = match access {
        Access::ReadOnly => "sw = r; hw = w;",
        Access::ReadWrite => "sw = rw; hw = r;",
        Access::WriteOnly => "sw = w; hw = r;",
        Access::ReadClear => "sw = r; onread = rclr; hw = rw;",
    };
    let about = match field.about.is_empty() {
        true => String::new(),
        false => format!(" desc = {};", quoted(&field.about)),
    };
    let reset = field
        .reset
        .map_or(String::new(), |reset| format!(" = {reset:#x}"));
    let (low, high) = (field.offset, field.offset + field.width - 1);
    format!("        field {{ {properties}{about} }} {name}[{high}:{low}]{reset};\n")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
