//! `JtagBridge`: from the test clock to the chip's, and from requests to beats of a [`Stream`](crate::manage::Stream).
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `tck`, `tck_reset` | in | the test clock, and its reset |
//! | `send`, `sent`, `answered`, `answer`, `received` | | of the [`Tap`](super::Tap), in the test clock |
//! | `clock`, `reset` | in | the chip's |
//! | `load`, `setup`, `beat`, `data`, `taken`, `busy`, `status` | | of the stream |
//! | `valid`, `value`, `ready` | | values that were read; always taken at once |
//! | `key` | out | what writes in band need; 0: nobody has it |
//!
//! Latency: 2 to 3 cycles of the other clock each way.
//!
//! Invariants: values that nobody asked for are forgotten with the next beat, so the queue of values never overflows. The
//! user holds both resets together for at least three cycles of either clock.

use super::{answer, request, Kind, Word, WORD_BITS};
use crate::cells::{AsyncFifo, Fifo, Flag, Register};
use crate::kernel;
use crate::manage::command::{setup_bits, KEY_BITS, STATUS_BITS};
use crate::ports::Ports;
use crate::router::{bus, RouterParams};
use crate::wire::{cat, replicate, Wire};
use rust_hdl::prelude::*;

/// Words between the clocks: one request, and some setups and keys.
const DEPTH: usize = 4;

/// Between the test clock and the chip's; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct JtagBridge {
    pub tck: Signal<In, Clock>,
    pub tck_reset: Signal<In, Bit>,
    pub send: Signal<In, Bit>,
    pub sent: Wire<In>,
    pub answered: Signal<Out, Bit>,
    pub answer: Wire<Out>,
    pub received: Signal<In, Bit>,
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub load: Signal<Out, Bit>,
    pub setup: Wire<Out>,
    pub beat: Signal<Out, Bit>,
    pub data: Wire<Out>,
    pub taken: Signal<In, Bit>,
    pub busy: Signal<In, Bit>,
    pub status: Wire<In>,
    pub valid: Signal<In, Bit>,
    pub value: Wire<In>,
    pub ready: Signal<Out, Bit>,
    pub key: Wire<Out>,
    requests: AsyncFifo,
    answers: AsyncFifo,
    values: Fifo,
    /// The beat at hand has begun; it is over, so its answer can be given.
    begun: Flag,
    over: Flag,
    idle: Signal<Local, Bit>,
    answers_now: Signal<Local, Bit>,
    held_key: Register,
    takes_key: Signal<Local, Bit>,
}

impl JtagBridge {
    pub fn new(params: &RouterParams) -> Self {
        let setup_bits = setup_bits(params);
        Self {
            tck: Default::default(),
            tck_reset: Default::default(),
            send: Default::default(),
            sent: Wire::new(setup_bits + WORD_BITS),
            answered: Default::default(),
            answer: Wire::new(answer::BITS),
            received: Default::default(),
            clock: Default::default(),
            reset: Default::default(),
            load: Default::default(),
            setup: Wire::new(setup_bits),
            beat: Default::default(),
            data: Wire::new(bus::DATA_BITS),
            taken: Default::default(),
            busy: Default::default(),
            status: Wire::new(STATUS_BITS),
            valid: Default::default(),
            value: Wire::new(bus::DATA_BITS),
            ready: Default::default(),
            key: Wire::new(KEY_BITS),
            requests: AsyncFifo::new(setup_bits + WORD_BITS, DEPTH),
            answers: AsyncFifo::new(answer::BITS, DEPTH),
            values: Fifo::new(bus::DATA_BITS, params.ports()),
            begun: Default::default(),
            over: Default::default(),
            idle: Default::default(),
            answers_now: Default::default(),
            held_key: Register::new(KEY_BITS),
            takes_key: Default::default(),
        }
    }
}

impl Logic for JtagBridge {
    #[kernel]
    fn update(&mut self) {
        comment!("module: jtag_bridge");
        let setup_bits = self.setup.bits();
        clocked!(self.begun, self.over);
        registers!(self.held_key);
        self.requests.write_clock.next = self.tck.val();
        self.requests.write_reset.next = self.tck_reset.val();
        self.requests.push.next = self.send.val();
        self.requests.push_data.next = self.sent.val();
        self.requests.read_clock.next = self.clock.val();
        self.requests.read_reset.next = self.reset.val();
        self.answers.write_clock.next = self.clock.val();
        self.answers.write_reset.next = self.reset.val();
        self.answers.read_clock.next = self.tck.val();
        self.answers.read_reset.next = self.tck_reset.val();
        self.answers.pop.next = self.received.val();
        self.answered.next = !self.answers.empty.val();
        self.answer.next = self.answers.pop_data.val();

        // A setup and a key are done at once, a beat is given to the stream, for a value none is needed.
        let word = self.requests.pop_data.val();
        let waiting = !self.requests.empty.val();
        let content = word.slice(WORD_BITS, setup_bits);
        let is = word.slice(0, WORD_BITS);
        let is_setup = is == Word::Setup as u64;
        let is_request = is == Word::Request as u64;
        let is_beat = is_request & (content.field(request::KIND) == Kind::Beat as u64);
        self.idle.next = !self.begun.q.val() & !self.over.q.val();
        self.load.next = waiting & is_setup & self.idle.val();
        self.setup.next = content;
        self.takes_key.next = waiting & (is == Word::Key as u64) & self.idle.val();
        if self.takes_key.val() {
            self.held_key.d.next = content.slice(0, KEY_BITS);
        }
        self.key.next = self.held_key.q.val();
        self.beat.next = waiting & is_beat & self.idle.val();
        self.data.next = content.field(request::DATA);
        self.begun.d.next = self.taken.val() | (self.begun.q.val() & self.busy.val());
        self.over.d.next = self.begun.q.val() & !self.busy.val();

        // Values of the beat; those of an earlier one are gone once it begins.
        self.values.clock.next = self.clock.val();
        self.values.reset.next = self.reset.val() | self.taken.val();
        self.values.push.next = self.valid.val();
        self.values.push_data.next = self.value.val();
        self.ready.next = true;

        self.answers_now.next =
            self.over.q.val() | (waiting & is_request & !is_beat & self.idle.val());
        self.values.pop.next = self.answers_now.val();
        self.answers.push.next = self.answers_now.val();
        self.answers.push_data.next = cat(
            self.values.count.val() > 1,
            cat(
                self.status.val(),
                self.values.pop_data.val() & replicate(!self.values.empty.val(), bus::DATA_BITS),
            ),
        );
        self.requests.pop.next = self.load.val() | self.takes_key.val() | self.answers_now.val();
    }
}
