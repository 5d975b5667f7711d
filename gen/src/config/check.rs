//! The check of a configuration text: from TOML to [`Config`], or to every problem found.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::problem::{join, type_name, Finding};
use super::schema::{fields, Field, Kind};
use super::{Config, Router};

pub(super) fn check(text: &str) -> Result<Config, Vec<Finding>> {
    let (document, syntax_errors) = DeTable::parse_recoverable(text);
    if !syntax_errors.is_empty() {
        // What a broken text means is a guess, so nothing else is said about it.
        return Err(syntax_errors.iter().map(Finding::syntax).collect());
    }
    let mut checker = Checker {
        text,
        spans: BTreeMap::new(),
        findings: Vec::new(),
    };
    let values = checker.table("", &fields(), document.get_ref(), 0..0);
    if let Some(router) = values.get("router") {
        let router = Router::deserialize(router.clone()).expect("checked against its own schema");
        checker.conflicts(&router);
    }
    if checker.findings.is_empty() {
        Ok(Config::deserialize(values).expect("checked against its own schema"))
    } else {
        Err(checker.findings)
    }
}

struct Checker<'a> {
    text: &'a str,
    /// Where the file sets a field, by path.
    spans: BTreeMap<String, Range<usize>>,
    findings: Vec<Finding>,
}

impl Checker<'_> {
    /// Checks a table and returns what is right in it. `header` is where the file names the table.
    fn table(
        &mut self,
        path: &str,
        fields: &[Field],
        table: &DeTable,
        header: Range<usize>,
    ) -> Table {
        let mut values = Table::new();
        for (key, value) in table.iter() {
            let name: &str = key.get_ref();
            match fields.iter().find(|field| field.name == name) {
                None => self.unknown(path, name, fields, key.span()),
                Some(field) => {
                    let path = join(path, name);
                    self.spans.insert(path.clone(), value.span());
                    if let Some(value) = self.value(&path, field, key.span(), value) {
                        values.insert(name.into(), value);
                    }
                }
            }
        }
        for field in fields {
            if field.default.is_none() && !table.contains_key(field.name.as_str()) {
                self.missing(path, field, header.clone());
            }
        }
        values
    }

    /// Checks the value of a field; `None` if it is wrong.
    fn value(
        &mut self,
        path: &str,
        field: &Field,
        key: Range<usize>,
        value: &Spanned<DeValue>,
    ) -> Option<Value> {
        match (&field.kind, value.get_ref()) {
            (Kind::Table(fields), DeValue::Table(table)) => {
                return Some(Value::Table(self.table(path, fields, table, key)));
            }
            (Kind::Integer { min, max }, DeValue::Integer(integer)) => {
                // A number too large for the type is outside the legal range as well.
                if let Ok(number) = i64::from_str_radix(integer.as_str(), integer.radix()) {
                    if (*min..=*max).contains(&number) {
                        return Some(Value::Integer(number));
                    }
                }
                self.wrong(path, field, value.span(), String::new());
            }
            (Kind::Text { pattern }, DeValue::String(text)) => {
                let legal = pattern.as_ref().is_none_or(|pattern| {
                    let pattern = regex::Regex::new(pattern).expect("a pattern of our own");
                    pattern.is_match(text)
                });
                if legal {
                    return Some(Value::String(text.to_string()));
                }
                self.wrong(path, field, value.span(), String::new());
            }
            (Kind::Switch, DeValue::Boolean(value)) => return Some(Value::Boolean(*value)),
            (kind, other) => {
                let types = format!(
                    ", of type {} instead of {}",
                    type_name(other),
                    kind.type_name()
                );
                self.wrong(path, field, value.span(), types);
            }
        }
        None
    }

    fn wrong(&mut self, path: &str, field: &Field, span: Range<usize>, types: String) {
        let finding = Finding::wrong(self.text, span, path, &types, field.kind.legal());
        self.findings.push(finding.help(&field.description));
    }

    fn missing(&mut self, path: &str, field: &Field, header: Range<usize>) {
        let finding = Finding::missing(header, join(path, &field.name), field.kind.legal());
        self.findings.push(finding.help(&field.description));
    }

    fn unknown(&mut self, path: &str, name: &str, fields: &[Field], span: Range<usize>) {
        let known: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        self.findings
            .push(Finding::unknown(span, path, name, &known));
    }

    /// Reports broken rules between fields, except where one of the fields is wrong by itself.
    fn conflicts(&mut self, router: &Router) {
        for conflict in router.conflicts() {
            let is_wrong = |path: &&str| self.findings.iter().any(|finding| finding.field == *path);
            if conflict.fields.iter().any(is_wrong) {
                continue;
            }
            let set = |path: &&&str| self.spans.contains_key(**path);
            let Some(path) = conflict.fields.iter().find(set) else {
                unreachable!("defaults have no conflicts");
            };
            let span = self.spans[*path].clone();
            self.findings.push(Finding {
                value: Some(self.text[span.clone()].to_owned()),
                span,
                field: (*path).into(),
                message: conflict.message,
                legal: None,
                help: Some(conflict.help),
            });
        }
    }
}
