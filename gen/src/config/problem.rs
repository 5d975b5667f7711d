//! Problems of a TOML file, and how they are shown.
//!
//! The first line of a problem is `file:line:column: error: …`, so editors can jump to it; the source line follows:
//!
//! ```text
//! configs/chip.toml:4:8: error: `router.rows` is 0; legal is 1 to 64
//!   |
//! 4 | rows = 0
//!   |        ^
//!   = help: …
//! ```

use std::fmt;
use std::ops::Range;

use serde::Serialize;
use toml::de::DeValue;

/// Names closer to an unknown field than this (1 is equal) are suggested.
const SIMILAR: f64 = 0.7;

/// A problem before its place is counted in lines: what a check of a TOML file finds.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Bytes of the text that are wrong.
    pub span: Range<usize>,
    /// Path of the field, such as `router.rows`; empty where the text is not TOML.
    pub field: String,
    pub message: String,
    /// The value as the file has it.
    pub value: Option<String>,
    /// The legal values in words.
    pub legal: Option<String>,
    pub help: Option<String>,
}

/// One problem of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Counted from 1.
    pub line: usize,
    /// Counted in characters from 1.
    pub column: usize,
    /// Path of the field, such as `router.rows`; empty where the text is not TOML.
    pub field: String,
    pub message: String,
    /// The value as the file has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The legal values in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    #[serde(skip)]
    source_line: String,
    #[serde(skip)]
    marked_characters: usize,
}

/// All problems of a file, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct Invalid {
    pub file: String,
    pub problems: Vec<Problem>,
}

impl Invalid {
    /// `text` is what the file holds; `file` only names it.
    pub fn new(file: &str, text: &str, findings: Vec<Finding>) -> Self {
        let mut problems: Vec<Problem> = findings.into_iter().map(|it| it.place(text)).collect();
        problems.sort_by_key(|problem| (problem.line, problem.column));
        Self {
            file: file.into(),
            problems,
        }
    }
}

impl Finding {
    /// The text is not TOML.
    pub fn syntax(error: &toml::de::Error) -> Self {
        Finding {
            span: error.span().unwrap_or_default(),
            field: String::new(),
            message: error.message().into(),
            value: None,
            legal: None,
            help: None,
        }
    }

    /// The value of the field at `path` is not legal; `but` says more of what it is.
    pub fn wrong(text: &str, span: Range<usize>, path: &str, but: &str, legal: String) -> Self {
        let value = text[span.clone()].to_owned();
        let shown = value.lines().next().unwrap_or_default();
        Finding {
            message: format!("`{path}` is {shown}{but}; legal is {legal}"),
            span,
            field: path.into(),
            value: Some(value),
            legal: Some(legal),
            help: None,
        }
    }

    /// A table, named at `span`, has no field `path`, which it must have.
    pub fn missing(span: Range<usize>, path: String, legal: String) -> Self {
        Finding {
            span,
            message: format!("`{path}` is missing; legal is {legal}"),
            field: path,
            value: None,
            legal: Some(legal),
            help: None,
        }
    }

    /// There is no field `name` in the table at `path`, which knows others.
    pub fn unknown(span: Range<usize>, path: &str, name: &str, known: &[&str]) -> Self {
        let nearest = known
            .iter()
            .map(|known| (strsim::jaro_winkler(name, known), known))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(similarity, _)| *similarity >= SIMILAR);
        let list = known.join(", ");
        let help = match nearest {
            Some((_, nearest)) => format!("did you mean `{nearest}`? (known here: {list})"),
            None => format!("known here: {list}"),
        };
        let path = join(path, name);
        Finding {
            span,
            message: format!("`{path}` is not a field"),
            field: path,
            value: None,
            legal: None,
            help: Some(help),
        }
    }

    /// With what may help.
    pub fn help(self, help: impl Into<String>) -> Self {
        Finding {
            help: Some(help.into()),
            ..self
        }
    }

    fn place(self, text: &str) -> Problem {
        let start = self.span.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let source_line = text[line_start..].lines().next().unwrap_or_default();
        let line_end = line_start + source_line.len();
        // A span over several lines is marked up to the end of the first.
        let marked = text
            .get(start..self.span.end.min(line_end))
            .unwrap_or_default();
        Problem {
            line: text[..start].matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            field: self.field,
            message: self.message,
            value: self.value,
            legal: self.legal,
            help: self.help,
            source_line: source_line.replace('\t', " "),
            marked_characters: marked.chars().count().max(1),
        }
    }
}

/// The path of a field of the table at `path`.
pub fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.into()
    } else {
        format!("{path}.{name}")
    }
}

/// What TOML calls the type of a value.
pub fn type_name(value: &DeValue) -> &'static str {
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

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.problems {
            let Problem {
                line,
                column,
                message,
                source_line,
                ..
            } = problem;
            let gutter = " ".repeat(line.to_string().len());
            writeln!(f, "{}:{line}:{column}: error: {message}", self.file)?;
            writeln!(f, "{gutter} |")?;
            writeln!(f, "{}", format!("{line} | {source_line}").trim_end())?;
            let (indent, mark) = (
                " ".repeat(column - 1),
                "^".repeat(problem.marked_characters),
            );
            writeln!(f, "{gutter} | {indent}{mark}")?;
            if let Some(help) = &problem.help {
                writeln!(f, "{gutter} = help: {help}")?;
            }
            writeln!(f)?;
        }
        let count = self.problems.len();
        let plural = if count == 1 { "" } else { "s" };
        write!(f, "{}: {count} error{plural}", self.file)
    }
}
