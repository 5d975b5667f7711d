//! A view as GTKWave's save file.
//!
//! GTKWave drops what it does not find in a wave without a word, so every signal is looked up in the wave first.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::{
    filter::Kind, Error, Group, Item, Marker, Part, Show, Signal, Table, Trace, View, Wave,
};

// Flags of a trace, as numbered by GTKWave.
const RIGHT: u32 = 1 << 5;
const HEX: u32 = 1 << 1 | RIGHT;
const DECIMAL: u32 = 1 << 2 | RIGHT;
const BINARY: u32 = 1 << 3 | RIGHT;
const BY_FILE: u32 = 1 << 13 | HEX;
const BY_PROCESS: u32 = 1 << 14 | HEX;
/// Steps, drawn to the scale of all the wave and not of what is seen of it.
const CURVE: u32 = 1 << 15 | 1 << 19 | DECIMAL;
/// A line that the curve above it reaches into.
const CURVE_LINE: u32 = 1 << 17;
const BLANK: u32 = 1 << 9;
const HIDDEN: u32 = 1 << 12;
const CLOSED: u32 = 1 << 22;
const GROUP_BEGIN: u32 = 1 << 23 | BLANK;
const GROUP_END: u32 = 1 << 24 | BLANK;

/// Lines of a curve.
const CURVE_LINES: usize = 3;
/// GTKWave's number for red.
const RED: u32 = 1;
/// Named markers that a save file lists.
const MARKERS: usize = 26;

/// Size of the window, and of the list of signals in it, in pixels.
const WINDOW: (u32, u32) = (1600, 900);
const LIST_WIDTH: u32 = 560;

/// Paths in a save file are taken relative to the path it says it has itself; any folder will do.
const FOLDER: &str = "/fantree";

impl View {
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
            .filter(|part| !part.is_in(wave))
            .map(Part::text)
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
        let mut times = String::new();
        let mut names = String::new();
        for place in 0..MARKERS {
            match self.markers.get(place) {
                Some(Marker { name, time }) => {
                    let letter = char::from(b'A' + place as u8);
                    times += &format!(" {time}");
                    names += &format!("[markername] {letter}{name}\n");
                }
                None => times += " -1",
            }
        }
        format!(
            "[*] written by fantree\n\
             [dumpfile] \"{FOLDER}/{dump}\"\n\
             [savefile] \"{FOLDER}/{save}\"\n\
             [timestart] {start}\n\
             [size] {width} {height}\n\
             [pos] -1 -1\n\
             *{zoom:.6} {marker}{times}\n\
             {names}\
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

impl Part {
    /// Whether the wave has the signal with all the bits.
    fn is_in(&self, wave: &Wave) -> bool {
        let end = self.bits.as_ref().map_or(0, |bits| bits.end);
        wave.signal(&self.path)
            .is_ok_and(|signal| end <= signal.width)
    }

    fn text(&self) -> String {
        match &self.bits {
            None => self.path.clone(),
            Some(bits) => format!(
                "{}[{}:{}]",
                self.path,
                bits.end.saturating_sub(1),
                bits.start
            ),
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
        // The end of a closed group is out of sight with all that is in it.
        let (begin, end) = match group.open {
            true => (GROUP_BEGIN, GROUP_END),
            false => (GROUP_BEGIN | CLOSED, GROUP_END | CLOSED | HIDDEN),
        };
        self.line(format_args!("@{begin:x}\n-{}", group.name));
        self.items(&group.items)?;
        self.line(format_args!("@{end:x}\n-{}", group.name));
        Ok(())
    }

    fn trace(&mut self, trace: &Trace) -> Result<(), Error> {
        match (trace.show, self.decoder) {
            (Show::Bits, _) => self.line(format_args!("@{BINARY:x}")),
            (Show::Decimal, _) => self.line(format_args!("@{DECIMAL:x}")),
            (Show::Curve, _) => self.line(format_args!("@{CURVE:x}")),
            (Show::Hex, _) | (Show::Flit | Show::Route, None) => {
                self.line(format_args!("@{HEX:x}"));
            }
            (Show::Named(table), _) => {
                let file = table_path(self.wave.path(), table);
                let file = file.file_name().unwrap_or_default().to_string_lossy();
                self.line(format_args!("@{BY_FILE:x}"));
                self.line(format_args!("^1 {FOLDER}/{file}"));
            }
            (Show::Flit, Some(decoder)) => self.process(decoder, Kind::Flits),
            (Show::Route, Some(decoder)) => self.process(decoder, Kind::Routes),
        }
        if trace.is_alarm {
            self.line(format_args!("[color] {RED}"));
        }
        if let [Part { path, bits: None }] = trace.parts.as_slice() {
            let signal = self.wave.signal(path)?.name();
            self.line(format_args!("+{{{}}} {signal}", trace.name));
        } else {
            let mut bits = Vec::new();
            for part in &trace.parts {
                bits.extend(part.each_bit(self.wave.signal(&part.path)?));
            }
            self.line(format_args!("#{{{}}} {}", trace.name, bits.join(" ")));
        }
        if trace.show == Show::Curve {
            self.line(format_args!("@{CURVE_LINE:x}"));
            (1..CURVE_LINES).for_each(|_| self.line(format_args!("-")));
        }
        Ok(())
    }

    /// Has a process give the texts of the next trace.
    fn process(&mut self, decoder: &Path, kind: Kind) {
        self.line(format_args!("@{BY_PROCESS:x}"));
        self.line(format_args!("^>1 {} {}", decoder.display(), kind.command()));
    }

    fn line(&mut self, line: std::fmt::Arguments) {
        writeln!(self.text, "{line}").expect("a string takes any text");
    }
}
