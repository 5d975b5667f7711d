//! Where a fault can be put into a module: its expressions, each with what it is the value of.
//!
//! Modules are read as the back end and the texts of the primitives have them: declarations, instances with named
//! ports, `assign`, `always`. In them, every operand has the width of the operator, so an expression may be replaced by
//! one of the same width without a look at what stands around it.

use std::collections::HashMap;
use std::ops::Range;

use crate::verilog::tokens::{tokens, Kind};
use crate::verilog::{Design, Direction, Module};

/// An expression of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Where in the module's text.
    pub range: Range<usize>,
    /// The signal that it decides, or `instance.port`.
    pub place: String,
    /// Bits of its value, if it has a fixed number of them.
    pub width: Option<usize>,
    pub role: Role,
}

/// What an expression is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// It is assigned to a signal.
    Value,
    /// An `if` depends on it.
    Condition,
    /// A `case` depends on it.
    Choice,
    /// It is an input of an instance; all pins of the instance, for what another one is connected to.
    Pin {
        module: String,
        port: String,
        pins: HashMap<String, String>,
    },
}

/// A token that is not blank, and where it begins.
#[derive(Debug, Clone, Copy)]
pub struct Word<'a> {
    pub text: &'a str,
    pub start: usize,
    pub is_name: bool,
}

impl Word<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The tokens of a text, without blanks and comments.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let mut start = 0;
    let mut words = Vec::new();
    for token in tokens(text) {
        if token.kind != Kind::Blank {
            words.push(Word {
                text: token.text,
                start,
                is_name: token.kind == Kind::Name,
            });
        }
        start += token.text.len();
    }
    words
}

/// What is known of the signals of a module.
#[derive(Debug, Default)]
pub struct Signals {
    widths: HashMap<String, usize>,
    /// Arrays of words: an index gives a word.
    memories: HashMap<String, usize>,
}

impl Signals {
    /// Bits of a signal that is no memory.
    pub fn width(&self, name: &str) -> Option<usize> {
        self.widths.get(name).copied()
    }
}

/// The signals and the expressions of a module.
pub fn sites(design: &Design, module: &Module) -> (Signals, Vec<Site>) {
    let mut reader = Reader {
        design,
        text: &module.text,
        words: words(&module.text),
        at: 0,
        signals: Signals::default(),
        sites: Vec::new(),
    };
    reader.module();
    (reader.signals, reader.sites)
}

struct Reader<'a> {
    design: &'a Design,
    text: &'a str,
    words: Vec<Word<'a>>,
    at: usize,
    signals: Signals,
    sites: Vec<Site>,
}

impl<'a> Reader<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.words.get(at).map_or("", |word| word.text)
    }

    fn module(&mut self) {
        while self.at < self.words.len() {
            match self.word(self.at) {
                "input" | "output" | "inout" | "wire" | "reg" => self.declaration(),
                "assign" => {
                    self.at += 1;
                    let place = self.word(self.at).to_string();
                    self.assignment(&place);
                }
                "always" => self.process(),
                _ if self.is_instance() => self.instance(),
                _ => self.at += 1,
            }
        }
    }

    /// One name and its width; the words before and behind the name may be anything that a declaration has.
    fn declaration(&mut self) {
        let mut width = 1;
        loop {
            let word = self.word(self.at);
            match word {
                "[" => width = self.range(),
                "input" | "output" | "inout" | "wire" | "reg" | "signed" => self.at += 1,
                _ => {
                    self.at += 1;
                    let known = match self.word(self.at) {
                        "[" => &mut self.signals.memories,
                        _ => &mut self.signals.widths,
                    };
                    known.insert(word.to_string(), width);
                    return;
                }
            }
        }
    }

    /// Bits of `[high:low]` or `[index]`, after which it goes on; 1 for an index that is no number.
    fn range(&mut self) -> usize {
        let end = self.closing(self.at);
        let number = |at: usize| self.word(at).parse().unwrap_or(0);
        let width = match self.word(self.at + 2) {
            ":" => number(self.at + 1) - number(self.at + 3) + 1,
            _ => 1,
        };
        self.at = end + 1;
        width
    }

    /// The place of the bracket that closes the one at `open`.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0;
        for at in open..self.words.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        self.words.len()
    }

    fn add(&mut self, words: Range<usize>, place: &str, width: Option<usize>, role: Role) {
        self.sites.push(Site {
            range: self.words[words.start].start..self.words[words.end - 1].end(),
            place: place.to_string(),
            width,
            role,
        });
    }

    /// `target = value;`, from the target on.
    fn assignment(&mut self, place: &str) {
        let name = self.word(self.at);
        self.at += 1;
        let mut width = self.signals.width(name);
        if self.word(self.at) == "[" {
            let part = self.range();
            width = Some(*self.signals.memories.get(name).unwrap_or(&part));
        }
        let value = self.at + 1;
        self.at = (value..self.words.len())
            .find(|&at| self.word(at) == ";")
            .unwrap_or(self.words.len());
        self.add(value..self.at, place, width, Role::Value);
    }

    /// `always @(…)` and its statement. All in it decides what it assigns first; the back end's assign nothing else.
    fn process(&mut self) {
        self.at = self.closing(self.at + 2) + 1;
        let mut place = String::new();
        let first = self.sites.len();
        let mut depth = 0;
        while self.at < self.words.len() {
            let word = self.words[self.at];
            match word.text {
                "begin" | "case" => depth += 1,
                "end" | "endcase" => depth -= 1,
                _ => {}
            }
            match word.text {
                "if" | "case" => {
                    let end = self.closing(self.at + 1);
                    let (width, role) = match word.text {
                        "if" => (Some(1), Role::Condition),
                        _ => (None, Role::Choice),
                    };
                    self.add(self.at + 2..end, "", width, role);
                    self.at = end + 1;
                }
                "begin" | "end" | "endcase" | "else" | "default" => self.at += 1,
                _ if word.is_name && self.is_assignment() => {
                    if place.is_empty() {
                        place = word.text.to_string();
                    }
                    self.assignment(word.text);
                    self.at += 1;
                }
                _ => self.at += 1,
            }
            let goes_on = self.word(self.at) == "else";
            if depth == 0 && !goes_on && matches!(self.word(self.at - 1), "end" | "endcase" | ";") {
                break;
            }
        }
        for site in &mut self.sites[first..] {
            if site.place.is_empty() {
                site.place = place.clone();
            }
        }
    }

    /// Whether an assignment begins here, and not a label.
    fn is_assignment(&self) -> bool {
        let next = match self.word(self.at + 1) {
            "[" => self.closing(self.at + 1) + 1,
            _ => self.at + 1,
        };
        matches!(self.word(next), "=" | "<=")
    }

    fn is_instance(&self) -> bool {
        self.design.module(self.word(self.at)).is_some()
            && self.word(self.at + 2) == "("
            && self.word(self.at + 3) == "."
    }

    /// `module name (.port(value), …);`
    fn instance(&mut self) {
        let Some(module) = self.design.module(self.word(self.at)) else {
            return;
        };
        let name = self.word(self.at + 1);
        let end = self.closing(self.at + 2);
        let mut pins = HashMap::new();
        let mut inputs = Vec::new();
        self.at += 3;
        while self.at < end {
            // `. port ( value ) ,`
            let (port, open) = (self.word(self.at + 1), self.at + 2);
            let close = self.closing(open);
            if close > open + 1 {
                let value = open + 1..close;
                let text = &self.text[self.words[open].end()..self.words[close].start];
                pins.insert(port.to_string(), text.to_string());
                let known = module.ports.iter().find(|known| known.name == port);
                if let Some(known) = known.filter(|known| known.direction == Direction::Input) {
                    inputs.push((port, known.width, value));
                }
            }
            self.at = close + 2;
        }
        for (port, width, value) in inputs {
            let role = Role::Pin {
                module: module.name.clone(),
                port: port.to_string(),
                pins: pins.clone(),
            };
            self.add(value, &format!("{name}.{port}"), Some(width), role);
        }
        self.at = end + 1;
    }
}
