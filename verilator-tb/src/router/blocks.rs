//! Credits between chips: the blocks of an input buffer, private and shared, as their sender counts them.

use std::fmt;
use std::str::FromStr;

use fantree_hdl::router::RouterParams;
use rand::Rng;

use super::MAX_VCS;
use crate::traffic::Random;

/// How the blocks of all input buffers are to be split.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SplitPolicy {
    /// As after the reset.
    #[default]
    Reset,
    /// At random, so that every channel can hold the longest packet.
    Random,
    /// These blocks for each virtual channel, one number for all or one for each; and these for all of them.
    Fixed { private: Vec<usize>, shared: usize },
}

impl FromStr for SplitPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fixed = || {
            let (private, shared) = text.split_once('/')?;
            let blocks = |text: &str| text.parse::<u16>().ok().map(usize::from);
            Some(SplitPolicy::Fixed {
                private: private.split(',').map(blocks).collect::<Option<_>>()?,
                shared: blocks(shared)?,
            })
        };
        match text {
            "reset" => Ok(SplitPolicy::Reset),
            "random" => Ok(SplitPolicy::Random),
            _ => fixed().ok_or("legal are reset, random, and PRIVATE[,PRIVATE...]/SHARED".into()),
        }
    }
}

impl fmt::Display for SplitPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SplitPolicy::Reset => f.write_str("reset"),
            SplitPolicy::Random => f.write_str("random"),
            SplitPolicy::Fixed { private, shared } => {
                let private: Vec<String> = private.iter().map(usize::to_string).collect();
                write!(f, "{}/{shared}", private.join(","))
            }
        }
    }
}

/// How the blocks of an input buffer are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// Flits of a block.
    pub block_flits: usize,
    /// Blocks of each virtual channel for itself.
    pub private: [usize; MAX_VCS],
    /// Blocks that all share.
    pub shared: usize,
}

impl Split {
    /// The split that a chip has after its reset.
    pub fn of(params: &RouterParams) -> Self {
        let mut private = [0; MAX_VCS];
        private[..params.virtual_channels].fill(params.private_blocks);
        Self {
            block_flits: params.block_flits,
            private,
            shared: params.shared_blocks(),
        }
    }

    /// A split of the buffer at random, in which every channel can hold the longest packet; that of the reset where the
    /// buffer is too small for any other.
    pub fn random(params: &RouterParams, random: &mut Random) -> Self {
        let vcs = params.virtual_channels;
        let longest = params.blocks_of(params.max_packet_flits);
        let mut split = Split {
            block_flits: params.block_flits,
            private: [0; MAX_VCS],
            shared: 0,
        };
        let mut left = params.input_buffer_blocks;
        if random.gen() {
            // The shared blocks hold the longest packet; some of the rest is private.
            left -= longest;
            split.shared = longest;
            for vc in 0..vcs {
                split.private[vc] = random.gen_range(0..=left / (vcs - vc));
                left -= split.private[vc];
            }
        } else if longest * vcs <= left {
            split.private[..vcs].fill(longest);
            left -= longest * vcs;
        } else {
            return Split::of(params);
        }
        split.shared += random.gen_range(0..=left);
        split
    }

    /// Blocks of all kinds.
    pub fn total(&self) -> usize {
        self.private.iter().sum::<usize>() + self.shared
    }

    /// Blocks that a packet of so many flits takes.
    pub fn blocks_of(&self, flits: usize) -> usize {
        flits.div_ceil(self.block_flits)
    }
}

/// Blocks in use, as a sender counts them.
#[derive(Debug, Clone)]
pub struct Credits {
    split: Split,
    used: [usize; MAX_VCS],
}

impl Credits {
    pub fn new(split: Split) -> Self {
        Self {
            split,
            used: [0; MAX_VCS],
        }
    }

    /// Blocks that a channel may take.
    #[inline]
    pub fn available(&self, vc: usize) -> usize {
        self.split.private[vc].saturating_sub(self.used[vc])
            + self.split.shared.saturating_sub(self.shared_in_use())
    }

    /// Blocks in use of all channels.
    pub fn in_use(&self) -> usize {
        self.used.iter().sum()
    }

    /// Those of them that are shared.
    #[inline]
    pub fn shared_in_use(&self) -> usize {
        let beyond = |v: usize| self.used[v].saturating_sub(self.split.private[v]);
        (0..MAX_VCS).map(beyond).sum()
    }

    /// Blocks in use of a channel.
    pub fn used(&self, vc: usize) -> usize {
        self.used[vc]
    }

    /// Blocks that a packet of so many flits takes.
    #[inline]
    pub fn blocks_of(&self, flits: usize) -> usize {
        self.split.blocks_of(flits)
    }

    /// A packet of so many flits starts.
    #[inline]
    pub fn take(&mut self, vc: usize, flits: usize) {
        self.used[vc] += self.split.blocks_of(flits);
    }

    /// A block comes free; false if none was in use.
    #[inline]
    pub fn give(&mut self, vc: usize) -> bool {
        let any = self.used[vc] > 0;
        self.used[vc] -= usize::from(any);
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::stream;

    #[test]
    fn a_policy_survives_the_round_trip() {
        for text in ["reset", "random", "18/56", "1,0,3/5"] {
            assert_eq!(text.parse::<SplitPolicy>().unwrap().to_string(), text);
        }
        for text in ["", "18", "18/", "/5", "1,/5", "1/5/6", "-1/5", "1/65536"] {
            assert!(text.parse::<SplitPolicy>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_random_split_fits_the_buffer_and_the_longest_packet_every_channel() {
        let config = fantree_gen::config::Router::default();
        let params = config.params();
        let longest = params.blocks_of(params.max_packet_flits);
        let mut splits = Vec::new();
        for seed in 0..50 {
            let split = Split::random(&params, &mut stream(seed, "split", 0));
            assert!(split.total() <= params.input_buffer_blocks, "{split:?}");
            let private = &split.private[..params.virtual_channels];
            assert!(
                private
                    .iter()
                    .all(|blocks| blocks + split.shared >= longest),
                "{split:?}"
            );
            splits.push(split);
        }
        splits.dedup();
        assert!(splits.len() > 40, "{} different ones", splits.len());
    }

    #[test]
    fn shared_blocks_are_for_everybody_and_private_ones_for_one() {
        let mut private = [0; MAX_VCS];
        private[..2].copy_from_slice(&[2, 1]);
        let mut credits = Credits::new(Split {
            block_flits: 4,
            private,
            shared: 3,
        });
        assert_eq!((credits.available(0), credits.available(1)), (5, 4));
        credits.take(0, 13);
        assert_eq!((credits.available(0), credits.available(1)), (1, 2));
        credits.take(1, 1);
        assert_eq!((credits.available(0), credits.available(1)), (1, 1));
        assert!((0..4).all(|_| credits.give(0)));
        assert!(!credits.give(0));
        assert_eq!((credits.available(0), credits.available(1)), (5, 3));
    }
}
