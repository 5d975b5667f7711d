//! `SequenceCheck`: the receiving end of go-back-N: which frames are taken, and what the other end is told.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clear` | in | a new session: word 0 is expected |
//! | `frame`, `sequence`, `words`, `round` | in | an undamaged frame: the number of its first word, how many it has, the sender's round |
//! | `damaged` | in | instead, a frame with words was damaged |
//! | `accepted` | out | in the same cycle: the frame's words are the next ones |
//! | `ack` | out | the word that is expected: all before it have come |
//! | `nak`, `nak_round` | out | it is missing; the round in which it was missed |
//!
//! Latency: 0 cycles to `accepted`, 1 to the rest.
//!
//! Invariant: words are accepted in the order of their numbers, each once, whatever is lost or comes twice, as long as
//! the sender keeps no more than half of the numbers and frames stay in order.
//!
//! A frame that begins before the expected word is an old one that comes twice, and no reason to ask for anything: whoever
//! sent it sends all that follows, too.

use crate::cells::{Flag, Register};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// Order of what arrives; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct SequenceCheck {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bit>,
    pub frame: Signal<In, Bit>,
    pub sequence: Wire<In>,
    pub words: Wire<In>,
    pub round: Signal<In, Bit>,
    pub damaged: Signal<In, Bit>,
    pub accepted: Signal<Out, Bit>,
    pub ack: Wire<Out>,
    pub nak: Signal<Out, Bit>,
    pub nak_round: Signal<Out, Bit>,
    expected: Register,
    missing: Flag,
    last_round: Flag,
}

impl SequenceCheck {
    /// Of numbers of `number_bits`.
    pub fn new(number_bits: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            clear: Default::default(),
            frame: Default::default(),
            sequence: Wire::new(number_bits),
            words: Wire::new(number_bits),
            round: Default::default(),
            damaged: Default::default(),
            accepted: Default::default(),
            ack: Wire::new(number_bits),
            nak: Default::default(),
            nak_round: Default::default(),
            expected: Register::new(number_bits),
            missing: Default::default(),
            last_round: Default::default(),
        }
    }
}

impl Logic for SequenceCheck {
    #[kernel]
    fn update(&mut self) {
        comment!("module: sequence_check_{}", self.ack.bits());
        registers!(self.expected, self.missing, self.last_round);
        let number_bits = self.ack.bits();
        let expected = self.expected.q.val();
        let ahead = self.sequence.val() - expected;
        let is_next = self.frame.val() & !ahead.any();
        let is_old = ahead > 1u64 << (number_bits - 1);
        self.accepted.next = is_next;
        if is_next {
            self.expected.d.next = expected + self.words.val();
            self.missing.d.next = false;
            self.last_round.d.next = self.round.val();
        } else if self.frame.val() & !is_old {
            self.missing.d.next = true;
            self.last_round.d.next = self.round.val();
        } else if self.damaged.val() {
            self.missing.d.next = true;
        }
        if self.clear.val() {
            self.expected.d.next = 0.into();
            self.missing.d.next = false;
            self.last_round.d.next = false;
        }
        self.ack.next = expected;
        self.nak.next = self.missing.q.val();
        self.nak_round.next = self.last_round.q.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::cycle;

    /// A frame of three words comes; says whether it is accepted.
    fn frame(check: &mut SequenceCheck, sequence: u64, round: bool) -> bool {
        check.frame.next = true;
        check.sequence.next = sequence.into();
        check.words.next = 3.into();
        check.round.next = round;
        check.clock.next = false.into();
        assert!(simulate(check, 10));
        let accepted = check.accepted.val();
        cycle!(*check);
        check.frame.next = false;
        accepted
    }

    #[test]
    fn asks_once_a_round_for_what_is_missing() {
        let mut check = SequenceCheck::new(4);
        check.connect_all();
        assert!(frame(&mut check, 0, false));
        assert!(!frame(&mut check, 0, false), "it comes twice");
        assert!(!check.nak.val(), "which is no reason to ask");
        assert!(!frame(&mut check, 6, false), "3 to 5 are missing");
        assert!(check.nak.val() & !check.nak_round.val());
        assert_eq!(check.ack.val(), 3);
        assert!(
            !frame(&mut check, 9, true),
            "missing again, in the next round"
        );
        assert!(check.nak.val() & check.nak_round.val());
        assert!(frame(&mut check, 3, false));
        assert!(!check.nak.val());
        assert_eq!(check.ack.val(), 6);
    }

    #[test]
    fn asks_for_what_was_damaged() {
        let mut check = SequenceCheck::new(4);
        check.connect_all();
        check.damaged.next = true;
        cycle!(check);
        check.damaged.next = false;
        assert!(check.nak.val());
        assert!(frame(&mut check, 0, true));
        assert!(!check.nak.val());
    }
}
