//! Problems of a configuration file, and how they are shown.
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

/// A problem before its place is counted in lines: what [`super::check`] finds.
pub(super) struct Finding {
    pub span: Range<usize>,
    pub field: String,
    pub message: String,
    pub value: Option<String>,
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
    pub(super) fn new(file: &str, text: &str, findings: Vec<Finding>) -> Self {
        let mut problems: Vec<Problem> = findings.into_iter().map(|it| it.place(text)).collect();
        problems.sort_by_key(|problem| (problem.line, problem.column));
        Self {
            file: file.into(),
            problems,
        }
    }
}

impl Finding {
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
