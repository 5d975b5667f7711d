//! Sizes of a link's end, as numbers.

use super::frame::{MAX_CREDIT_BITS, MAX_FRAME_FLITS, MAX_SEQUENCE_BITS};
use crate::cells::bits_to_hold;
use crate::router::RouterParams;

/// Sizes of a link's end; both ends must agree on all but the replay buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkParams {
    /// Virtual channels.
    pub virtual_channels: usize,
    /// Longest packet, in flits.
    pub max_packet_flits: usize,
    /// Flits of a block, the unit of buffers and credits between chips; a power of two.
    pub block_flits: usize,
    /// Input buffer at the far end, all virtual channels together, in blocks.
    pub input_buffer_blocks: usize,
    /// Flits that are kept until they are acknowledged; a power of two. A line with a delay of d cycles runs at full rate
    /// with 2 · d + 45 of them.
    pub replay_flits: usize,
    /// Most flits of a frame, 1 to 14: more of the line is theirs in longer frames, but all wait for the last one's check.
    pub frame_flits: usize,
}

impl LinkParams {
    /// The end of a link at a router's port.
    ///
    /// # Panics
    /// If a size is out of its range.
    pub fn new(router: &RouterParams, replay_flits: usize, frame_flits: usize) -> Self {
        let params = Self {
            virtual_channels: router.virtual_channels,
            max_packet_flits: router.max_packet_flits,
            block_flits: router.block_flits,
            input_buffer_blocks: router.input_buffer_blocks,
            replay_flits,
            frame_flits,
        };
        params.check();
        params
    }

    /// # Panics
    /// If a size is out of its range.
    pub(super) fn check(&self) {
        let sequence_bits = self.replay_flits.trailing_zeros() as usize + 1;
        assert!(
            self.replay_flits.is_power_of_two() && (2..=MAX_SEQUENCE_BITS).contains(&sequence_bits),
            "a replay buffer holds 2, 4, … 2048 flits, not {}",
            self.replay_flits
        );
        assert!(
            (1..=MAX_FRAME_FLITS).contains(&self.frame_flits),
            "a frame has 1 to {MAX_FRAME_FLITS} flits, not {}",
            self.frame_flits
        );
        assert!(
            self.credit_bits() <= MAX_CREDIT_BITS,
            "an input buffer behind a link has up to 2047 blocks, not {}",
            self.input_buffer_blocks
        );
    }

    /// Width of a sequence number: twice the replay buffer, so that what is ahead is told from what is behind.
    pub fn sequence_bits(&self) -> usize {
        bits_to_hold(self.replay_flits)
    }

    /// Width of a count of credits: more than twice the buffer, for the same reason.
    pub fn credit_bits(&self) -> usize {
        bits_to_hold(self.input_buffer_blocks) + 1
    }

    /// Blocks of the longest packet.
    pub(super) fn most_blocks(&self) -> usize {
        self.max_packet_flits.div_ceil(self.block_flits)
    }
}
