//! Packets: the header, the flit, and what both look like to people.
//!
//! One definition, [`header`], gives the hardware its slices, Rust its encoder and decoder, the documents their table
//! and waves their text.

mod crc;
pub mod flit;
pub mod header;

pub use crc::{header_crc, is_packet_sound, packet_crc, sealed_packet};
pub use flit::FLIT_BITS;
pub use header::{FieldInfo, Header, Opcode, FIELDS, HEADER_BITS};

/// Longest packet that a header can announce, in flits.
pub const MAX_FLITS: usize = 1 << header::FLITS_MINUS_ONE.width;

/// The header's fields as a Markdown table, lowest bit first.
pub fn markdown() -> String {
    let mut table = String::from("| bits | field | width | meaning |\n|---|---|---|---|\n");
    for info in FIELDS {
        let (low, width) = (info.field.offset, info.field.width);
        let bits = match width {
            1 => low.to_string(),
            _ => format!("{}:{low}", low + width - 1),
        };
        table += &format!(
            "| {bits} | `{}` | {width} | {} |\n",
            info.name, info.meaning
        );
    }
    table
}

#[cfg(test)]
mod tests;
