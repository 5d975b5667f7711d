//! Words of a line, and the fields of a control word.
//!
//! A control word ends a frame. Each unit gives the fields that it knows as a word that is zero elsewhere; the transmitter
//! joins them.

use crate::packet::flit;
use crate::router::VC_BITS;
use crate::wire::Field;

/// Width of a word.
pub const WORD_BITS: usize = 128;
/// Width of a word's kind: bit 0 marks a tail, bit 1 a bad one; a bad flit that is no tail is a control word.
pub const KIND_BITS: usize = 2;
/// Its place beside the data of a flit that is stored.
pub const KIND: Field = flit::DATA.above(KIND_BITS);
/// Kind of a flit that is not a packet's last.
pub const FLIT: u64 = 0b00;
/// Kind of a packet's last flit.
pub const TAIL: u64 = 0b01;
/// Kind of a control word.
pub const CONTROL: u64 = 0b10;
/// Kind of the last flit of a damaged packet.
pub const BAD_TAIL: u64 = 0b11;

/// Most flits of a frame: their channels fill what the control word has left.
pub const MAX_FRAME_FLITS: usize = 14;
/// Widest sequence number.
pub const MAX_SEQUENCE_BITS: usize = 12;
/// Widest count of credits.
pub const MAX_CREDIT_BITS: usize = 12;
/// Width of a session's number.
pub const SESSION_BITS: usize = 4;

/// CRC of the frame: all its words and their kinds, this field as zero.
pub const CRC: Field = Field {
    offset: 0,
    width: 32,
};
/// The sender's link is not up: the word is about sessions only.
pub const HELLO: Field = CRC.above(1);
/// The sender has heard the session that it names as the other's.
pub const SEEN: Field = HELLO.above(1);
/// The sender's session.
pub const OWN: Field = SEEN.above(SESSION_BITS);
/// What the sender takes the receiver's session to be.
pub const PEER: Field = OWN.above(SESSION_BITS);
/// Number of the frame's first flit, or of the next one if it has none.
pub const SEQUENCE: Field = PEER.above(MAX_SEQUENCE_BITS);
/// Changes whenever the sender goes back.
pub const ROUND: Field = SEQUENCE.above(1);
/// The flit that the sender of this word expects: all before it have arrived.
pub const ACK: Field = ROUND.above(MAX_SEQUENCE_BITS);
/// A flit is missing: go back to the one expected.
pub const NAK: Field = ACK.above(1);
/// The round in which it was missed.
pub const NAK_ROUND: Field = NAK.above(1);
/// The virtual channel that the credits are of.
pub const CREDIT_VC: Field = NAK_ROUND.above(VC_BITS);
/// Blocks of it that have come free in this session, modulo a power of two ([`LinkParams::credit_bits`](super::LinkParams::credit_bits)).
pub const CREDIT: Field = CREDIT_VC.above(MAX_CREDIT_BITS);
/// Virtual channels of the frame's flits, the last one's lowest.
pub const CHANNELS: Field = CREDIT.above(MAX_FRAME_FLITS * VC_BITS);

const _: () = assert!(CHANNELS.offset + CHANNELS.width <= WORD_BITS);
