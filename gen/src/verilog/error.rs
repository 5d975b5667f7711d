//! What cannot be printed right, and where it stands.

use std::fmt;
use thiserror::Error;

/// Why a design was not emitted: every fault that was found, none of it guessed away.
#[derive(Debug, Clone, PartialEq, Error)]
pub struct EmitError {
    /// The faults, in the order of the block tree. Never empty.
    pub faults: Vec<Fault>,
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.faults.iter().map(Fault::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// One thing that is wrong with one block.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// Path of the first instance that shows the fault, such as `router.tile[3].fifo`.
    pub block: String,
    /// The module name the block declares, if it does.
    pub module: Option<String>,
    /// What is wrong.
    pub cause: Cause,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.block)?;
        if let Some(module) = &self.module {
            write!(f, " (module {module})")?;
        }
        write!(f, ": {}", self.cause)
    }
}

/// Kinds of faults. Signals and expressions are written as in the Rust kernel.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Cause {
    #[error("`{0}` is no Verilog module name that could be used")]
    TopName(String),
    #[error("the top must be one block, not a signal, a vector or an interface")]
    NotOneBlock,
    #[error("the top cannot be a black box; wrap it in a block")]
    TopIsBlackBox,
    #[error("signal `{signal}` has no bits (an enum of one state?)")]
    NoWidth { signal: String },
    #[error("`{name}` is no signal, loop variable or state of this block (constants and const generics do not reach the syntax tree)")]
    UnknownName { name: String },
    #[error("`{name}` is both a signal and a loop variable here")]
    AmbiguousName { name: String },
    #[error("`{name}` may be a state of several enums of different encoding")]
    AmbiguousState { name: String },
    #[error("the index in `{name}` is not made of loop variables and numbers: {why}")]
    Index { name: String, why: String },
    #[error("`{expression}`: operands of {left} and {right} bits")]
    Widths {
        expression: String,
        left: usize,
        right: usize,
    },
    #[error("`{expression}`: a signed and an unsigned operand")]
    Signedness { expression: String },
    #[error("`{signal}` has {width} bits and is given {found} by `{expression}`")]
    AssignedWidth {
        signal: String,
        width: usize,
        expression: String,
        found: usize,
    },
    #[error("`{expression}`: {literal} does not fit {width} bits")]
    Literal {
        literal: String,
        width: usize,
        expression: String,
    },
    #[error("`{expression}` has {width} bits where one bit is needed")]
    NotOneBit { expression: String, width: usize },
    #[error("`{expression}`: the width of a signed_bit_cast does not reach the syntax tree")]
    SignedCast { expression: String },
    #[error("`{expression}`: {why}")]
    Unsupported {
        expression: String,
        why: &'static str,
    },
    #[error("`{signal}` is written again after `{expression}` reads it; the Rust simulation and Verilog would differ")]
    ReadBetweenWrites { signal: String, expression: String },
    #[error("`{signal}` is not assigned on every path, which makes a latch")]
    Latch { signal: String },
    #[error("`{signal}` is never assigned")]
    Undriven { signal: String },
    #[error("`{signal}` is an input of the block and cannot be assigned in it")]
    WrittenInput { signal: String },
    #[error("`{signal}` is driven by the child block and cannot be assigned here")]
    WrittenOutput { signal: String },
    #[error("`{signal}` is a constant and cannot be assigned")]
    WrittenConstant { signal: String },
    #[error("`{signal}` is bidirectional: it can be linked and read, not assigned")]
    WrittenInOut { signal: String },
    #[error("bidirectional `{signal}` is not linked")]
    UnlinkedInOut { signal: String },
    #[error(
        "`{first}` and `{second}` are both bidirectional ports and cannot be linked to one net"
    )]
    LinkedInOuts { first: String, second: String },
    #[error("combinational loop: {}", .signals.join(" -> "))]
    Loop { signals: Vec<String> },
    #[error("two different external modules are called `{name}`")]
    ExternalClash { name: String },
}

/// A name of the block tree as it stands in Rust: `a$0$d` is `a[0].d`.
pub(super) fn rust_name(path: &str) -> String {
    let mut name = String::new();
    for (i, part) in path.split('$').enumerate() {
        if i > 0 && !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()) {
            name.push_str(&format!("[{part}]"));
        } else {
            if i > 0 {
                name.push('.');
            }
            name.push_str(part);
        }
    }
    name
}
