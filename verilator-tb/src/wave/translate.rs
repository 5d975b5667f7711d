//! Values with names, as GTKWave's translate files: a value in hexadecimal and its text on each line.

use fantree_hdl::packet::{header, Opcode};

/// A set of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// A valid bit above the number of a virtual channel.
    Vc,
    /// One bit for each of so many virtual channels.
    VcBits(usize),
    /// A valid bit and a head bit above an opcode.
    Opcode,
}

impl Table {
    /// What tells its file from the others beside the same save file.
    pub fn suffix(self) -> String {
        match self {
            Table::Vc => "vc.txt".into(),
            Table::VcBits(count) => format!("vc-of-{count}.txt"),
            Table::Opcode => "opcode.txt".into(),
        }
    }

    /// The translate file.
    pub fn text(self) -> String {
        let line = |(value, text): (usize, String)| {
            format!("{value:0digits$x} {text}\n", digits = self.digits())
        };
        self.entries().into_iter().map(line).collect()
    }

    /// The values and their texts; others are shown as numbers.
    fn entries(self) -> Vec<(usize, String)> {
        let nothing = |end| (0..end).map(|value| (value, super::filter::NOTHING.into()));
        match self {
            Table::Vc => {
                let valid = 1 << header::VC.width;
                let names = (0..valid).map(|vc| (valid | vc, format!("vc{vc}")));
                nothing(valid).chain(names).collect()
            }
            Table::VcBits(count) => {
                let names = (0..count).map(|vc| (1 << vc, format!("vc{vc}")));
                nothing(1).chain(names).collect()
            }
            Table::Opcode => {
                let kinds = 1 << header::OPCODE.width;
                let names =
                    (0..kinds).map(|code| ((3 * kinds) | code, Opcode(code as u32).to_string()));
                nothing(3 * kinds).chain(names).collect()
            }
        }
    }

    /// GTKWave compares texts, so values have as many digits as it shows.
    fn digits(self) -> usize {
        let bits = match self {
            Table::Vc => 1 + header::VC.width,
            Table::VcBits(count) => count,
            Table::Opcode => 2 + header::OPCODE.width,
        };
        bits.div_ceil(4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(table: Table, value: &str) -> Option<String> {
        let text = table.text();
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let found = lines.find(|(key, _)| *key == value);
        found.map(|(_, name)| name.to_owned())
    }

    #[test]
    fn names_are_of_values_as_shown() {
        assert_eq!(name(Table::Vc, "d").as_deref(), Some("vc5"));
        assert_eq!(name(Table::Vc, "5").as_deref(), Some("-"));
        assert_eq!(name(Table::VcBits(4), "8").as_deref(), Some("vc3"));
        assert_eq!(name(Table::VcBits(8), "08").as_deref(), Some("vc3"));
        assert_eq!(name(Table::VcBits(8), "00").as_deref(), Some("-"));
        assert_eq!(
            name(Table::VcBits(8), "03"),
            None,
            "several channels have no name"
        );
        assert_eq!(name(Table::Opcode, "c8").as_deref(), Some("write.0"));
        assert_eq!(
            name(Table::Opcode, "88").as_deref(),
            Some("-"),
            "valid, no head"
        );
    }
}
