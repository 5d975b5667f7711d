//! What a chip can do wrong, and the list of it.

use std::fmt;
use std::mem::discriminant;

use fantree_hdl::router::DropCause;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::fate::Fate;
use super::Flit;

/// A link of the chip, named by what the chip does with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// Into the chip: the bench sends flits, the chip returns credits.
    Rx(usize),
    /// Out of the chip: the chip sends flits, the bench returns credits.
    Tx(usize),
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Link::Rx(port) => write!(f, "rx {port}"),
            Link::Tx(port) => write!(f, "tx {port}"),
        }
    }
}

/// Where and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub cycle: u64,
    pub link: Option<Link>,
    pub vc: Option<u8>,
}

/// A broken rule. The name of its kind, such as `credits-missing`, is that of the check that found it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Fault {
    // Rules of a link.
    #[error("flit on a virtual channel that does not exist; there are {vcs}")]
    InvalidVc { vcs: usize },
    #[error("the header names virtual channel {header}")]
    WrongVc { header: u32 },
    #[error("head inside packet {inside}, whose tail has not come")]
    HeadInPacket { inside: u32 },
    #[error("flit of no packet: no head came before it")]
    NoHead,
    #[error("tail as flit {arrived}; the header announces {announced} flits")]
    EarlyTail { arrived: usize, announced: usize },
    #[error("no tail as flit {announced}, the last that the header announces")]
    LateTail { announced: usize },
    #[error("credit returned that was not used")]
    ExtraCredit,
    #[error("packet of {blocks} blocks started with credits for {available}")]
    CutThrough { available: usize, blocks: usize },
    #[error("changed or withdrawn before the link took it: {was:x?}")]
    Unsteady { was: Flit },

    // Rules from end to end.
    #[error("lost: sent in cycle {sent} to {fate}, never arrived")]
    Lost { fate: Fate, sent: u64 },
    #[error("duplicated: arrived before")]
    Duplicated,
    #[error("misrouted: sent to {fate}")]
    Misrouted { fate: Fate },
    #[error("corrupted: header {header:#034x} is of no packet that was sent")]
    UnknownHeader { header: u128 },
    #[error("corrupted: flit {flit} is {actual:x?}, must be {expected:x?}")]
    Corrupted {
        flit: usize,
        expected: Flit,
        actual: Flit,
    },
    #[error("corrupted: {arrived} flits arrived of {flits}")]
    WrongLength { arrived: usize, flits: usize },
    #[error("reordered: packet {later} from port {source_port} came before it on the same virtual channel")]
    Reordered { later: u32, source_port: usize },

    // Rules of a run.
    #[error(
        "stuck: no packet started or arrived for {cycles} cycles; {packets} packets are on their way, {queued} in queues"
    )]
    Stuck {
        cycles: u64,
        packets: usize,
        queued: usize,
    },
    #[error("{missing} of {capacity} blocks never came back")]
    CreditsMissing { missing: usize, capacity: usize },
    #[error("{counted} packets counted as dropped ({}), {sent} sent that had to be", .cause.name())]
    DropCount {
        cause: DropCause,
        counted: u32,
        sent: u32,
    },
    #[error("register {address:#06x} is {value:#x}; legal is {legal}")]
    Register {
        address: usize,
        value: u32,
        legal: &'static str,
    },
}

/// A broken rule with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub place: Place,
    pub packet: Option<u32>,
    pub fault: Fault,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { cycle, link, vc } = self.place;
        write!(f, "cycle {cycle}")?;
        if let Some(link) = link {
            write!(f, ", {link}")?;
        }
        if let Some(vc) = vc {
            write!(f, ", VC {vc}")?;
        }
        if let Some(packet) = self.packet {
            write!(f, ", packet {packet}")?;
        }
        write!(f, ": {}", self.fault)
    }
}

impl Violation {
    /// The name of the check that found it.
    pub fn check(&self) -> &'static str {
        (&self.fault).into()
    }

    /// The cycle from which on to look for what happened: long before the fault shows, if something never came.
    pub fn since(&self) -> u64 {
        let cycle = self.place.cycle;
        match self.fault {
            Fault::Lost { sent, .. } => sent,
            Fault::Stuck { cycles, .. } => cycle.saturating_sub(cycles),
            // Counted at the end.
            Fault::CreditsMissing { .. } | Fault::DropCount { .. } => 0,
            _ => cycle,
        }
    }
}

/// By field, and in words.
impl Serialize for Violation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Violation", 7)?;
        fields.serialize_field("cycle", &self.place.cycle)?;
        fields.serialize_field("since", &self.since())?;
        fields.serialize_field("link", &self.place.link.map(|link| link.to_string()))?;
        fields.serialize_field("vc", &self.place.vc)?;
        fields.serialize_field("packet", &self.packet)?;
        fields.serialize_field("check", self.check())?;
        fields.serialize_field("text", &self.to_string())?;
        fields.end()
    }
}

/// The violations of a run: all counted, the first ones of each kind kept.
#[derive(Debug, Clone, Default)]
pub struct Violations {
    kept: Vec<Violation>,
    count: usize,
}

/// One broken unit breaks a rule in every cycle; the first few tell what there is to tell, and must not hide others.
const MOST_OF_A_KIND: usize = 10;

impl Violations {
    #[cold]
    pub fn add(&mut self, place: Place, packet: Option<u32>, fault: Fault) {
        self.count += 1;
        let kind = discriminant(&fault);
        let alike = self
            .kept
            .iter()
            .filter(|kept| discriminant(&kept.fault) == kind);
        if alike.count() < MOST_OF_A_KIND {
            self.kept.push(Violation {
                place,
                packet,
                fault,
            });
        }
    }

    /// The first one.
    pub fn first(&self) -> Option<&Violation> {
        self.kept.first()
    }

    /// How many there were.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The first of each kind, in their order.
    pub fn into_kept(self) -> Vec<Violation> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(cycle: u64) -> Place {
        Place {
            cycle,
            link: Some(Link::Tx(3)),
            vc: Some(1),
        }
    }

    #[test]
    fn a_violation_names_its_place() {
        let mut violations = Violations::default();
        violations.add(place(12), Some(77), Fault::HeadInPacket { inside: 76 });
        assert_eq!(
            violations.into_kept()[0].to_string(),
            "cycle 12, tx 3, VC 1, packet 77: head inside packet 76, whose tail has not come"
        );
    }

    #[test]
    fn a_violation_is_written_by_field() {
        let mut violations = Violations::default();
        let never = Fault::Lost {
            fate: Fate::port(2),
            sent: 5,
        };
        violations.add(place(90), Some(7), never);
        assert_eq!(
            serde_json::to_value(&violations.into_kept()[0]).unwrap(),
            serde_json::json!({
                "cycle": 90, "since": 5, "link": "tx 3", "vc": 1, "packet": 7, "check": "lost",
                "text": "cycle 90, tx 3, VC 1, packet 7: lost: sent in cycle 5 to port 2, never arrived",
            })
        );
    }

    #[test]
    fn all_are_counted_and_the_first_of_each_kind_are_kept() {
        let mut violations = Violations::default();
        for cycle in 0..200 {
            violations.add(place(cycle), None, Fault::NoHead);
        }
        violations.add(place(200), None, Fault::Duplicated);
        assert_eq!(violations.count(), 201);
        let kept = violations.into_kept();
        assert_eq!(kept.len(), MOST_OF_A_KIND + 1);
        assert_eq!(
            (kept[0].place.cycle, kept[MOST_OF_A_KIND].place.cycle),
            (0, 200)
        );
    }
}
