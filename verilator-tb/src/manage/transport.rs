//! What carries commands to a chip.

use anyhow::Result;
use fantree_hdl::manage::command::status;
use fantree_hdl::manage::{Combine, Op, Setup};

/// What came back for a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Values that were read, in the order of beats and ports.
    pub values: Vec<u32>,
    /// What went wrong, see [`status`].
    pub status: u32,
}

/// A chip refused a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the chip refuses: {}", names(*.0))]
pub struct Refused(pub u32);

fn names(bits: u32) -> String {
    let set = status::fields().into_iter();
    let set = set.filter(|field| u64::from(bits) & field.mask() != 0);
    set.map(|field| field.name).collect::<Vec<_>>().join(", ")
}

/// A way to a chip.
pub trait Transport {
    /// Does a setup with its beats. Reads of many ports that are not combined are not spread: their number depends on the row.
    fn run(&mut self, setup: &Setup, beats: &[u32]) -> Result<Answer>;

    /// Cycles of the chip's clock that have passed.
    fn cycle(&self) -> u64;
}

/// Values that each beat of a setup brings.
pub(super) fn values_of_beat(setup: &Setup) -> usize {
    match (setup.op, setup.combine) {
        (Op::Write, _) => 0,
        (_, Combine::Gather) => setup.ports.count_ones().max(1) as usize,
        _ => 1,
    }
}
