//! The kinds of faults.

use strum::{Display, EnumIter, EnumString};

/// What is wrong with an expression. Where several kinds would give the same text, it is of the first of them.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, EnumIter,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Kind {
    /// A condition that is true when it is not, and the other way round.
    InvertedCondition,
    /// A ready taken for a busy.
    SwappedReady,
    /// A credit of the first virtual channel does not come back.
    LostCredit,
    /// A credit comes back for the next virtual channel as well; of a single bit, in every cycle.
    DoubledCredit,
    /// A packet does not end.
    DroppedTail,
    /// Counted one too far, or a bound that is one off.
    OffByOne,
    /// A neighbouring bit or element.
    WrongSelect,
    /// Always the first one is granted, or the turn never changes.
    StuckArbiter,
    /// A register or a block that a reset does not reach.
    MissingReset,
    /// Written or moved on in every cycle.
    MissingEnable,
    /// A register that keeps the value it has.
    StaleRegister,
    /// All instead of any, one for another operator on bits.
    AndForOr,
    /// Added instead of subtracted, and the other way round.
    WrongOperator,
    /// Equal for unequal, less for less or equal.
    WrongComparison,
    /// A `not` that is not there.
    MissingNot,
    /// Neighbours of the same width, exchanged.
    SwappedParts,
    /// Another number.
    WrongConstant,
    /// The lowest bit of a signal is always zero.
    StuckAtZero,
    /// The lowest bit of a signal is always one.
    StuckAtOne,
}
