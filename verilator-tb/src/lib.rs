//! Verilator bridge, lockstep, benches and reports of fantree.

pub mod coverage;
pub mod exceptions;
pub mod follow;
pub mod jtag;
pub mod kernels;
pub mod link;
pub mod lockstep;
pub mod manage;
pub mod mutation;
pub mod regress;
pub mod report;
pub mod router;
pub mod shell;
pub mod stimuli;
pub mod sweep;
pub mod traffic;
pub mod verilator;
pub mod wave;

/// The Rust in the user's guide.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../docs/guide/src/block.md")]
    struct AddingABlock;
    #[doc = include_str!("../../docs/guide/src/test.md")]
    struct AddingATest;
}
