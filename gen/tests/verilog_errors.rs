//! What cannot be printed right is an error that names block, signal and expression.

use fantree_gen::verilog::{emit, Cause, Fault};
use rust_hdl::core::ast::{VerilogExpression, VerilogStatement};
use rust_hdl::prelude::*;

#[allow(unused_macros)]
macro_rules! comment {
    ($text:literal) => {};
}

/// The faults of a block.
fn faults(block: &dyn Block) -> Vec<Fault> {
    match emit(block, "top") {
        Ok(design) => panic!("this was emitted:\n{}", design.to_verilog()),
        Err(error) => error.faults,
    }
}

/// The one cause why a block is not emitted.
fn cause(block: &dyn Block) -> Cause {
    let mut faults = faults(block);
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.remove(0).cause
}

/// A block of two inputs, two outputs and a local, with a kernel of the test's own.
macro_rules! kernel {
    ($($update:tt)*) => {{
        #[derive(LogicBlock, Default)]
        struct Uut {
            a: Signal<In, Bits<8>>,
            flag: Signal<In, Bit>,
            s: Signal<In, Signed<8>>,
            x: Signal<Out, Bits<8>>,
            y: Signal<Out, Bits<8>>,
            t: Signal<Local, Bits<8>>,
        }
        impl Logic for Uut {
            $($update)*
        }
        Uut::default()
    }};
}

/// The same ports with a syntax tree that rust-hdl's macro would not make.
#[derive(LogicBlock, Default)]
struct Tree {
    a: Signal<In, Bits<8>>,
    s: Signal<In, Signed<16>>,
    x: Signal<Out, Bits<8>>,
    _value: Option<VerilogExpression>,
}

impl Logic for Tree {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        let x = VerilogExpression::Signal("x$next".into());
        let value = self._value.clone().unwrap_or_else(|| signal("a"));
        Verilog::Combinatorial(vec![VerilogStatement::Assignment(x, value)])
    }
}

fn signal(name: &str) -> VerilogExpression {
    VerilogExpression::Signal(name.into())
}

fn tree(value: VerilogExpression) -> Tree {
    Tree {
        _value: Some(value),
        ..Tree::default()
    }
}

const LIMIT: u64 = 3;

#[test]
fn a_constant_of_rust_is_unknown() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            self.x.next = self.a.val() + LIMIT;
            self.y.next = self.a.val();
        }
    );
    let name = "LIMIT".to_string();
    assert_eq!(cause(&block), Cause::UnknownName { name });
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum Direction {
    N,
    S,
}

#[derive(LogicBlock, Default)]
struct Compass<const N: usize> {
    way: Signal<In, Direction>,
    a: Signal<In, Bits<1>>,
    south: Signal<Out, Bit>,
    x: Signal<Out, Bit>,
}

impl<const N: usize> Logic for Compass<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.south.next = self.way.val() == Direction::S;
        self.x.next = self.a.val() == N.to_bits();
    }
}

#[test]
fn a_const_generic_is_no_state_of_that_name() {
    let _ = Direction::N;
    let name = "N".to_string();
    assert_eq!(cause(&Compass::<1>::default()), Cause::UnknownName { name });
}

#[derive(LogicBlock, Default)]
struct Generic<const N: usize> {
    a: Signal<In, Bits<8>>,
    x: [Signal<Out, Bits<8>>; 2],
}

impl<const N: usize> Logic for Generic<N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.x[0].next = self.a.val();
        self.x[N].next = self.a.val();
    }
}

#[test]
fn a_const_generic_as_an_index_is_unknown() {
    let expected = Cause::Index {
        name: "x[N]".into(),
        why: "`N` is not known".into(),
    };
    assert_eq!(cause(&Generic::<1>::default()), expected);
}

#[test]
fn a_literal_must_fit() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            self.x.next = self.a.val() + 256;
            self.y.next = self.a.val();
        }
    );
    let expected = Cause::Literal {
        literal: "256".into(),
        width: 8,
        expression: "a + 256".into(),
    };
    assert_eq!(cause(&block), expected);
}

#[test]
fn widths_must_match() {
    let sum = VerilogExpression::Binary(
        Box::new(signal("a")),
        rust_hdl::core::ast::VerilogOp::Add,
        Box::new(VerilogExpression::Unsigned(Box::new(signal("s")))),
    );
    let expected = Cause::Widths {
        expression: "a + unsigned_cast(s)".into(),
        left: 8,
        right: 16,
    };
    assert_eq!(cause(&tree(sum)), expected);
    let wide = VerilogExpression::Unsigned(Box::new(signal("s")));
    let expected = Cause::AssignedWidth {
        signal: "x".into(),
        width: 8,
        expression: "unsigned_cast(s)".into(),
        found: 16,
    };
    assert_eq!(cause(&tree(wide)), expected);
}

#[test]
fn signed_and_unsigned_do_not_mix() {
    let narrow = VerilogExpression::Slice(
        Box::new(signal("s")),
        8,
        Box::new(VerilogExpression::Literal(0usize.into())),
    );
    let expression = "s.get_bits::<8>(0)".to_string();
    assert_eq!(cause(&tree(narrow)), Cause::Signedness { expression });
}

#[derive(LogicBlock, Default)]
struct Widening {
    s: Signal<In, Signed<8>>,
    x: Signal<Out, Signed<16>>,
}

impl Logic for Widening {
    #[hdl_gen]
    fn update(&mut self) {
        self.x.next = signed_bit_cast(self.s.val());
    }
}

#[test]
fn the_width_of_a_signed_bit_cast_is_lost() {
    let expression = "signed_cast(s)".to_string();
    assert_eq!(
        cause(&Widening::default()),
        Cause::SignedCast { expression }
    );
}

#[test]
fn a_condition_is_one_bit() {
    let index = VerilogExpression::IndexReplace(
        Box::new(signal("a")),
        Box::new(VerilogExpression::Literal(0usize.into())),
        Box::new(signal("a")),
    );
    let expected = Cause::NotOneBit {
        expression: "a".into(),
        width: 8,
    };
    assert_eq!(cause(&tree(index)), expected);
}

#[test]
fn a_read_between_two_writes_is_found() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            self.t.next = self.a.val();
            self.x.next = self.t.val();
            if self.flag.val() {
                self.t.next = 1.into();
            }
            self.y.next = self.t.val();
        }
    );
    let expected = Cause::ReadBetweenWrites {
        signal: "t".into(),
        expression: "the assignment to x".into(),
    };
    assert_eq!(cause(&block), expected);
}

#[test]
fn a_signal_built_up_step_by_step_is_found() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            self.x.next = 0.into();
            for i in 0..2_usize {
                self.x.next = self.x.val() + i.to_bits();
            }
            self.y.next = self.a.val();
        }
    );
    assert!(faults(&block).iter().any(|fault| {
        fault.cause
            == Cause::ReadBetweenWrites {
                signal: "x".into(),
                expression: "the assignment to x".into(),
            }
    }));
}

#[test]
fn writes_on_different_paths_are_no_fault() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            if self.flag.val() {
                self.t.next = self.a.val();
                self.x.next = self.t.val();
            } else {
                self.t.next = 1.into();
                self.x.next = self.t.val() + 1;
            }
            self.y.next = self.t.val();
        }
    );
    assert!(emit(&block, "top").is_ok());
}

#[test]
fn a_latch_is_found() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            if self.flag.val() {
                self.x.next = self.a.val();
            }
            self.y.next = self.a.val();
        }
    );
    let signal = "x".to_string();
    assert_eq!(cause(&block), Cause::Latch { signal });
}

#[test]
fn a_signal_that_is_read_must_be_driven() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            self.x.next = self.t.val();
            self.y.next = self.a.val();
        }
    );
    let signal = "t".to_string();
    assert_eq!(cause(&block), Cause::Undriven { signal });
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            self.x.next = self.a.val();
        }
    );
    let signal = "y".to_string();
    assert_eq!(cause(&block), Cause::Undriven { signal });
}

#[test]
fn an_input_cannot_be_assigned() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            self.x.next = self.a.val();
            self.y.next = self.a.val();
            self.flag.next = true;
        }
    );
    let signal = "flag".to_string();
    assert_eq!(cause(&block), Cause::WrittenInput { signal });
}

#[test]
fn a_combinational_loop_is_found() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            self.t.next = self.y.val() + 1;
            self.x.next = self.a.val();
            self.y.next = self.t.val();
        }
    );
    let signals = ["t", "y", "t"].map(String::from).to_vec();
    assert_eq!(cause(&block), Cause::Loop { signals });
}

#[test]
fn a_loop_variable_called_like_a_signal_is_ambiguous() {
    let block = kernel!(
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.a.val();
            for t in 0..2_usize {
                self.x.next = t.to_bits();
            }
            self.t.next = 1.into();
        }
    );
    let name = "t".to_string();
    assert!(faults(&block)
        .iter()
        .any(|fault| fault.cause == Cause::AmbiguousName { name: name.clone() }));
}

#[derive(LogicBlock, Default)]
struct Inner {
    d: Signal<In, Bits<8>>,
    q: Signal<Out, Bits<8>>,
}

impl Logic for Inner {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module: inner");
        self.q.next = self.d.val() + 256;
    }
}

#[derive(LogicBlock)]
struct Outer {
    inners: Vec<Inner>,
    x: Signal<Out, Bits<8>>,
}

impl Logic for Outer {
    #[hdl_gen]
    fn update(&mut self) {
        self.inners[1].d.next = self.inners[2].q.val();
        self.inners[2].d.next = self.inners[1].q.val();
        self.inners[0].q.next = 1.into();
        self.x.next = self.inners[1].q.val();
    }
}

#[test]
fn every_fault_is_reported_where_it_stands() {
    let outer = Outer {
        inners: (0..3).map(|_| Inner::default()).collect(),
        x: Default::default(),
    };
    let error = emit(&outer, "top").expect_err("two faults");
    insta::assert_snapshot!(error, @r"
    top.inners[0] (module inner): `d + 256`: 256 does not fit 8 bits
    top: `inners[0].q` is driven by the child block and cannot be assigned here
    ");
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum Only {
    One,
}

#[derive(LogicBlock, Default)]
struct Empty {
    a: Signal<In, Only>,
}

impl Logic for Empty {
    #[hdl_gen]
    fn update(&mut self) {}
}

#[test]
fn a_signal_has_bits() {
    let _ = Only::One;
    let signal = "a".to_string();
    assert_eq!(cause(&Empty::default()), Cause::NoWidth { signal });
}

#[test]
fn the_top_is_one_block_with_a_name() {
    let block = Tree::default();
    assert_eq!(
        cause(&vec![Tree::default(), Tree::default()]),
        Cause::NotOneBlock
    );
    assert_eq!(cause(&Signal::<In, Bit>::default()), Cause::NotOneBlock);
    for name in ["module", "1a", "a$b", ""] {
        let error = emit(&block, name).expect_err("no name of a module");
        assert_eq!(error.faults[0].cause, Cause::TopName(name.into()));
    }
}

#[derive(LogicBlock, Default)]
struct Box1 {
    d: Signal<In, Bit>,
}

impl Logic for Box1 {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Blackbox(BlackBox {
            code: "(* blackbox *)\nmodule BOX(d);\n  input d;\nendmodule".into(),
            name: "BOX".into(),
        })
    }
}

#[derive(LogicBlock, Default)]
struct Box2 {
    d: Signal<In, Bit>,
}

impl Logic for Box2 {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Blackbox(BlackBox {
            code: "(* blackbox *)\nmodule BOX(input d);\nendmodule".into(),
            name: "BOX".into(),
        })
    }
}

#[derive(LogicBlock, Default)]
struct TwoBoxes {
    d: Signal<In, Bit>,
    one: Box1,
    two: Box2,
}

impl Logic for TwoBoxes {
    #[hdl_gen]
    fn update(&mut self) {
        self.one.d.next = self.d.val();
        self.two.d.next = self.d.val();
    }
}

#[test]
fn black_boxes_of_one_name_are_the_same() {
    assert_eq!(cause(&Box1::default()), Cause::TopIsBlackBox);
    let name = "BOX".to_string();
    assert_eq!(cause(&TwoBoxes::default()), Cause::ExternalClash { name });
}

#[derive(LogicBlock, Default)]
struct Pad {
    bus: Signal<InOut, Bits<8>>,
}

impl Logic for Pad {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Custom("assign bus = 8'bz;".into())
    }
}

#[derive(LogicBlock, Default)]
struct BadPads {
    bus: Signal<InOut, Bits<8>>,
    other: Signal<InOut, Bits<8>>,
    pad: Pad,
    loose: Pad,
}

impl Logic for BadPads {
    #[hdl_gen]
    fn update(&mut self) {
        Signal::<InOut, Bits<8>>::link(&mut self.bus, &mut self.pad.bus);
        Signal::<InOut, Bits<8>>::link(&mut self.other, &mut self.pad.bus);
        self.bus.next = 1.into();
    }
}

#[test]
fn bidirectional_signals_are_linked_once_and_not_assigned() {
    let found: Vec<Cause> = faults(&BadPads::default())
        .into_iter()
        .map(|fault| fault.cause)
        .collect();
    let expected = [
        Cause::WrittenInOut {
            signal: "bus".into(),
        },
        Cause::LinkedInOuts {
            first: "other".into(),
            second: "bus".into(),
        },
        Cause::UnlinkedInOut {
            signal: "loose.bus".into(),
        },
    ];
    assert_eq!(found, expected);
}
