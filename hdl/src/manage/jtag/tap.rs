//! `Tap`: instructions and data registers of the JTAG port.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | TCK; TRST, synchronous to it, active high |
//! | `tms`, `tdi` | in | JTAG |
//! | `tdo` | out | JTAG; changes with the rising edge of TCK, see [`FallingFlag`] for the pin |
//! | `send`, `sent` | out | a word for the chip: in its low bits what it is, a request, a setup or a key |
//! | `answered`, `answer` | in | the chip has answered the last request |
//! | `received` | out | the answer is taken |
//!
//! Latency: an answer is taken in Capture-DR, a word sent in Update-DR.
//!
//! Invariant: no request is sent before the one before it was answered.

use super::{
    answer, request, Instruction, Kind, TapState, TapStates, IDCODE_VALUE, INSTRUCTION_BITS,
    WORD_BITS,
};
use crate::cells::{Flag, Register};
use crate::kernel;
use crate::manage::command::{setup_bits, KEY_BITS};
use crate::ports::Ports;
use crate::router::RouterParams;
use crate::wire::{cat, Wire};
use rust_hdl::prelude::*;

/// Instructions and data registers; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct Tap {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub tms: Signal<In, Bit>,
    pub tdi: Signal<In, Bit>,
    pub tdo: Signal<Out, Bit>,
    pub send: Signal<Out, Bit>,
    pub sent: Wire<Out>,
    pub answered: Signal<In, Bit>,
    pub answer: Wire<In>,
    pub received: Signal<Out, Bit>,
    states: TapStates,
    instruction: Register,
    shifted_instruction: Register,
    /// As long as the longest data register; a shorter one is its low end.
    shifted: Register,
    waits: Flag,
    _setup_bits: usize,
}

impl Tap {
    pub fn new(params: &RouterParams) -> Self {
        let setup_bits = setup_bits(params);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            tms: Default::default(),
            tdi: Default::default(),
            tdo: Default::default(),
            send: Default::default(),
            sent: Wire::new(setup_bits + WORD_BITS),
            answered: Default::default(),
            answer: Wire::new(answer::BITS),
            received: Default::default(),
            states: Default::default(),
            instruction: Register::with_reset(INSTRUCTION_BITS, Instruction::Idcode as u64),
            shifted_instruction: Register::new(INSTRUCTION_BITS),
            shifted: Register::new(setup_bits.max(answer::SCAN_BITS)),
            waits: Default::default(),
            _setup_bits: setup_bits,
        }
    }
}

impl Logic for Tap {
    #[kernel]
    fn update(&mut self) {
        comment!("module: tap");
        clocked!(self.states, self.waits);
        registers!(self.instruction, self.shifted_instruction, self.shifted);
        self.states.tms.next = self.tms.val();
        let state = self.states.state.val();
        let instruction = self.instruction.q.val();
        let setup_bits = self._setup_bits;
        let length = self.shifted.q.bits();

        // Instructions.
        if state == TapState::CaptureIr as u64 {
            self.shifted_instruction.d.next = 1.into();
        } else if state == TapState::ShiftIr as u64 {
            self.shifted_instruction.d.next = cat(
                self.tdi.val(),
                self.shifted_instruction
                    .q
                    .val()
                    .slice(1, INSTRUCTION_BITS - 1),
            );
        }
        if state == TapState::TestLogicReset as u64 {
            self.instruction.d.next = (Instruction::Idcode as u64).into();
        } else if state == TapState::UpdateIr as u64 {
            self.instruction.d.next = self.shifted_instruction.q.val();
        }

        // Data.
        let is_setup = instruction == Instruction::Setup as u64;
        let is_access = instruction == Instruction::Access as u64;
        let is_key = instruction == Instruction::Key as u64;
        let moved = self.shifted.q.val() >> 1u64;
        if state == TapState::CaptureDr as u64 {
            self.shifted.d.next = 0.into();
            if instruction == Instruction::Idcode as u64 {
                self.shifted.d.next = u64::from(IDCODE_VALUE).into();
            } else if is_access & self.answered.val() {
                self.shifted.d.next = cat(true, self.answer.val()).resize(length);
            }
        } else if state == TapState::ShiftDr as u64 {
            if instruction == Instruction::Idcode as u64 {
                self.shifted.d.next = moved.replace_bit(31u64, self.tdi.val());
            } else if is_setup {
                self.shifted.d.next = moved.replace_bit((setup_bits - 1) as u64, self.tdi.val());
            } else if is_access {
                self.shifted.d.next =
                    moved.replace_bit((answer::SCAN_BITS - 1) as u64, self.tdi.val());
            } else if is_key {
                self.shifted.d.next = moved.replace_bit((KEY_BITS - 1) as u64, self.tdi.val());
            } else {
                self.shifted.d.next = moved.replace_bit(0u64, self.tdi.val());
            }
        }
        self.tdo.next = self.shifted.q.val().get_bit(0u64);
        if state == TapState::ShiftIr as u64 {
            self.tdo.next = self.shifted_instruction.q.val().get_bit(0u64);
        }

        // The chip.
        let asks = is_access
            & (self.shifted.q.val().field(request::KIND) != Kind::Nothing as u64)
            & !self.waits.q.val();
        let sends = (state == TapState::UpdateDr as u64) & (is_setup | is_key | asks);
        let receives = (state == TapState::CaptureDr as u64) & is_access & self.answered.val();
        self.send.next = sends;
        // In the order of `Word`.
        self.sent.next = cat(
            self.shifted.q.val().slice(0, setup_bits),
            cat(is_key, is_setup),
        );
        self.received.next = receives;
        self.waits.d.next = (self.waits.q.val() & !receives) | (sends & is_access);
    }
}
