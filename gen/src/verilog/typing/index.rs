//! Names with indexes: `child[i+1].d[j]` becomes the name the block tree has, `child$2$d$0`.
//!
//! rust-hdl keeps an index as text. Its own emitter resolves one bracket by a regular expression; here any number of
//! brackets is resolved, with integers, the variables of the loops around, `+ - * / %` and parentheses.

use super::literal;

/// Replaces every `[…]` of `name` by `$` and its value.
pub fn resolve(name: &str, loops: &[(String, i64)]) -> Result<String, String> {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(open) = rest.find('[') {
        let close = rest.find(']').ok_or("a bracket is not closed")?;
        if close < open || rest[open + 1..close].contains('[') {
            return Err("an index inside an index".to_string());
        }
        out.push_str(&rest[..open]);
        let value = evaluate(&rest[open + 1..close], loops)?;
        if value < 0 {
            return Err(format!("it is {value}"));
        }
        out.push_str(&format!("${value}"));
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

fn evaluate(text: &str, loops: &[(String, i64)]) -> Result<i64, String> {
    let mut parser = Parser { text, loops };
    let value = parser.sum()?;
    if parser.text.is_empty() {
        Ok(value)
    } else {
        Err(format!("`{text}` is not understood"))
    }
}

/// Recursive descent over what is left of the text.
struct Parser<'a> {
    text: &'a str,
    loops: &'a [(String, i64)],
}

impl Parser<'_> {
    fn take(&mut self, operators: &[char]) -> Option<char> {
        let first = self.text.chars().next()?;
        operators.contains(&first).then(|| {
            self.text = &self.text[1..];
            first
        })
    }

    fn sum(&mut self) -> Result<i64, String> {
        let mut value = self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            let right = self.product()?;
            let result = match operator {
                '+' => value.checked_add(right),
                _ => value.checked_sub(right),
            };
            value = result.ok_or("it overflows")?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<i64, String> {
        let mut value = self.atom()?;
        while let Some(operator) = self.take(&['*', '/', '%']) {
            let right = self.atom()?;
            let result = match operator {
                '*' => value.checked_mul(right),
                '/' => value.checked_div(right),
                _ => value.checked_rem(right),
            };
            value = result.ok_or("it overflows or divides by zero")?;
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<i64, String> {
        if self.take(&['(']).is_some() {
            let value = self.sum()?;
            return match self.take(&[')']) {
                Some(_) => Ok(value),
                None => Err("a parenthesis is not closed".to_string()),
            };
        }
        let end = self
            .text
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        let variable = self.loops.iter().rev().find(|(name, _)| name == word);
        let value = match variable {
            Some((_, value)) => Some(*value),
            None => literal::parse(word).and_then(|v| i64::try_from(v).ok()),
        };
        self.text = rest;
        value.ok_or_else(|| format!("`{word}` is not known"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_become_numbers() {
        let loops = [("i".to_string(), 3), ("j".to_string(), 5)];
        for (name, resolved) in [
            ("a", "a"),
            ("a[0]", "a$0"),
            ("a[i][j]", "a$3$5"),
            ("child[(i+1)].d[j]", "child$4.d$5"),
            ("a[2*(i-1)%j]$d", "a$4$d"),
            ("a[i*4+j]", "a$17"),
            ("a[9-i-j]", "a$1"),
            ("a[0x1f_usize/2]", "a$15"),
        ] {
            assert_eq!(resolve(name, &loops).as_deref(), Ok(resolved), "{name}");
        }
    }

    #[test]
    fn what_is_not_known_is_named() {
        for (name, why) in [
            ("a[N]", "`N` is not known"),
            ("a[1-2]", "it is -1"),
            ("a[1/0]", "it overflows or divides by zero"),
            ("a[b[0]]", "an index inside an index"),
            ("a[1", "a bracket is not closed"),
            ("a[(1]", "a parenthesis is not closed"),
            ("a[1!2]", "`1!2` is not understood"),
        ] {
            assert_eq!(resolve(name, &[]), Err(why.to_string()), "{name}");
        }
    }

    #[test]
    fn the_inner_loop_hides_the_outer() {
        let loops = [("i".to_string(), 1), ("i".to_string(), 2)];
        assert_eq!(resolve("a[i]", &loops).as_deref(), Ok("a$2"));
    }
}
