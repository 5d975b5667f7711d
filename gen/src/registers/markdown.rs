//! The reference in Markdown.

use fantree_hdl::registers::{Access, RegisterMap};
use strum::VariantArray;

use super::tables;

/// The reference of a register map.
pub fn markdown(map: &RegisterMap, title: &str) -> String {
    let mut text = format!(
        "# {title}\n\nRegisters are {} bits wide; an address of {} bits is that of a whole register. Bits that no field \
         has are reserved: they read as zero, writes leave them. Without a reset value, a register is memory, and holds \
         what it held.\n\n| access | meaning |\n|---|---|\n",
        map.data_bits, map.address_bits
    );
    for access in Access::VARIANTS {
        text += &format!("| {} | {} |\n", access.code(), access.about());
    }
    for group in &map.groups {
        let name = group.name.replace('_', " ");
        text += &format!(
            "\n## {}{}\n\n{}\n",
            name[..1].to_uppercase(),
            &name[1..],
            group.about
        );
        text += &table(tables::REGISTER_HEADER, tables::registers(group));
        text += &table(tables::FIELD_HEADER, tables::fields(group));
    }
    text
}

fn table<const N: usize>(header: [&str; N], rows: Vec<[String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = format!(
        "\n{}|{}\n",
        line(&header.map(String::from)),
        "---|".repeat(N)
    );
    for row in rows {
        text += &line(&row.map(|cell| cell.replace('|', "\\|")));
    }
    text
}
