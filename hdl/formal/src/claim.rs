//! What a harness claims of its outputs, and whether it is so.

use crate::aiger::Graph;
use crate::check::{can_be_true, Answer, Method};
use crate::model::{Error, NEVER, REACHES};
use crate::trace::Trace;

/// Cycles within which everything that can be reached has to be.
const REACHED_WITHIN: usize = 60;
/// Seconds after which a claim counts as undecided.
const PATIENCE: u64 = 900;

/// A verdict output and how to look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The output's name.
    pub name: String,
    pub method: Method,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// What must never be true never is, as far as the method looks.
    Proved,
    /// What must be true once is, so many cycles after the reset.
    Reached(usize),
    /// What must never be true is, at the end of this run.
    Violated(Trace),
    /// What must be true once is not.
    NotReached,
    /// Time ran out.
    Undecided,
}

impl Verdict {
    /// The claim holds.
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Proved | Self::Reached(_))
    }
}

impl Claim {
    /// What an output of this name claims, if it is a verdict; those in `bounded` are looked at for so many cycles after
    /// the reset, the others for ever.
    pub(crate) fn of(output: &str, bounded: &[(&str, usize)]) -> Option<Self> {
        let method = if output.starts_with(NEVER) {
            let bound = bounded.iter().find(|(bounded, _)| *bounded == output);
            bound.map_or(Method::Unbounded, |&(_, cycles)| Method::Bounded(cycles))
        } else if output.starts_with(REACHES) {
            Method::Bounded(REACHED_WITHIN)
        } else {
            return None;
        };
        Some(Self {
            name: output.into(),
            method,
        })
    }

    /// It says what must be true once.
    pub fn is_about_reaching(&self) -> bool {
        self.name.starts_with(REACHES)
    }

    /// Looks whether it holds in a circuit of its harness.
    pub fn check(&self, circuit: &Graph) -> Result<Verdict, Error> {
        let mut outputs = circuit.outputs.iter();
        let output = outputs.position(|(name, _)| *name == self.name);
        let output = output.ok_or_else(|| Error::NoSuchOutput(self.name.clone()))?;
        let answer = can_be_true(circuit, output, self.method, PATIENCE)?;
        Ok(match answer {
            Answer::Undecided => Verdict::Undecided,
            Answer::Never if self.is_about_reaching() => Verdict::NotReached,
            Answer::Never => Verdict::Proved,
            Answer::In(mut inputs) => {
                let cycle = self.first_cycle(circuit, output, &inputs)?;
                inputs.truncate(cycle + 1);
                match self.is_about_reaching() {
                    true => Verdict::Reached(cycle),
                    false => Verdict::Violated(Trace::of(circuit, &inputs)),
                }
            }
        })
    }

    /// Plays the run, in which the output must be true; it may be so before the end.
    fn first_cycle(
        &self,
        circuit: &Graph,
        output: usize,
        inputs: &[Vec<bool>],
    ) -> Result<usize, Error> {
        let mut state = circuit.start();
        let mut outputs = inputs
            .iter()
            .map(|inputs| circuit.step(&mut state, inputs)[output]);
        let cycle = outputs.position(|output| output);
        cycle.ok_or_else(|| Error::WrongRun(self.name.clone()))
    }
}
