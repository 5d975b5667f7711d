//! Sizes of a router chip, as numbers.

use super::WINDOW_CYCLES;
use crate::cells::bits_to_hold;
use crate::packet::{header, FLIT_BITS};

/// Sizes of a router chip; the configuration checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RouterParams {
    /// Rows of the tile array.
    pub rows: usize,
    /// Columns of the tile array.
    pub columns: usize,
    /// Virtual channels a port: message classes times phases; channel v is class v / phases, phase v mod phases.
    pub virtual_channels: usize,
    /// Phases of a message class: a packet that leaves on a sibling link moves to the next one, in the last it may not.
    pub phases: usize,
    /// Longest packet, in flits.
    pub max_packet_flits: usize,
    /// Flits of a block, the unit of buffers and credits between chips; a power of two.
    pub block_flits: usize,
    /// Input buffer of a port, all virtual channels together, in blocks.
    pub input_buffer_blocks: usize,
    /// Blocks of the input buffer that each virtual channel has for itself after reset; the rest is shared.
    pub private_blocks: usize,
    /// Row buffer of one virtual channel from one tile, in flits.
    pub row_buffer_flits: usize,
    /// Column buffer of one virtual channel from one tile, in flits.
    pub column_buffer_flits: usize,
    /// Entries of a port's in-supernode routing table.
    pub in_supernode_entries: usize,
    /// Entries of a port's out-of-supernode routing table.
    pub out_supernode_entries: usize,
    /// Candidate output ports of a routing table entry.
    pub candidates: usize,
    /// The chip has management: requests turn round at the port by which they came, and writes clear counters.
    pub managed: bool,
}

/// Width of a port number anywhere in the chip.
pub const PORT_BITS: usize = 6;

/// Most ports that a chip can have.
pub const MAX_PORTS: usize = 1 << PORT_BITS;

/// Entries of a port's multicast table (`spec/sunway.md` section 2.3).
pub const MULTICAST_GROUPS: usize = 32;

/// Width of a virtual channel's number on a link.
pub const VC_BITS: usize = header::VC.width;

impl RouterParams {
    /// A chip of four ports on which everything happens that happens on large ones: where a test says nothing else.
    pub const SMALL: Self = Self {
        rows: 2,
        columns: 2,
        virtual_channels: 2,
        phases: 1,
        max_packet_flits: 8,
        block_flits: 2,
        input_buffer_blocks: 12,
        private_blocks: 4,
        row_buffer_flits: 5,
        column_buffer_flits: 4,
        in_supernode_entries: 4,
        out_supernode_entries: 5,
        candidates: 5,
        managed: false,
    };

    /// All ports, a bit each.
    pub fn all_ports(&self) -> u64 {
        u64::MAX >> (u64::BITS as usize - self.ports())
    }

    /// Ports of the chip, one a tile; tile (r, c) is port r · columns + c.
    pub fn ports(&self) -> usize {
        self.rows * self.columns
    }

    /// Blocks of the input buffer that all virtual channels share after reset.
    pub fn shared_blocks(&self) -> usize {
        self.input_buffer_blocks - self.private_blocks * self.virtual_channels
    }

    /// Blocks that a packet of so many flits takes.
    pub fn blocks_of(&self, flits: usize) -> usize {
        flits.div_ceil(self.block_flits)
    }

    /// Flits of the longest multicast packet: the chip copies one from buffer to buffer as a whole.
    pub fn max_multicast_flits(&self) -> usize {
        self.row_buffer_flits
            .min(self.column_buffer_flits)
            .min(self.max_packet_flits)
    }

    /// The virtual channel that a packet of `vc` has behind a sibling link; none in the last phase.
    pub fn vc_after(&self, vc: usize) -> Option<usize> {
        (!(vc + 1).is_multiple_of(self.phases)).then_some(vc + 1)
    }

    /// The virtual channel whose packets come out of a sibling link on `vc`; none in the first phase.
    pub fn vc_before(&self, vc: usize) -> Option<usize> {
        (!vc.is_multiple_of(self.phases)).then(|| vc - 1)
    }

    /// Management requests turn round on this virtual channel: they leave on the last one.
    pub fn turns_on(&self, vc: usize) -> bool {
        let last = self.virtual_channels - 1;
        vc == last || self.vc_after(vc) == Some(last)
    }

    /// The virtual channel that hosts send management requests on: the first one on which they turn round.
    pub fn request_vc(&self) -> usize {
        let first = (0..self.virtual_channels).find(|&vc| self.turns_on(vc));
        first.expect("they turn on the last one")
    }

    /// Width of a count of the input buffer's blocks.
    pub fn block_count_bits(&self) -> usize {
        bits_to_hold(self.input_buffer_blocks)
    }

    /// Flits that all column buffers of an output hold.
    pub(super) fn backlog_flits(&self) -> usize {
        self.rows * self.virtual_channels * self.column_buffer_flits
    }

    /// Width of a count of them.
    pub(super) fn backlog_bits(&self) -> usize {
        bits_to_hold(self.backlog_flits())
    }

    /// Width of a count of credits in a window of congestion sensing.
    pub(super) fn rate_bits(&self) -> usize {
        bits_to_hold(self.virtual_channels * WINDOW_CYCLES)
    }

    /// Width of a row buffer's word: the flit and the rows that it goes to.
    pub(super) fn row_word_bits(&self) -> usize {
        FLIT_BITS + self.rows
    }

    /// Width of the number of tiles of a row, as the crossbar unit tells it to the output unit.
    pub(super) fn weight_bits(&self) -> usize {
        bits_to_hold(self.columns)
    }
}
