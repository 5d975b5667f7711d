//! Credits between chips: the blocks of an input buffer, private and shared, as their sender counts them.

use fantree_hdl::router::RouterParams;

use super::MAX_VCS;

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
        let beyond = |v: usize| self.used[v].saturating_sub(self.split.private[v]);
        let shared: usize = (0..MAX_VCS).map(beyond).sum();
        self.split.private[vc].saturating_sub(self.used[vc])
            + self.split.shared.saturating_sub(shared)
    }

    /// Blocks in use of a channel.
    pub fn used(&self, vc: usize) -> usize {
        self.used[vc]
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
