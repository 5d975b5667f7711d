//! Reading a table of a plan field by field, noting everything that is wrong with it.

use std::collections::BTreeSet;
use std::ops::Range;

use fantree_gen::config::problem::{join, type_name};
use fantree_gen::config::Finding;
use toml::de::{DeTable, DeValue};
use toml::Spanned;

/// A file that is being read.
pub struct Reader<'a> {
    pub text: &'a str,
    pub findings: Vec<Finding>,
}

impl Reader<'_> {
    /// Notes that the value of a field is not legal.
    pub fn wrong(&mut self, path: &str, span: Range<usize>, legal: &str) {
        let finding = Finding::wrong(self.text, span, path, "", legal.into());
        self.findings.push(finding);
    }

    /// Notes that a field has a value of another type.
    fn mistyped(&mut self, path: &str, value: &Spanned<DeValue>, wanted: &str, legal: &str) {
        let types = format!(
            ", of type {} instead of {wanted}",
            type_name(value.get_ref())
        );
        let finding = Finding::wrong(self.text, value.span(), path, &types, legal.into());
        self.findings.push(finding);
    }

    /// A whole number in a range.
    pub fn integer(
        &mut self,
        path: &str,
        value: &Spanned<DeValue>,
        legal: std::ops::RangeInclusive<u64>,
    ) -> Option<u64> {
        let words = format!("{} to {}", legal.start(), legal.end());
        let DeValue::Integer(integer) = value.get_ref() else {
            self.mistyped(path, value, "integer", &words);
            return None;
        };
        let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        let number = number.filter(|number| legal.contains(number));
        if number.is_none() {
            self.wrong(path, value.span(), &words);
        }
        number
    }

    pub fn boolean(&mut self, path: &str, value: &Spanned<DeValue>) -> Option<bool> {
        match value.get_ref() {
            DeValue::Boolean(boolean) => Some(*boolean),
            _ => {
                self.mistyped(path, value, "boolean", "true or false");
                None
            }
        }
    }

    pub fn string<'v>(&mut self, path: &str, value: &'v Spanned<DeValue>) -> Option<&'v str> {
        match value.get_ref() {
            DeValue::String(text) => Some(text),
            _ => {
                self.mistyped(path, value, "string", "any text");
                None
            }
        }
    }

    /// What a field holds several of: at least one.
    pub fn array<'v, 'd>(
        &mut self,
        path: &str,
        value: &'v Spanned<DeValue<'d>>,
        of: &str,
    ) -> Option<&'v [Spanned<DeValue<'d>>]> {
        let legal = format!("a list of {of}");
        match value.get_ref() {
            DeValue::Array(array) if array.is_empty() => {
                self.wrong(path, value.span(), &legal);
                None
            }
            DeValue::Array(array) => Some(array),
            _ => {
                self.mistyped(path, value, "array", &legal);
                None
            }
        }
    }

    pub fn table<'v, 'd>(
        &mut self,
        path: &str,
        value: &'v Spanned<DeValue<'d>>,
    ) -> Option<&'v DeTable<'d>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => {
                self.mistyped(path, value, "table", "a table");
                None
            }
        }
    }

    /// Notes the fields of a table that it does not have.
    pub fn only(&mut self, path: &str, table: &DeTable, known: &[&str]) {
        for (key, _) in table.iter() {
            if !known.contains(&key.get_ref().as_ref()) {
                let finding = Finding::unknown(key.span(), path, key.get_ref(), known);
                self.findings.push(finding);
            }
        }
    }

    /// A field that a table must have; `header` is where the file names the table.
    pub fn required<'v, 'd>(
        &mut self,
        path: &str,
        table: &'v DeTable<'d>,
        header: Range<usize>,
        name: &str,
        legal: &str,
    ) -> Option<&'v Spanned<DeValue<'d>>> {
        let value = table.get(name);
        if value.is_none() {
            let finding = Finding::missing(header, join(path, name), legal.into());
            self.findings.push(finding);
        }
        value
    }

    /// A name that no other has: of letters, digits and `-`, for it is part of a folder's name.
    pub fn name(
        &mut self,
        path: &str,
        value: &Spanned<DeValue>,
        taken: &mut BTreeSet<String>,
    ) -> Option<String> {
        let name = self.string(path, value)?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if name.is_empty() || !name.chars().all(is_plain) {
            self.wrong(path, value.span(), "letters, digits and `-`");
            return None;
        }
        if !taken.insert(name.into()) {
            self.wrong(path, value.span(), "a name that no other test has");
            return None;
        }
        Some(name.into())
    }
}
