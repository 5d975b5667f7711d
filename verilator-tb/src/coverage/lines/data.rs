//! Verilator's coverage data: a line of text a block of statements.
//!
//! ```text
//! C '␁f␂bench.v␁l␂3272␁n␂5␁page␂v_branch/input_buffer␁o␂if␁S␂3272-3273␁h␂.bench.router' 17
//! ```
//!
//! A field is its key and its value. `l` and `n` are line and column, `page` names the kind of coverage and the module, `o`
//! the kind of block, `S` its lines, and the number at the end counts how often it ran, in all instances of the module.

use std::collections::{BTreeSet, HashMap};

const BEFORE_KEY: char = '\u{1}';
const BEFORE_VALUE: char = '\u{2}';
/// Kinds of coverage that count statements.
const PAGES: [&str; 3] = ["v_line/", "v_branch/", "v_user/"];

/// A block of statements in the Verilog as compiled.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    pub module: String,
    pub line: usize,
    pub column: usize,
    pub kind: String,
    pub lines: BTreeSet<usize>,
    pub hits: u64,
}

/// Data that is not Verilator's, or of other Verilog.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(String);

impl Malformed {
    /// Of Verilog that has no such block.
    pub fn of(entry: &Entry) -> Self {
        let Entry { module, line, .. } = entry;
        Self(format!(
            "line {line} of the Verilog is not in module `{module}`, as the data say"
        ))
    }
}

/// The blocks, in the order of the data.
pub fn entries(data: &str) -> Result<Vec<Entry>, Malformed> {
    let mut entries = Vec::new();
    for (number, line) in data.lines().enumerate() {
        if !line.starts_with("C ") {
            continue;
        }
        let malformed = || {
            Malformed(format!(
                "line {} is not of Verilator's coverage data: {line:?}",
                number + 1
            ))
        };
        if let Some(entry) = entry(line).ok_or_else(malformed)? {
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// None if it is malformed; a kind of coverage that is not of lines is none inside.
fn entry(line: &str) -> Option<Option<Entry>> {
    let (fields, hits) = line.strip_prefix("C '")?.rsplit_once("' ")?;
    let fields: HashMap<&str, &str> = fields
        .split(BEFORE_KEY)
        .filter_map(|field| field.split_once(BEFORE_VALUE))
        .collect();
    let page = *fields.get("page")?;
    let Some(module) = PAGES.iter().find_map(|kind| page.strip_prefix(kind)) else {
        return Some(None);
    };
    Some(Some(Entry {
        module: module.into(),
        line: fields.get("l")?.parse().ok()?,
        column: fields.get("n")?.parse().ok()?,
        kind: fields.get("o")?.to_string(),
        lines: ranges(fields.get("S").unwrap_or(&""))?,
        hits: hits.trim().parse().ok()?,
    }))
}

/// The numbers of `3-5,9`.
fn ranges(text: &str) -> Option<BTreeSet<usize>> {
    let mut numbers = BTreeSet::new();
    for range in text.split(',').filter(|range| !range.is_empty()) {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        numbers.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fields: &[(&str, &str)], hits: u64) -> String {
        let fields = fields
            .iter()
            .map(|(key, value)| format!("\u{1}{key}\u{2}{value}"));
        format!("C '{}' {hits}\n", fields.collect::<String>())
    }

    #[test]
    fn blocks_are_read_and_toggles_passed_over() {
        let place = [
            ("f", "x.v"),
            ("l", "12"),
            ("n", "5"),
            ("o", "if"),
            ("h", "TOP.x"),
        ];
        let of = |page, lines| [&place[..], &[("page", page), ("S", lines)]].concat();
        let data = format!(
            "# SystemC::Coverage-3\n{}{}",
            line(&of("v_branch/unit", "12-13,15"), 7),
            line(&of("v_toggle/unit", ""), 1)
        );
        let expected = Entry {
            module: "unit".into(),
            line: 12,
            column: 5,
            kind: "if".into(),
            lines: [12, 13, 15].into(),
            hits: 7,
        };
        assert_eq!(entries(&data).unwrap(), [expected]);
    }

    #[test]
    fn what_is_malformed_is_told_by_its_line() {
        let error = entries("# SystemC::Coverage-3\nC 'what' 1\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            r#"line 2 is not of Verilator's coverage data: "C 'what' 1""#
        );
    }
}
