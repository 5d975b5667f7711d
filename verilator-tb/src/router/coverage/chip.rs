//! What is covered of a chip itself: how it is built, and what it drops.

use fantree_hdl::router::{DropCause, RouterParams};

use super::packet::Forwarding;
use crate::coverage::{group, point};

point! {
    /// The array of tiles.
    pub enum Array: "array" {
        Row = "one row",
        Column = "one column",
        Square = "square",
        Wide = "more columns than rows",
        Tall = "more rows than columns",
    }
}

point! {
    /// Virtual channels of a port.
    pub enum Channels: "channels" {
        One = "one",
        Few = "2 to 7",
        Eight = "8",
    }
}

point! {
    /// Phases of a message class.
    pub enum Phases: "phases" {
        One = "one",
        Two = "two",
        Three = "three",
    }
}

point! {
    /// Flits of a block.
    pub enum BlockSize: "block" {
        One = "one flit",
        Several = "several flits",
    }
}

point! {
    /// Whether row buffers hold the longest packet, so that it can be multicast.
    pub enum RowBuffer: "row buffer" {
        Shorter = "shorter than the longest packet",
        Holds = "holds the longest packet",
    }
}

group! {
    /// How a chip is built.
    pub struct Structure: "structure of a chip" {
        array: Array,
        channels: Channels,
        phases: Phases,
        block: BlockSize,
        row_buffer: RowBuffer,
    }
    crosses {
        channels, phases;
    }
    ignored {
        channels: Channels::One, phases: Phases::Two => "phases divide the channels";
        channels: Channels::One, phases: Phases::Three => "phases divide the channels";
        channels: Channels::Eight, phases: Phases::Three => "phases divide the channels";
    }
}

point! {
    /// Why a packet was dropped.
    pub enum Cause: "cause" {
        HeaderCrc = "header CRC",
        HopLimit = "hop limit",
        NoRoute = "no route",
        DeadEnd = "dead end",
        TooLong = "too long",
        PacketCrc = "packet CRC",
        Blocked = "blocked",
        DeadPort = "dead port",
        BlockedLink = "blocked link",
    }
}

group! {
    /// A packet that a port has counted as dropped.
    pub struct Drops: "packet dropped" {
        cause: Cause,
        forwarding: Forwarding,
    }
    crosses {
        cause, forwarding;
    }
    ignored {
        cause: Cause::PacketCrc, forwarding: Forwarding::CutThrough => "its head has left before its CRC comes";
    }
}

impl Structure {
    pub fn of(params: &RouterParams) -> Self {
        Self {
            array: match (params.rows, params.columns) {
                (1, _) => Array::Row,
                (_, 1) => Array::Column,
                (rows, columns) if rows == columns => Array::Square,
                (rows, columns) if rows < columns => Array::Wide,
                _ => Array::Tall,
            },
            channels: match params.virtual_channels {
                1 => Channels::One,
                8 => Channels::Eight,
                _ => Channels::Few,
            },
            phases: match params.phases {
                1 => Phases::One,
                2 => Phases::Two,
                _ => Phases::Three,
            },
            block: match params.block_flits {
                1 => BlockSize::One,
                _ => BlockSize::Several,
            },
            row_buffer: match params.max_multicast_flits() < params.max_packet_flits {
                true => RowBuffer::Shorter,
                false => RowBuffer::Holds,
            },
        }
    }
}

impl Cause {
    pub fn of(cause: DropCause) -> Self {
        match cause {
            DropCause::HeaderCrc => Cause::HeaderCrc,
            DropCause::HopLimit => Cause::HopLimit,
            DropCause::NoRoute => Cause::NoRoute,
            DropCause::DeadEnd => Cause::DeadEnd,
            DropCause::TooLong => Cause::TooLong,
            DropCause::PacketCrc => Cause::PacketCrc,
            DropCause::Blocked => Cause::Blocked,
            DropCause::DeadPort => Cause::DeadPort,
            DropCause::BlockedLink => Cause::BlockedLink,
        }
    }
}
