//! `ReplayBuffer`: the sending end of go-back-N: everything sent is kept until it is acknowledged, and can be sent again.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clear` | in | forgets everything; the next word has number 0 |
//! | `rewind` | in | goes back to the oldest word that is not acknowledged |
//! | `push`, `push_data` | in | this word is sent for the first time, in this cycle |
//! | `advance` | in | `data` is sent again, in this cycle |
//! | `heard`, `ack`, `nak`, `nak_round` | in | the other end expects word `ack`, and with `nak` of the present round lacks it |
//! | `room` | out | a word may be pushed |
//! | `replaying`, `data` | out | a word must be sent again; that word |
//! | `sequence` | out | number of the next word that is sent, new or again |
//! | `round` | out | changes whenever a replay begins |
//! | `goes_back` | out | a replay begins: from the next cycle on `sequence` is what was asked for |
//!
//! Latency: 1 cycle from `heard` to `data`. Numbers wrap at twice the depth.
//!
//! Invariants: at most `depth` words are not acknowledged; an `ack` for words that are not out there is ignored. The
//! user's: `push` only with `room` and not while `replaying`, `advance` only while `replaying`.
//!
//! A request is obeyed once: it names the round in which a word was missed, and that round ends with it. A request of an
//! earlier round, still on its way, is stale.

use crate::cells::{bits_to_hold, Flag, Ram, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// Words until they are acknowledged; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct ReplayBuffer {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,
    pub rewind: Signal<In, Bit>,
    pub push: Signal<In, Bit>,
    pub push_data: Wire<In>,
    pub advance: Signal<In, Bit>,
    pub heard: Signal<In, Bit>,
    pub ack: Wire<In>,
    pub nak: Signal<In, Bit>,
    pub nak_round: Signal<In, Bit>,
    pub room: Signal<Out, Bit>,
    pub replaying: Signal<Out, Bit>,
    pub data: Wire<Out>,
    pub sequence: Wire<Out>,
    pub round: Signal<Out, Bit>,
    pub goes_back: Signal<Out, Bit>,
    words: Ram,
    /// Numbers of the next new word, of the oldest one kept, and of the next one that is sent.
    newest: Register,
    oldest: Register,
    cursor: Register,
    next_oldest: Wire<Local>,
    next_cursor: Wire<Local>,
    turn: Flag,
    _depth: usize,
}

impl ReplayBuffer {
    /// A buffer of `depth` words of `width` bits.
    ///
    /// # Panics
    /// If `depth` is no power of two.
    pub fn new(width: usize, depth: usize) -> Self {
        assert!(depth.is_power_of_two(), "numbers wrap at a power of two");
        let number_bits = bits_to_hold(depth);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            clear: Default::default(),
            rewind: Default::default(),
            push: Default::default(),
            push_data: Wire::new(width),
            advance: Default::default(),
            heard: Default::default(),
            ack: Wire::new(number_bits),
            nak: Default::default(),
            nak_round: Default::default(),
            room: Default::default(),
            replaying: Default::default(),
            data: Wire::new(width),
            sequence: Wire::new(number_bits),
            round: Default::default(),
            goes_back: Default::default(),
            // The word that is written is sent in the same cycle, and never read in it.
            words: Ram::without_collisions(width, depth),
            newest: Register::new(number_bits),
            oldest: Register::new(number_bits),
            cursor: Register::new(number_bits),
            next_oldest: Wire::new(number_bits),
            next_cursor: Wire::new(number_bits),
            turn: Default::default(),
            _depth: depth,
        }
    }
}

impl Logic for ReplayBuffer {
    #[kernel]
    fn update(&mut self) {
        comment!("module: replay_buffer_{}x{}", self._depth, self.data.bits());
        registers!(self.newest, self.oldest, self.cursor, self.turn);
        let address_bits = self.words.read_address.bits();
        let newest = self.newest.q.val();
        let oldest = self.oldest.q.val();
        let cursor = self.cursor.q.val();
        let kept = newest - oldest;
        let makes_sense = self.heard.val() & (self.ack.val() - oldest <= kept);
        self.replaying.next = cursor != newest;
        self.room.next = kept != self._depth as u64;
        self.sequence.next = cursor;
        self.round.next = self.turn.q.val();
        self.goes_back.next =
            makes_sense & self.nak.val() & (self.nak_round.val() == self.turn.q.val());

        self.next_oldest.next = oldest;
        if makes_sense {
            self.next_oldest.next = self.ack.val();
        }
        self.next_cursor.next = cursor;
        if self.goes_back.val() | self.rewind.val() {
            self.next_cursor.next = self.next_oldest.val();
        } else if self.push.val() | self.advance.val() {
            self.next_cursor.next = cursor + 1;
        }
        // A word that is new in this cycle and wanted next is on its way, and could not be read yet.
        if self.push.val() & (self.next_oldest.val() == newest) {
            self.next_cursor.next = newest + 1;
        }
        if self.goes_back.val() {
            self.turn.d.next = !self.turn.q.val();
        }
        if self.push.val() {
            self.newest.d.next = newest + 1;
        }
        self.oldest.d.next = self.next_oldest.val();
        self.cursor.d.next = self.next_cursor.val();
        if self.clear.val() {
            self.newest.d.next = 0.into();
            self.oldest.d.next = 0.into();
            self.cursor.d.next = 0.into();
            self.turn.d.next = false;
        }

        self.words.clock.next = self.clock.val();
        self.words.write_enable.next = self.push.val();
        self.words.write_address.next = newest.resize(address_bits);
        self.words.write_data.next = self.push_data.val();
        self.words.read_enable.next = true;
        self.words.read_address.next = self.next_cursor.val().resize(address_bits);
        self.data.next = self.words.read_data.val();
    }
}
