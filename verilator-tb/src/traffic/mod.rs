//! Traffic of a bench: where packets go, when they come, how long they are.
//!
//! | unit | says |
//! |---|---|
//! | [`Pattern`], [`Destinations`] | where a source's packets go |
//! | [`Load`], [`Arrivals`], [`Injector`] | when a source has a new packet |
//! | [`Lengths`] | how many flits it has |
//! | [`OnOff`] | what comes and goes in runs |
//! | [`stream`] | the random numbers of all of them |
//!
//! Everything follows from one seed. Each source draws from streams of its own, so what it does depends neither on
//! the order in which sources are served nor on how many there are.

mod destinations;
mod injection;
mod length;
mod on_off;
mod pattern;
mod random;

pub use destinations::Destinations;
pub use injection::{Arrivals, Injector, Load};
pub use length::Lengths;
pub use on_off::OnOff;
pub use pattern::{Pattern, Shape};
pub use random::{stream, Random};

/// What is wrong with a description of traffic.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    #[error("there is no pattern `{name}`; known are {known}")]
    UnknownPattern { name: String, known: String },
    #[error("`{text}` is not a pattern: write {form}")]
    PatternForm { text: String, form: &'static str },
    #[error("pattern {pattern} is not defined for {ports} ports; legal are {legal}")]
    PatternPorts {
        pattern: Pattern,
        ports: usize,
        legal: &'static str,
    },
    #[error("pattern {pattern} names port {port}; legal are 0 to {}", ports - 1)]
    PatternPort {
        pattern: Pattern,
        port: usize,
        ports: usize,
    },
    #[error("load `{0}` is not legal: flits a cycle a port, above 0 and at most 1")]
    Load(String),
    #[error("packet length `{text}` is not legal: {legal}")]
    Length { text: String, legal: String },
}
