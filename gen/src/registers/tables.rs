//! What documents show of registers, as rows of text.

use fantree_hdl::registers::{ArraySpec, FieldSpec, Group, RegisterSpec};

/// Header of [`registers`].
pub const REGISTER_HEADER: [&str; 5] = ["address", "register", "access", "reset", "meaning"];
/// Header of [`fields`].
pub const FIELD_HEADER: [&str; 5] = ["register", "bits", "field", "reset", "meaning"];

/// A row for each register of a group, arrays as one.
pub fn registers(group: &Group) -> Vec<[String; 5]> {
    let row = |spec: &RegisterSpec| {
        [
            address(spec),
            placeholder(spec),
            spec.access.code().into(),
            reset(spec.reset()),
            spec.about.clone(),
        ]
    };
    group.registers.iter().map(row).collect()
}

/// A row for each field of the group's registers.
pub fn fields(group: &Group) -> Vec<[String; 5]> {
    let of = |spec: &RegisterSpec| -> Vec<[String; 5]> {
        let row = |field: &FieldSpec| {
            [
                placeholder(spec),
                bits(field),
                if field.name.is_empty() {
                    "(value)".into()
                } else {
                    field.name.clone()
                },
                reset(field.reset),
                field.about.clone(),
            ]
        };
        spec.fields.iter().map(row).collect()
    };
    group.registers.iter().flat_map(of).collect()
}

/// As `0x9008 + vc`.
fn address(spec: &RegisterSpec) -> String {
    let base = format!("{:#06x}", spec.address);
    match &spec.array {
        None => base,
        Some(ArraySpec {
            index, stride: 1, ..
        }) => format!("{base} + {index}"),
        Some(ArraySpec { index, stride, .. }) => format!("{base} + {stride} {index}"),
    }
}

/// As `private_blocks[vc], vc < 4`.
fn placeholder(spec: &RegisterSpec) -> String {
    let Some(ArraySpec { index, count, .. }) = &spec.array else {
        return spec.name.clone();
    };
    let name = match spec.name.split_once('.') {
        Some((name, word)) => format!("{name}[{index}].{word}"),
        None => format!("{}[{index}]", spec.name),
    };
    format!("{name}, {index} < {count}")
}

/// As `7:4`.
fn bits(field: &FieldSpec) -> String {
    match (field.offset, field.width) {
        (offset, 1) => offset.to_string(),
        (offset, width) => format!("{}:{offset}", offset + width - 1),
    }
}

fn reset(value: Option<u64>) -> String {
    value.map_or("none".into(), |value| format!("{value:#x}"))
}
