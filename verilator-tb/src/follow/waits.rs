//! What a packet waits for, and for how long.

use std::fmt;

use serde::ser::{SerializeSeq, Serializer};
use serde::Serialize;

/// What keeps a packet's head from going on in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Another packet is before it in its queue; which, if the wave shows that.
    Behind(Option<u32>),
    /// Its route, which is in its next flit.
    Route,
    /// The rest of it, since it is stored whole.
    Rest,
    /// The table of multicast groups.
    Group,
    /// A flit's place in its row buffer of a column.
    RowRoom(usize),
    /// Places for all of it in its row buffers.
    RowRoomForAll,
    /// A packet of another phase that has the virtual channel.
    Phase,
    /// Its turn on the row bus.
    RowBus,
    /// The virtual channel to a row, which another packet has.
    ColumnVc(usize),
    /// A flit's place in its column buffer of a row.
    ColumnRoom(usize),
    /// The wave in which its copies start.
    Wave,
    /// Places for all of it in its column buffers.
    ColumnRoomForAll,
    /// Its turn on the column channel to a row.
    ColumnChannel(usize),
    /// The link's virtual channel, which another packet has.
    LinkVc,
    /// Room for all of it in the next chip.
    Blocks,
    /// Its turn on the link.
    Link,
    /// The other end of the link, which takes nothing.
    Receiver,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Behind(Some(id)) => write!(f, "packet {id} before it"),
            Reason::Behind(None) => write!(f, "a packet before it"),
            Reason::Route => write!(f, "its route"),
            Reason::Rest => write!(f, "the rest of it"),
            Reason::Group => write!(f, "its multicast group"),
            Reason::RowRoom(column) => write!(f, "room in the row buffer of column {column}"),
            Reason::RowRoomForAll => write!(f, "room for all of it in the row buffers"),
            Reason::Phase => write!(f, "a packet of another phase on its virtual channel"),
            Reason::RowBus => write!(f, "its turn on the row bus"),
            Reason::ColumnVc(row) => write!(f, "the virtual channel to row {row}"),
            Reason::ColumnRoom(row) => write!(f, "room in the column buffer of row {row}"),
            Reason::Wave => write!(f, "its wave of copies"),
            Reason::ColumnRoomForAll => write!(f, "room for all of it in the column buffers"),
            Reason::ColumnChannel(row) => write!(f, "its turn on the channel to row {row}"),
            Reason::LinkVc => write!(f, "the virtual channel of the link"),
            Reason::Blocks => write!(f, "room for all of it in the next chip"),
            Reason::Link => write!(f, "its turn on the link"),
            Reason::Receiver => write!(f, "the receiver"),
        }
    }
}

/// Cycles of waiting by reason, in the order in which they came up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits(Vec<(Reason, u64)>);

impl Waits {
    /// Another cycle.
    pub fn add(&mut self, reason: Reason) {
        match self.0.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, cycles)) => *cycles += 1,
            None => self.0.push((reason, 1)),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All cycles.
    pub fn cycles(&self) -> u64 {
        self.0.iter().map(|(_, cycles)| cycles).sum()
    }
}

/// `waited 7 cycles: 5 for packet 3 before it, 2 for its turn on the row bus`.
impl fmt::Display for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cycles = |count| if count == 1 { "cycle" } else { "cycles" };
        match self.0.as_slice() {
            [] => write!(f, "did not wait"),
            [(reason, count)] => write!(f, "waited {count} {} for {reason}", cycles(*count)),
            all => {
                write!(f, "waited {} cycles: ", self.cycles())?;
                for (place, (reason, count)) in all.iter().enumerate() {
                    let comma = if place == 0 { "" } else { ", " };
                    write!(f, "{comma}{count} for {reason}")?;
                }
                Ok(())
            }
        }
    }
}

/// A list of cycles and reasons.
impl Serialize for Waits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Wait {
            cycles: u64,
            r#for: String,
        }
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for &(reason, cycles) in &self.0 {
            let r#for = reason.to_string();
            list.serialize_element(&Wait { cycles, r#for })?;
        }
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_told_by_reason() {
        let mut waits = Waits::default();
        waits.add(Reason::Behind(Some(3)));
        assert_eq!(waits.to_string(), "waited 1 cycle for packet 3 before it");
        waits.add(Reason::RowBus);
        waits.add(Reason::Behind(Some(3)));
        assert_eq!(
            waits.to_string(),
            "waited 3 cycles: 2 for packet 3 before it, 1 for its turn on the row bus"
        );
        assert_eq!(
            serde_json::to_string(&waits).unwrap(),
            r#"[{"cycles":2,"for":"packet 3 before it"},{"cycles":1,"for":"its turn on the row bus"}]"#
        );
    }
}
