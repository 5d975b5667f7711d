//! Management of a router chip: from a JTAG port, and from packets that its links bring, to the registers of any ports at
//! once.
//!
//! ```text
//! JTAG → Tap → JtagBridge ──────────────→ Stream ┬→ ChipManager → RowManager, one a row → Agent, one a port → tile
//! packets → TurnRound, one a port → InBandSource → Stream ┘
//! ```
//!
//! Two levels in parallel, row by column (RCMA, `spec/sunway.md` section 2.4): an access names any set of ports, rows do it at
//! the same time, and in a row all agents do. What goes wrong is told, and nothing waits for ever.
//!
//! | file | holds |
//! |---|---|
//! | [`command`] | what commands are made of |
//! | [`registers`] | the registers of a managed chip |
//! | [`agent`](Agent), [`decoder`](AddressDecoder) | MA: checks and does accesses at a port |
//! | [`row_manager`](RowManager), [`chip_manager`](ChipManager) | RM, CM |
//! | [`gatherer`](Gatherer) | values in order, or combined |
//! | [`stream`](Stream) | a source's setup and beats as accesses |
//! | [`rcma`](Rcma) | all of these together |
//! | [`jtag`] | the JTAG port |
//! | [`message`] | what management packets are made of |
//! | [`formats`] | all of that as documents |
//! | [`addressee`](Addressee), [`turn_round`](TurnRound), [`reply_header`](ReplyHeader) | requests for this chip, which become replies on their way out |
//! | [`in_band`](InBandSource) | requests of all ports as one source |
//! | [`managed_router`](ManagedRouter) | a router chip with all of it |

mod addressee;
mod agent;
mod chip_manager;
pub mod command;
mod decoder;
pub mod formats;
mod gatherer;
mod in_band;
pub mod jtag;
mod managed_router;
pub mod message;
mod rcma;
pub mod registers;
mod reply_header;
mod row_manager;
mod stream;
#[cfg(test)]
mod testing;
mod turn_round;

pub use addressee::Addressee;
pub use agent::Agent;
pub use chip_manager::ChipManager;
pub use command::{Combine, Op, Setup};
pub use decoder::AddressDecoder;
pub use gatherer::Gatherer;
pub use in_band::InBandSource;
pub use managed_router::ManagedRouter;
pub use rcma::Rcma;
pub use registers::chip_register_map;
pub use reply_header::ReplyHeader;
pub use row_manager::RowManager;
pub use stream::Stream;
pub use turn_round::TurnRound;
