//! Proofs of fantree's blocks, by model checking of their Verilog.
//!
//! | unit | does |
//! |---|---|
//! | [`harness`] | blocks that hold another one under proof |
//! | [`proofs`](all) | the list of what is proved, with the sizes |
//! | `model` | from Verilog to gates, through Yosys |
//! | [`aiger`] | gates, and what they do cycle by cycle |
//! | `check` | asks ABC, the model checker |
//! | [`Trace`] | a run, to be looked at |
//!
//! ```no_run
//! for proof in fantree_formal::all() {
//!     let circuit = proof.circuit()?;
//!     for claim in proof.claims() {
//!         println!("{} {}: {:?}", proof.name, claim.name, claim.check(&circuit)?);
//!     }
//! }
//! # Ok::<(), fantree_formal::Error>(())
//! ```

pub mod aiger;
mod check;
mod claim;
pub mod harness;
mod model;
mod proofs;
mod trace;

pub use check::Method;
pub use claim::{Claim, Verdict};
pub use model::Error;
pub use proofs::{all, Proof};
pub use trace::{Signal, Trace};
