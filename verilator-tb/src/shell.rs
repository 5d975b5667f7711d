//! Commands as a shell reads them.

use std::fmt::Display;

/// A word, quoted where a shell would take it apart.
pub fn quoted(word: impl Display) -> String {
    let word = word.to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("configs/a-b.toml"), "configs/a-b.toml");
        assert_eq!(quoted("it's mine.toml"), r"'it'\''s mine.toml'");
        assert_eq!(quoted(""), "''");
    }
}
