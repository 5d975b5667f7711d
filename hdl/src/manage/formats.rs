//! What management commands look like, for people: the fields of setups, of a packet's command and of its end.

use super::command::{access, setup, setup_bits};
use super::message::{command, tail};
use crate::router::RouterParams;
use crate::wire::Field;

/// A field, and what it means.
type Row = (&'static str, Field, &'static str);

/// The fields of all formats as Markdown tables, lowest bit first; the setup is that of a chip of these sizes.
pub fn markdown(params: &RouterParams) -> String {
    let ports = Field {
        offset: setup::PORTS,
        width: setup_bits(params) - setup::PORTS,
    };
    let setup = [
        ("op", access::OP, "0 write, 1 read, 2 read and clear, 3 modify"),
        (
            "combine",
            access::COMBINE,
            "of values of several ports: 0 all in their order, 1 or, 2 and, 3 sum",
        ),
        ("address", access::ADDRESS, "of the register"),
        ("mask", access::MASK, "bits that a modification changes"),
        (
            "increment",
            setup::INCREMENT,
            "the address goes up with each beat",
        ),
        (
            "spread",
            setup::SPREAD,
            "beats go to one row after another before the address goes up",
        ),
        (
            "entry",
            setup::ENTRY,
            "words of an entry of a table, behind which the address goes up to the next one; 0: none",
        ),
        ("ports", ports, "a bit for each port that is meant"),
    ];
    let request = [
        ("key", command::KEY, "what writes need"),
        ("beats", command::BEATS, "accesses that are asked for"),
    ];
    let reply = [
        ("idcode", command::IDCODE, "what JTAG's IDCODE says"),
        ("beats", command::BEATS, "as in the request"),
        ("port", command::PORT, "by which the request came"),
        ("rows", command::ROWS, "of the chip"),
        ("columns", command::COLUMNS, "of the chip"),
        (
            "identity",
            command::IDENTITY,
            "register `IDENTITY` of that port",
        ),
    ];
    let end = [
        ("status", tail::STATUS, "what went wrong, as for JTAG"),
        (
            "truncated",
            tail::TRUNCATED,
            "there was no room for all values, or none for all beats",
        ),
        (
            "malformed",
            tail::MALFORMED,
            "the packet ended before its setup, and nothing was done",
        ),
        ("values", tail::VALUES, "number of values in the data"),
    ];
    [
        table("Setup", &setup),
        table("Command of a request", &request),
        table("Command of a reply", &reply),
        table("Last flit of a reply, below the packet's CRC", &end),
    ]
    .join("\n")
}

fn table(title: &str, rows: &[Row]) -> String {
    let mut text = format!("## {title}\n\n| bits | field | meaning |\n|---|---|---|\n");
    for (name, field, meaning) in rows {
        let (low, high) = (field.offset, field.offset + field.width - 1);
        let bits = if low == high {
            low.to_string()
        } else {
            format!("{high}:{low}")
        };
        text += &format!("| {bits} | `{name}` | {meaning} |\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_the_formats() {
        let chip = RouterParams {
            rows: 5,
            columns: 8,
            ..crate::manage::testing::PARAMS
        };
        expect_test::expect_file!["../../../docs/management-formats.md"].assert_eq(&format!(
            "# Formats of management\n\nOf a chip of 40 ports. Generated from `hdl/src/manage/`; `UPDATE_EXPECT=1 cargo test -p fantree-hdl` writes it anew.\n\n{}",
            markdown(&chip)
        ));
    }

    /// The largest chip's setup must find room in a flit.
    #[test]
    fn a_setup_fits_a_flit() {
        let largest = RouterParams {
            rows: 8,
            columns: 8,
            ..crate::manage::testing::PARAMS
        };
        assert!(setup_bits(&largest) <= crate::packet::flit::DATA.width);
    }
}
