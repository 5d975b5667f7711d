//! The model checker: ABC, which comes with Yosys.
//!
//! PDR (property directed reachability) looks for an invariant, so what it proves holds for ever. Bounded model
//! checking looks at all runs of so many cycles. Both work on the same circuit, so a harness is read once.

use std::fs;

use fantree_gen::tool::YOSYS_ABC;

use crate::aiger::Graph;
use crate::model::{temporary_folder, Error};

/// How hard to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// By an invariant: for ever.
    Unbounded,
    /// All runs of so many cycles after the reset.
    Bounded(usize),
}

/// Whether an output can be true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It cannot, as far as the method looks.
    Never,
    /// It is, in a run with these inputs, one list a cycle; the first cycle is the reset.
    In(Vec<Vec<bool>>),
    /// Time ran out first.
    Undecided,
}

/// Can this output ever be true?
pub fn can_be_true(
    graph: &Graph,
    output: usize,
    method: Method,
    seconds: u64,
) -> Result<Answer, Error> {
    let folder = temporary_folder()?;
    let circuit = folder.path().join("circuit.aig");
    fs::write(&circuit, graph.file_of_output(output)).map_err(Error::on(&circuit))?;
    // The limit is on frames, of which the reset is one.
    let search = match method {
        Method::Unbounded => format!("pdr -T {seconds}"),
        Method::Bounded(cycles) => format!("bmc3 -F {} -T {seconds}", cycles + 1),
    };
    // Registers that are always equal are one: references that count what the block counts, above all.
    let script = format!("read_aiger circuit.aig; strash; scorr; {search}; write_cex -a run");
    let output =
        YOSYS_ABC.run(|command| command.current_dir(folder.path()).args(["-q", &script]))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let answer = match fs::read_to_string(folder.path().join("run")) {
        Ok(run) => inputs_of(&run, graph.inputs.len()).map(Answer::In),
        Err(_) => without_a_run(method, &said),
    };
    answer.ok_or_else(|| Error::Abc(said.trim().into()))
}

/// The inputs of a run as ABC writes it: the state at the start, then a line a cycle, and a comment at the end.
fn inputs_of(run: &str, inputs: usize) -> Option<Vec<Vec<bool>>> {
    let cycles = run.split('#').next()?.lines().skip(1);
    let bits = |line: &str| {
        let bits = line.bytes().map(|byte| match byte {
            b'0' => Some(false),
            b'1' => Some(true),
            _ => None,
        });
        bits.collect::<Option<Vec<bool>>>()
            .filter(|bits| bits.len() == inputs)
    };
    cycles.map(bits).collect()
}

/// What ABC means that shows no run.
fn without_a_run(method: Method, said: &str) -> Option<Answer> {
    let exhausted = match method {
        Method::Unbounded => "Property proved.".to_string(),
        Method::Bounded(cycles) => format!("No output asserted in {} frames.", cycles + 1),
    };
    if said.contains(&exhausted) {
        Some(Answer::Never)
    } else if said.contains("timeout") {
        Some(Answer::Undecided)
    } else {
        None
    }
}
