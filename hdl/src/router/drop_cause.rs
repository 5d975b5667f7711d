//! Why packets are dropped, and how many were.

use strum::EnumMessage;

/// Why a packet was dropped. The number is that of the hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, EnumMessage)]
pub enum DropCause {
    /// Its header's CRC is wrong.
    HeaderCrc = 1,
    /// It has crossed as many routers as it may.
    HopLimit = 2,
    /// The table, the multicast group or the source route names no port of the chip.
    NoRoute = 3,
    /// Every port that it may leave on is dead, or a sibling link in its last phase.
    DeadEnd = 4,
    /// It is longer than any packet may be here, or a multicast one that is too long to be copied.
    TooLong = 5,
    /// Its CRC is wrong, or it was marked bad before, and it was stored here.
    PacketCrc = 6,
    /// It has waited too long in the input buffer.
    Blocked = 7,
    /// Its port died when it was on its way there.
    DeadPort = 8,
    /// It has waited too long for its link.
    BlockedLink = 9,
}

/// Width of a cause; 0 means that the packet is not dropped.
pub const CAUSE_BITS: usize = 4;

impl DropCause {
    /// Every cause, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::HeaderCrc,
        Self::HopLimit,
        Self::NoRoute,
        Self::DeadEnd,
        Self::TooLong,
        Self::PacketCrc,
        Self::Blocked,
        Self::DeadPort,
        Self::BlockedLink,
    ];

    /// The cause that a number in hardware stands for; none for 0, and beyond the last.
    pub fn from_code(code: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.code() == code)
    }

    /// The number that stands for it in hardware.
    pub const fn code(self) -> u64 {
        self as u64
    }

    /// Name in results and counters.
    pub fn name(self) -> &'static str {
        match self {
            Self::HeaderCrc => "header_crc",
            Self::HopLimit => "hop_limit",
            Self::NoRoute => "no_route",
            Self::DeadEnd => "dead_end",
            Self::TooLong => "too_long",
            Self::PacketCrc => "packet_crc",
            Self::Blocked => "blocked",
            Self::DeadPort => "dead_port",
            Self::BlockedLink => "blocked_link",
        }
    }
}
