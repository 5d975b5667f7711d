//! What rust-hdl's own emitter gets wrong, in rust-hdl's simulation, Verilator and Icarus: a block for each theme, plain
//! rust-hdl and kernels on `Wire`.

// Rust's precedence and `match` are what is tested: clippy's other ways of writing would take them away.
#![allow(clippy::precedence, clippy::nonminimal_bool, clippy::single_match)]

use fantree_hdl::kernel;
use fantree_hdl::ports::{FromWords, Ports};
use fantree_hdl::wire::{any_of, bits_of, cat, or_of, replicate, Value, Wire};
use fantree_tb::lockstep::{run_icarus, Lockstep};
use rust_hdl::prelude::*;

/// Runs a block everywhere; every output must move, or nothing would be shown.
fn agrees<B: Block + Ports>(name: &str, make: impl FnOnce() -> B) {
    let report = Lockstep::new(name, make)
        .cycles(2000)
        .run()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.constant_outputs, Vec::<String>::new());
    run_icarus(&report.recording).unwrap_or_else(|error| panic!("{error}"));
}

#[derive(LogicBlock, Default, Ports)]
struct Precedence {
    a: Signal<In, Bits<9>>,
    b: Signal<In, Bits<9>>,
    c: Signal<In, Bits<9>>,
    p: Signal<In, Bit>,
    q: Signal<In, Bit>,
    and_equal: Signal<Out, Bit>,
    or_less: Signal<Out, Bit>,
    sum_and: Signal<Out, Bits<9>>,
    shift_sum: Signal<Out, Bits<9>>,
    xor_or_and: Signal<Out, Bits<9>>,
    not_equal: Signal<Out, Bit>,
    bits_and_logic: Signal<Out, Bit>,
    minus_minus: Signal<Out, Bits<9>>,
}

impl Logic for Precedence {
    #[hdl_gen]
    fn update(&mut self) {
        self.and_equal.next = self.a.val() & self.b.val() == self.c.val();
        self.or_less.next = self.a.val() | self.b.val() < self.c.val() ^ self.a.val();
        self.sum_and.next = self.a.val() + self.b.val() & self.c.val() - self.a.val();
        self.shift_sum.next = self.a.val() + 1 << 2 >> 1 + bits::<9>(1) | self.b.val();
        self.xor_or_and.next = self.a.val() ^ self.b.val() | self.c.val() & self.a.val() ^ 5;
        self.not_equal.next = !self.p.val() == self.q.val() & self.p.val();
        self.bits_and_logic.next =
            self.p.val() & self.q.val() || self.a.val() > 300 && !self.p.val();
        self.minus_minus.next = self.a.val() - (self.b.val() - (self.c.val() - 1));
    }
}

#[test]
fn operators_bind_as_in_rust() {
    agrees("precedence", Precedence::default);
}

#[derive(LogicBlock, Ports)]
struct WirePrecedence {
    a: Wire<In>,
    b: Wire<In>,
    c: Wire<In>,
    p: Signal<In, Bit>,
    and_equal: Signal<Out, Bit>,
    sum_and: Wire<Out>,
    shift_sum: Wire<Out>,
    wrapped: Signal<Out, Bit>,
    inverted: Signal<Out, Bit>,
    widened: Wire<Out>,
    narrowed: Wire<Out>,
    moved: Wire<Out>,
    picked: Signal<Out, Bit>,
    replaced: Wire<Out>,
    wide: Signal<Out, Bit>,
    gathered: Wire<Out>,
    folded: Wire<Out>,
    parts: Vec<Wire<In>>,
    _magic: Value,
}

impl WirePrecedence {
    fn new(width: usize) -> Self {
        Self {
            a: Wire::new(width),
            b: Wire::new(width),
            c: Wire::new(width),
            p: Default::default(),
            and_equal: Default::default(),
            sum_and: Wire::new(width),
            shift_sum: Wire::new(width),
            wrapped: Default::default(),
            inverted: Default::default(),
            widened: Wire::new(width + 7),
            narrowed: Wire::new(3),
            moved: Wire::new(width),
            picked: Default::default(),
            replaced: Wire::new(width),
            wide: Default::default(),
            gathered: Wire::new(width + 4),
            folded: Wire::new(width),
            parts: Wire::vec(3, width),
            _magic: Value::from_words(width, &[0x89ab_cdef, 0x0123_4567, 0xdead_beef]),
        }
    }
}

impl Logic for WirePrecedence {
    #[kernel]
    fn update(&mut self) {
        let sum = self.a.val() + self.b.val();
        self.and_equal.next = (self.a.val() & self.b.val() | self.c.val()) == self.c.val();
        self.sum_and.next = sum & self.c.val() - self.a.val();
        self.shift_sum.next = self.a.val() + 1 << 2u64 ^ self.b.val();
        self.wrapped.next = self.a.val() + 1 == 0;
        self.inverted.next = !self.a.val() == 0 || self.a.val() - self.b.val() > self.c.val();
        self.widened.next = sum.resize(sum.bits() + 7) + 1;
        self.narrowed.next = (sum >> 1u64).resize(3) - self.c.val().slice(2, 3);
        self.moved.next = self.a.val() << self.b.val() | self.c.val() >> self.b.val();
        self.picked.next = sum.get_bit(self.c.val()) ^ (self.a.val() ^ self.b.val()).xor();
        self.replaced.next = (self.a.val() & self.b.val()).replace_bit(self.c.val(), self.p.val());
        self.wide.next = self.a.val() < self._magic;
        self.gathered.next = cat(
            cat(
                self.p.val(),
                bits_of(0..3, |i| self.parts[i].val() > self.a.val()),
            ),
            sum,
        );
        self.folded.next = or_of(0..3, |i| {
            self.parts[i].val()
                & replicate(
                    self.parts[2 - i].val().any() && !self.p.val(),
                    self.folded.bits(),
                )
        });
        if any_of(0..3, |i| self.parts[i].val() == i as u64) {
            self.folded.next = self.c.val();
        }
    }
}

#[test]
fn wires_of_every_storage_bind_as_in_rust() {
    for width in [5, 32, 33, 64, 90] {
        agrees(&format!("wire_precedence_{width}"), || {
            WirePrecedence::new(width)
        });
    }
}

/// Two children have an enum of this name, with other states in another order.
mod first {
    use super::*;

    #[derive(Copy, Clone, PartialEq, Debug, LogicState, FromWords)]
    pub enum State {
        Idle,
        Busy,
        Done,
    }

    #[derive(LogicBlock, Default, Ports)]
    pub struct Unit {
        pub clock: Signal<In, Clock>,
        pub go: Signal<In, Bit>,
        pub state: Signal<Out, State>,
        held: DFF<State>,
    }

    impl Logic for Unit {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, held);
            match self.held.q.val() {
                State::Idle => {
                    if self.go.val() {
                        self.held.d.next = State::Busy;
                    }
                }
                State::Busy => self.held.d.next = State::Done,
                _ => self.held.d.next = State::Idle,
            }
            self.state.next = self.held.q.val();
        }
    }
}

mod second {
    use super::*;

    #[derive(Copy, Clone, PartialEq, Debug, LogicState, FromWords)]
    pub enum State {
        Done,
        Wait,
        Hold,
        Idle,
        Busy,
    }

    #[derive(LogicBlock, Default, Ports)]
    pub struct Unit {
        pub state: Signal<In, State>,
        pub other: Signal<Out, State>,
    }

    impl Logic for Unit {
        #[hdl_gen]
        fn update(&mut self) {
            self.other.next = State::Busy;
            match self.state.val() {
                State::Done => self.other.next = State::Idle,
                State::Idle => self.other.next = State::Wait,
                State::Busy => self.other.next = self.state.val(),
                _ => {}
            }
        }
    }
}

#[derive(LogicBlock, Default, Ports)]
struct TwoStates {
    clock: Signal<In, Clock>,
    go: Signal<In, Bit>,
    wanted: Signal<In, second::State>,
    is_busy: Signal<Out, Bit>,
    state: Signal<Out, first::State>,
    other: Signal<Out, second::State>,
    first: first::Unit,
    second: second::Unit,
}

impl Logic for TwoStates {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, first);
        self.first.go.next = self.go.val();
        self.second.state.next = self.wanted.val();
        if self.first.state.val() == first::State::Busy {
            self.second.state.next = second::State::Busy;
        }
        self.is_busy.next = self.first.state.val() == first::State::Busy;
        self.state.next = self.first.state.val();
        self.other.next = self.second.other.val();
        match self.first.state.val() {
            first::State::Done => self.other.next = second::State::Hold,
            _ => {}
        }
    }
}

#[test]
fn enums_of_one_name_stay_apart() {
    agrees("two_states", TwoStates::default);
}

#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct, FromWords)]
struct Header {
    kind: first::State,
    length: Bits<7>,
    last: Bit,
}

#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct, FromWords)]
struct Flit {
    data: Bits<70>,
    header: Header,
}

#[derive(LogicBlock, Default, Ports)]
struct Nested {
    flit: Signal<In, Flit>,
    header: Signal<In, Header>,
    swap: Signal<In, Bit>,
    out: Signal<Out, Flit>,
    length: Signal<Out, Bits<7>>,
    is_busy: Signal<Out, Bit>,
    same: Signal<Out, Bit>,
    flat: Signal<Out, Bits<80>>,
}

impl Logic for Nested {
    #[hdl_gen]
    fn update(&mut self) {
        self.out.next = self.flit.val();
        self.out.next.data = self.flit.val().data + 1;
        if self.swap.val() {
            self.out.next.header = self.header.val();
        }
        self.length.next = self.header.val().length - 1;
        self.is_busy.next = self.header.val().kind == first::State::Busy;
        self.same.next = self.flit.val().header == self.header.val();
        self.flat.next = self.flit.val().into();
        match self.header.val().kind {
            first::State::Done => self.length.next = 3.into(),
            _ => {}
        }
    }
}

#[test]
fn structs_nest() {
    agrees("nested", Nested::default);
}

/// Fields that are bits and states, beside an enum of the same name with other states.
#[derive(LogicBlock, Default, Ports)]
struct Fields {
    header: Signal<In, Header>,
    state: Signal<In, second::State>,
    length: Signal<Out, Bits<7>>,
    rewritten: Signal<Out, Header>,
    is_same: Signal<Out, Bit>,
    is_busy: Signal<Out, Bit>,
}

impl Logic for Fields {
    #[hdl_gen]
    fn update(&mut self) {
        self.length.next = self.header.val().length + self.header.val().last;
        self.rewritten.next = self.header.val();
        if self.state.val() == second::State::Busy {
            self.rewritten.next.kind = first::State::Busy;
        }
        self.is_same.next = self.header.val().last == !self.header.val().length.any();
        self.is_busy.next = self.header.val().kind == first::State::Busy;
        match self.header.val().kind {
            first::State::Done => self.length.next = 5.into(),
            _ => {}
        }
    }
}

#[test]
fn fields_of_structs_keep_their_types() {
    agrees("fields", Fields::default);
}

#[derive(LogicBlock, Default, Ports)]
struct Keywords {
    always: Signal<In, Bits<4>>,
    begin: Signal<In, Bits<4>>,
    priority: Signal<In, Bit>,
    table: [Signal<In, Bits<4>>; 2],
    table_0: Signal<In, Bits<4>>,
    next: Signal<Out, Bits<4>>,
    assign: Signal<Out, Bits<4>>,
    double: Signal<Out, Bit>,
    wait: Signal<Local, Bits<4>>,
}

impl Logic for Keywords {
    #[hdl_gen]
    fn update(&mut self) {
        self.wait.next = self.always.val() ^ self.table_0.val();
        self.next.next = self.wait.val() + self.table[0].val();
        self.assign.next = self.begin.val() - self.table[1].val();
        self.double.next = self.priority.val() & self.wait.val().any();
    }
}

#[test]
fn words_of_verilog_are_names() {
    agrees("keywords", Keywords::default);
}

#[derive(LogicBlock, Ports)]
struct Casts {
    a: Signal<In, Bits<33>>,
    b: Signal<In, Bits<33>>,
    small: Signal<In, Bits<3>>,
    s: Signal<In, Signed<40>>,
    t: Signal<In, Signed<40>>,
    wide_sum: Signal<Out, Bits<70>>,
    wide_inverse: Signal<Out, Bits<70>>,
    narrow_difference: Signal<Out, Bits<31>>,
    narrow_zero: Signal<Out, Bit>,
    signed_less: Signal<Out, Bit>,
    signed_flip: Signal<Out, Bit>,
    moved: Signal<Out, Bits<33>>,
    sliced: Signal<Out, Bits<5>>,
    above: Signal<Out, Bit>,
    key: Constant<Bits<70>>,
}

impl Casts {
    fn new() -> Self {
        Self {
            a: Default::default(),
            b: Default::default(),
            small: Default::default(),
            s: Default::default(),
            t: Default::default(),
            wide_sum: Default::default(),
            wide_inverse: Default::default(),
            narrow_difference: Default::default(),
            narrow_zero: Default::default(),
            signed_less: Default::default(),
            signed_flip: Default::default(),
            moved: Default::default(),
            sliced: Default::default(),
            above: Default::default(),
            key: Constant::new(FromWords::from_words(&[0xffff_fffe, 1, 0])),
        }
    }
}

impl Logic for Casts {
    #[hdl_gen]
    fn update(&mut self) {
        self.wide_sum.next = bit_cast::<70, 33>(self.a.val() + self.b.val()) << 3;
        self.wide_inverse.next =
            bit_cast::<70, 33>(!self.a.val()) ^ 0x12_3456_789a_bcde_f012_u128.to_bits::<70>();
        self.narrow_difference.next = bit_cast::<31, 33>(self.a.val() - self.b.val()) + 1;
        self.narrow_zero.next = bit_cast::<3, 33>(self.a.val() + self.b.val()) - 1 == 7;
        self.signed_less.next = self.s.val() - self.t.val() < self.t.val();
        self.signed_flip.next = signed_cast(self.a.val()) >= -signed_cast(self.b.val());
        self.moved.next = self.a.val() << self.small.val() >> bit_cast::<6, 33>(self.b.val());
        self.sliced.next = (self.a.val() - self.b.val()).get_bits::<5>(self.small.val().index());
        self.above.next = bit_cast::<70, 33>(self.a.val()) > self.key.val();
    }
}

#[test]
fn casts_cut_and_extend_what_rust_has() {
    agrees("casts", Casts::new);
}
