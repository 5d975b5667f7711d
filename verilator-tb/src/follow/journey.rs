//! A packet's life.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use fantree_hdl::packet::Header;
use fantree_hdl::router::DropCause;
use serde::{Serialize, Serializer};

use super::event::list;
use super::{Event, Head, Place, Waits, What};

/// All that happened to a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journey {
    /// Its number: job and message of its header.
    pub id: u32,
    /// The header as it was first seen.
    pub header: Header,
    /// The port it came in at; none if it was in the chip before the wave began.
    pub from: Option<usize>,
    /// Cycle in which its head came in.
    pub injected: Option<u64>,
    /// Why its input dropped it.
    pub dropped: Option<DropCause>,
    /// What became of it at each port that it goes to, as soon as that is known.
    pub arrivals: BTreeMap<usize, Arrival>,
    pub events: Vec<Event>,
}

/// What became of a packet at a port that it goes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Cycles in which the link took its head and its tail.
    pub head: Option<u64>,
    pub tail: Option<u64>,
    pub dropped: Option<DropCause>,
}

/// How a packet's life ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// At every port that it goes to.
    Arrived,
    Dropped(DropCause),
    /// It is in the chip when the wave ends, here.
    OnItsWay(Place),
    /// A multicast packet, of whose copies some came to another end than others: ports that it arrived at, that dropped it,
    /// and to which it is on its way.
    Parted {
        arrived: Vec<usize>,
        dropped: Vec<usize>,
        on_its_way: Vec<usize>,
    },
}

impl Journey {
    /// How it ended.
    pub fn fate(&self) -> Fate {
        if let Some(cause) = self.dropped {
            return Fate::Dropped(cause);
        }
        let ports = |is: fn(&Arrival) -> bool| -> Vec<usize> {
            let found = self.arrivals.iter().filter(|(_, arrival)| is(arrival));
            found.map(|(port, _)| *port).collect()
        };
        let arrived = ports(|it| it.tail.is_some());
        let dropped = ports(|it| it.dropped.is_some());
        let on_its_way = ports(|it| it.tail.is_none() && it.dropped.is_none());
        let of_all = |part: &[usize]| !part.is_empty() && part.len() == self.arrivals.len();
        if of_all(&arrived) {
            return Fate::Arrived;
        }
        let first = self.arrivals.values().find_map(|it| it.dropped);
        let last = self.events.iter().rfind(|it| it.what.is_of_head());
        match (first, last) {
            (Some(cause), _) if of_all(&dropped) => Fate::Dropped(cause),
            (_, Some(last)) if self.arrivals.is_empty() || of_all(&on_its_way) => {
                Fate::OnItsWay(last.place)
            }
            _ => Fate::Parted {
                arrived,
                dropped,
                on_its_way,
            },
        }
    }

    /// Cycle in which the last flit of its last copy left, once it is at every port that it goes to.
    pub fn arrived(&self) -> Option<u64> {
        match self.fate() {
            Fate::Arrived => self.arrivals.values().filter_map(|it| it.tail).max(),
            _ => None,
        }
    }

    /// Ports that it goes to, as far as the wave shows them.
    pub fn to(&self) -> Vec<usize> {
        self.arrivals.keys().copied().collect()
    }

    /// Cycle of the first event of a kind.
    pub fn first(&self, is: impl Fn(&What) -> bool) -> Option<u64> {
        let event = self.events.iter().find(|event| is(&event.what));
        event.map(|event| event.cycle)
    }
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Arrived => write!(f, "arrived"),
            Fate::Dropped(cause) => write!(f, "dropped: {}", cause.name()),
            Fate::OnItsWay(place) => write!(f, "on its way: {}", place.to_string().trim_end()),
            Fate::Parted {
                arrived,
                dropped,
                on_its_way,
            } => {
                let parts = [
                    ("arrived at", arrived),
                    ("dropped at", dropped),
                    ("on its way to", on_its_way),
                ];
                let told = parts.iter().filter(|(_, ports)| !ports.is_empty());
                let texts: Vec<String> = told
                    .map(|(what, ports)| format!("{what} {}", list(ports)))
                    .collect();
                write!(f, "{}", texts.join("; "))
            }
        }
    }
}

impl Serialize for Fate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The packets seen so far.
#[derive(Default)]
pub struct Journeys {
    all: Vec<Journey>,
    /// The latest packet with a number: a damaged header may lie.
    by_id: HashMap<u32, usize>,
}

impl Journeys {
    /// A packet comes in at a port.
    pub fn inject(&mut self, cycle: u64, port: usize, head: Head) {
        self.by_id.insert(head.id, self.all.len());
        self.all.push(Journey {
            id: head.id,
            header: head.header,
            from: Some(port),
            injected: Some(cycle),
            dropped: None,
            arrivals: BTreeMap::new(),
            events: vec![],
        });
    }

    /// The packet of a head, which may have been in the chip before the wave began.
    pub fn of(&mut self, head: Head) -> &mut Journey {
        let Head { id, header } = head;
        let all = &mut self.all;
        let index = *self.by_id.entry(id).or_insert_with(|| {
            all.push(Journey {
                id,
                header,
                from: None,
                injected: None,
                dropped: None,
                arrivals: BTreeMap::new(),
                events: vec![],
            });
            all.len() - 1
        });
        &mut self.all[index]
    }

    /// The packet with a number that was seen before.
    pub fn known(&mut self, id: u32) -> Option<&mut Journey> {
        self.by_id.get(&id).map(|&index| &mut self.all[index])
    }

    /// All, each with its events in the order of time.
    pub fn finish(mut self) -> Vec<Journey> {
        for journey in &mut self.all {
            journey
                .events
                .sort_by_key(|event| (event.cycle, event.place.station));
        }
        self.all
    }
}

impl Journey {
    /// Notes what happens.
    pub(super) fn note(&mut self, cycle: u64, place: Place, what: What) {
        self.note_after(cycle, place, what, Waits::default());
    }

    /// Notes what happens after a wait.
    pub(super) fn note_after(&mut self, cycle: u64, place: Place, what: What, waited: Waits) {
        self.events.push(Event {
            cycle,
            place,
            what,
            waited,
        });
    }
}
