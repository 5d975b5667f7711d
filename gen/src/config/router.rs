//! The `[router]` section: the size of the tile array, its buffers and its routing tables.

use fantree_hdl::packet::header::{GUID_NUMBER, GUID_SUPERNODE};
use fantree_hdl::router::{RouterParams, MAX_PORTS, PORT_BITS, VC_BITS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Conflict;

/// Candidates of the longest routing table entry: every port of the largest chip in use.
const MAX_CANDIDATES: usize = 40;
/// Flits of headers in the longest packet.
const HEADER_FLITS: usize = 4;
/// Bytes of a flit.
const FLIT_BYTES: usize = 16;
/// Bytes of the check sum that follows the payload.
const CRC_BYTES: usize = 4;

/// The router chip: an array of rows × columns tiles, one tile a port.
///
/// The defaults are the 40-port chip of the Sunway exascale prototype.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Router {
    /// Rows of the tile array. A tile has a column buffer for each row; rows × columns is 2 to 64.
    #[schemars(range(min = 1, max = MAX_PORTS))]
    pub rows: usize,

    /// Columns of the tile array. A tile has a row buffer for each column; rows × columns is 2 to 64.
    #[schemars(range(min = 1, max = MAX_PORTS))]
    pub columns: usize,

    /// Virtual channels of a port: message classes × phases.
    #[schemars(range(min = 1, max = 1u32 << VC_BITS))]
    pub virtual_channels: usize,

    /// Phases of a message class, a virtual channel each. A packet that leaves on a link between siblings goes on in
    /// the next phase; in the last it takes no such link.
    #[schemars(range(min = 1, max = 3))]
    pub phases: usize,

    /// Payload of the longest packet in bytes. The packet has 4 flits of headers, then payload and a 4-byte CRC
    /// in flits of 16 bytes.
    #[schemars(range(min = 64, max = 2048))]
    pub payload_bytes: usize,

    /// Flits of a block, the unit of input buffers and of credits between chips; a block holds flits of one packet only.
    /// 1, 2, 4, 8 or 16.
    #[schemars(range(min = 1, max = 16))]
    pub block_flits: usize,

    /// Input buffer of a port in blocks, shared by its virtual channels.
    #[schemars(range(min = 2, max = 1024))]
    pub input_buffer_blocks: usize,

    /// Blocks of the input buffer that each virtual channel has for itself after reset; what is left is for all of them.
    #[schemars(range(min = 1, max = 1024))]
    pub private_blocks: usize,

    /// Row buffer (input side of a tile's crossbar) of a virtual channel in flits; a multicast packet is no longer.
    #[schemars(range(min = 2, max = 256))]
    pub row_buffer_flits: usize,

    /// Column buffer (output side of a tile's crossbar) of a virtual channel in flits; a multicast packet is no longer.
    #[schemars(range(min = 2, max = 256))]
    pub column_buffer_flits: usize,

    /// The chip has management: registers are reached through JTAG and in band, instead of through a bus.
    pub managed: bool,

    /// The routing table of a port.
    pub routing: Routing,
}

/// The two-level routing table that every port has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Routing {
    /// Entries for destinations in the router's own supernode, indexed by the 8-bit number inside the supernode.
    #[schemars(range(min = 1, max = 1u32 << GUID_NUMBER.width))]
    pub in_supernode_entries: usize,

    /// Entries for destinations in other supernodes, indexed by the 10-bit supernode number.
    #[schemars(range(min = 1, max = 1u32 << GUID_SUPERNODE.width))]
    pub out_supernode_entries: usize,

    /// Candidate output ports of an entry, in order of preference.
    #[schemars(range(min = 1, max = MAX_CANDIDATES))]
    pub candidates: usize,
}

impl Default for Router {
    fn default() -> Self {
        Self {
            rows: 5,
            columns: 8,
            virtual_channels: 4,
            phases: 1,
            payload_bytes: 1024,
            block_flits: 4,
            input_buffer_blocks: 128,
            private_blocks: 18,
            row_buffer_flits: 16,
            column_buffer_flits: 16,
            managed: false,
            routing: Routing::default(),
        }
    }
}

impl Default for Routing {
    fn default() -> Self {
        Self {
            in_supernode_entries: 256,
            out_supernode_entries: 1024,
            candidates: 8,
        }
    }
}

impl Router {
    /// The sizes that the hardware is built from.
    pub fn params(&self) -> RouterParams {
        RouterParams {
            rows: self.rows,
            columns: self.columns,
            virtual_channels: self.virtual_channels,
            phases: self.phases,
            max_packet_flits: self.max_packet_flits(),
            block_flits: self.block_flits,
            input_buffer_blocks: self.input_buffer_blocks,
            private_blocks: self.private_blocks,
            row_buffer_flits: self.row_buffer_flits,
            column_buffer_flits: self.column_buffer_flits,
            in_supernode_entries: self.routing.in_supernode_entries,
            out_supernode_entries: self.routing.out_supernode_entries,
            candidates: self.routing.candidates,
            managed: self.managed,
        }
    }

    /// Ports of the chip, one a tile.
    pub fn ports(&self) -> usize {
        self.rows * self.columns
    }

    /// Flits of the longest packet: 69 for the default payload of 1024 bytes.
    pub fn max_packet_flits(&self) -> usize {
        HEADER_FLITS + (self.payload_bytes + CRC_BYTES).div_ceil(FLIT_BYTES)
    }

    /// Blocks of the longest packet.
    fn max_packet_blocks(&self) -> usize {
        self.max_packet_flits().div_ceil(self.block_flits)
    }

    pub(super) fn conflicts(&self) -> Vec<Conflict> {
        [
            self.wrong_ports(),
            self.split_classes(),
            self.odd_blocks(),
            self.too_little_buffer(),
            self.too_short_share(),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn wrong_ports(&self) -> Option<Conflict> {
        let (rows, columns, ports) = (self.rows, self.columns, self.ports());
        let wrong = !(2..=MAX_PORTS).contains(&ports);
        wrong.then(|| Conflict {
            fields: &["router.rows", "router.columns"],
            message: format!(
                "`router.rows` × `router.columns` is {rows} × {columns} = {ports} ports; legal is 2 to {MAX_PORTS}"
            ),
            help: format!("a router has one port a tile, and a port number has {PORT_BITS} bits"),
        })
    }

    fn split_classes(&self) -> Option<Conflict> {
        let (phases, vcs) = (self.phases, self.virtual_channels);
        let wrong = !vcs.is_multiple_of(phases);
        wrong.then(|| Conflict {
            fields: &["router.phases", "router.virtual_channels"],
            message: format!(
                "`router.phases` is {phases}, but `router.virtual_channels` = {vcs} is no multiple of it"
            ),
            help: "every message class has a virtual channel for each phase".into(),
        })
    }

    fn odd_blocks(&self) -> Option<Conflict> {
        let wrong = !self.block_flits.is_power_of_two();
        wrong.then(|| Conflict {
            fields: &["router.block_flits"],
            message: format!(
                "`router.block_flits` is {}; legal is 1, 2, 4, 8 or 16",
                self.block_flits
            ),
            help: "a flit's place in its block is the low part of its address".into(),
        })
    }

    fn too_little_buffer(&self) -> Option<Conflict> {
        let (private, vcs, blocks) = (
            self.private_blocks,
            self.virtual_channels,
            self.input_buffer_blocks,
        );
        let needed = private * vcs;
        let wrong = needed > blocks;
        wrong.then(|| Conflict {
            fields: &[
                "router.private_blocks",
                "router.virtual_channels",
                "router.input_buffer_blocks",
            ],
            message: format!(
                "`router.private_blocks` × `router.virtual_channels` is {private} × {vcs} = {needed} blocks, but \
                 `router.input_buffer_blocks` is {blocks}"
            ),
            help: format!(
                "set `input_buffer_blocks` to {needed} or more, or `private_blocks` to {} or less",
                blocks / vcs
            ),
        })
    }

    /// A virtual channel must be able to move its longest packet whatever the others do: packets of one class may wait
    /// for those of another (a request for its answer), and those of a phase for the next one, so no channel may depend
    /// on shared blocks that another holds. One that is alone has the whole buffer.
    fn too_short_share(&self) -> Option<Conflict> {
        let longest = self.max_packet_blocks();
        let packet = format!(
            "the longest packet (`router.payload_bytes` = {}) has {} flits, {longest} blocks",
            self.payload_bytes,
            self.max_packet_flits()
        );
        if self.virtual_channels > 1 {
            let wrong = self.private_blocks < longest;
            wrong.then(|| Conflict {
                fields: &[
                    "router.private_blocks",
                    "router.payload_bytes",
                    "router.block_flits",
                    "router.virtual_channels",
                ],
                message: format!("`router.private_blocks` is {}, but {packet}", self.private_blocks),
                help: format!(
                    "set `private_blocks` to {longest} or more, or lower `payload_bytes`: with less, virtual \
                     channels that have stopped could keep the shared blocks from this one for ever"
                ),
            })
        } else {
            let wrong = self.input_buffer_blocks < longest;
            wrong.then(|| Conflict {
                fields: &[
                    "router.input_buffer_blocks",
                    "router.payload_bytes",
                    "router.block_flits",
                    "router.virtual_channels",
                ],
                message: format!(
                    "`router.input_buffer_blocks` is {}, but {packet}",
                    self.input_buffer_blocks
                ),
                help: format!(
                    "set `input_buffer_blocks` to {longest} or more, or lower `payload_bytes`: a packet starts on a \
                     link when the next buffer has room for all of it"
                ),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_payload(payload_bytes: usize) -> Router {
        Router {
            payload_bytes,
            ..Router::default()
        }
    }

    #[test]
    fn the_longest_packet_follows_from_the_payload() {
        assert_eq!(with_payload(1024).max_packet_flits(), 69);
        assert_eq!(with_payload(64).max_packet_flits(), 9);
        // The CRC fits beside the last 12 bytes of payload, and needs a flit of its own after 13.
        assert_eq!(with_payload(1020).max_packet_flits(), 68);
        assert_eq!(with_payload(1021).max_packet_flits(), 69);
        assert_eq!(with_payload(2048).max_packet_flits(), 133);
    }

    #[test]
    fn the_default_chip_has_no_conflicts() {
        assert_eq!(Router::default().ports(), 40);
        assert!(Router::default().conflicts().is_empty());
    }

    /// The buffers as small as they may be, and a block less.
    #[test]
    fn the_smallest_buffers_follow_from_the_longest_packet() {
        for (virtual_channels, private_blocks, input_buffer_blocks, conflicts) in [
            (4, 3, 12, 0),
            (4, 2, 12, 1),
            (4, 3, 11, 1),
            (4, 2, 7, 2),
            // A single channel may take the whole buffer, however it is split.
            (1, 1, 3, 0),
            (1, 1, 2, 1),
        ] {
            let router = Router {
                virtual_channels,
                private_blocks,
                input_buffer_blocks,
                ..with_payload(64)
            };
            let found = router.conflicts().len();
            assert_eq!(found, conflicts, "{router:?}");
        }
    }

    #[test]
    fn blocks_and_phases_divide() {
        for (block_flits, private_blocks, conflicts) in
            [(1, 9, 0), (3, 3, 1), (8, 2, 0), (16, 1, 0)]
        {
            let router = Router {
                block_flits,
                private_blocks,
                ..with_payload(64)
            };
            assert_eq!(router.conflicts().len(), conflicts, "{router:?}");
        }
        for (virtual_channels, phases, conflicts) in [(4, 2, 0), (4, 3, 1), (6, 3, 0), (1, 2, 1)] {
            let router = Router {
                virtual_channels,
                phases,
                ..Router::default()
            };
            assert_eq!(router.conflicts().len(), conflicts, "{router:?}");
        }
    }
}
