//! `Receiver`: frames from a line to the flits of a port.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `line_valid`, `line_word`, `line_kind` | in | a word, see [`frame`] |
//! | `up` | in | the [`Session`](super::Session)'s |
//! | `heard`, `control` | out | next cycle: an undamaged control word has come |
//! | `frame` | in | in the same cycle: it ends a frame of this session |
//! | `damaged` | out | instead: a frame was damaged |
//! | `rx_valid`, `rx_flit`, `rx_vc` | out | a flit |
//! | `rx_credit` | in | bit v: the buffer behind the link freed a block of virtual channel (VC) v |
//! | `told` | in | the report is sent in this cycle |
//! | `report` | out | what the other end has to be told, as fields of a control word |
//! | `cut` | out | the flit ends a packet that the other end did not |
//! | `home` | out | the link is down, and nothing of the last session is here or in the buffer behind it |
//!
//! Latency: 3 cycles from a frame's control word to `rx_valid` of its first flit, one flit a cycle from then on.
//!
//! Flits are stored as they come and leave when their frame has been found good; those of another frame are overwritten.
//! The store holds two frames: one leaves at least as fast as another comes.

use super::frame::{self, KIND_BITS, WORD_BITS};
use super::frame_crc::{CRC_BITS, CRC_START};
use super::{CreditReport, FrameCrc, LinkParams, PacketCloser, SequenceCheck};
use crate::cells::{Fifo, Flag, LutRam, Register};
use crate::kernel;
use crate::packet::{flit, FLIT_BITS};
use crate::ports::Ports;
use crate::router::VC_BITS;
use crate::wire::{cat, or_of, replicate, Field, Value, Wire};
use rust_hdl::prelude::*;

/// Flits that are stored: two frames, up to a power of two.
const STORE_FLITS: usize = (2 * frame::MAX_FRAME_FLITS).next_power_of_two();
/// Frames that have been found good; they hold at least a flit, and together one frame's and one more.
const STORE_FRAMES: usize = STORE_FLITS / 2;
/// Width of a place in the store, and of a frame's count.
const PLACE_BITS: usize = STORE_FLITS.trailing_zeros() as usize;
/// A good frame: its flits' VCs, and how many they are.
const COUNT: Field = Field {
    offset: frame::CHANNELS.width,
    width: PLACE_BITS,
};

/// The receiving half of a link's end; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Receiver {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub line_valid: Signal<In, Bit>,
    pub line_word: Wire<In>,
    pub line_kind: Wire<In>,
    pub up: Signal<In, Bit>,
    pub heard: Signal<Out, Bit>,
    pub control: Wire<Out>,
    pub frame: Signal<In, Bit>,
    pub damaged: Signal<Out, Bit>,
    pub rx_valid: Signal<Out, Bit>,
    pub rx_flit: Wire<Out>,
    pub rx_vc: Wire<Out>,
    pub rx_credit: Wire<In>,
    pub told: Signal<In, Bit>,
    pub report: Wire<Out>,
    pub cut: Signal<Out, Bit>,
    pub home: Signal<Out, Bit>,
    crc: FrameCrc,
    crc_state: Register,
    /// The last control word; it was good, or not.
    last_control: Register,
    good: Flag,
    bad: Flag,
    /// The frame has more flits than a frame may have: a control word was taken for one.
    overlong: Flag,
    order: SequenceCheck,
    credits: CreditReport,
    store: LutRam,
    /// Where the next flit is read, where the frame begins that is coming, where its next flit goes.
    read: Register,
    begin: Register,
    write: Register,
    /// The same, once it is known whether the last frame stays.
    begin_now: Wire<Local>,
    write_now: Wire<Local>,
    flit_comes: Signal<Local, Bit>,
    is_full: Signal<Local, Bit>,
    flits: Wire<Local>,
    frames: Fifo,
    /// Flits of the first good frame that have left.
    left: Register,
    remaining: Wire<Local>,
    closer: PacketCloser,
}

impl Receiver {
    /// # Panics
    /// If a size is out of its range.
    pub fn new(params: &LinkParams) -> Self {
        params.check();
        let sequence_bits = params.sequence_bits();
        Self {
            clock: Default::default(),
            reset: Default::default(),
            line_valid: Default::default(),
            line_word: Wire::new(WORD_BITS),
            line_kind: Wire::new(KIND_BITS),
            up: Default::default(),
            heard: Default::default(),
            control: Wire::new(WORD_BITS),
            frame: Default::default(),
            damaged: Default::default(),
            rx_valid: Default::default(),
            rx_flit: Wire::new(FLIT_BITS),
            rx_vc: Wire::new(VC_BITS),
            rx_credit: Wire::new(params.virtual_channels),
            told: Default::default(),
            report: Wire::new(WORD_BITS),
            cut: Default::default(),
            home: Default::default(),
            crc: Default::default(),
            crc_state: Register::with_reset(CRC_BITS, CRC_START),
            last_control: Register::new(WORD_BITS),
            good: Default::default(),
            bad: Default::default(),
            overlong: Default::default(),
            order: SequenceCheck::new(sequence_bits),
            credits: CreditReport::new(params),
            store: LutRam::new(frame::KIND.offset + frame::KIND.width, STORE_FLITS),
            read: Register::new(PLACE_BITS),
            begin: Register::new(PLACE_BITS),
            write: Register::new(PLACE_BITS),
            begin_now: Wire::new(PLACE_BITS),
            write_now: Wire::new(PLACE_BITS),
            flit_comes: Default::default(),
            is_full: Default::default(),
            flits: Wire::new(PLACE_BITS),
            frames: Fifo::new(COUNT.offset + COUNT.width, STORE_FRAMES),
            left: Register::new(PLACE_BITS),
            remaining: Wire::new(PLACE_BITS),
            closer: PacketCloser::new(params),
        }
    }
}

impl Logic for Receiver {
    #[kernel]
    fn update(&mut self) {
        comment!("module: link_receiver");
        let sequence_bits = self.order.ack.bits();
        clocked!(self.order, self.credits, self.frames, self.closer);
        registers!(self.crc_state, self.last_control, self.overlong);
        registers!(self.read, self.begin, self.write, self.left);

        // A word comes.
        let word = self.line_word.val();
        let is_control = self.line_kind.val() == frame::CONTROL;
        let control_comes = self.line_valid.val() & is_control;
        self.flit_comes.next = self.line_valid.val() & !is_control;
        self.crc.state.next = self.crc_state.q.val();
        self.crc.word.next = word;
        if is_control {
            self.crc.word.next = word & !frame::CRC.mask(WORD_BITS);
        }
        self.crc.kind.next = self.line_kind.val();
        let is_good = (self.crc.next.val() == word.field(frame::CRC)) & !self.overlong.q.val();
        clocked!(self.good, self.bad);
        self.good.d.next = control_comes & is_good;
        self.bad.d.next = control_comes & !is_good;
        if control_comes {
            self.last_control.d.next = word;
            self.crc_state.d.next = Value::new(CRC_BITS, CRC_START);
        } else if self.flit_comes.val() {
            self.crc_state.d.next = self.crc.next.val();
        }
        self.heard.next = self.good.q.val();
        self.control.next = self.last_control.q.val();
        self.damaged.next = self.bad.q.val();

        // Its frame, a cycle after its control word: taken or forgotten.
        let control = self.last_control.q.val();
        self.flits.next = self.write.q.val() - self.begin.q.val();
        self.order.clear.next = !self.up.val();
        self.order.frame.next = self.frame.val();
        self.order.sequence.next = control.field(frame::SEQUENCE).resize(sequence_bits);
        self.order.words.next = self.flits.val().resize(sequence_bits);
        self.order.round.next = control.field(frame::ROUND).any();
        self.order.damaged.next = self.bad.q.val() & self.flits.val().any();
        self.frames.push.next = self.order.accepted.val() & self.flits.val().any();
        self.frames.push_data.next = cat(self.flits.val(), control.field(frame::CHANNELS));
        self.begin_now.next = self.begin.q.val();
        self.write_now.next = self.write.q.val();
        if self.order.accepted.val() {
            self.begin_now.next = self.write.q.val();
        } else if self.good.q.val() | self.bad.q.val() {
            self.write_now.next = self.begin.q.val();
        }
        self.begin.d.next = self.begin_now.val();

        // A flit goes to the store.
        self.is_full.next =
            (self.write_now.val() - self.begin_now.val()) == frame::MAX_FRAME_FLITS as u64;
        self.write.d.next = self.write_now.val();
        if self.flit_comes.val() & !self.is_full.val() {
            self.write.d.next = self.write_now.val() + 1;
        }
        if control_comes {
            self.overlong.d.next = false;
        } else if self.flit_comes.val() & self.is_full.val() {
            self.overlong.d.next = true;
        }
        self.store.clock.next = self.clock.val();
        self.store.write_enable.next = self.flit_comes.val() & !self.is_full.val();
        self.store.write_address.next = self.write_now.val();
        self.store.write_data.next = cat(self.line_kind.val(), word);

        // Good frames leave.
        let leaves = !self.frames.empty.val();
        self.remaining.next = self.frames.pop_data.val().field(COUNT) - self.left.q.val();
        self.frames.pop.next = leaves & (self.remaining.val() == 1);
        if leaves {
            self.read.d.next = self.read.q.val() + 1;
            self.left.d.next = self.left.q.val() + 1;
        }
        if self.frames.pop.val() {
            self.left.d.next = 0.into();
        }
        self.store.read_address.next = self.read.q.val();
        self.closer.valid.next = leaves;
        self.closer.data.next = self.store.read_data.val().field(flit::DATA);
        self.closer.kind.next = self.store.read_data.val().field(frame::KIND);
        self.closer.vc.next = or_of(0..frame::MAX_FRAME_FLITS, |i| {
            replicate(self.remaining.val() == i as u64 + 1, VC_BITS)
                & self.frames.pop_data.val().slice(i * VC_BITS, VC_BITS)
        });
        self.closer.close.next = !self.up.val() & !leaves;
        self.closer.freed.next = self.rx_credit.val();
        self.rx_valid.next = self.closer.rx_valid.val();
        self.rx_flit.next = self.closer.rx_flit.val();
        self.rx_vc.next = self.closer.rx_vc.val();
        self.cut.next = self.closer.cut.val();
        self.home.next = !self.up.val() & !leaves & self.closer.home.val();

        // What is told.
        self.credits.clear.next = !self.up.val();
        self.credits.freed.next = self.rx_credit.val();
        self.credits.told.next = self.told.val();
        self.report.next = cat(
            self.credits.count.val().resize(frame::CREDIT.width),
            cat(
                self.credits.vc.val(),
                cat(
                    self.order.nak_round.val(),
                    cat(
                        self.order.nak.val(),
                        self.order.ack.val().resize(frame::ACK.width),
                    ),
                ),
            ),
        )
        .resize(WORD_BITS)
            << frame::ACK.offset as u64;
    }
}
