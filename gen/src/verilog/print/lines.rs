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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces() {
        let code = vec!["signal"; 40].join(" | ");
        let mut out = String::new();
        line(&mut out, 1, &code);
        assert!(out.lines().all(|line| line.len() <= LINE), "{out}");
        assert!(out.lines().skip(1).all(|line| line.starts_with("      ")));
        let words: Vec<&str> = out.split_whitespace().collect();
        assert_eq!(words.join(" "), code);
    }

    #[test]
    fn what_has_no_space_stays_whole() {
        let (mut out, code) = (String::new(), "x".repeat(200));
        line(&mut out, 0, &code);
        assert_eq!(out, code + "\n");
    }
}
