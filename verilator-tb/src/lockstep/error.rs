//! How lockstep fails.

use super::frame::hex;
use crate::verilator;
use std::fmt;
use std::path::PathBuf;

/// Result of this module.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a bench did not pass.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The block cannot be printed as Verilog.
    #[error("`{block}` cannot be emitted: {source}")]
    Emit {
        block: String,
        source: fantree_gen::EmitError,
    },
    /// Building or running the Verilated side.
    #[error(transparent)]
    Verilator(#[from] verilator::Error),
    /// The block's ports are not those of its Verilog.
    #[error("{0}")]
    Ports(String),
    /// rust-hdl's simulation failed.
    #[error("rust-hdl simulation of `{block}` {reason} (cycle {cycle}, seed {seed})")]
    Rust {
        block: String,
        reason: String,
        cycle: usize,
        seed: u64,
    },
    /// The two sides differ.
    #[error(transparent)]
    Mismatch(Box<Mismatch>),
    /// Icarus does not run the design.
    #[error("Icarus on `{block}`: {reason}")]
    Icarus { block: String, reason: String },
}

/// When in a cycle outputs were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// After the inputs changed, before clocks rise.
    Inputs,
    /// After clocks rose.
    Clocks,
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Moment::Inputs => "after inputs changed, before the clock edge",
            Moment::Clocks => "after the clock edge",
        })
    }
}

/// An output that differs between a block and its Verilog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Name given to the bench.
    pub block: String,
    /// Who disagrees with rust-hdl: Verilator or Icarus.
    pub simulator: &'static str,
    /// Name of the output in the block.
    pub port: String,
    /// Its width in bits.
    pub width: usize,
    /// Cycle after the first reset.
    pub cycle: usize,
    /// When in the cycle.
    pub moment: Moment,
    /// Seed of the run.
    pub seed: u64,
    /// Words of the value in rust-hdl's simulation.
    pub rust: Vec<u32>,
    /// The value of the Verilog, as a hexadecimal number (Icarus: may hold `x`).
    pub verilog: String,
    /// Other outputs that differ at the same moment.
    pub others: Vec<String>,
    /// Inputs of the last cycles, a line each, this cycle's last.
    pub history: Vec<String>,
    /// The command that repeats the run.
    pub repeat: String,
    /// Wave of the Verilated side, or why there is none.
    pub wave: Option<std::result::Result<PathBuf, String>>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "lockstep of `{}`: output `{}` differs in cycle {}, {} (seed {})",
            self.block, self.port, self.cycle, self.moment, self.seed
        )?;
        writeln!(f, "  rust-hdl   {}'h{}", self.width, hex(&self.rust))?;
        writeln!(
            f,
            "  {:<10} {}'h{}",
            self.simulator, self.width, self.verilog
        )?;
        if !self.others.is_empty() {
            writeln!(f, "  also differ: {}", self.others.join(", "))?;
        }
        writeln!(f, "  inputs of the last cycles:")?;
        for line in &self.history {
            writeln!(f, "    {line}")?;
        }
        write!(f, "  repeat: {}", self.repeat)?;
        match &self.wave {
            Some(Ok(path)) => write!(f, "\n  wave: {}", path.display()),
            Some(Err(reason)) => write!(f, "\n  no wave: {reason}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Mismatch {}
