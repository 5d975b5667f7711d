//! The check of a configuration text: from TOML to [`Config`], or to every problem found.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::problem::Finding;
use super::schema::{fields, Field, Kind};
use super::{Config, Router};

/// Names closer to an unknown field than this (1 is equal) are suggested.
const SIMILAR: f64 = 0.7;

pub(super) fn check(text: &str) -> Result<Config, Vec<Finding>> {
    let (document, syntax_errors) = DeTable::parse_recoverable(text);
    if !syntax_errors.is_empty() {
        // What a broken text means is a guess, so nothing else is said about it.
        return Err(syntax_errors.iter().map(syntax_error).collect());
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
        let value = self.text[span.clone()].to_owned();
        let legal = field.kind.legal();
        let shown = value.lines().next().unwrap_or_default();
        self.findings.push(Finding {
            span,
            field: path.into(),
            message: format!("`{path}` is {shown}{types}; legal is {legal}"),
            value: Some(value),
            legal: Some(legal),
            help: Some(field.description.clone()),
        });
    }

    fn missing(&mut self, path: &str, field: &Field, header: Range<usize>) {
        let path = join(path, &field.name);
        let legal = field.kind.legal();
        self.findings.push(Finding {
            span: header,
            message: format!("`{path}` is missing; legal is {legal}"),
            field: path,
            value: None,
            legal: Some(legal),
            help: Some(field.description.clone()),
        });
    }

    fn unknown(&mut self, path: &str, name: &str, fields: &[Field], span: Range<usize>) {
        let names = fields.iter().map(|field| field.name.as_str());
        let nearest = names
            .clone()
            .map(|known| (strsim::jaro_winkler(name, known), known))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(similarity, _)| *similarity >= SIMILAR);
        let known = names.collect::<Vec<_>>().join(", ");
        let help = match nearest {
            Some((_, nearest)) => format!("did you mean `{nearest}`? (known here: {known})"),
            None => format!("known here: {known}"),
        };
        let path = join(path, name);
        self.findings.push(Finding {
            span,
            message: format!("`{path}` is not a field"),
            field: path,
            value: None,
            legal: None,
            help: Some(help),
        });
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

fn syntax_error(error: &toml::de::Error) -> Finding {
    Finding {
        span: error.span().unwrap_or_default(),
        field: String::new(),
        message: error.message().into(),
        value: None,
        legal: None,
        help: None,
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.into()
    } else {
        format!("{path}.{name}")
    }
}

fn type_name(value: &DeValue) -> &'static str {
    match value {
        DeValue::String(_) => "string",
        DeValue::Integer(_) => "integer",
        DeValue::Float(_) => "float",
        DeValue::Boolean(_) => "boolean",
        DeValue::Datetime(_) => "date",
        DeValue::Array(_) => "array",
        DeValue::Table(_) => "table",
    }
}
