//! `View`: what GTKWave shows of a wave, in groups, and the save file that makes it do so.
//!
//! GTKWave drops what it does not find in a wave without a word, so every signal is looked up in the wave first.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{filter, Error, Signal, Table, Wave};

/// What is shown, and where to look first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    pub items: Vec<Item>,
    /// Time at the left edge, in the wave's unit.
    pub start: u64,
    /// Time of the marker; the values there are shown beside the names.
    pub marker: u64,
    /// Time that the window spans.
    pub span: u64,
}

/// A line of the list of signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Group(Group),
    Trace(Trace),
}

/// Lines that can be folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub name: String,
    pub open: bool,
    pub items: Vec<Item>,
}

/// Bits side by side, shown as one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub name: String,
    /// The bits, the highest first.
    pub parts: Vec<Part>,
    pub show: Show,
}

/// A signal, or some of its bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Path of the signal in the wave.
    pub path: String,
    /// The bits, counted from the lowest; all if not given.
    pub bits: Option<Range<u32>>,
}

/// How a value is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// A single bit as a line, several as digits.
    Bits,
    Decimal,
    Hex,
    /// By name.
    Named(Table),
    /// A flit below bits that tell whether it is there: a packet's header in words, see [`filter`].
    Flit,
}

// Flags of a trace, as numbered by GTKWave.
const RIGHT: u32 = 1 << 5;
const HEX: u32 = 1 << 1 | RIGHT;
const DECIMAL: u32 = 1 << 2 | RIGHT;
const BINARY: u32 = 1 << 3 | RIGHT;
const BY_FILE: u32 = 1 << 13 | HEX;
const BY_PROCESS: u32 = 1 << 14 | HEX;
const BLANK: u32 = 1 << 9;
const CLOSED: u32 = 1 << 22;
const GROUP_BEGIN: u32 = 1 << 23 | BLANK;
const GROUP_END: u32 = 1 << 24 | BLANK;

/// Size of the window, and of the list of signals in it, in pixels.
const WINDOW: (u32, u32) = (1600, 900);
const LIST_WIDTH: u32 = 520;

/// Paths in a save file are taken relative to the path it says it has itself; any folder will do.
const FOLDER: &str = "/fantree";

impl Part {
    /// All of a signal.
    pub fn all(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            bits: None,
        }
    }

    /// Some bits of a signal.
    pub fn bits(path: impl Into<String>, bits: Range<u32>) -> Self {
        Self {
            path: path.into(),
            bits: Some(bits),
        }
    }

    /// Each bit, the highest first, as GTKWave names it: by its position from the left.
    fn each_bit(&self, signal: &Signal) -> Vec<String> {
        let name = signal.name();
        if signal.width == 1 {
            return vec![name];
        }
        let bits = self.bits.clone().unwrap_or(0..signal.width);
        bits.rev()
            .map(|bit| format!("({}){name}", signal.width - 1 - bit))
            .collect()
    }
}

impl Trace {
    /// One signal.
    pub fn of(name: impl Into<String>, path: impl Into<String>, show: Show) -> Self {
        Self {
            name: name.into(),
            parts: vec![Part::all(path)],
            show,
        }
    }
}

impl From<Trace> for Item {
    fn from(trace: Trace) -> Self {
        Item::Trace(trace)
    }
}

impl From<Group> for Item {
    fn from(group: Group) -> Self {
        Item::Group(group)
    }
}

impl View {
    /// All traces, in order.
    pub fn traces(&self) -> Vec<&Trace> {
        let mut traces = Vec::new();
        collect(&self.items, &mut traces);
        traces
    }

    /// Writes the save file beside the wave, with its extension `gtkw`, and the translate files it needs; returns its
    /// path. GTKWave starts `decoder` to decode flits; without one they are shown as numbers.
    ///
    /// The files can be moved to another folder together.
    pub fn write(&self, wave: &Wave, decoder: Option<&Path>) -> Result<PathBuf, Error> {
        let path = wave.path().with_extension("gtkw");
        let text = self.text(wave, decoder)?;
        let mut tables = BTreeSet::new();
        for trace in self.traces() {
            if let Show::Named(table) = trace.show {
                tables.insert(table);
            }
        }
        for table in tables {
            write(&table_path(wave.path(), table), &table.text())?;
        }
        write(&path, &text)?;
        Ok(path)
    }

    /// The text of the save file.
    pub fn text(&self, wave: &Wave, decoder: Option<&Path>) -> Result<String, Error> {
        let parts = || self.traces().into_iter().flat_map(|trace| &trace.parts);
        let absent: Vec<String> = parts()
            .filter(|part| wave.signal(&part.path).is_err())
            .map(|part| part.path.clone())
            .collect();
        if !absent.is_empty() {
            return Err(wave.missing(absent));
        }
        let mut text = self.head(wave.path());
        let mut writer = Writer {
            text: &mut text,
            wave,
            decoder,
        };
        writer.items(&self.items)?;
        Ok(text)
    }

    fn head(&self, wave: &Path) -> String {
        let file = |path: &Path| {
            path.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        // A zoom of 0 shows 200 pixels for each unit of time, and each step less halves that.
        let pixels = f64::from(WINDOW.0 - LIST_WIDTH);
        let zoom = -(self.span.max(1) as f64 * 200.0 / pixels).log2();
        format!(
            "[*] written by fantree\n\
             [dumpfile] \"{FOLDER}/{dump}\"\n\
             [savefile] \"{FOLDER}/{save}\"\n\
             [timestart] {start}\n\
             [size] {width} {height}\n\
             [pos] -1 -1\n\
             *{zoom:.6} {marker}\n\
             [sst_width] 200\n\
             [signals_width] {LIST_WIDTH}\n\
             [sst_expanded] 0\n",
            dump = file(wave),
            save = file(&wave.with_extension("gtkw")),
            start = self.start,
            marker = self.marker,
            width = WINDOW.0,
            height = WINDOW.1,
        )
    }
}

fn collect<'a>(items: &'a [Item], traces: &mut Vec<&'a Trace>) {
    for item in items {
        match item {
            Item::Group(group) => collect(&group.items, traces),
            Item::Trace(trace) => traces.push(trace),
        }
    }
}

fn table_path(wave: &Path, table: Table) -> PathBuf {
    let stem = wave.file_stem().unwrap_or_default().to_string_lossy();
    wave.with_file_name(format!("{stem}-{}", table.suffix()))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|source| Error::Write {
        path: path.into(),
        source,
    })
}

struct Writer<'a> {
    text: &'a mut String,
    wave: &'a Wave,
    decoder: Option<&'a Path>,
}

impl Writer<'_> {
    fn items(&mut self, items: &[Item]) -> Result<(), Error> {
        items.iter().try_for_each(|item| match item {
            Item::Group(group) => self.group(group),
            Item::Trace(trace) => self.trace(trace),
        })
    }

    fn group(&mut self, group: &Group) -> Result<(), Error> {
        let closed = if group.open { 0 } else { CLOSED };
        self.line(format_args!("@{:x}", GROUP_BEGIN | closed));
        self.line(format_args!("-{}", group.name));
        self.items(&group.items)?;
        self.line(format_args!("@{:x}", GROUP_END | closed));
        self.line(format_args!("-{}", group.name));
        Ok(())
    }

    fn trace(&mut self, trace: &Trace) -> Result<(), Error> {
        match (trace.show, self.decoder) {
            (Show::Bits, _) => self.line(format_args!("@{BINARY:x}")),
            (Show::Decimal, _) => self.line(format_args!("@{DECIMAL:x}")),
            (Show::Hex, _) | (Show::Flit, None) => self.line(format_args!("@{HEX:x}")),
            (Show::Named(table), _) => {
                let file = table_path(self.wave.path(), table);
                let file = file.file_name().unwrap_or_default().to_string_lossy();
                self.line(format_args!("@{BY_FILE:x}"));
                self.line(format_args!("^1 {FOLDER}/{file}"));
            }
            (Show::Flit, Some(decoder)) => {
                self.line(format_args!("@{BY_PROCESS:x}"));
                self.line(format_args!(
                    "^>1 {} {}",
                    decoder.display(),
                    filter::COMMAND
                ));
            }
        }
        if let [Part { path, bits: None }] = trace.parts.as_slice() {
            let signal = self.wave.signal(path)?.name();
            self.line(format_args!("+{{{}}} {signal}", trace.name));
            return Ok(());
        }
        let mut bits = Vec::new();
        for part in &trace.parts {
            bits.extend(part.each_bit(self.wave.signal(&part.path)?));
        }
        self.line(format_args!("#{{{}}} {}", trace.name, bits.join(" ")));
        Ok(())
    }

    fn line(&mut self, line: std::fmt::Arguments) {
        writeln!(self.text, "{line}").expect("a string takes any text");
    }
}
