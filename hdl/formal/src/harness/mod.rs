//! Harnesses: a block under proof, beside whatever tells right from wrong, as a block itself.
//!
//! A harness is ordinary hardware. Its inputs are free, and it makes of them what the block's users may do, so nothing
//! has to be assumed, and random inputs are legal ones in simulation, too. Its outputs called `never_…` are the
//! properties. Those called `reaches_…` show that the proof is about something: each must be true in some run.

use fantree_hdl::ports::Ports;
use rust_hdl::prelude::{simulate, Block};

mod credit_counter;
mod credit_counts;
mod credit_pair;
mod credit_pool;
mod fifo;
mod grants;
mod hierarchical;
mod output_unit;
mod replay_pair;
mod round_robin;
mod split;
mod weighted;

pub use credit_counter::CreditCounterHarness;
pub use credit_counts::CreditCountsHarness;
pub use credit_pair::CreditPairHarness;
pub use credit_pool::CreditPoolHarness;
pub use fifo::FifoHarness;
pub use grants::Grants;
pub use hierarchical::HierarchicalHarness;
pub use output_unit::OutputUnitHarness;
pub use replay_pair::ReplayPairHarness;
pub use round_robin::RoundRobinHarness;
pub use split::Split;
pub use weighted::WeightedHarness;

/// What a proof needs of a harness: its Verilog, and for simulation its ports.
pub trait Harness: Block + Ports {
    /// The harness as any block.
    fn as_block(&self) -> &dyn Block;
    /// Simulates until nothing changes; says whether that came in so many rounds.
    fn settles(&mut self, rounds: usize) -> bool;
}

impl<T: Block + Ports> Harness for T {
    fn as_block(&self) -> &dyn Block {
        self
    }

    fn settles(&mut self, rounds: usize) -> bool {
        simulate(self, rounds)
    }
}
