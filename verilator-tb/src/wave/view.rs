//! `View`: what GTKWave shows of a wave, in groups.

use std::ops::Range;

use super::Table;

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
    /// Times with a name, at most 26: GTKWave calls them A, B, C, … beside.
    pub markers: Vec<Marker>,
}

/// A time with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    pub name: String,
    pub time: u64,
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
    /// It tells of an error: shown in red.
    pub is_alarm: bool,
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
    /// A number as a curve of steps, some lines high.
    Curve,
    /// By name.
    Named(Table),
    /// A flit below bits that tell whether it is there: a packet's header in words, see [`filter`](super::filter).
    Flit,
    /// A route below a bit that tells whether there is one.
    Route,
}

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
}

impl Trace {
    /// One signal.
    pub fn of(name: impl Into<String>, path: impl Into<String>, show: Show) -> Self {
        Self {
            name: name.into(),
            parts: vec![Part::all(path)],
            show,
            is_alarm: false,
        }
    }

    /// Signals and bits of signals, side by side.
    pub fn joined(name: impl Into<String>, parts: Vec<Part>, show: Show) -> Self {
        Self {
            name: name.into(),
            parts,
            show,
            is_alarm: false,
        }
    }

    /// The same in red, since it tells of an error.
    pub fn alarm(self) -> Self {
        Self {
            is_alarm: true,
            ..self
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
}

fn collect<'a>(items: &'a [Item], traces: &mut Vec<&'a Trace>) {
    for item in items {
        match item {
            Item::Group(group) => collect(&group.items, traces),
            Item::Trace(trace) => traces.push(trace),
        }
    }
}
