//! Both ends of go-back-N: a [`ReplayBuffer`] and a [`SequenceCheck`], and an adversary on the lines between them.
//!
//! A frame holds a word or none. Each line is a queue; whoever plays the adversary lets its oldest frame come as often as
//! he likes, now or later, or never. What does not come may be noticed as damage or not.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `sends`, `data` | in | a word goes, new or again: if there is room, this one |
//! | `comes`, `moves`, `notices` | in | the oldest frame comes; leaves its line; that it left without coming is seen as damage |
//! | `tells`, `tells_moves` | in | the same of what the receiver tells |
//! | `follow` | in | the word sent now for the first time is the one to follow, if there is none |
//! | `never_doubles` | out | a word is accepted that is not on its way |
//! | `never_out_of_order` | out | the followed word should be accepted, and another one is |
//! | `never_forgets` | out | there is room for a word more, though as many as are kept have not been accepted |
//! | `reaches_full` | out | as many words as are kept are on their way |
//! | `reaches_again` | out | the followed word was sent again, and is accepted |

use fantree_hdl::cells::{bits_to_hold, Fifo, Flag, Register};
use fantree_hdl::kernel;
use fantree_hdl::link::{ReplayBuffer, SequenceCheck};
use fantree_hdl::ports::Ports;
use fantree_hdl::wire::{cat, Field, Wire};
use rust_hdl::prelude::*;

/// See the [module](self).
#[derive(LogicBlock, Ports)]
pub struct ReplayPairHarness {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub sends: Signal<In, Bit>,
    pub data: Wire<In>,
    pub comes: Signal<In, Bit>,
    pub moves: Signal<In, Bit>,
    pub notices: Signal<In, Bit>,
    pub tells: Signal<In, Bit>,
    pub tells_moves: Signal<In, Bit>,
    pub follow: Signal<In, Bit>,
    pub never_doubles: Signal<Out, Bit>,
    pub never_out_of_order: Signal<Out, Bit>,
    pub never_forgets: Signal<Out, Bit>,
    pub reaches_full: Signal<Out, Bit>,
    pub reaches_again: Signal<Out, Bit>,
    sender: ReplayBuffer,
    receiver: SequenceCheck,
    frames: Fifo,
    reports: Fifo,
    arrives: Signal<Local, Bit>,
    accepts: Signal<Local, Bit>,
    /// Words that were sent and not accepted.
    under_way: Register,
    word: Register,
    place: Register,
    sent_again: Flag,
    _depth: usize,
    _number_bits: usize,
}

impl ReplayPairHarness {
    /// A buffer of `depth` words of `width` bits, and lines of `frames`.
    pub fn new(width: usize, depth: usize, frames: usize) -> Self {
        let number_bits = bits_to_hold(depth);
        let place_bits = bits_to_hold(depth);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            sends: Default::default(),
            data: Wire::new(width),
            comes: Default::default(),
            moves: Default::default(),
            notices: Default::default(),
            tells: Default::default(),
            tells_moves: Default::default(),
            follow: Default::default(),
            never_doubles: Default::default(),
            never_out_of_order: Default::default(),
            never_forgets: Default::default(),
            reaches_full: Default::default(),
            reaches_again: Default::default(),
            sender: ReplayBuffer::new(width, depth),
            receiver: SequenceCheck::new(number_bits),
            frames: Fifo::new(number_bits + 2 + width, frames),
            reports: Fifo::new(number_bits + 2, frames),
            arrives: Default::default(),
            accepts: Default::default(),
            under_way: Register::new(place_bits),
            word: Register::new(width),
            place: Register::new(place_bits),
            sent_again: Default::default(),
            _depth: depth,
            _number_bits: number_bits,
        }
    }
}

impl Logic for ReplayPairHarness {
    #[kernel]
    fn update(&mut self) {
        comment!("module: replay_pair_harness");
        let (width, number_bits) = (self.data.bits(), self._number_bits);
        let number = Field {
            offset: 0,
            width: number_bits,
        };
        let round = number.above(1);
        let has_word = round.above(1);
        let word = has_word.above(width);
        clocked!(self.sender, self.receiver, self.frames, self.reports);

        // The sender, a frame a cycle; where there is no room on the line, it is lost.
        let replaying = self.sender.replaying.val();
        self.sender.clear.next = false;
        self.sender.rewind.next = false;
        self.sender.push.next = self.sends.val() & !replaying & self.sender.room.val();
        self.sender.push_data.next = self.data.val();
        self.sender.advance.next = self.sends.val() & replaying;
        let sent = self.sender.push.val() | self.sender.advance.val();
        self.frames.push.next = true;
        self.frames.push_data.next = cat(
            self.data.val(),
            cat(
                sent,
                cat(self.sender.round.val(), self.sender.sequence.val()),
            ),
        );
        if replaying {
            self.frames.push_data.next = cat(
                self.sender.data.val(),
                cat(
                    sent,
                    cat(self.sender.round.val(), self.sender.sequence.val()),
                ),
            );
        }

        // The receiver.
        let frame = self.frames.pop_data.val();
        let carries = frame.field(has_word).any();
        self.arrives.next = self.comes.val() & !self.frames.empty.val();
        self.frames.pop.next = self.moves.val();
        self.receiver.clear.next = false;
        self.receiver.frame.next = self.arrives.val();
        self.receiver.sequence.next = frame.field(number);
        self.receiver.words.next = frame.field(has_word).resize(number_bits);
        self.receiver.round.next = frame.field(round).any();
        self.receiver.damaged.next = self.notices.val()
            & self.moves.val()
            & !self.comes.val()
            & !self.frames.empty.val()
            & carries;
        self.accepts.next = self.receiver.accepted.val() & carries;

        // What it tells.
        self.reports.push.next = true;
        self.reports.push_data.next = cat(
            self.receiver.nak.val(),
            cat(self.receiver.nak_round.val(), self.receiver.ack.val()),
        );
        self.reports.pop.next = self.tells_moves.val();
        let report = self.reports.pop_data.val();
        self.sender.heard.next = self.tells.val() & !self.reports.empty.val();
        self.sender.ack.next = report.field(number);
        self.sender.nak_round.next = report.field(round).any();
        self.sender.nak.next = report.field(has_word).any();

        // Words on their way, and one that is followed.
        registers!(self.under_way, self.word, self.place, self.sent_again);
        let pushed = self.sender.push.val();
        if pushed & !self.accepts.val() {
            self.under_way.d.next = self.under_way.q.val() + 1;
        } else if self.accepts.val() & !pushed {
            self.under_way.d.next = self.under_way.q.val() - 1;
        }
        if self.place.q.val().any() {
            if self.accepts.val() {
                self.place.d.next = self.place.q.val() - 1;
            }
            if self.sender.advance.val() {
                self.sent_again.d.next = true;
            }
        } else if self.follow.val() & pushed {
            self.word.d.next = self.data.val();
            self.sent_again.d.next = false;
            self.place.d.next = self.under_way.q.val() + 1;
            if self.accepts.val() {
                self.place.d.next = self.under_way.q.val();
            }
        }
        let is_followed = self.accepts.val() & (self.place.q.val() == 1);
        let all = self.under_way.q.val() == self._depth as u64;
        self.never_doubles.next = self.accepts.val() & !self.under_way.q.val().any();
        self.never_out_of_order.next = is_followed & (frame.field(word) != self.word.q.val());
        self.never_forgets.next = all & self.sender.room.val();
        self.reaches_full.next = all;
        self.reaches_again.next = is_followed & self.sent_again.q.val();
    }
}
