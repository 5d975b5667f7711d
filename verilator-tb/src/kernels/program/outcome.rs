//! What came of a kernel, and what is asked of the program that runs kernels.

use serde::{Deserialize, Serialize};

/// What is to be done with a program's kernels.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// Numbers of the kernels, in the bundles they run in.
    pub bundles: Vec<Vec<usize>>,
    pub seed: u64,
    pub cycles: usize,
    pub alter: Option<Alter>,
}

/// A change of the emitted Verilog, to see that a fault in it is found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Alter {
    /// This text, wherever it stands …
    pub from: String,
    /// … becomes this.
    pub to: String,
}

impl Alter {
    pub fn apply(&self, verilog: &str) -> String {
        verilog.replace(&self.from, &self.to)
    }
}

/// What came of a kernel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// All simulators agree, and no tool complains.
    Agrees,
    Fails(Failure),
}

/// How a kernel failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// What was said, such as the output that differs and when.
    pub text: String,
    /// The emitted Verilog, if there is any.
    pub verilog: String,
}

/// Kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureKind {
    /// rustc refuses the kernel: the generator is wrong.
    NotCompiled,
    /// rust-hdl's simulation panics or does not settle.
    NotSimulated,
    /// The back end refuses the kernel.
    NotEmitted,
    /// A tool refuses the Verilog.
    NotBuilt,
    /// A linter complains about the Verilog.
    Linted,
    /// Verilator gives another output.
    Verilator,
    /// Icarus gives another output.
    Icarus,
}

impl FailureKind {
    /// The kernel runs everywhere, but not the same.
    pub fn differs(self) -> bool {
        use FailureKind::*;
        matches!(self, Linted | Verilator | Icarus)
    }
}

impl std::fmt::Display for FailureKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            FailureKind::NotCompiled => "rustc refuses the kernel",
            FailureKind::NotSimulated => "rust-hdl cannot simulate the kernel",
            FailureKind::NotEmitted => "the back end refuses the kernel",
            FailureKind::NotBuilt => "a simulator refuses the Verilog",
            FailureKind::Linted => "a linter complains about the Verilog",
            FailureKind::Verilator => "Verilator differs from rust-hdl",
            FailureKind::Icarus => "Icarus differs from rust-hdl",
        })
    }
}
