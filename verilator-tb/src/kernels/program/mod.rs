//! The inside of a program of kernels: it emits, lints and simulates its kernels, many in one model.

mod bundle;
mod lint;
mod outcome;
mod serve;

pub use outcome::{Alter, Failure, FailureKind, Outcome, Request};
pub use serve::serve;
