//! A page in Markdown with parts that a command writes, so that it never tells other figures than those measured.
//!
//! A part stands between `<!-- fantree COMMAND: NAME -->` and `<!-- end -->`, each a line of its own.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const END: &str = "<!-- end -->\n";

/// A page, and the command whose parts are written.
pub struct Page {
    path: PathBuf,
    command: &'static str,
    pub text: String,
}

impl Page {
    pub fn read(path: &Path, command: &'static str) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self {
            path: path.into(),
            command,
            text,
        })
    }

    /// Puts another text into a part.
    pub fn replace(&mut self, name: &str, text: &str) -> Result<()> {
        self.text = replaced(&self.text, self.command, name, text)
            .with_context(|| format!("no part `{name}` in {}", self.path.display()))?;
        Ok(())
    }

    pub fn write(&self) -> Result<()> {
        std::fs::write(&self.path, &self.text)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// A page with another text in a part.
fn replaced(page: &str, command: &str, name: &str, text: &str) -> Result<String> {
    let start = format!("<!-- fantree {command}: {name} -->\n");
    let (before, rest) = page
        .split_once(&start)
        .with_context(|| format!("there is no line `{}`", start.trim_end()))?;
    let (_, after) = rest
        .split_once(END)
        .with_context(|| format!("there is no line `{}` after it", END.trim_end()))?;
    Ok(format!("{before}{start}\n{text}\n{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_replaced_and_nothing_else() {
        let page = "a\n<!-- fantree bench: x -->\nold\n<!-- end -->\nb\n<!-- fantree bench: y -->\n<!-- end -->\n";
        let once = replaced(page, "bench", "x", "new\n").unwrap();
        assert_eq!(
            once,
            "a\n<!-- fantree bench: x -->\n\nnew\n\n<!-- end -->\nb\n<!-- fantree bench: y -->\n<!-- end -->\n"
        );
        assert_eq!(replaced(&once, "bench", "x", "new\n").unwrap(), once);
    }

    #[test]
    fn a_page_without_the_part_is_refused() {
        for page in [
            "",
            "<!-- fantree bench: x -->\n",
            "<!-- fantree bench: y -->\n<!-- end -->\n",
            "<!-- fantree synth: x -->\n<!-- end -->\n",
        ] {
            assert!(replaced(page, "bench", "x", "").is_err(), "{page:?}");
        }
    }
}
