//! `LinkPort`: an end of a link, between a port's units and a line.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `tx_valid`, `tx_flit`, `tx_vc`, `tx_ready`, `tx_credit` | | of the [`OutputUnit`](crate::router::OutputUnit) |
//! | `rx_valid`, `rx_flit`, `rx_vc`, `rx_credit` | | of the [`InputUnit`](crate::router::InputUnit) |
//! | `line_tx_word`, `line_tx_kind` | out | a word, every cycle; see [`frame`](super::frame) |
//! | `line_tx_ready` | in | the line takes it in this cycle |
//! | `line_rx_valid`, `line_rx_word`, `line_rx_kind` | in | a word from the line |
//! | `enable`, `silence_limit` | in | as in [`Session`] |
//! | `up` | out | the link carries flits; the output unit must see it at once |
//! | `count[e]` | out | how often each [`Event`] has come, modulo 2^32 |
//!
//! Latency: see [`link`](super). All outputs come from registers or memories but `tx_ready`, which follows
//! `line_tx_ready`.

use super::frame::{KIND_BITS, WORD_BITS};
use super::{LinkParams, Receiver, Session, Transmitter, SILENCE_BITS};
use crate::cells::Register;
use crate::kernel;
use crate::packet::FLIT_BITS;
use crate::ports::Ports;
use crate::router::VC_BITS;
use crate::wire::Wire;
use rust_hdl::prelude::*;

/// Width of a counter.
pub const COUNTER_BITS: usize = 32;

/// What is counted at an end of a link, by the counter's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A frame came damaged.
    CrcError,
    /// The other end lacked a flit, and all from there on was sent again.
    Replay,
    /// Nothing was heard for too long.
    Timeout,
    /// The link went down.
    LinkDown,
    /// A packet was not acknowledged to its end when the link went down.
    Lost,
    /// A packet had not come to its end when the link went down, and got one.
    Cut,
}

impl Event {
    /// All of them, by number.
    pub const ALL: [Event; 6] = [
        Event::CrcError,
        Event::Replay,
        Event::Timeout,
        Event::LinkDown,
        Event::Lost,
        Event::Cut,
    ];
}

/// An end of a link; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct LinkPort {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub tx_valid: Signal<In, Bit>,
    pub tx_flit: Wire<In>,
    pub tx_vc: Wire<In>,
    pub tx_ready: Signal<Out, Bit>,
    pub tx_credit: Wire<Out>,
    pub rx_valid: Signal<Out, Bit>,
    pub rx_flit: Wire<Out>,
    pub rx_vc: Wire<Out>,
    pub rx_credit: Wire<In>,
    pub line_tx_word: Wire<Out>,
    pub line_tx_kind: Wire<Out>,
    pub line_tx_ready: Signal<In, Bit>,
    pub line_rx_valid: Signal<In, Bit>,
    pub line_rx_word: Wire<In>,
    pub line_rx_kind: Wire<In>,
    pub enable: Signal<In, Bit>,
    pub silence_limit: Wire<In>,
    pub up: Signal<Out, Bit>,
    pub count: Vec<Wire<Out>>,
    session: Session,
    transmitter: Transmitter,
    receiver: Receiver,
    happens: Vec<Signal<Local, Bit>>,
    counter: Vec<Register>,
}

impl LinkPort {
    /// # Panics
    /// If a size is out of its range.
    pub fn new(params: &LinkParams) -> Self {
        let (vcs, events) = (params.virtual_channels, Event::ALL.len());
        Self {
            clock: Default::default(),
            reset: Default::default(),
            tx_valid: Default::default(),
            tx_flit: Wire::new(FLIT_BITS),
            tx_vc: Wire::new(VC_BITS),
            tx_ready: Default::default(),
            tx_credit: Wire::new(vcs),
            rx_valid: Default::default(),
            rx_flit: Wire::new(FLIT_BITS),
            rx_vc: Wire::new(VC_BITS),
            rx_credit: Wire::new(vcs),
            line_tx_word: Wire::new(WORD_BITS),
            line_tx_kind: Wire::new(KIND_BITS),
            line_tx_ready: Default::default(),
            line_rx_valid: Default::default(),
            line_rx_word: Wire::new(WORD_BITS),
            line_rx_kind: Wire::new(KIND_BITS),
            enable: Default::default(),
            silence_limit: Wire::new(SILENCE_BITS),
            up: Default::default(),
            count: Wire::vec(events, COUNTER_BITS),
            session: Default::default(),
            transmitter: Transmitter::new(params),
            receiver: Receiver::new(params),
            happens: (0..events).map(|_| Default::default()).collect(),
            counter: Register::vec(events, COUNTER_BITS),
        }
    }
}

impl Logic for LinkPort {
    #[kernel]
    fn update(&mut self) {
        comment!("module: link_port");
        clocked!(self.session, self.transmitter, self.receiver);
        self.session.enable.next = self.enable.val();
        self.session.silence_limit.next = self.silence_limit.val();
        self.session.home.next = self.transmitter.home.val() & self.receiver.home.val();
        self.session.heard.next = self.receiver.heard.val();
        self.session.control.next = self.receiver.control.val();
        self.up.next = self.session.up.val();

        self.transmitter.tx_valid.next = self.tx_valid.val();
        self.transmitter.tx_flit.next = self.tx_flit.val();
        self.transmitter.tx_vc.next = self.tx_vc.val();
        self.tx_ready.next = self.transmitter.tx_ready.val();
        self.tx_credit.next = self.transmitter.tx_credit.val();
        self.transmitter.line_ready.next = self.line_tx_ready.val();
        self.line_tx_word.next = self.transmitter.line_word.val();
        self.line_tx_kind.next = self.transmitter.line_kind.val();
        self.transmitter.up.next = self.session.up.val();
        self.transmitter.greeting.next = self.session.greeting.val();
        self.transmitter.report.next = self.receiver.report.val();
        self.transmitter.frame.next = self.session.frame.val();
        self.transmitter.control.next = self.receiver.control.val();

        self.receiver.line_valid.next = self.line_rx_valid.val();
        self.receiver.line_word.next = self.line_rx_word.val();
        self.receiver.line_kind.next = self.line_rx_kind.val();
        self.receiver.up.next = self.session.up.val();
        self.receiver.frame.next = self.session.frame.val();
        self.rx_valid.next = self.receiver.rx_valid.val();
        self.rx_flit.next = self.receiver.rx_flit.val();
        self.rx_vc.next = self.receiver.rx_vc.val();
        self.receiver.rx_credit.next = self.rx_credit.val();
        self.receiver.told.next = self.transmitter.told.val();

        self.happens[Event::CrcError as usize].next = self.receiver.damaged.val();
        self.happens[Event::Replay as usize].next = self.transmitter.goes_back.val();
        self.happens[Event::Timeout as usize].next = self.session.timed_out.val();
        self.happens[Event::LinkDown as usize].next = self.session.went_down.val();
        self.happens[Event::Lost as usize].next = self.transmitter.lost.val();
        self.happens[Event::Cut as usize].next = self.receiver.cut.val();
        for e in 0..Event::ALL.len() {
            registers!(self.counter[e]);
            if self.happens[e].val() {
                self.counter[e].d.next = self.counter[e].q.val() + 1;
            }
            self.count[e].next = self.counter[e].q.val();
        }
    }
}
