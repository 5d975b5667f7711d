//! What an end of a link can do wrong.

use std::fmt;

use crate::router::Flit;

/// A broken rule.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Fault {
    #[error("a flit came that is not the next one: {flit:x?} instead of {expected:x?}")]
    WrongFlit { flit: Flit, expected: Option<Flit> },
    #[error("a packet of {announced} flits was cut and ended as its flit {arrived}")]
    WrongLength { announced: usize, arrived: usize },
    #[error("virtual channel {vc} holds more blocks than the sender has credits for")]
    Overflow { vc: usize },
    #[error("a credit of virtual channel {vc} came that was not used")]
    ExtraCredit { vc: usize },
    #[error("the link came up with {blocks} blocks of the last session in use")]
    NotHome { blocks: usize },
    #[error("{flits} flits never came")]
    Missing { flits: usize },
    #[error("{blocks} credits never came back")]
    MissingCredits { blocks: usize },
    #[error("{lost} packets were lost, and {reported} reported")]
    Unreported { lost: u64, reported: u64 },
    #[error("the link went down {late} cycles after it should have")]
    LateDetection { late: u64 },
}

/// A broken rule, and where: the end of the link that saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    pub cycle: u64,
    pub end: usize,
    pub fault: Fault,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, end, fault } = self;
        write!(f, "cycle {cycle}, end {end}: {fault}")
    }
}
