//! What is covered of packets, from end to end, as the scoreboard knows them.

use fantree_hdl::router::DropCause;

use super::{Channel, Length, Route, Sizes};
use crate::coverage::{group, point};
use crate::router::fate::Fate;
use crate::router::packet::Waiting;
use crate::router::Store;

point! {
    /// What a port does with packets that come in.
    pub enum Forwarding: "forwarding" {
        CutThrough = "cut-through",
        Store = "store-and-forward",
    }
}

point! {
    /// What is to become of a packet.
    pub enum End: "end" {
        Port = "one port",
        Candidates = "one of several ports",
        Group = "ports of a group",
        HeaderCrc = "dropped: header CRC",
        HopLimit = "dropped: hop limit",
        NoRoute = "dropped: no route",
        TooLong = "dropped: too long",
        PacketCrc = "dropped: packet CRC",
    }
}

point! {
    /// The ports that a packet goes to.
    pub enum FanOut: "fan-out" {
        None = "none",
        One = "one",
        Several = "several",
        All = "all",
    }
}

group! {
    /// A packet that a source sends.
    pub struct Sent: "packet sent" {
        channel: Channel,
        length: Length,
        route: Route,
        forwarding: Forwarding,
        end: End,
        fan_out: FanOut,
    }
    crosses {
        channel, length, end;
        route, end;
        forwarding, length, route;
        forwarding, end;
        length, end;
        length, fan_out;
        channel, fan_out;
        forwarding, fan_out;
    }
    ignored {
        route: Route::Multicast, end: End::Port => "a multicast packet goes to a group, or is dropped";
        route: Route::Multicast, end: End::Candidates => "a multicast packet goes to a group, or is dropped";
        route: Route::Deterministic, end: End::Group => "a group is reached by multicast alone";
        route: Route::Adaptive, end: End::Group => "a group is reached by multicast alone";
        route: Route::Source, end: End::Group => "a group is reached by multicast alone";
        route: Route::Source, end: End::Candidates => "a source route names one port";
        route: Route::Deterministic, end: End::TooLong => "the bench sends no longer packet than there may be; multicast has a limit of its own";
        route: Route::Adaptive, end: End::TooLong => "the bench sends no longer packet than there may be; multicast has a limit of its own";
        route: Route::Source, end: End::TooLong => "the bench sends no longer packet than there may be; multicast has a limit of its own";
        length: Length::Single, end: End::TooLong => "any buffer has room for one flit";
        length: Length::Single, end: End::PacketCrc => "a packet of one flit has no CRC but its header's";
        forwarding: Forwarding::CutThrough, end: End::PacketCrc => "its head has left before its CRC comes";
    }
}

point! {
    /// The output of a packet, against the port where it came in.
    pub enum Place: "place in the array" {
        Own = "own port",
        Row = "same row",
        Column = "same column",
        Elsewhere = "another row and column",
    }
}

point! {
    /// The output of a packet among the candidates of its destination.
    pub enum Choice: "candidate" {
        Only = "the only one",
        First = "the first",
        Other = "a later one",
    }
}

point! {
    /// A packet's CRC.
    pub enum Integrity: "integrity" {
        Sound = "sound",
        Bad = "marked bad",
    }
}

group! {
    /// A packet that has arrived whole.
    pub struct Arrived: "packet arrived" {
        channel: Channel,
        length: Length,
        route: Route,
        forwarding: Forwarding,
        place: Place,
        choice: Choice,
        integrity: Integrity,
    }
    crosses {
        channel, length, route;
        route, place;
        length, place;
        route, choice;
        forwarding, length, route;
        integrity, length;
        integrity, route;
    }
    ignored {
        length: Length::Single, route: Route::Source => "a source route is a flit of its own";
        route: Route::Source, choice: Choice::First => "a source route names one port";
        route: Route::Source, choice: Choice::Other => "a source route names one port";
        route: Route::Multicast, choice: Choice::First => "a copy goes to each port of the group";
        route: Route::Multicast, choice: Choice::Other => "a copy goes to each port of the group";
        length: Length::Single, integrity: Integrity::Bad => "a packet of one flit has no CRC but its header's";
        forwarding: Forwarding::Store, integrity: Integrity::Bad => "a port that stores drops it";
    }
}

impl Forwarding {
    pub fn of(store: Store, port: usize) -> Self {
        match store.at(port) {
            false => Forwarding::CutThrough,
            true => Forwarding::Store,
        }
    }
}

impl Choice {
    pub fn of(packet: &Waiting, port: usize) -> Self {
        match packet.fate {
            Fate::Any(ports) if ports.is_power_of_two() => Choice::Only,
            Fate::Any(_) if port == packet.destination => Choice::First,
            Fate::Any(_) => Choice::Other,
            _ => Choice::Only,
        }
    }
}

impl End {
    pub fn of(fate: Fate) -> Self {
        match fate {
            Fate::Any(ports) if ports.is_power_of_two() => End::Port,
            Fate::Any(_) => End::Candidates,
            Fate::Each(_) => End::Group,
            Fate::Dropped(cause) => match cause {
                DropCause::HeaderCrc => End::HeaderCrc,
                DropCause::HopLimit => End::HopLimit,
                DropCause::TooLong => End::TooLong,
                DropCause::PacketCrc => End::PacketCrc,
                // Others are nothing that a source decides.
                _ => End::NoRoute,
            },
        }
    }
}

impl FanOut {
    pub fn of(fate: Fate, sizes: &Sizes) -> Self {
        match fate.arrivals() {
            0 => FanOut::None,
            1 => FanOut::One,
            ports if ports == sizes.ports() => FanOut::All,
            _ => FanOut::Several,
        }
    }
}

impl Place {
    #[inline]
    pub fn of(from: usize, to: usize, sizes: &Sizes) -> Self {
        let columns = sizes.columns;
        match (
            from / columns == to / columns,
            from % columns == to % columns,
        ) {
            (true, true) => Place::Own,
            (true, false) => Place::Row,
            (false, true) => Place::Column,
            (false, false) => Place::Elsewhere,
        }
    }
}
