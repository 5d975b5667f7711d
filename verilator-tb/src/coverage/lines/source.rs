//! The modules of a Verilog text, by their first lines.

use std::collections::HashMap;

use super::data::Entry;

/// A module in a text of several.
#[derive(Debug)]
pub struct Source<'a> {
    /// From `module` to `endmodule`.
    pub text: &'a str,
    /// The number of its first line, counted from 1.
    pub first_line: usize,
}

impl Source<'_> {
    /// Whether a block is in it.
    pub fn holds(&self, entry: &Entry) -> bool {
        let own = self.first_line..self.first_line + self.text.lines().count();
        own.contains(&entry.line) && entry.lines.iter().all(|line| own.contains(line))
    }
}

/// The modules, as our back end prints them: `module` and `endmodule` stand at the beginning of a line.
pub fn modules(verilog: &str) -> HashMap<&str, Source<'_>> {
    let mut modules = HashMap::new();
    let (mut open, mut offset) = (None, 0);
    for (number, line) in verilog.split_inclusive('\n').enumerate() {
        if let Some(rest) = line.strip_prefix("module ") {
            let name = rest
                .trim_start_matches('\\')
                .split([' ', '(', ';', '\n'])
                .next();
            open = name.map(|name| (name, offset, number + 1));
        }
        offset += line.len();
        if line.trim_end() == "endmodule" {
            if let Some((name, start, first_line)) = open.take() {
                let text = &verilog[start..offset];
                modules.insert(name, Source { text, first_line });
            }
        }
    }
    modules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_with_their_first_lines() {
        let text = "// a\n\nmodule a (\n  input x\n);\nendmodule\n\nmodule b;\nendmodule\n";
        let modules = modules(text);
        assert_eq!(modules.len(), 2);
        assert_eq!((modules["a"].first_line, modules["b"].first_line), (3, 8));
        assert_eq!(modules["a"].text, "module a (\n  input x\n);\nendmodule\n");
        assert_eq!(modules["b"].text, "module b;\nendmodule\n");
    }
}
