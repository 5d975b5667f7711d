//! The JTAG port (IEEE 1149.1) of a managed chip.
//!
//! | instruction | code | data register |
//! |---|---|---|
//! | [`IDCODE`](Instruction::Idcode) | 0001 | 32 bits, [`IDCODE_VALUE`]; chosen by a reset of the TAP |
//! | [`SETUP`](Instruction::Setup) | 0010 | a setup, as in [`command`](super::command); takes effect in Update-DR |
//! | [`ACCESS`](Instruction::Access) | 0011 | in: a [`request`]; out: the [`answer`] to the one before |
//! | [`KEY`](Instruction::Key) | 0100 | 32 bits: what writes in band need from now on; 0, as after a reset: nobody has it. Takes effect in Update-DR |
//! | BYPASS | 1111, and all others | 1 bit |
//!
//! | file | holds |
//! |---|---|
//! | [`tap_states`](TapStates) | the sixteen states |
//! | [`tap`](Tap) | instructions and data registers |
//! | [`bridge`](JtagBridge) | from the test clock to the chip's, and from requests to beats |

mod bridge;
mod tap;
mod tap_states;

pub use bridge::JtagBridge;
pub use tap::Tap;
pub use tap_states::{TapState, TapStates};

use crate::wire::Field;

/// What the chip says it is: version 1, part 0x5f7e, no manufacturer.
pub const IDCODE_VALUE: u32 = 0x15f7_e001;

/// Width of an instruction.
pub const INSTRUCTION_BITS: usize = 4;

/// Instructions that do something; all others are BYPASS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    Idcode = 1,
    Setup = 2,
    Access = 3,
    Key = 4,
}

/// What a word for the chip is, in its low bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Request = 0,
    Setup = 1,
    Key = 2,
}

/// Width of [`Word`].
const WORD_BITS: usize = 2;

/// Fields of what ACCESS shifts in.
pub mod request {
    use super::Field;

    /// Data of a beat.
    pub const DATA: Field = Field {
        offset: 0,
        width: 32,
    };
    /// What is asked: see [`Kind`](super::Kind).
    pub const KIND: Field = Field {
        offset: 32,
        width: 2,
    };
}

/// What a request asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: the scan is for the answer alone.
    Nothing = 0,
    /// A beat.
    Beat = 1,
    /// The next of the values that the last beat has read.
    Next = 2,
}

/// Fields of what ACCESS shifts out.
pub mod answer {
    use super::Field;
    use crate::manage::command::STATUS_BITS;

    /// A value that was read.
    pub const VALUE: Field = Field {
        offset: 0,
        width: 32,
    };
    /// What went wrong since the setup, see [`status`](crate::manage::command::status).
    pub const STATUS: Field = Field {
        offset: 32,
        width: STATUS_BITS,
    };
    /// There are more values to ask for.
    pub const MORE: Field = Field {
        offset: STATUS.offset + STATUS.width,
        width: 1,
    };
    /// This is an answer. Without it, the chip is still at work, and what this scan asks is ignored.
    pub const VALID: Field = Field {
        offset: MORE.offset + 1,
        width: 1,
    };
    /// Width of an answer without its valid bit.
    pub const BITS: usize = VALID.offset;
    /// Width of the data register of ACCESS.
    pub const SCAN_BITS: usize = BITS + 1;
}
