//! Checks of generated Verilog by the tools that will read it: Verilator, Icarus Verilog and Yosys.
//!
//! A check is a tool run over `files.f` of a generated folder and the findings read from its output. No finding is
//! expected: the waivers are pragmas in the Verilog, each with its reason.

mod icarus;
mod verilator;
pub(crate) mod yosys;

use std::path::Path;
use std::process::Output;

use serde::Serialize;

use crate::tool::{self, Tool};

/// What to check.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The generated folder.
    pub dir: &'a Path,
    /// The module to start from.
    pub top: &'a str,
    pub memories: Memories,
}

/// What Yosys makes of memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memories {
    /// They are elaborated and checked, and stay memories, as they do in every real flow: seconds for a router.
    Kept,
    /// They become flip-flops, as `synth` has it for a technology without memories: minutes for a tile.
    FlipFlops,
}

/// Something a tool does not like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Verilator's name for this kind, such as `WIDTH`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The file in the generated folder and the line, where the tool tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    pub message: String,
}

/// One of the tools, with the way it is run.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    pub tool: Tool,
    run: fn(Target) -> Result<Output, tool::Error>,
    read: fn(&str) -> Vec<Finding>,
}

/// All checks, the fastest first.
pub const CHECKS: [Check; 3] = [icarus::CHECK, verilator::CHECK, yosys::CHECK];

impl Check {
    /// Runs the tool and returns what it found.
    pub fn run(&self, target: Target) -> Result<Vec<Finding>, tool::Error> {
        let output = (self.run)(target)?;
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        let mut findings = (self.read)(&text);
        if findings.is_empty() && !output.status.success() {
            // A failure that no reader knows must not pass for a clean run.
            findings.push(Finding {
                code: None,
                place: None,
                message: format!("{}: {}", output.status, text.trim()),
            });
        }
        Ok(findings)
    }
}
