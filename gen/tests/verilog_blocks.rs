//! Small blocks, as they are printed; every one passes Verilator, Icarus and Yosys.

mod common;

use common::checked;
use fantree_hdl::cells::StateRegister;
use rust_hdl::prelude::*;

macro_rules! comment {
    ($text:literal) => {};
}

#[derive(LogicBlock, Default)]
struct Counter {
    clock: Signal<In, Clock>,
    enable: Signal<In, Bit>,
    limit: Signal<In, Bits<8>>,
    count: Signal<Out, Bits<8>>,
    wraps: Signal<Out, Bit>,
    value: DFF<Bits<8>>,
}

impl Logic for Counter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module: counter");
        dff_setup!(self, clock, value);
        comment!("Count while enabled");
        if self.enable.val() {
            self.value.d.next = self.value.q.val() + 1;
        }
        self.wraps.next = self.value.q.val() + 1 == 0;
        self.count.next = self.value.q.val() & self.limit.val();
    }
}

#[test]
fn counter() {
    let block = Counter::default();
    insta::assert_snapshot!(checked(&block, "counter").to_verilog());
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum State {
    Idle,
    Busy,
    Done,
}

#[derive(LogicBlock, Default)]
struct Machine {
    clock: Signal<In, Clock>,
    go: Signal<In, Bit>,
    stop: Signal<In, Bit>,
    busy: Signal<Out, Bit>,
    reset: Signal<In, Bit>,
    state: StateRegister<State>,
}

impl Logic for Machine {
    #[hdl_gen]
    fn update(&mut self) {
        self.state.clock.next = self.clock.val();
        self.state.reset.next = self.reset.val();
        self.state.d.next = self.state.q.val();
        self.busy.next = false;
        match self.state.q.val() {
            State::Idle => {
                if self.go.val() {
                    self.state.d.next = State::Busy;
                }
            }
            State::Busy => {
                self.busy.next = true;
                if self.stop.val() {
                    self.state.d.next = State::Done;
                } else if self.go.val() & (self.state.q.val() == State::Busy) {
                    self.state.d.next = State::Idle;
                }
            }
            State::Done => self.state.d.next = State::Idle,
        }
    }
}

#[test]
fn state_machine() {
    insta::assert_snapshot!(checked(&Machine::default(), "machine").to_verilog());
}
