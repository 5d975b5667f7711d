//! What can be done to an expression: for each kind of fault, the texts that it makes of one.
//!
//! The text is that of a whole expression again, with the same width. No signal is in it that was not there, but for a
//! register that keeps its value, so that no fault makes a loop.

use fantree_hdl::packet::flit::{FLIT_BITS, TAIL};

use super::site::{words, Role, Signals, Site, Word};
use super::Kind;

/// A fault in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub kind: Kind,
    /// The whole expression with the fault in it.
    pub wrong: String,
}

/// Every fault of an expression, each text once.
pub fn edits(site: &Site, right: &str, signals: &Signals) -> Vec<Edit> {
    let mut expression = Expression {
        site,
        right,
        words: words(right),
        signals,
        edits: Vec::new(),
    };
    expression.by_role();
    expression.credits();
    for at in 0..expression.words.len() {
        expression.word(at);
    }
    expression.stuck();
    let mut edits = expression.edits;
    edits.sort_by_key(|edit| edit.kind);
    let mut seen = vec![right.to_string()];
    edits.retain(|edit| {
        let is_new = !seen.contains(&edit.wrong);
        seen.push(edit.wrong.clone());
        is_new
    });
    edits
}

struct Expression<'a> {
    site: &'a Site,
    right: &'a str,
    words: Vec<Word<'a>>,
    signals: &'a Signals,
    edits: Vec<Edit>,
}

impl Expression<'_> {
    fn add(&mut self, kind: Kind, wrong: impl Into<String>) {
        let wrong = wrong.into();
        self.edits.push(Edit { kind, wrong });
    }

    /// The expression with something else for some of its words.
    fn replace(&mut self, kind: Kind, first: usize, last: usize, by: &str) {
        let (from, to) = (self.words[first].start, self.words[last].end());
        let wrong = format!("{}{by}{}", &self.right[..from], &self.right[to..]);
        self.add(kind, wrong);
    }

    /// The text of a word; empty before the first and behind the last.
    fn text(&self, at: Option<usize>) -> &str {
        at.and_then(|at| self.words.get(at))
            .map_or("", |word| word.text)
    }

    /// What the whole expression is for.
    fn by_role(&mut self) {
        let right = self.right;
        match &self.site.role {
            Role::Condition if right == "reset" => self.add(Kind::MissingReset, "1'b0"),
            Role::Condition => {
                self.add(Kind::InvertedCondition, format!("!({right})"));
                if right.contains("enable") {
                    self.add(Kind::MissingEnable, "1'b1");
                }
            }
            Role::Pin { module, port, pins } => {
                let is_bit = self.site.width == Some(1);
                match port.as_str() {
                    "reset" => self.add(Kind::MissingReset, "1'b0"),
                    "advance" if module.contains("arbiter") => self.add(Kind::StuckArbiter, "1'b0"),
                    "push" | "pop" | "advance" if is_bit => self.add(Kind::MissingEnable, "1'b1"),
                    port if is_bit && port.ends_with("enable") => {
                        self.add(Kind::MissingEnable, "1'b1")
                    }
                    "d" if module.starts_with("register") => {
                        if let Some(kept) = pins.get("q") {
                            self.add(Kind::StaleRegister, kept);
                        }
                    }
                    _ => {}
                }
            }
            Role::Value => {
                if let (true, Some(width @ 2..)) = (self.site.place == "grant", self.site.width) {
                    self.add(Kind::StuckArbiter, format!("{width}'d1"));
                }
            }
            Role::Choice => {}
        }
    }

    /// Credits on their way: one lost, one too many.
    fn credits(&mut self) {
        let of_credits = ["credit", "freed", "give"];
        let place = &self.site.place;
        let last = place.rsplit('.').next().unwrap_or(place);
        let is_way = matches!(self.site.role, Role::Value | Role::Pin { .. });
        if !is_way || self.is_constant() || !of_credits.iter().any(|word| last.contains(word)) {
            return;
        }
        let right = self.right;
        match self.site.width {
            Some(1) => {
                self.add(Kind::LostCredit, "1'b0");
                self.add(Kind::DoubledCredit, "1'b1");
            }
            Some(width) => {
                self.add(
                    Kind::LostCredit,
                    format!("({right}) & {}", all_but_lowest(width)),
                );
                self.add(Kind::DoubledCredit, format!("({right}) | (({right}) << 1)"));
            }
            None => {}
        }
    }

    /// The signal as a whole has a bit that never changes.
    fn stuck(&mut self) {
        if self.site.role != Role::Value || self.is_constant() {
            return;
        }
        let right = self.right;
        let Some(width) = self.site.width else {
            return;
        };
        let lowest = self.lowest();
        if lowest != Some(0) {
            let wrong = match width {
                1 => "1'b0".to_string(),
                width => format!("({right}) & {}", all_but_lowest(width)),
            };
            self.add(Kind::StuckAtZero, wrong);
        }
        if lowest != Some(1) {
            let wrong = match width {
                1 => "1'b1".to_string(),
                width => format!("({right}) | {width}'d1"),
            };
            self.add(Kind::StuckAtOne, wrong);
        }
    }

    fn is_constant(&self) -> bool {
        self.words.len() == 1 && !self.words[0].is_name
    }

    /// The lowest bit, if the expression is a concatenation that ends in a number.
    fn lowest(&self) -> Option<u128> {
        let [.., last, brace] = self.words.as_slice() else {
            return None;
        };
        let value = number(last.text).filter(|_| brace.text == "}");
        value.map(|(_, value)| value & 1)
    }

    /// What can be wrong with one word.
    fn word(&mut self, at: usize) {
        let word = self.words[at];
        let before = at.checked_sub(1);
        let after_operand = before.is_some_and(|before| {
            let before = self.words[before];
            before.is_name
                || before.text.starts_with(|c: char| c.is_ascii_digit())
                || matches!(before.text, ")" | "]" | "}")
        });
        let next = self.text(Some(at + 1)).to_string();
        match word.text {
            "&" => self.replace(Kind::AndForOr, at, at, "|"),
            "|" => self.replace(Kind::AndForOr, at, at, "&"),
            "^" if after_operand => self.replace(Kind::AndForOr, at, at, "|"),
            "&&" => self.replace(Kind::AndForOr, at, at, "||"),
            "||" => self.replace(Kind::AndForOr, at, at, "&&"),
            "!" | "~" if next.ends_with("ready") => self.replace(Kind::SwappedReady, at, at, ""),
            "!" | "~" => self.replace(Kind::MissingNot, at, at, ""),
            // Of single bits, sum and difference are the same.
            "+" | "-" if self.is_bit(before) || self.is_bit(Some(at + 1)) => {}
            "+" => self.replace(Kind::WrongOperator, at, at, "-"),
            "-" if after_operand => self.replace(Kind::WrongOperator, at, at, "+"),
            "==" => self.replace(Kind::WrongComparison, at, at, "!="),
            "!=" => self.replace(Kind::WrongComparison, at, at, "=="),
            "<" => self.replace(Kind::OffByOne, at, at, "<="),
            "<=" => self.replace(Kind::OffByOne, at, at, "<"),
            ">" => self.replace(Kind::OffByOne, at, at, ">="),
            ">=" => self.replace(Kind::OffByOne, at, at, ">"),
            "?" => {
                let (condition, rest) = self.right.split_at(word.start);
                self.add(Kind::InvertedCondition, format!("!({condition}) {rest}"));
            }
            "[" if after_operand => self.select(at),
            text if text.contains('\'') => self.number(at),
            _ if word.is_name => self.name(at),
            _ => {}
        }
    }

    /// A number of one bit.
    fn is_bit(&self, at: Option<usize>) -> bool {
        matches!(number(self.text(at)), Some((1, _)))
    }

    /// A sized number: one more where it is counted or compared with, else another lowest bit.
    fn number(&mut self, at: usize) {
        let Some((width, value)) = number(self.words[at].text) else {
            return;
        };
        let neighbours = [self.text(at.checked_sub(1)), self.text(Some(at + 1))];
        let counts =
            |word: &&str| matches!(*word, "+" | "-" | "==" | "!=" | "<" | "<=" | ">" | ">=");
        let is_counted = neighbours.iter().any(counts);
        let modulus = 1u128 << width;
        let (kind, wrong) = match is_counted && width > 1 {
            true => (Kind::OffByOne, (value + 1) % modulus),
            false => (Kind::WrongConstant, value ^ 1),
        };
        self.replace(kind, at, at, &format!("{width}'d{wrong}"));
    }

    /// `name[index]` or `name[high:low]`, from the bracket on: the neighbour.
    fn select(&mut self, open: usize) {
        let name = self.text(open.checked_sub(1));
        let Some(width) = self.signals.width(name) else {
            return;
        };
        let number = |at: usize| self.text(Some(at)).parse::<usize>().ok();
        let (high, close) = match self.text(Some(open + 2)) {
            "]" => (number(open + 1), open + 2),
            _ => (number(open + 1), open + 4),
        };
        let low = number(close - 1);
        let (Some(high), Some(low)) = (high, low) else {
            return;
        };
        if width == FLIT_BITS && (high, low) == (TAIL.offset, TAIL.offset) {
            self.replace(Kind::DroppedTail, open - 1, close, "1'b0");
        }
        let (high, low) = match high + 1 < width {
            true => (high + 1, low + 1),
            false if low > 0 => (high - 1, low - 1),
            false => return,
        };
        let index = match high == low {
            true => format!("[{low}]"),
            false => format!("[{high}:{low}]"),
        };
        self.replace(Kind::WrongSelect, open, close, &index);
    }

    /// A signal: a ready the wrong way round, a tail that is not there, exchanged with its neighbour in `{…}`.
    fn name(&mut self, at: usize) {
        let name = self.words[at].text;
        let width = self.signals.width(name);
        let is_inverted = matches!(self.text(at.checked_sub(1)), "!" | "~");
        let is_whole = self.text(Some(at + 1)) != "[";
        if name.ends_with("ready") && width == Some(1) && !is_inverted {
            self.replace(Kind::SwappedReady, at, at, &format!("!{name}"));
        }
        if name.ends_with("tail") && width == Some(1) {
            self.replace(Kind::DroppedTail, at, at, "1'b0");
        }
        let other = self.text(Some(at + 2)).to_string();
        let are_parts = matches!(self.text(at.checked_sub(1)), "{" | ",")
            && self.text(Some(at + 1)) == ","
            && matches!(self.text(Some(at + 3)), "," | "}");
        if are_parts && is_whole && width.is_some() && width == self.signals.width(&other) {
            self.replace(Kind::SwappedParts, at, at + 2, &format!("{other}, {name}"));
        }
    }
}

/// All ones but for the lowest bit.
fn all_but_lowest(width: usize) -> String {
    format!("{{{{{}{{1'b1}}}}, 1'b0}}", width - 1)
}

/// Width and value of a sized number of at most 64 bits.
fn number(text: &str) -> Option<(usize, u128)> {
    let (width, digits) = text.split_once('\'')?;
    let radix = match digits.chars().next()? {
        'b' => 2,
        'd' => 10,
        'h' => 16,
        _ => return None,
    };
    let width = width.parse().ok().filter(|width| *width <= 64)?;
    Some((width, u128::from_str_radix(&digits[1..], radix).ok()?))
}
