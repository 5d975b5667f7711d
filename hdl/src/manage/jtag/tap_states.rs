//! `TapStates`: the sixteen states of a TAP controller.
//!
//! | port | direction | meaning |
//! |---|---|---|
//! | `clock`, `reset` | in | TCK; TRST, synchronous to it, active high |
//! | `tms` | in | the way from state to state |
//! | `state` | out | the state, a [`TapState`] |
//!
//! Latency: 1 cycle.
//!
//! Invariant: five cycles with `tms` lead to Test-Logic-Reset from anywhere.

use crate::cells::Register;
use crate::kernel;
use crate::ports::Ports;
use crate::wire::{or_of, replicate, Value, Wire};
use rust_hdl::prelude::*;

/// States of a TAP controller, in the order of IEEE 1149.1's diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TapState {
    TestLogicReset,
    RunTestIdle,
    SelectDr,
    CaptureDr,
    ShiftDr,
    Exit1Dr,
    PauseDr,
    Exit2Dr,
    UpdateDr,
    SelectIr,
    CaptureIr,
    ShiftIr,
    Exit1Ir,
    PauseIr,
    Exit2Ir,
    UpdateIr,
}

use TapState::*;

/// By state: the next one without and with `tms`.
const NEXT: [[TapState; 2]; 16] = [
    [RunTestIdle, TestLogicReset],
    [RunTestIdle, SelectDr],
    [CaptureDr, SelectIr],
    [ShiftDr, Exit1Dr],
    [ShiftDr, Exit1Dr],
    [PauseDr, UpdateDr],
    [PauseDr, Exit2Dr],
    [ShiftDr, UpdateDr],
    [RunTestIdle, SelectDr],
    [CaptureIr, TestLogicReset],
    [ShiftIr, Exit1Ir],
    [ShiftIr, Exit1Ir],
    [PauseIr, UpdateIr],
    [PauseIr, Exit2Ir],
    [ShiftIr, UpdateIr],
    [RunTestIdle, SelectDr],
];

/// Width of a state.
const STATE_BITS: usize = 4;

/// The state of a TAP; see the [module](self).
#[derive(LogicBlock, Ports)]
pub struct TapStates {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub tms: Signal<In, Bit>,
    pub state: Wire<Out>,
    held: Register,
    chosen: Wire<Local>,
}

impl Default for TapStates {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            tms: Default::default(),
            state: Wire::new(STATE_BITS),
            held: Register::new(STATE_BITS),
            chosen: Wire::new(2 * STATE_BITS),
        }
    }
}

impl Logic for TapStates {
    #[kernel]
    fn update(&mut self) {
        comment!("module: tap_states");
        registers!(self.held);
        self.state.next = self.held.q.val();
        self.chosen.next = or_of(0..16, |i| {
            replicate(self.held.q.val() == i as u64, 2 * STATE_BITS)
                & Value::new(
                    2 * STATE_BITS,
                    (NEXT[i][1] as u64) << STATE_BITS | NEXT[i][0] as u64,
                )
        });
        self.held.d.next = self.chosen.val().slice(0, STATE_BITS);
        if self.tms.val() {
            self.held.d.next = self.chosen.val().slice(STATE_BITS, STATE_BITS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::cycle;

    fn walk(states: &mut TapStates, tms: &[bool]) -> u64 {
        for &tms in tms {
            states.tms.next = tms;
            cycle!(*states);
        }
        states.state.val().to_u64()
    }

    #[test]
    fn five_cycles_of_tms_reset_from_anywhere() {
        for way in 0..256u32 {
            let mut states = TapStates::default();
            states.connect_all();
            let bits: Vec<bool> = (0..8).map(|bit| way >> bit & 1 == 1).collect();
            walk(&mut states, &bits);
            let end = walk(&mut states, &[true; 5]);
            assert_eq!(end, TestLogicReset as u64, "after {way:#x}");
        }
    }

    #[test]
    fn a_scan_passes_capture_shift_and_update() {
        let mut states = TapStates::default();
        states.connect_all();
        let mut seen = Vec::new();
        for tms in [0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1] {
            seen.push(walk(&mut states, &[tms == 1]));
        }
        let way = [
            RunTestIdle,
            SelectDr,
            CaptureDr,
            ShiftDr,
            ShiftDr,
            Exit1Dr,
            PauseDr,
            Exit2Dr,
        ];
        let end = [ShiftDr, Exit1Dr, UpdateDr];
        assert_eq!(
            seen,
            [&way[..], &end[..]]
                .concat()
                .iter()
                .map(|&it| it as u64)
                .collect::<Vec<_>>()
        );
    }
}
