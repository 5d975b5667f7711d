//! Lines of code and comments.

use std::fmt::Write;

pub const INDENT: &str = "  ";

/// A line longer than this is broken.
const LINE: usize = 110;

/// Comment lines.
pub fn comments(out: &mut String, comments: &[String], depth: usize) {
    for comment in comments {
        let _ = writeln!(out, "{}// {}", INDENT.repeat(depth), comment.trim());
    }
}

/// One line of code, broken at spaces if it is long.
pub fn line(out: &mut String, depth: usize, code: &str) {
    let mut indent = INDENT.repeat(depth);
    let mut rest = code;
    while indent.len() + rest.len() > LINE {
        let limit = LINE - indent.len().min(LINE / 2);
        let Some(at) = rest[..limit.min(rest.len())]
            .rfind(' ')
            .or_else(|| rest.find(' '))
        else {
            break;
        };
        let _ = writeln!(out, "{indent}{}", &rest[..at]);
        indent = INDENT.repeat(depth + 2);
        rest = &rest[at + 1..];
    }
    let _ = writeln!(out, "{indent}{rest}");
}
