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
        let same_array =
            |a: &RegisterSpec, b: &RegisterSpec| a.array.is_some() && stem(a) == stem(b);
        for words in group.registers.chunk_by(same_array) {
            text += &match words {
                [register] => register_at(register, &identifier(register), register.address, ""),
                words => register_file(words),
            };
        }
    }
    text + "};\n"
}

/// Name without the number of a word.
fn stem(spec: &RegisterSpec) -> &str {
    spec.name.split('.').next().unwrap_or(&spec.name)
}

fn identifier(spec: &RegisterSpec) -> String {
    spec.name.replace('.', "_")
}

/// An array of registers of several words each: arrays of the words would lie across each other, which is not allowed.
fn register_file(words: &[RegisterSpec]) -> String {
    let (name, base) = (stem(&words[0]), words[0].address);
    let mut text = "    regfile {\n".to_owned();
    for word in words {
        let alone = RegisterSpec {
            array: None,
            ..word.clone()
        };
        let number = word.address - base;
        text += &register_at(&alone, &format!("word_{number}"), number, "    ");
    }
    text + &format!("    }} {name}{};\n", place(&words[0], base))
}

/// A register; none if all its bits are reserved, which SystemRDL does not know.
fn register_at(spec: &RegisterSpec, name: &str, address: usize, indent: &str) -> String {
    if spec.fields.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "{indent}    reg {{\n{indent}        desc = {};\n",
        quoted(&spec.about)
    );
    for field in &spec.fields {
        text += &format!("{indent}{}", self::field(field, spec.access));
    }
    text + &format!("{indent}    }} {name}{};\n", place(spec, address))
}

/// How many there are, and where.
fn place(spec: &RegisterSpec, address: usize) -> String {
    let at = address * BYTES;
    match &spec.array {
        None => format!(" @ {at:#x}"),
        Some(array) => format!("[{}] @ {at:#x} += {:#x}", array.count, array.stride * BYTES),
    }
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
        Access::WriteClear => "sw = rw; onwrite = wclr; hw = rw;",
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
