//! Constants for software in C and C++.

use fantree_hdl::registers::{ArraySpec, FieldSpec, RegisterMap, RegisterSpec};

/// Begins every name.
const PREFIX: &str = "FANTREE";

/// A header with addresses, masks, shifts and reset values.
pub fn c_header(map: &RegisterMap, title: &str) -> String {
    let guard = format!("{PREFIX}_REGISTERS_H");
    let mut text = format!(
        "/* {title}. Written by `fantree registers`: do not edit.\n *\n * An address is that of a whole register of {} \
         bits. */\n#ifndef {guard}\n#define {guard}\n",
        map.data_bits
    );
    for group in &map.groups {
        text += &format!("\n/* {} */\n", group.about);
        for spec in &group.registers {
            text += &register(spec);
        }
    }
    text + &format!("\n#endif /* {guard} */\n")
}

fn register(spec: &RegisterSpec) -> String {
    let name = format!("{PREFIX}_{}", spec.name.replace('.', "_").to_uppercase());
    let mut text = format!("\n/* {} ({}) */\n", spec.about, spec.access.code());
    text += &match &spec.array {
        None => format!("#define {name} {:#06x}u\n", spec.address),
        Some(ArraySpec { index, count, stride }) => format!(
            "#define {name}({index}) ({:#06x}u + {stride}u * ({index}))\n#define {name}_COUNT {count}u\n",
            spec.address
        ),
    };
    if let Some(reset) = spec.reset() {
        text += &format!("#define {name}_RESET {reset:#x}u\n");
    }
    for field in &spec.fields {
        text += &constants(&name, field);
    }
    text
}

fn constants(register: &str, field: &FieldSpec) -> String {
    let name = match field.name.is_empty() {
        true => register.to_owned(),
        false => format!("{register}_{}", field.name.to_uppercase()),
    };
    format!(
        "#define {name}_SHIFT {}u\n#define {name}_MASK {:#x}u\n",
        field.offset,
        field.mask()
    )
}
