//! `Transmitter`: flits of a port to frames on a line, and again until they are acknowledged.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `tx_valid`, `tx_flit`, `tx_vc` | in | a flit to be sent, held until `tx_ready` |
//! | `tx_ready` | out | it is taken in this cycle |
//! | `tx_credit` | out | bit v: a block of virtual channel (VC) v came free at the other end |
//! | `line_ready` | in | the line takes the word in this cycle |
//! | `line_word`, `line_kind` | out | a word, every cycle; see [`frame`] |
//! | `up`, `greeting` | in | the [`Session`](super::Session)'s |
//! | `report` | in | what the receiver has to tell, as fields of a control word |
//! | `frame`, `control` | in | a frame of this session has come; its control word |
//! | `told` | out | a control word goes to the line |
//! | `home` | out | the link is down, and nothing of the last session is left here |
//! | `goes_back` | out | a replay begins |
//! | `lost` | out | a packet of the last session that was not acknowledged to its end, each once |
//!
//! Latency: 1 cycle from `tx_valid` to `line_word`.
//!
//! A control word goes whenever no flit can: it ends the frame, which costs nothing that a flit could have used. Flits wait
//! for it when the frame is full, when the receiver must ask for a flit that is missing, and when a replay begins. The frame
//! that this breaks ends first; then an empty one, which is hardly ever damaged, asks, or says that the replay begins.
//!
//! While the link is down, flits are taken and dropped. What follows in a packet whose head was dropped or sent in an
//! earlier session is dropped even when the link is up again. An output unit that drops the rest by itself counts the
//! packet, too.

use super::frame::{self, KIND_BITS, WORD_BITS};
use super::frame_crc::{frame_crc, CRC_BITS, CRC_START};
use super::{CreditReturn, FrameCrc, LinkParams, ReplayBuffer};
use crate::cells::{bits_to_hold, Flag, Register};
use crate::kernel;
use crate::packet::{flit, header, FLIT_BITS};
use crate::ports::Ports;
use crate::router::VC_BITS;
use crate::wire::{bits_of, cat, Field, Value, Wire};
use rust_hdl::prelude::*;

/// A word of the replay buffer is a flit's data, its kind and its VC.
const VC: Field = frame::KIND.above(VC_BITS);

/// What a line carries after a reset: a hello that names nobody.
fn first_word() -> Value {
    let hello = 1u128 << frame::HELLO.offset;
    let crc = frame_crc(u32::MAX, &[(hello, frame::CONTROL as u8)]);
    Value::new(WORD_BITS, u64::from(crc)) | frame::HELLO.mask(WORD_BITS)
}

/// The sending half of a link's end; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Transmitter {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub tx_valid: Signal<In, Bit>,
    pub tx_flit: Wire<In>,
    pub tx_vc: Wire<In>,
    pub tx_ready: Signal<Out, Bit>,
    pub tx_credit: Wire<Out>,
    pub line_ready: Signal<In, Bit>,
    pub line_word: Wire<Out>,
    pub line_kind: Wire<Out>,
    pub up: Signal<In, Bit>,
    pub greeting: Wire<In>,
    pub report: Wire<In>,
    pub frame: Signal<In, Bit>,
    pub control: Wire<In>,
    pub told: Signal<Out, Bit>,
    pub home: Signal<Out, Bit>,
    pub goes_back: Signal<Out, Bit>,
    pub lost: Signal<Out, Bit>,
    buffer: ReplayBuffer,
    credits: CreditReturn,
    crc: FrameCrc,
    /// The flit at `tx` is taken; its VC; a head; part of a packet that is sent in this session.
    takes: Signal<Local, Bit>,
    vc: Wire<Local>,
    head: Signal<Local, Bit>,
    belongs: Signal<Local, Bit>,
    /// A flit goes to the line, for the first time, again.
    sends_new: Signal<Local, Bit>,
    sends_again: Signal<Local, Bit>,
    sends: Signal<Local, Bit>,
    /// Nothing but a control word may go now.
    must_tell: Signal<Local, Bit>,
    chosen: Wire<Local>,
    /// Number of the frame's first flit, and its round.
    number: Wire<Local>,
    control_word: Wire<Local>,
    open: Vec<Flag>,
    was_up: Flag,
    /// The present frame: its flits, their VCs, the first one's number and round, CRC so far.
    length: Register,
    channels: Register,
    first: Register,
    first_round: Flag,
    crc_state: Register,
    /// A replay has begun that the other end has not been told of; it has been told what is missing.
    announces: Flag,
    asked: Flag,
    /// A packet that is lost for its tail in the buffer, and for being open.
    tail_lost: Signal<Local, Bit>,
    open_lost: Wire<Local>,
    out_word: Register,
    out_kind: Register,
    _params: LinkParams,
}

impl Transmitter {
    /// # Panics
    /// If a size is out of its range.
    pub fn new(params: &LinkParams) -> Self {
        params.check();
        let vcs = params.virtual_channels;
        Self {
            clock: Default::default(),
            reset: Default::default(),
            tx_valid: Default::default(),
            tx_flit: Wire::new(FLIT_BITS),
            tx_vc: Wire::new(VC_BITS),
            tx_ready: Default::default(),
            tx_credit: Wire::new(vcs),
            line_ready: Default::default(),
            line_word: Wire::new(WORD_BITS),
            line_kind: Wire::new(KIND_BITS),
            up: Default::default(),
            greeting: Wire::new(WORD_BITS),
            report: Wire::new(WORD_BITS),
            frame: Default::default(),
            control: Wire::new(WORD_BITS),
            told: Default::default(),
            home: Default::default(),
            goes_back: Default::default(),
            lost: Default::default(),
            buffer: ReplayBuffer::new(VC.offset + VC.width, params.replay_flits),
            credits: CreditReturn::new(params),
            crc: Default::default(),
            takes: Default::default(),
            vc: Wire::new(vcs),
            head: Default::default(),
            belongs: Default::default(),
            sends_new: Default::default(),
            sends_again: Default::default(),
            sends: Default::default(),
            must_tell: Default::default(),
            chosen: Wire::new(VC.offset + VC.width),
            number: Wire::new(frame::SEQUENCE.width + frame::ROUND.width),
            control_word: Wire::new(WORD_BITS),
            open: Flag::vec(vcs),
            was_up: Default::default(),
            length: Register::new(bits_to_hold(params.frame_flits)),
            channels: Register::new(frame::CHANNELS.width),
            first: Register::new(params.sequence_bits()),
            first_round: Default::default(),
            crc_state: Register::with_reset(CRC_BITS, CRC_START),
            announces: Default::default(),
            asked: Default::default(),
            tail_lost: Default::default(),
            open_lost: Wire::new(vcs),
            out_word: Register::with_reset(WORD_BITS, first_word()),
            out_kind: Register::with_reset(KIND_BITS, frame::CONTROL),
            _params: *params,
        }
    }
}

impl Logic for Transmitter {
    #[kernel]
    fn update(&mut self) {
        comment!("module: link_transmitter");
        let params = self._params;
        let vcs = params.virtual_channels;
        let (sequence_bits, credit_bits) = (params.sequence_bits(), params.credit_bits());
        let block_shift = params.block_flits.trailing_zeros() as usize;
        let length_bits = header::FLITS_MINUS_ONE.width;
        let up = self.up.val();
        let control = self.control.val();
        clocked!(self.buffer, self.credits);
        let replaying = self.buffer.replaying.val();

        // A flit that is offered.
        let lacks = self.report.val().field(frame::NAK).any();
        let full = self.length.q.val() == params.frame_flits as u64;
        self.must_tell.next = full | self.announces.q.val() | (lacks & !self.asked.q.val());
        let may_send = up & self.line_ready.val() & !self.must_tell.val();
        self.tx_ready.next = !up | (may_send & !replaying & self.buffer.room.val());
        self.takes.next = self.tx_valid.val() & self.tx_ready.val();
        self.vc.next = bits_of(0..vcs, |v| self.tx_vc.val() == v as u64);
        let open = bits_of(0..vcs, |v| self.open[v].q.val());
        self.head.next = self.tx_flit.val().field(flit::HEAD).any();
        self.belongs.next = self.head.val() | (self.vc.val() & open).any();
        self.sends_new.next = up & self.takes.val() & self.belongs.val();
        self.sends_again.next = may_send & replaying;
        self.sends.next = self.sends_new.val() | self.sends_again.val();
        let tail = self.tx_flit.val().field(flit::TAIL).any();
        let bad = self.tx_flit.val().field(flit::BAD).any() & tail;

        // Its blocks.
        let rest = self.tx_flit.val().field(header::FLITS_MINUS_ONE);
        let blocks = rest.slice(block_shift, length_bits - block_shift);
        self.credits.up.next = up;
        self.credits.taken.next = self.vc.val();
        if !(self.takes.val() & self.head.val()) {
            self.credits.taken.next = 0.into();
        }
        self.credits.blocks.next = blocks.resize(self.credits.blocks.bits()) + 1;
        self.credits.report.next = self.frame.val();
        self.credits.vc.next = control.field(frame::CREDIT_VC);
        self.credits.count.next = control.field(frame::CREDIT).resize(credit_bits);
        self.tx_credit.next = self.credits.credit.val();

        // Replay; when the link goes down, a walk over what is not acknowledged, which looks for tails.
        clocked!(self.was_up);
        self.was_up.d.next = up;
        let drops_head = !up & self.takes.val() & self.head.val();
        let walks = !up & !self.was_up.q.val() & !drops_head;
        self.buffer.rewind.next = !up & self.was_up.q.val();
        self.buffer.clear.next = walks & !replaying;
        self.buffer.push.next = self.sends_new.val();
        self.buffer.push_data.next = cat(
            self.tx_vc.val(),
            cat(bad, cat(tail, self.tx_flit.val().field(flit::DATA))),
        );
        self.buffer.advance.next = self.sends_again.val() | (walks & replaying);
        self.buffer.heard.next = self.frame.val();
        self.buffer.ack.next = control.field(frame::ACK).resize(sequence_bits);
        self.buffer.nak.next = control.field(frame::NAK).any();
        self.buffer.nak_round.next = control.field(frame::NAK_ROUND).any();
        self.goes_back.next = self.buffer.goes_back.val();
        self.tail_lost.next =
            walks & replaying & self.buffer.data.val().field(frame::KIND).get_bit(0);
        self.open_lost.next = open & (!open + 1);
        if !walks | replaying {
            self.open_lost.next = 0.into();
        }
        self.lost.next = drops_head | self.tail_lost.val() | self.open_lost.val().any();
        for v in 0..vcs {
            registers!(self.open[v]);
            if self.sends_new.val() & self.vc.val().get_bit(v as u64) {
                self.open[v].d.next = !tail;
            } else if self.open_lost.val().get_bit(v as u64) {
                self.open[v].d.next = false;
            }
        }
        self.home.next = walks & !replaying & !open.any() & self.credits.home.val();

        // The frame.
        registers!(self.length, self.channels, self.first, self.first_round);
        registers!(self.crc_state, self.announces, self.asked);
        registers!(self.out_word, self.out_kind);
        self.chosen.next = self.buffer.push_data.val();
        if replaying {
            self.chosen.next = self.buffer.data.val();
        }
        let begins = !self.length.q.val().any();
        // A frame without flits names the next one.
        let number_bits = frame::SEQUENCE.width;
        self.number.next = cat(
            self.first_round.q.val(),
            self.first.q.val().resize(number_bits),
        );
        if begins {
            self.number.next = cat(
                self.buffer.round.val(),
                self.buffer.sequence.val().resize(number_bits),
            );
        }
        self.control_word.next = self.report.val()
            | self.greeting.val()
            | (self.channels.q.val().resize(WORD_BITS) << frame::CHANNELS.offset as u64)
            | (self.number.val().resize(WORD_BITS) << frame::SEQUENCE.offset as u64);
        self.crc.state.next = self.crc_state.q.val();
        self.crc.word.next = self.control_word.val();
        self.crc.kind.next = frame::CONTROL.into();
        if self.sends.val() {
            self.crc.word.next = self.chosen.val().field(flit::DATA);
            self.crc.kind.next = self.chosen.val().field(frame::KIND);
        }
        self.told.next = self.line_ready.val() & !self.sends.val();
        if self.sends.val() {
            self.out_word.d.next = self.chosen.val().field(flit::DATA);
            self.out_kind.d.next = self.chosen.val().field(frame::KIND);
            self.crc_state.d.next = self.crc.next.val();
            self.length.d.next = self.length.q.val() + 1;
            self.channels.d.next = cat(
                self.channels
                    .q
                    .val()
                    .resize(frame::CHANNELS.width - VC_BITS),
                self.chosen.val().field(VC),
            );
            if begins {
                self.first.d.next = self.buffer.sequence.val();
                self.first_round.d.next = self.buffer.round.val();
            }
        } else if self.line_ready.val() {
            self.out_word.d.next = self.control_word.val() | self.crc.next.val().resize(WORD_BITS);
            self.out_kind.d.next = frame::CONTROL.into();
            self.crc_state.d.next = Value::new(CRC_BITS, CRC_START);
            self.length.d.next = 0.into();
            self.channels.d.next = 0.into();
        }
        if self.told.val() & begins {
            self.announces.d.next = false;
            self.asked.d.next = lacks;
        }
        if self.buffer.goes_back.val() {
            self.announces.d.next = true;
        }
        if !lacks {
            self.asked.d.next = false;
        }
        self.line_word.next = self.out_word.q.val();
        self.line_kind.next = self.out_kind.q.val();
    }
}
