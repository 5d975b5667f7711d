//! Verilog text of primitives, as tokens: enough to rename signals and to see what is assigned how.

/// A token: its text, and whether it is a name that could be a signal's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub kind: Kind,
}

/// Kinds of tokens that matter here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Name,
    /// White space and comments.
    Blank,
    Other,
}

/// Splits text into tokens; together they are the text.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut list: Vec<Token> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let after_dot = list.last().is_some_and(|t| t.text == ".");
        let (length, kind) = next(rest, after_dot);
        let (token, tail) = rest.split_at(length);
        list.push(Token { text: token, kind });
        rest = tail;
    }
    list
}

fn next(rest: &str, after_dot: bool) -> (usize, Kind) {
    let until = |stop: &dyn Fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let first = rest.chars().next().unwrap_or(' ');
    match first {
        c if c.is_whitespace() => (until(&|c| !c.is_whitespace()), Kind::Blank),
        '/' if rest.starts_with("//") => (until(&|c| c == '\n'), Kind::Blank),
        '/' if rest.starts_with("/*") => {
            let end = rest[2..].find("*/");
            (end.map_or(rest.len(), |at| at + 4), Kind::Blank)
        }
        '"' => {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            (end.map_or(rest.len(), |at| at + 2), Kind::Other)
        }
        // System tasks, compiler directives and escaped names are not ours.
        '$' | '`' | '\\' => {
            let end = rest[1..]
                .find(|c: char| !is_word(c))
                .unwrap_or(rest.len() - 1);
            (end + 1, Kind::Other)
        }
        '0'..='9' | '\'' => {
            let is_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '?');
            (until(&|c| !is_number(c)), Kind::Other)
        }
        c if is_word(c) => {
            // `.port(…)` is a name of another module.
            let kind = if after_dot { Kind::Other } else { Kind::Name };
            (until(&|c| !is_word(c)), kind)
        }
        _ => {
            let length = ["<=", ">=", "==", "!=", "&&", "||", "<<", ">>"]
                .iter()
                .find(|operator| rest.starts_with(**operator))
                .map_or(first.len_utf8(), |operator| operator.len());
            (length, Kind::Other)
        }
    }
}

/// The names that the text assigns in `always` and `initial` blocks, which must be declared `reg`.
pub fn procedural_targets<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let code: Vec<Token> = tokens
        .iter()
        .filter(|t| t.kind != Kind::Blank)
        .copied()
        .collect();
    let mut targets = Vec::new();
    let (mut depth, mut continuous) = (0usize, false);
    // Names since the statement began, outside of indexes: what an assignment would drive.
    let mut names: Vec<&str> = Vec::new();
    for token in &code {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => {
                depth = depth.saturating_sub(1);
                if token.text == ")" && depth == 0 {
                    names.clear();
                }
            }
            ";" => {
                names.clear();
                continuous = false;
            }
            "assign" => {
                names.clear();
                continuous = true;
            }
            "begin" | "else" | "end" | ":" | "reg" | "wire" | "localparam" | "parameter" => {
                names.clear();
                // A declaration with a value is no assignment to a port.
                continuous |= matches!(token.text, "reg" | "wire" | "localparam" | "parameter");
            }
            "=" | "<=" if depth == 0 => {
                if !continuous {
                    targets.append(&mut names);
                }
                names.clear();
            }
            _ if token.kind == Kind::Name && depth == 0 => names.push(token.text),
            _ => {}
        }
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text() {
        let text = "q$0 <= 8'hff + `W; // d\n /*/ e */ u.x(y), $display(\"a\\\" b\"), \\esc ";
        let list = tokens(text);
        let joined: String = list.iter().map(|t| t.text).collect();
        assert_eq!(joined, text);
        let names: Vec<&str> = list
            .iter()
            .filter(|t| t.kind == Kind::Name)
            .map(|t| t.text)
            .collect();
        assert_eq!(names, ["q$0", "u", "y"]);
    }

    #[test]
    fn procedural_targets_are_found() {
        let text = "
            assign a = b <= c;
            reg [3:0] mem [0:3];
            wire w = 1;
            initial q = 0;
            always @(posedge clock) begin : named
              if (reset <= 1) x <= 0; else y[i] <= z;
              case (s) 2'd1: v = 1; default: {p, o} = t; endcase
              for (i = 0; i < 4; i = i + 1) mem[i] <= d;
            end";
        let targets = procedural_targets(&tokens(text));
        for name in ["q", "x", "y", "v", "p", "o", "mem"] {
            assert!(targets.contains(&name), "{name} in {targets:?}");
        }
        for name in ["a", "b", "c", "w", "reset", "clock", "z", "t", "d", "s"] {
            assert!(!targets.contains(&name), "{name} in {targets:?}");
        }
    }
}
