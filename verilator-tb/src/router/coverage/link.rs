//! What is covered of a link, from its pins and the credits that its monitor counts.

use super::{Channel, Length, Route};
use crate::coverage::{group, point};

point! {
    /// Which way a link goes.
    pub enum Side: "link" {
        In = "into the chip",
        Out = "out of the chip",
    }
}

point! {
    /// The buffer at the far end, as a packet comes.
    pub enum Buffer: "far buffer" {
        Empty = "empty before",
        Partly = "partly filled",
        Full = "full with it",
    }
}

point! {
    /// The blocks that the channel of a packet may still take after it.
    pub enum CreditsLeft: "credits left" {
        None = "none",
        Last = "one block",
        More = "more",
    }
}

point! {
    /// Whose blocks a packet takes.
    pub enum Share: "blocks taken" {
        Private = "its channel's own",
        Shared = "shared ones too",
    }
}

point! {
    /// Channels of the link in the midst of a packet, beside that of a flit.
    pub enum Others: "other open packets" {
        None = "none",
        One = "one",
        Several = "several",
    }
}

point! {
    /// Whether a head was refused before it was taken.
    pub enum Wait: "wait" {
        None = "taken at once",
        Stalled = "refused before",
    }
}

point! {
    /// The mark of congestion in a header.
    pub enum Mark: "congestion mark" {
        Clear = "clear",
        Set = "set",
    }
}

group! {
    /// The head of a packet, as a link takes it.
    pub struct LinkHead: "head on a link" {
        side: Side,
        channel: Channel,
        length: Length,
        route: Route,
        buffer: Buffer,
        credits: CreditsLeft,
        share: Share,
        others: Others,
        wait: Wait,
        mark: Mark,
    }
    crosses {
        side, channel, length, route;
        side, buffer, credits;
        side, channel, credits;
        side, length, buffer;
        side, length, share;
        side, length, others;
        side, route, others;
        side, length, wait;
        side, route, mark;
        wait, others;
        wait, mark;
        buffer, mark;
    }
    ignored {
        side: Side::Out, length: Length::Single, route: Route::Source => "it is dropped: a source route is a flit of its own";
        side: Side::In, wait: Wait::Stalled => "a chip takes every flit that has credits";
        side: Side::In, mark: Mark::Set => "the bench marks no packet";
        buffer: Buffer::Full, credits: CreditsLeft::Last => "a full buffer has no block left";
        buffer: Buffer::Full, credits: CreditsLeft::More => "a full buffer has no block left";
        channel: Channel::Only, others: Others::One => "there is no other channel";
        channel: Channel::Only, others: Others::Several => "there is no other channel";
    }
}

point! {
    /// A flit and its way off the link.
    pub enum Handshake: "handshake" {
        Idle = "no flit, ready",
        Paused = "no flit, not ready",
        Taken = "flit taken",
        Refused = "flit refused",
    }
}

point! {
    /// Channels of a link in the midst of a packet.
    pub enum Open: "open packets" {
        None = "none",
        One = "one",
        Several = "several",
    }
}

point! {
    /// Channels whose credits come back in one cycle.
    pub enum Returned: "credits returned" {
        None = "none",
        One = "of one channel",
        Several = "of several",
    }
}

group! {
    /// A cycle of a link.
    pub struct LinkCycle: "cycle of a link" {
        side: Side,
        handshake: Handshake,
        returned: Returned,
        open: Open,
    }
    crosses {
        side, handshake, returned;
        side, handshake, open;
        returned, open;
    }
    ignored {
        side: Side::In, handshake: Handshake::Paused => "a chip takes every flit that has credits";
        side: Side::In, handshake: Handshake::Refused => "a chip takes every flit that has credits";
        side: Side::In, returned: Returned::Several => "an input of a chip reads one flit a cycle";
    }
}

impl Buffer {
    /// With so many blocks in use of all.
    pub fn of(before: usize, after: usize, all: usize) -> Self {
        match before {
            _ if after >= all => Buffer::Full,
            0 => Buffer::Empty,
            _ => Buffer::Partly,
        }
    }
}

impl Share {
    pub fn of(shared: bool) -> Self {
        match shared {
            false => Share::Private,
            true => Share::Shared,
        }
    }
}

impl Wait {
    pub fn of(refused: bool) -> Self {
        match refused {
            false => Wait::None,
            true => Wait::Stalled,
        }
    }
}

impl Mark {
    pub fn of(set: bool) -> Self {
        match set {
            false => Mark::Clear,
            true => Mark::Set,
        }
    }
}

impl CreditsLeft {
    pub fn of(blocks: usize) -> Self {
        match blocks {
            0 => CreditsLeft::None,
            1 => CreditsLeft::Last,
            _ => CreditsLeft::More,
        }
    }
}

impl Others {
    pub fn of(packets: usize) -> Self {
        match packets {
            0 => Others::None,
            1 => Others::One,
            _ => Others::Several,
        }
    }
}

impl Handshake {
    #[inline]
    pub fn of(shown: bool, ready: bool) -> Self {
        match (shown, ready) {
            (false, true) => Handshake::Idle,
            (false, false) => Handshake::Paused,
            (true, true) => Handshake::Taken,
            (true, false) => Handshake::Refused,
        }
    }
}

impl Returned {
    /// Of a mask of channels.
    #[inline]
    pub fn of(mask: u8) -> Self {
        match mask.count_ones() {
            0 => Returned::None,
            1 => Returned::One,
            _ => Returned::Several,
        }
    }
}

impl Open {
    #[inline]
    pub fn of(packets: usize) -> Self {
        match packets {
            0 => Open::None,
            1 => Open::One,
            _ => Open::Several,
        }
    }
}
