//! The register bus that reaches every tile, and the registers on it: their one definition.
//!
//! `docs/registers.md` lists them for the 40-port chip; `fantree registers` does for any configuration.

use super::MULTICAST_GROUPS;
use super::{drop_cause::CAUSE_BITS, output_unit::BLOCKED_BITS, DropCause, Event, RouterParams};
use crate::packet::{header, HEADER_BITS};
use crate::registers::Access::{ReadOnly, ReadWrite, WriteClear, WriteOnly};
use crate::registers::{FieldSpec, Group, RegisterMap, Shape};
use crate::wire::Field;
use crate::{define_flags, define_registers};
use strum::EnumMessage;

/// Width of a register address.
pub const ADDRESS_BITS: usize = 16;
/// Width of a register.
pub const DATA_BITS: usize = 32;
/// Addresses of a routing table's entry.
pub const ENTRY_WORDS: usize = 16;
/// First counter.
pub const COUNTERS: usize = 0xB000;

define_registers! {
    groups(params: &RouterParams) -> Vec<Group>;

    /// Routing tables: candidate output ports for a destination in this supernode by its number, for others by supernode.
    routing_tables {
        /// In-supernode entry: the ports that lead to a destination, best first.
        IN_SUPERNODE_TABLE = 0x0000: entry::shape(params).each("entry", params.in_supernode_entries, ENTRY_WORDS);
        /// Out-of-supernode entry: the ports that lead to a supernode, best first.
        OUT_SUPERNODE_TABLE = 0x4000: entry::shape(params).each("entry", params.out_supernode_entries, ENTRY_WORDS);
    }

    /// Multicast table.
    multicast {
        /// Output ports of a group, a bit each; word 0 counts when word 1 is written.
        MULTICAST_TABLE = 0x8000: group_ports(params).each("group", MULTICAST_GROUPS, 2);
    }

    /// Settings, which stay until they are written again.
    settings {
        /// The supernode that this port belongs to.
        SUPERNODE = 0x9000: Shape::number(ReadWrite, header::GUID_SUPERNODE.width);
        /// What the port does.
        CONTROL = 0x9001: Shape::fields(ReadWrite, control::fields());
        /// Errors of the link after which packets are stored before they are forwarded; 0: never.
        ERROR_LIMIT = 0x9002: Shape::number(ReadWrite, DATA_BITS);
        /// Cycles that a packet may be blocked before it is dropped; 0: for ever.
        BLOCKED_LIMIT = 0x9003: Shape::number(ReadWrite, BLOCKED_BITS);
        /// Flits in the column buffers that mean congestion; 0: never.
        BACKLOG_LIMIT = 0x9004: Shape::number_from(ReadWrite, params.backlog_bits(), params.backlog_flits() as u64 * 3 / 4);
        /// Blocks in use in the next chip from which on slow freeing means congestion.
        IN_USE_LIMIT = 0x9005: Shape::number(ReadWrite, params.block_count_bits());
        /// Blocks freed in a window below which it is slow; 0: never.
        RATE_LIMIT = 0x9006: Shape::number(ReadWrite, params.rate_bits());
        /// Blocks of the next chip's input buffer that all virtual channels share.
        SHARED_BLOCKS = 0x9007: Shape::number_from(ReadWrite, params.block_count_bits(), params.shared_blocks() as u64);
        /// Blocks of the next chip's input buffer for a virtual channel alone.
        PRIVATE_BLOCKS = 0x9008: Shape::number_from(ReadWrite, params.block_count_bits(), params.private_blocks as u64)
            .each("vc", params.virtual_channels, 1);
    }

    /// Status, as it is now or was at its highest.
    status {
        /// Blocks of the input buffer that a virtual channel holds.
        OCCUPANCY = 0xA000: Shape::number(ReadOnly, params.block_count_bits()).each("vc", params.virtual_channels, 1);
        /// The most blocks of the input buffer that a virtual channel ever held.
        HIGH_WATER = 0xA008: Shape::number(ReadOnly, params.block_count_bits()).each("vc", params.virtual_channels, 1);
        /// Blocks in use in the next chip.
        IN_USE = 0xA010: Shape::number(ReadOnly, params.block_count_bits());
        /// Flits in the column buffers.
        BACKLOG = 0xA011: Shape::number(ReadOnly, params.backlog_bits());
        /// What the port is doing.
        STATUS = 0xA012: Shape::fields(ReadOnly, status::fields());
        /// Errors that the link has reported; stops at the largest value.
        LINK_ERRORS = 0xA013: Shape::number(ReadOnly, DATA_BITS);
        /// Why the first packet with a bad header was dropped here; 0: none was.
        OFFENDER_CAUSE = 0xA014: Shape::number(ReadOnly, CAUSE_BITS);
        /// Header of that packet, the lowest word first.
        OFFENDER = 0xA018: Shape::words(ReadOnly, vec![whole_word(); HEADER_BITS / DATA_BITS]);
    }
}

/// The registers of a port.
pub fn register_map(params: &RouterParams) -> RegisterMap {
    let mut groups = groups(params);
    groups.push(counters(params));
    RegisterMap {
        address_bits: ADDRESS_BITS,
        data_bits: DATA_BITS,
        groups,
    }
}

/// Counters of events, by virtual channel, and of packets that were dropped, by cause.
fn counters(params: &RouterParams) -> Group {
    let about = |of: &dyn EnumMessage| of.get_documentation().expect("it has a comment").to_owned();
    let access = if params.managed { WriteClear } else { ReadOnly };
    let counter = || Shape::fields(access, whole_word());
    let events = Event::ALL.into_iter().flat_map(|event| {
        let counters = counter().each("vc", params.virtual_channels, 1);
        counters.at(event.address(0, params), event.name(), &about(&event))
    });
    let drops = DropCause::ALL.into_iter().flat_map(|cause| {
        let name = format!("dropped_{}", cause.name());
        let about = format!("Packets dropped. {}", about(&cause));
        counter().at(super::drop_address(cause, params), &name, &about)
    });
    Group {
        name: "counters".into(),
        about: "Counters, which stop at their largest value.".into(),
        registers: events.chain(drops).collect(),
    }
}

/// A word that is one number.
fn whole_word() -> Vec<FieldSpec> {
    let whole = Field {
        offset: 0,
        width: DATA_BITS,
    };
    vec![FieldSpec::new("", whole, "")]
}

/// The words of a multicast group: memory, so nothing resets them. Ports above 31 are in the second, which may have none.
fn group_ports(params: &RouterParams) -> Shape {
    let words = (0..2).map(|word| {
        let first = word * DATA_BITS;
        let width = params.ports().saturating_sub(first).min(DATA_BITS);
        let about = format!("Ports from {first} on.");
        let ports = FieldSpec::new("ports", Field { offset: 0, width }, about).reset(None);
        (width > 0).then_some(ports).into_iter().collect()
    });
    Shape::words(WriteOnly, words.collect())
}

define_flags! {
    /// Fields of [`CONTROL`].
    pub mod control {
        /// Packets leave on this port; without it, it is a dead one.
        ENABLE = 0, reset 1;
        /// The link leads to a router of the same level.
        SIBLING = 1, reset 0;
        /// Packets that come in are stored whole before they go on.
        STORE = 2, reset 0;
    }

    /// Fields of [`STATUS`].
    pub mod status {
        /// The link works.
        LINK_UP = 0, reset 0;
        /// Packets that come in are stored whole before they go on, for whatever reason.
        STORING = 1, reset 0;
        /// The way out of this port is congested.
        CONGESTED = 2, reset 0;
    }
}

/// A routing table entry: candidate output ports, four a word, each with a mark whether there is one.
pub mod entry {
    use crate::registers::{Access, FieldSpec, Shape};
    use crate::router::{RouterParams, PORT_BITS};
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

    /// The words of an entry: memory, so nothing resets them.
    pub(super) fn shape(params: &RouterParams) -> Shape {
        let field = |candidate: usize, name: &str, of: Field, about: &str| {
            let at = candidate % CANDIDATES_A_WORD * CANDIDATE_BITS;
            let field = Field {
                offset: at + of.offset,
                width: of.width,
            };
            FieldSpec::new(format!("{name}_{candidate}"), field, about).reset(None)
        };
        let candidates: Vec<usize> = (0..params.candidates).collect();
        let words = candidates.chunks(CANDIDATES_A_WORD).map(|word| {
            let fields = word.iter().flat_map(|&it| {
                let port = field(it, "port", PORT, "Output port.");
                [
                    port,
                    field(it, "valid", VALID, "There is such a candidate."),
                ]
            });
            fields.collect()
        });
        Shape::words(Access::WriteOnly, words.collect())
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
