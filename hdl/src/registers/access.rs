//! What reads and writes of a register do.

use serde::Serialize;
use strum::{EnumMessage, VariantArray};

/// What reads and writes of a register do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, EnumMessage, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Read-only: the hardware changes it, writes do nothing.
    ReadOnly,
    /// Read and write: it keeps what was written last.
    ReadWrite,
    /// Write-only: it reads as zero.
    WriteOnly,
    /// Read to clear: the hardware changes it, reading sets it to zero, writes do nothing.
    ReadClear,
    /// Write to clear: the hardware changes it, any write sets it to zero.
    WriteClear,
}

impl Access {
    /// The usual abbreviation.
    pub fn code(self) -> &'static str {
        match self {
            Self::ReadOnly => "ro",
            Self::ReadWrite => "rw",
            Self::WriteOnly => "wo",
            Self::ReadClear => "rc",
            Self::WriteClear => "wc",
        }
    }

    /// What it means, in words.
    pub fn about(self) -> &'static str {
        self.get_documentation().expect("each kind has a comment")
    }

    /// A read tells something.
    pub fn is_readable(self) -> bool {
        self != Self::WriteOnly
    }

    /// A write changes something.
    pub fn is_writable(self) -> bool {
        matches!(self, Self::ReadWrite | Self::WriteOnly | Self::WriteClear)
    }
}
