//! The register bus that reaches every tile, and its addresses.
//!
//! | address | register | access |
//! |---|---|---|
//! | 0x0000 + 16 e + w | word w of in-supernode table entry e: four candidates, see [`entry`] | write |
//! | 0x4000 + 16 e + w | the same of the out-of-supernode table | write |
//! | 0x8000 + 2 g + w | multicast group g: ports 32 w + 31 … 32 w; word 0 counts when word 1 is written | write |
//! | 0x9000 | [`SUPERNODE`] and the following: settings | read, write |
//! | 0xA000 | [`OCCUPANCY`] and the following: status | read |
//! | 0xB000 | counters, which stop at their largest value: [`COUNTERS`] | read |

/// Width of a register address.
pub const ADDRESS_BITS: usize = 16;
/// Width of a register.
pub const DATA_BITS: usize = 32;

/// First entry of the in-supernode table.
pub const IN_SUPERNODE_TABLE: usize = 0x0000;
/// First entry of the out-of-supernode table.
pub const OUT_SUPERNODE_TABLE: usize = 0x4000;
/// Addresses of one entry.
pub const ENTRY_WORDS: usize = 16;
/// First group of the multicast table.
pub const MULTICAST_TABLE: usize = 0x8000;

/// The supernode that this port belongs to.
pub const SUPERNODE: usize = 0x9000;
/// What the port does, see [`control`].
pub const CONTROL: usize = 0x9001;
/// Errors of the link after which packets are stored before they are forwarded; 0: never.
pub const ERROR_LIMIT: usize = 0x9002;
/// Cycles that a packet may be blocked before it is dropped; 0: for ever.
pub const BLOCKED_LIMIT: usize = 0x9003;
/// Flits in the column buffers that mean congestion; 0: never.
pub const BACKLOG_LIMIT: usize = 0x9004;
/// Blocks in use in the next chip from which on slow freeing means congestion.
pub const IN_USE_LIMIT: usize = 0x9005;
/// Blocks freed in a window below which it is slow; 0: never.
pub const RATE_LIMIT: usize = 0x9006;
/// Blocks of the next chip's input buffer that all virtual channels share.
pub const SHARED_BLOCKS: usize = 0x9007;
/// Blocks of the next chip's input buffer for virtual channel v alone, at this address + v.
pub const PRIVATE_BLOCKS: usize = 0x9008;

/// Blocks of the input buffer that virtual channel v holds, at this address + v.
pub const OCCUPANCY: usize = 0xA000;
/// The most blocks that it ever held, at this address + v.
pub const HIGH_WATER: usize = 0xA008;
/// Blocks in use in the next chip.
pub const IN_USE: usize = 0xA010;
/// Flits in the column buffers.
pub const BACKLOG: usize = 0xA011;
/// What the port is doing, see [`status`].
pub const STATUS: usize = 0xA012;
/// Errors that the link has reported.
pub const LINK_ERRORS: usize = 0xA013;
/// Why the first packet with a bad header was dropped here, see [`super::DropCause`]; 0: none was.
pub const OFFENDER_CAUSE: usize = 0xA014;
/// Header of that packet, the lowest of four words first.
pub const OFFENDER: usize = 0xA018;

/// First counter.
pub const COUNTERS: usize = 0xB000;

/// Fields of [`CONTROL`].
pub mod control {
    /// Packets leave on this port; without it, it is a dead one. Set by reset.
    pub const ENABLE: u32 = 1 << 0;
    /// The link leads to a router of the same level.
    pub const SIBLING: u32 = 1 << 1;
    /// Packets that come in are stored whole before they go on.
    pub const STORE: u32 = 1 << 2;
    /// Width of the register.
    pub const BITS: usize = 3;
}

/// Fields of [`STATUS`].
pub mod status {
    /// The link works.
    pub const LINK_UP: u32 = 1 << 0;
    /// Packets that come in are stored whole before they go on, for whatever reason.
    pub const STORING: u32 = 1 << 1;
    /// The way out of this port is congested.
    pub const CONGESTED: u32 = 1 << 2;
    /// Width of the register.
    pub const BITS: usize = 3;
}

/// A routing table entry: candidate output ports, four a word, each with a mark whether there is one.
pub mod entry {
    use crate::router::PORT_BITS;
    use crate::wire::Field;

    /// Output port of a candidate.
    pub const PORT: Field = Field {
        offset: 0,
        width: PORT_BITS,
    };
    /// Set when there is one.
    pub const VALID: Field = Field {
        offset: PORT_BITS,
        width: 1,
    };
    /// Width of a candidate.
    pub const CANDIDATE_BITS: usize = PORT_BITS + 1;
    /// Candidates of a word.
    pub const CANDIDATES_A_WORD: usize = 4;

    /// Words of an entry with so many candidates.
    pub fn words(candidates: usize) -> usize {
        candidates.div_ceil(CANDIDATES_A_WORD)
    }

    /// The words of an entry that names `ports`, best first; `candidates` is the number that an entry has.
    ///
    /// # Panics
    /// If there are more ports than candidates.
    pub fn to_ports(ports: &[usize], candidates: usize) -> Vec<u32> {
        assert!(
            ports.len() <= candidates,
            "an entry has {candidates} candidates, not {}",
            ports.len()
        );
        let mut entry = vec![0; words(candidates)];
        for (i, &port) in ports.iter().enumerate() {
            let candidate = 1 << VALID.offset | port as u32;
            entry[i / CANDIDATES_A_WORD] |= candidate << (i % CANDIDATES_A_WORD * CANDIDATE_BITS);
        }
        entry
    }
}
