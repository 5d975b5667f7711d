//! One thing that happens to a packet.

use std::fmt;

use fantree_hdl::packet::{header, Header, FIELDS};
use fantree_hdl::router::DropCause;
use serde::Serialize;

use super::Waits;

/// A thing that happens to a packet, where, and how long it waited for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    pub cycle: u64,
    #[serde(flatten)]
    pub place: Place,
    #[serde(flatten)]
    pub what: What,
    #[serde(skip_serializing_if = "Waits::is_empty")]
    pub waited: Waits,
}

/// A part of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    pub row: usize,
    pub column: usize,
    #[serde(rename = "unit")]
    pub station: Station,
}

/// Parts of a tile, in the order in which packets pass them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Station {
    LinkIn,
    InputBuffer,
    RouteUnit,
    InputUnit,
    RowBus,
    Crossbar,
    ColumnChannel,
    OutputUnit,
    LinkOut,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum What {
    /// Its head comes in.
    Injected { header: String },
    /// A flit of it begins a block of the input buffer.
    Stored { block: usize },
    /// Its tail comes in.
    Whole,
    /// Its destination was looked up, or its source route read: ports that it may take, those of them that can be used,
    /// the one that was chosen; or why there is none.
    Routed {
        by: RoutedBy,
        candidates: Vec<usize>,
        usable: Vec<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        port: Option<usize>,
    },
    /// It goes to a multicast group.
    Group { group: usize },
    /// Its head is granted the row bus.
    RowBusGranted,
    /// Its head crosses the row bus, to these ports' columns.
    Crossed { ports: Vec<usize> },
    /// Its head is granted a column channel.
    ChannelGranted { to_row: usize },
    /// Its head crosses the column channel.
    Passed { to_row: usize },
    /// Its head is granted the link.
    LinkGranted,
    /// Its header, as it leaves.
    HeaderUpdated { changes: Vec<Change> },
    /// The link takes its head.
    HeadSent,
    /// The link takes its tail.
    Arrived,
    /// It is dropped.
    Dropped {
        #[serde(serialize_with = "cause_name")]
        cause: DropCause,
    },
}

/// What a route comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoutedBy {
    Table,
    Source,
}

/// A field of a header that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    pub field: &'static str,
    pub from: u64,
    pub to: u64,
}

impl Change {
    /// The fields that differ, but for the CRC that follows them.
    pub fn between(before: &Header, after: &Header) -> Vec<Self> {
        let (before, after) = (before.encode(), after.encode());
        let fields = FIELDS.iter().filter(|it| it.field != header::HEADER_CRC);
        fields
            .filter_map(|info| {
                let get =
                    |bits: u128| (bits >> info.field.offset) as u64 & ((1 << info.field.width) - 1);
                (get(before) != get(after)).then(|| Self {
                    field: info.name,
                    from: get(before),
                    to: get(after),
                })
            })
            .collect()
    }
}

fn cause_name<S: serde::Serializer>(cause: &DropCause, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(cause.name())
}

impl What {
    /// It tells how far the head has come, and not what becomes of the flits behind it.
    pub(super) fn is_of_head(&self) -> bool {
        !matches!(self, What::Stored { .. } | What::Whole)
    }
}

impl Station {
    pub fn name(self) -> &'static str {
        match self {
            Station::LinkIn => "link in",
            Station::InputBuffer => "input buffer",
            Station::RouteUnit => "route unit",
            Station::InputUnit => "input unit",
            Station::RowBus => "row bus",
            Station::Crossbar => "crossbar",
            Station::ColumnChannel => "column channel",
            Station::OutputUnit => "output unit",
            Station::LinkOut => "link out",
        }
    }
}

/// `tile 1,0 output unit`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            row,
            column,
            station,
        } = self;
        write!(f, "tile {row},{column} {:14}", station.name())
    }
}

/// Numbers with commas between.
pub(super) fn list(numbers: &[usize]) -> String {
    if numbers.is_empty() {
        return "none".into();
    }
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    texts.join(", ")
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Injected { header } => write!(f, "injected: {header}"),
            What::Stored { block } => write!(f, "block {block} taken"),
            What::Whole => write!(f, "tail is in"),
            What::Routed {
                by,
                candidates,
                usable,
                port,
            } => {
                let by = match by {
                    RoutedBy::Table => "looked up",
                    RoutedBy::Source => "source route",
                };
                write!(f, "{by}: candidates {}", list(candidates))?;
                if usable != candidates {
                    write!(f, ", usable {}", list(usable))?;
                }
                match port {
                    Some(port) => write!(f, "; port {port} chosen"),
                    None => write!(f, "; no port"),
                }
            }
            What::Group { group } => write!(f, "multicast group {group}"),
            What::RowBusGranted => write!(f, "row bus granted"),
            What::Crossed { ports } => match ports.as_slice() {
                [port] => write!(f, "crossed, to port {port}"),
                ports => write!(f, "crossed, to ports {}", list(ports)),
            },
            What::ChannelGranted { to_row } => write!(f, "channel to row {to_row} granted"),
            What::Passed { to_row } => write!(f, "passed, to row {to_row}"),
            What::LinkGranted => write!(f, "link granted"),
            What::HeaderUpdated { changes } => {
                let change = |it: &Change| format!("{} {} > {}", it.field, it.from, it.to);
                let changes: Vec<String> = changes.iter().map(change).collect();
                write!(f, "header: {}", changes.join(", "))
            }
            What::HeadSent => write!(f, "head sent"),
            What::Arrived => write!(f, "tail sent, arrived"),
            What::Dropped { cause } => write!(f, "dropped: {}", cause.name()),
        }
    }
}

/// Cycle, place, and what happened.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>7}  {}  {}", self.cycle, self.place, self.what)?;
        if !self.waited.is_empty() {
            write!(f, "; {}", self.waited)?;
        }
        Ok(())
    }
}
