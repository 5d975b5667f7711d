//! Sizes of a router chip, as numbers.

use crate::packet::{header, FLIT_BITS};

/// Sizes of a router chip; the configuration checks them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouterParams {
    /// Rows of the tile array.
    pub rows: usize,
    /// Columns of the tile array.
    pub columns: usize,
    /// Virtual channels a port.
    pub virtual_channels: usize,
    /// Longest packet, in flits.
    pub max_packet_flits: usize,
    /// Input buffer of one virtual channel of a port, in flits.
    pub input_buffer_flits: usize,
    /// Row buffer of one virtual channel from one tile, in flits.
    pub row_buffer_flits: usize,
    /// Column buffer of one virtual channel from one tile, in flits.
    pub column_buffer_flits: usize,
    /// Entries of a port's in-supernode routing table.
    pub in_supernode_entries: usize,
    /// Entries of a port's out-of-supernode routing table.
    pub out_supernode_entries: usize,
}

/// Width of a port number anywhere in the chip.
pub const PORT_BITS: usize = 6;

/// Most ports that a chip can have.
pub const MAX_PORTS: usize = 1 << PORT_BITS;

/// Width of a virtual channel's number on a link.
pub const VC_BITS: usize = header::VC.width;

impl RouterParams {
    /// Ports of the chip, one a tile; tile (r, c) is port r · columns + c.
    pub fn ports(&self) -> usize {
        self.rows * self.columns
    }

    /// Width of a row buffer's word: the flit and the rows that it goes to.
    pub(super) fn row_word_bits(&self) -> usize {
        FLIT_BITS + self.rows
    }
}
