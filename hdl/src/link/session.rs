//! `Session`: bring-up of a link, keep-alive, and its end.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `enable` | in | the link may be up |
//! | `silence_limit` | in | cycles without a word of the session after which the link is down |
//! | `home` | in | while down: nothing of the last session is left at this end, all blocks have come home |
//! | `heard`, `control` | in | an undamaged control word |
//! | `up` | out | the link carries flits |
//! | `frame` | out | in the same cycle: the word ends a frame of this session |
//! | `greeting` | out | what control words say of sessions |
//! | `went_down`, `timed_out` | out | in the next cycle: the session has ended; because nothing was heard |
//!
//! | state | does | until |
//! |---|---|---|
//! | down | says hello; hears nothing | `enable` and `home`: hello |
//! | hello | says hello, and names the other end's session once it has heard it | the other end names this session: up |
//! | up | frames | silence, a hello from another session or without this one, not `enable`: down, with a new number |
//!
//! An end that is up names both sessions in each frame, so frames of old ones, however long they were on their way, count
//! for nothing. An end comes up only by a pair of numbers that the other one has said in this session of its own: even
//! if it was reset and has the number that it had before, the other end hears a hello that does not name it, and goes down.
//!
//! An end that hears nothing is down `silence_limit` + 3 cycles after the last word's arrival, its other end one delay of
//! the line and a frame later, since hello comes instead of frames.

use super::frame::{self, SESSION_BITS, WORD_BITS};
use crate::cells::{Flag, Register, StateRegister};
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{cat, Value, Wire};
use rust_hdl::prelude::*;

/// Width of the limit on silence.
pub const SILENCE_BITS: usize = 16;

/// What an end of a link does.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum State {
    Down,
    Hello,
    Up,
}

/// The state of a link's end; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Session {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub enable: Signal<In, Bit>,
    pub silence_limit: Wire<In>,
    pub home: Signal<In, Bit>,
    pub heard: Signal<In, Bit>,
    pub control: Wire<In>,
    pub up: Signal<Out, Bit>,
    pub frame: Signal<Out, Bit>,
    pub greeting: Wire<Out>,
    pub went_down: Signal<Out, Bit>,
    pub timed_out: Signal<Out, Bit>,
    state: StateRegister<State>,
    own: Register,
    peer: Register,
    /// A session of the other end was heard.
    known: Flag,
    silence: Register,
    ends: Signal<Local, Bit>,
    ended: Flag,
    silent: Flag,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            enable: Default::default(),
            silence_limit: Wire::new(SILENCE_BITS),
            home: Default::default(),
            heard: Default::default(),
            control: Wire::new(WORD_BITS),
            up: Default::default(),
            frame: Default::default(),
            greeting: Wire::new(WORD_BITS),
            went_down: Default::default(),
            timed_out: Default::default(),
            state: Default::default(),
            own: Register::new(SESSION_BITS),
            peer: Register::new(SESSION_BITS),
            known: Default::default(),
            silence: Register::new(SILENCE_BITS),
            ends: Default::default(),
            ended: Default::default(),
            silent: Default::default(),
        }
    }
}

impl Logic for Session {
    #[kernel]
    fn update(&mut self) {
        comment!("module: link_session");
        registers!(self.state, self.own, self.peer, self.known, self.silence);
        clocked!(self.ended, self.silent);
        let control = self.control.val();
        let hello = control.field(frame::HELLO).any();
        let names_peer = control.field(frame::OWN) == self.peer.q.val();
        let names_own =
            control.field(frame::SEEN).any() & (control.field(frame::PEER) == self.own.q.val());
        let of_this_pair = self.heard.val() & self.known.q.val() & names_peer & names_own;
        let is_up = self.state.q.val() == State::Up;
        let is_silent = self.silence.q.val() >= self.silence_limit.val();

        self.ends.next =
            is_up & (is_silent | !self.enable.val() | (self.heard.val() & hello & !of_this_pair));
        self.silence.d.next = self.silence.q.val() + 1;
        if of_this_pair | !is_up {
            self.silence.d.next = 0.into();
        }
        if self.ends.val() {
            self.state.d.next = State::Down;
            self.own.d.next = self.own.q.val() + 1;
            self.known.d.next = false;
        } else if (self.state.q.val() == State::Down) & self.enable.val() & self.home.val() {
            self.state.d.next = State::Hello;
        } else if self.state.q.val() == State::Hello {
            if self.heard.val() & hello {
                self.peer.d.next = control.field(frame::OWN);
                self.known.d.next = true;
            }
            if (self.heard.val() & hello & names_own) | of_this_pair {
                self.state.d.next = State::Up;
            }
            if !self.enable.val() {
                self.state.d.next = State::Down;
                self.own.d.next = self.own.q.val() + 1;
                self.known.d.next = false;
            }
        }
        self.ended.d.next = self.ends.val();
        self.silent.d.next = self.ends.val() & is_silent;

        self.up.next = is_up;
        self.frame.next = is_up & of_this_pair & !hello;
        self.greeting.next = cat(
            self.peer.q.val(),
            cat(
                self.own.q.val(),
                cat(
                    self.known.q.val(),
                    cat(!is_up, Value::zero(frame::HELLO.offset)),
                ),
            ),
        )
        .resize(WORD_BITS);
        self.went_down.next = self.ended.q.val();
        self.timed_out.next = self.silent.q.val();
    }
}
