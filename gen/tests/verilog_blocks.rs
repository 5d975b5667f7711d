//! Small blocks, as they are printed; every one passes Verilator, Icarus and Yosys.

mod common;

use common::verilog;
use fantree_gen::emit;
use fantree_hdl::cells::{Register, StateRegister};
use fantree_hdl::kernel;
use fantree_hdl::wire::{cat, replicate, Wire};
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
    insta::assert_snapshot!(verilog(&block, "counter"));
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
    insta::assert_snapshot!(verilog(&Machine::default(), "machine"));
}

/// rust-hdl's `DFF` writes the number of a state in 64 bits, which is a finding of Verilator.
#[test]
fn a_state_in_a_register_of_rust_hdl() {
    let text = verilog(&DFF::<State>::default(), "state_dff");
    assert!(text.contains("q = 2'h0;"), "{text}");
}

#[derive(LogicInterface, Default)]
#[join = "Sink"]
struct Source {
    data: Signal<Out, Bits<8>>,
    valid: Signal<Out, Bit>,
    ready: Signal<In, Bit>,
}

#[derive(LogicInterface, Default)]
#[join = "Source"]
struct Sink {
    data: Signal<In, Bits<8>>,
    valid: Signal<In, Bit>,
    ready: Signal<Out, Bit>,
}

#[derive(LogicBlock, Default)]
struct Stage {
    clock: Signal<In, Clock>,
    up: Sink,
    down: Source,
    data: DFF<Bits<8>>,
    full: DFF<Bit>,
}

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, data, full);
        self.up.ready.next = !self.full.q.val() | self.down.ready.val();
        self.down.valid.next = self.full.q.val();
        self.down.data.next = self.data.q.val();
        if self.up.ready.val() {
            self.full.d.next = self.up.valid.val();
            self.data.d.next = self.up.data.val();
        }
    }
}

#[derive(LogicBlock, Default)]
struct Pipeline {
    clock: Signal<In, Clock>,
    up: Sink,
    down: Source,
    stages: [Stage; 3],
}

impl Logic for Pipeline {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..3 {
            self.stages[i].clock.next = self.clock.val();
        }
        Sink::link(&mut self.up, &mut self.stages[0].up);
        for i in 0..2 {
            Source::join(&mut self.stages[i].down, &mut self.stages[i + 1].up);
        }
        Source::link(&mut self.down, &mut self.stages[2].down);
    }
}

#[test]
fn linked_and_joined_interfaces() {
    let mut block = Pipeline::default();
    block.connect_all();
    insta::assert_snapshot!(verilog(&block, "pipeline"));
}

#[derive(LogicBlock)]
struct Lane {
    d: Vec<Signal<In, Bits<4>>>,
    q: Vec<Vec<Signal<Out, Bits<4>>>>,
}

impl Logic for Lane {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..2 {
            for j in 0..3 {
                self.q[i][j].next = self.d[(i + 2 * j) % 3].val() + i.to_bits();
            }
        }
    }
}

#[derive(LogicBlock)]
struct Grid {
    lanes: Vec<Vec<Lane>>,
    d: [Signal<In, Bits<4>>; 3],
    q: Signal<Out, Bits<4>>,
}

impl Logic for Grid {
    #[hdl_gen]
    fn update(&mut self) {
        for r in 0..2 {
            for c in 0..2 {
                for k in 0..3 {
                    self.lanes[r][c].d[k].next = self.d[2 - k].val();
                }
            }
        }
        self.q.next = self.lanes[0][1].q[1][2].val() ^ self.lanes[1][0].q[0][0].val();
    }
}

fn vec<T>(count: usize, make: impl Fn() -> T) -> Vec<T> {
    (0..count).map(|_| make()).collect()
}

#[test]
fn nested_vectors() {
    let lane = || Lane {
        d: vec(3, Default::default),
        q: vec(2, || vec(3, Default::default)),
    };
    let block = Grid {
        lanes: vec(2, || vec(2, lane)),
        d: Default::default(),
        q: Default::default(),
    };
    insta::assert_snapshot!(verilog(&block, "grid"));
}

mod other {
    use rust_hdl::prelude::*;

    #[allow(dead_code)] // Some states are only matched.
    #[derive(Copy, Clone, PartialEq, Debug, LogicState)]
    pub enum State {
        Off,
        Busy,
        Idle,
        On,
    }

    #[derive(LogicBlock, Default)]
    pub struct Lamp {
        pub state: Signal<Out, State>,
        pub go: Signal<In, Bit>,
    }

    impl Logic for Lamp {
        #[hdl_gen]
        fn update(&mut self) {
            self.state.next = State::Off;
            if self.go.val() {
                self.state.next = State::Busy;
            }
        }
    }
}

#[derive(LogicBlock, Default)]
struct Signs {
    state: Signal<In, State>,
    lamp: other::Lamp,
    both_busy: Signal<Out, Bit>,
    next: Signal<Out, State>,
    code: Signal<Out, Bits<2>>,
}

impl Logic for Signs {
    #[hdl_gen]
    fn update(&mut self) {
        self.lamp.go.next = self.state.val() != State::Idle;
        self.both_busy.next =
            (self.state.val() == State::Busy) & (self.lamp.state.val() == other::State::Busy);
        self.next.next = State::Done;
        self.code.next = 0.into();
        match self.lamp.state.val() {
            other::State::On => self.code.next = 1.into(),
            other::State::Idle => self.code.next = 2.into(),
            _ => {}
        }
    }
}

#[test]
fn enums_of_one_name() {
    insta::assert_snapshot!(verilog(&Signs::default(), "signs"));
}

#[derive(LogicBlock, Default)]
struct Words {
    table: Signal<In, Bits<2>>,
    priority: Signal<In, Bits<2>>,
    double: Signal<In, Bits<2>>,
    r#type: Signal<In, Bits<2>>,
    a: PairOut,
    a_b: Signal<Local, Bits<2>>,
    logic: Signal<Out, Bits<2>>,
    table_: Signal<Out, Bits<2>>,
}

#[derive(LogicInterface, Default)]
struct PairOut {
    b: Signal<Out, Bits<2>>,
    byte: Signal<Out, Bits<2>>,
}

impl Logic for Words {
    #[hdl_gen]
    fn update(&mut self) {
        self.a_b.next = self.table.val() & self.priority.val();
        self.a.b.next = self.a_b.val();
        self.a.byte.next = self.double.val();
        self.logic.next = self.r#type.val() + self.a_b.val();
        self.table_.next = self.table.val();
    }
}

#[test]
fn keywords_and_clashes() {
    insta::assert_snapshot!(verilog(&Words::default(), "words"));
}

#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
struct Header {
    kind: Bits<3>,
    length: Bits<5>,
    last: Bit,
}

#[derive(LogicBlock, Default)]
struct Rewrite {
    header: Signal<In, Header>,
    length: Signal<In, Bits<5>>,
    rewritten: Signal<Out, Header>,
    built: Signal<Out, Header>,
    long: Signal<Out, Bit>,
}

impl Logic for Rewrite {
    #[hdl_gen]
    fn update(&mut self) {
        self.rewritten.next = self.header.val();
        if self.header.val().last {
            self.rewritten.next.length = self.length.val() + 1;
        }
        self.built.next.kind = 5.into();
        self.built.next.length = self.length.val();
        self.built.next.last = self.header.val().length == self.length.val();
        self.long.next = self.header.val().length > 20;
    }
}

#[test]
fn fields_of_structs() {
    insta::assert_snapshot!(verilog(&Rewrite::default(), "rewrite"));
}

#[derive(LogicBlock, Default)]
struct Sparse {
    clock: Signal<In, Clock>,
    unread: Signal<In, Bits<8>>,
    partly: Signal<In, Bits<8>>,
    dead: Signal<Local, Bits<8>>,
    deader: Signal<Local, Bits<8>>,
    never: Signal<Local, Bits<8>>,
    pair: Divider,
    q: Signal<Out, Bits<2>>,
}

#[derive(LogicBlock, Default)]
struct Divider {
    a: Signal<In, Bits<8>>,
    quotient: Signal<Out, Bits<4>>,
    rest: Signal<Out, Bits<4>>,
}

impl Logic for Divider {
    #[hdl_gen]
    fn update(&mut self) {
        self.quotient.next = self.a.val().get_bits::<4>(4);
        self.rest.next = self.a.val().get_bits::<4>(0);
    }
}

impl Logic for Sparse {
    #[hdl_gen]
    fn update(&mut self) {
        self.deader.next = self.unread.val() + 1;
        self.dead.next = self.deader.val() + 1;
        comment!("Only the quotient matters");
        self.pair.a.next = bit_cast::<8, 4>(self.partly.val().get_bits::<4>(2));
        self.q.next = self.pair.quotient.val().get_bits::<2>(1);
        comment!("nothing more");
    }
}

#[test]
fn what_nobody_reads() {
    insta::assert_snapshot!(verilog(&Sparse::default(), "sparse"));
}

#[derive(LogicBlock)]
struct Merger {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    inputs: Vec<Wire<In>>,
    choice: Wire<In>,
    q: Wire<Out>,
    pair: Wire<Out>,
    fill: Wire<Out>,
    held: Vec<Register>,
}

impl Logic for Merger {
    #[kernel]
    fn update(&mut self) {
        comment!("module: merger");
        for i in 0..self.inputs.len() {
            registers!(self.held[i]);
            self.held[i].d.next = self.inputs[i].val();
        }
        self.q.next = 0.into();
        for i in 0..self.inputs.len() {
            if self.choice.val() == i as u64 {
                self.q.next = self.held[i].q.val() >> self.choice.val();
            }
        }
        self.pair.next = cat(self.held[0].q.val(), self.choice.val());
        self.fill.next = replicate(self.choice.val().any(), self.fill.bits());
    }
}

#[test]
fn widths_of_run_time() {
    let (count, width) = (3, 70);
    let block = Merger {
        clock: Default::default(),
        reset: Default::default(),
        inputs: Wire::vec(count, width),
        choice: Wire::new(2),
        q: Wire::new(width),
        pair: Wire::new(width + 2),
        fill: Wire::new(9),
        held: Register::vec(count, width),
    };
    insta::assert_snapshot!(verilog(&block, "merger"));
}

#[derive(LogicBlock)]
struct Primitive {
    clock: Signal<In, Clock>,
    unread: Signal<In, Bit>,
    table: Signal<In, Bits<4>>,
    count: Constant<Bits<4>>,
    state: Signal<Out, State>,
    sum: Signal<Out, Signed<4>>,
    q: Signal<Out, Bits<4>>,
    inner: Inverter,
}

#[derive(LogicBlock, Default)]
struct Inverter {
    a: Signal<In, Bits<4>>,
    b: Signal<Out, Bits<4>>,
    open: Signal<Out, Bit>,
}

impl Logic for Inverter {
    #[hdl_gen]
    fn update(&mut self) {
        self.b.next = !self.a.val();
        self.open.next = self.a.val().any();
    }
}

impl Logic for Primitive {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "
            // module: primitive
            // A register, nets and a child.
            wire [3:0] table_ = ~table;
            assign inner$a = table_ ^ count;
            always @(posedge clock) begin
              q <= inner$b;
            end
            always @(*) sum = -q;
            assign state = (q == 4'd0) ? State$Busy : State$Idle;
            "
            .into(),
        )
    }
}

#[test]
fn text_of_a_primitive() {
    let block = Primitive {
        clock: Default::default(),
        unread: Default::default(),
        table: Default::default(),
        count: Constant::new(9.into()),
        state: Default::default(),
        sum: Default::default(),
        q: Default::default(),
        inner: Default::default(),
    };
    insta::assert_snapshot!(verilog(&block, "top"));
}

#[derive(LogicBlock, Default)]
struct Buffer {
    pad: Signal<In, Bit>,
    inside: Signal<Out, Bit>,
}

impl Logic for Buffer {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Wrapper(Wrapper {
            code: "// module: buffer\nIBUF #(.SLEW(1)) ibuf (.I(pad), .O(inside));".into(),
            cores: "
(* blackbox *)
module IBUF (input I, output O);
  parameter SLEW = 0;
endmodule
"
            .into(),
        })
    }
}

#[allow(non_snake_case)] // A black box has the names its vendor gave.
#[derive(LogicBlock, Default)]
struct OutputBuffer {
    I: Signal<In, Bit>,
    O: Signal<Out, Bit>,
}

impl Logic for OutputBuffer {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        let code = "(* blackbox *)\nmodule OBUF (input I, output O);\nendmodule\n".into();
        let name = "OBUF".into();
        Verilog::Blackbox(BlackBox { code, name })
    }
}

#[derive(LogicBlock, Default)]
struct Pads {
    d: Signal<In, Bits<2>>,
    q: Signal<Out, Bit>,
    buffers: [Buffer; 2],
    out: OutputBuffer,
}

impl Logic for Pads {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..2 {
            self.buffers[i].pad.next = self.d.val().get_bit(i);
        }
        self.out.I.next = self.buffers[0].inside.val() ^ self.buffers[1].inside.val();
        self.q.next = self.out.O.val();
    }
}

#[test]
fn external_modules() {
    // Black boxes have neither drivers nor readers inside, which the tools say of course.
    let design = emit(&Pads::default(), "pads").unwrap_or_else(|error| panic!("{error}"));
    insta::assert_snapshot!(design.to_verilog());
}

#[derive(LogicBlock, Default)]
struct Tristate {
    bus: Signal<InOut, Bits<8>>,
    drive: Signal<In, Bit>,
    data: Signal<In, Bits<8>>,
    seen: Signal<Out, Bits<8>>,
}

impl Logic for Tristate {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Custom("assign bus = drive ? data : 8'bz;\nassign seen = bus;".into())
    }
}

#[derive(LogicBlock, Default)]
struct Shared {
    bus: Signal<InOut, Bits<8>>,
    turn: Signal<In, Bit>,
    data: Signal<In, Bits<8>>,
    seen: Signal<Out, Bits<8>>,
    left: Tristate,
    right: Tristate,
}

impl Logic for Shared {
    #[hdl_gen]
    fn update(&mut self) {
        Signal::<InOut, Bits<8>>::link(&mut self.bus, &mut self.left.bus);
        Signal::<InOut, Bits<8>>::join(&mut self.left.bus, &mut self.right.bus);
        self.left.drive.next = self.turn.val();
        self.right.drive.next = !self.turn.val();
        self.left.data.next = self.data.val();
        self.right.data.next = self.data.val() + 1;
        self.seen.next = self.left.seen.val() & self.right.seen.val();
    }
}

#[test]
fn bidirectional_nets() {
    // Yosys says that it knows little of tri-state logic, so the tools are not asked.
    let design = emit(&Shared::default(), "shared").unwrap_or_else(|error| panic!("{error}"));
    insta::assert_snapshot!(design.to_verilog());
}

#[derive(LogicBlock, Default)]
struct Queue {
    clock: Signal<In, Clock>,
    data: Signal<In, Bits<8>>,
    push: Signal<In, Bit>,
    pop: Signal<In, Bit>,
    out: Signal<Out, Bits<8>>,
    empty: Signal<Out, Bit>,
    fifo: SynchronousFIFO<Bits<8>, 4, 5, 1>,
}

impl Logic for Queue {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, fifo);
        self.fifo.data_in.next = self.data.val();
        self.fifo.write.next = self.push.val();
        self.fifo.read.next = self.pop.val();
        self.out.next = self.fifo.data_out.val();
        self.empty.next = self.fifo.empty.val();
    }
}

#[test]
fn a_widget_of_rust_hdl() {
    insta::assert_snapshot!(verilog(&Queue::default(), "queue"));
}
