//! The link layer: a port's flits as frames on a line that may damage, lose and double them, and flits again.
//!
//! ```text
//!            ┌──────────────────────────── LinkPort ────────────────────────────┐
//!  tx flits ►│ Transmitter: filter → ReplayBuffer → frame, CRC                  │► line_tx
//!  tx_credit◄│   CreditReturn ◄──────────────┐            ▲ what is to be told  │
//!            │                            control words   │                     │
//!            │   Session: bring-up, keep-alive, link down │                     │
//!            │                               │            │                     │
//!  rx flits ◄│ PacketCloser ◄ staging ◄ Receiver: CRC, SequenceCheck, CreditReport │◄ line_rx
//!            └───────────────────────────────────────────────────────────────────┘
//! ```
//!
//! # Words and frames
//!
//! A line carries a **word** a cycle: 128 bits and a kind of two bits, for which 64b/66b coding has room in the sync
//! headers of a word's two blocks. A word is a flit, or a **control word**. A frame is up to 14 flits and the control word
//! that ends it; one without flits is what an idle line carries. The control word has the frame's CRC-32C, what stands
//! beside its flits (their virtual channels, three bits each), the sequence number of the first of them, and what the
//! other direction has to be told: acknowledgement, credits, session ([`frame`]). So 14 of 15 words are flits at full load,
//! 0.905 of the lanes' bits with their coding; and a single flit waits for nobody: its frame ends in the next cycle.
//!
//! # Replay
//!
//! Sequence numbers count flits. A receiver takes a frame that begins with the flit it expects, and tells in each control
//! word which that is. It asks again once for what is damaged or missing; the sender then goes back to that flit
//! (go-back-N) and sends all from there on in new frames. Control words come all the time, so nothing that is told
//! once only can be lost, and nothing waits for a timer.
//!
//! # Credits
//!
//! Each control word tells, for one virtual channel after another, how many blocks have come free since the link is up, as
//! a count that wraps. What is lost is told again, what comes twice changes nothing.
//!
//! # Sessions
//!
//! Two ends agree on a pair of session numbers, their own and the other's, before anything else ([`Session`]). A link that
//! goes down ends its session: the sender drops what it has (and reports packets without acknowledgement), the receiver
//! ends open packets with a bad tail at the length that their headers announced, and all blocks come home to either side
//! before the next session begins. So it begins with all credits and nothing on its way.
//!
//! # Latency
//!
//! | part | cycles |
//! |---|---|
//! | transmitter: a flit that it takes in cycle t is on the line in t + 1 | 1 |
//! | frame: its control word follows when there is no other flit, after 14 at the latest | 1 to 14 |
//! | receiver: check of the CRC | 1 |
//! | receiver: order, the flit's packet | 2 |
//!
//! So 5 cycles from `tx_valid` to `rx_valid` beside the line's own when frames are short, 4 plus the flits that follow in
//! the same frame otherwise: frames are checked as a whole, because a check code a flit would cost more than a tenth of
//! the line. [`LinkParams::frame_flits`] trades one for the other.
//!
//! | file | holds |
//! |---|---|
//! | [`port`](LinkPort) | all of it, and counters |
//! | [`transmitter`](Transmitter) | flits to frames |
//! | [`receiver`](Receiver) | frames to flits |
//! | [`replay_buffer`](ReplayBuffer), [`sequence_check`](SequenceCheck) | both ends of go-back-N |
//! | [`credit_report`](CreditReport), [`credit_return`](CreditReturn) | both ends of credits |
//! | [`session`](Session) | bring-up, keep-alive, link down |
//! | [`packet_closer`](PacketCloser) | heads, and the ends of packets that a dead link cut |
//! | [`frame`], [`frame_crc`](FrameCrc) | what a control word says |

mod credit_report;
mod credit_return;
pub mod frame;
mod frame_crc;
mod packet_closer;
mod params;
mod port;
mod receiver;
mod replay_buffer;
mod sequence_check;
mod session;
mod transmitter;

pub use credit_report::CreditReport;
pub use credit_return::CreditReturn;
pub use frame_crc::{frame_crc, FrameCrc};
pub use packet_closer::PacketCloser;
pub use params::LinkParams;
pub use port::{Event, LinkPort, COUNTER_BITS};
pub use receiver::Receiver;
pub use replay_buffer::ReplayBuffer;
pub use sequence_check::SequenceCheck;
pub use session::{Session, SILENCE_BITS};
pub use transmitter::Transmitter;
