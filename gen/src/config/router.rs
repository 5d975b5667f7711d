//! The `[router]` section: the size of the tile array, its buffers and its routing tables.

use fantree_hdl::packet::header::{GUID_NUMBER, GUID_SUPERNODE};
use fantree_hdl::router::{RouterParams, MAX_PORTS, PORT_BITS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Conflict;

/// Requests of the widest arbiter: queues of a crossbar's output, or of a link.
const MAX_REQUESTS: usize = 64;
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

    /// Virtual channels of a port.
    #[schemars(range(min = 1, max = 8))]
    pub virtual_channels: usize,

    /// Payload of the longest packet in bytes. The packet has 4 flits of headers, then payload and a 4-byte CRC
    /// in flits of 16 bytes.
    #[schemars(range(min = 64, max = 2048))]
    pub payload_bytes: usize,

    /// Input buffer of a virtual channel in flits: at least the longest packet, because a packet starts on a link
    /// only when the next buffer has room for all of it.
    #[schemars(range(min = 9, max = 1024))]
    pub input_buffer_flits: usize,

    /// Row buffer (input side of a tile's crossbar) of a virtual channel in flits.
    #[schemars(range(min = 2, max = 256))]
    pub row_buffer_flits: usize,

    /// Column buffer (output side of a tile's crossbar) of a virtual channel in flits.
    #[schemars(range(min = 2, max = 256))]
    pub column_buffer_flits: usize,

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
}

impl Default for Router {
    fn default() -> Self {
        Self {
            rows: 5,
            columns: 8,
            virtual_channels: 4,
            payload_bytes: 1024,
            input_buffer_flits: 128,
            row_buffer_flits: 16,
            column_buffer_flits: 16,
            routing: Routing::default(),
        }
    }
}

impl Default for Routing {
    fn default() -> Self {
        Self {
            in_supernode_entries: 256,
            out_supernode_entries: 1024,
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
            max_packet_flits: self.max_packet_flits(),
            input_buffer_flits: self.input_buffer_flits,
            row_buffer_flits: self.row_buffer_flits,
            column_buffer_flits: self.column_buffer_flits,
            in_supernode_entries: self.routing.in_supernode_entries,
            out_supernode_entries: self.routing.out_supernode_entries,
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

    pub(super) fn conflicts(&self) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        let (rows, columns, ports) = (self.rows, self.columns, self.ports());
        if !(2..=MAX_PORTS).contains(&ports) {
            conflicts.push(Conflict {
                fields: &["router.rows", "router.columns"],
                message: format!(
                    "`router.rows` × `router.columns` is {rows} × {columns} = {ports} ports; legal is 2 to {MAX_PORTS}"
                ),
                help: format!("a router has one port a tile, and a port number has {PORT_BITS} bits"),
            });
        }
        let vcs = self.virtual_channels;
        for (fields, count) in [
            (
                &["router.virtual_channels", "router.columns"] as &'static [_],
                columns,
            ),
            (&["router.virtual_channels", "router.rows"], rows),
        ] {
            let requests = count * vcs;
            if requests > MAX_REQUESTS {
                conflicts.push(Conflict {
                    fields,
                    message: format!(
                        "`{}` × `{}` is {vcs} × {count} = {requests} queues; legal is at most {MAX_REQUESTS}",
                        fields[0], fields[1]
                    ),
                    help: "one arbiter chooses among these queues, and has as many requests".into(),
                });
            }
        }
        let longest = self.max_packet_flits();
        if self.input_buffer_flits < longest {
            conflicts.push(Conflict {
                fields: &["router.input_buffer_flits", "router.payload_bytes"],
                message: format!(
                    "`router.input_buffer_flits` is {}, but the longest packet (`router.payload_bytes` = {}) has \
                     {longest} flits and must fit in whole",
                    self.input_buffer_flits, self.payload_bytes
                ),
                help: format!("set `input_buffer_flits` to {longest} or more, or lower `payload_bytes`"),
            });
        }
        conflicts
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
}
