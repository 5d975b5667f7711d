//! Bringing chips up and watching them, as software does it: through JTAG or in band, one chip or others behind its links.
//!
//! ```text
//!                    ┌ Jtag: scans of the pins
//! Manager ► Transport┤                                ► Network: managed chips, links between them, hosts at free ports
//!                    └ InBand: packets through a host
//! ```
//!
//! [`Manager`] knows what is to be written and read; a [`Transport`] brings it to a chip and the answer back.
//!
//! | file | holds |
//! |---|---|
//! | [`manager`](Manager) | registers, tables, groups, of any ports at once |
//! | [`transport`](Transport) | what carries commands to a chip |
//! | [`jtag`](Jtag), [`in_band`](InBand) | scans, packets |
//! | [`request`] | management packets in software |
//! | [`discovery`](discover) | the chips behind a host |
//! | [`chip`](Chips), [`network`](Network), [`host`](Host) | simulated chips and what is around them |

mod chip;
mod discovery;
mod host;
mod in_band;
mod jtag;
mod manager;
mod network;
pub mod request;
mod transport;

pub use chip::{Chips, ManagedChip};
pub use discovery::{discover, Found};
pub use host::{Host, Received};
pub use in_band::{InBand, SourceRoute, Way};
pub use jtag::Jtag;
pub use manager::{Manager, Tables};
pub use network::{Network, Place};
pub use transport::{Answer, Refused, Transport};
