//! From a harness's Verilog to the circuit that the model checker sees.
//!
//! The circuit starts in any state at all: registers and memories hold whatever they hold when the power comes on. The
//! first cycle is a reset, and there is none after it. That is every reset there is: what a later one finds is a state
//! like any other, and what comes before it was proved with the reset before. What a harness says counts from the
//! first cycle after the reset.
//!
//! Bits that the Verilog leaves open, such as a read past the end of a memory, may be anything in every cycle.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fantree_gen::tool;
use fantree_gen::verilog::{Direction, Port};

use crate::aiger::{self, Graph};

/// Why there is no circuit.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Tool(#[from] tool::Error),
    #[error("yosys cannot read the harness: {0}")]
    Yosys(String),
    #[error(transparent)]
    Circuit(#[from] aiger::Error),
    #[error("yosys-abc says neither yes nor no: {0}")]
    Abc(String),
    #[error("the circuit has no output `{0}`")]
    NoSuchOutput(String),
    #[error("in the run that yosys-abc shows, `{0}` is never true")]
    WrongRun(String),
    #[error("cannot use {}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl Error {
    /// What to make of the error of an action on `path`.
    pub(crate) fn on(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |source| Self::Io {
            path: path.into(),
            source,
        }
    }
}

/// The module around the harness.
const TOP: &str = "formal_top";

/// What stands before the name of a property's output: it must never be true.
pub const NEVER: &str = "never_";
/// What stands before the name of an output that can be true, or the proof is about too little.
pub const REACHES: &str = "reaches_";

/// Whether an output is a harness's verdict and not a value to look at.
pub fn is_verdict(port: &str) -> bool {
    port.starts_with(NEVER) || port.starts_with(REACHES)
}

/// The circuit of a harness: `ports` are those of the top module of `verilog`, called `name`.
pub fn circuit(verilog: &str, name: &str, ports: &[Port]) -> Result<Graph, Error> {
    let folder = temporary_folder()?;
    let source = folder.path().join("harness.v");
    let result = folder.path().join("harness.aig");
    fs::write(&source, format!("{verilog}\n{}", top(name, ports))).map_err(Error::on(&source))?;
    let output = tool::yosys(folder.path(), &script())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Error::Yosys(said.trim().into()));
    }
    Ok(Graph::parse(
        &fs::read(&result).map_err(Error::on(&result))?,
    )?)
}

pub(crate) fn temporary_folder() -> Result<tempfile::TempDir, Error> {
    tempfile::tempdir().map_err(Error::on(&std::env::temp_dir()))
}

/// Memories and all other cells become gates; `formalff` lets registers start anywhere, `setundef` open bits be anything.
fn script() -> String {
    format!(
        "read_verilog harness.v; prep -flatten -top {TOP}; memory_map; \
         formalff -clk2ff -ff2anyinit; simplemap; setundef -undriven -anyseq; opt -fast; \
         dffunmap; techmap; opt -fast; abc -g AND -fast; opt_clean; \
         write_aiger -zinit -symbols -I -L harness.aig"
    )
}

/// A module that resets the harness in the first cycle and hides its verdicts during that.
fn top(name: &str, ports: &[Port]) -> String {
    let mut text = format!("module {TOP} (input wire clock");
    let mut pins = String::from(".clock(clock), .reset(!running)");
    let mut verdicts = String::new();
    for port in ports {
        let (name, last) = (&port.name, port.width - 1);
        match (port.direction, name.as_str()) {
            (_, "clock" | "reset") => continue,
            (Direction::Output, _) if is_verdict(name) => {
                let _ = write!(text, ", output wire {name}");
                let _ = writeln!(verdicts, "  wire harness_{name};");
                let _ = writeln!(verdicts, "  assign {name} = running & harness_{name};");
                let _ = write!(pins, ", .{name}(harness_{name})");
                continue;
            }
            (Direction::Output, _) => {
                let _ = write!(text, ", output wire [{last}:0] {name}");
            }
            _ => {
                let _ = write!(text, ", input wire [{last}:0] {name}");
            }
        }
        let _ = write!(pins, ", .{name}({name})");
    }
    format!(
        "{text});\n  reg running = 1'b0;\n  always @(posedge clock) running <= 1'b1;\n{verdicts}  \
         {name} harness ({pins});\nendmodule\n"
    )
}
