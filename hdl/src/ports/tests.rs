use super::*;
use crate::wire::Wire;
use rust_hdl::prelude::*;

#[derive(Copy, Clone, PartialEq, Debug, LogicState, FromWords)]
enum Kind {
    Idle,
    Busy,
    Done,
}

#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct, FromWords)]
struct Flit {
    tail: Bit,
    data: Bits<40>,
    kind: Kind,
}

struct Bundle {
    valid: Signal<In, Bit>,
    ready: Signal<Out, Bit>,
}

// `LogicInterface` wants a join partner; the ports are all that matters here.
impl Ports for Bundle {
    fn visit_ports(&mut self, name: &Name, visitor: &mut dyn Visitor) {
        self.valid.visit_ports(&name.field("valid"), visitor);
        self.ready.visit_ports(&name.field("ready"), visitor);
    }
}

#[derive(Ports)]
struct Everything<const N: usize> {
    clock: Signal<In, Clock>,
    #[allow(dead_code)]
    local: Signal<Local, Bit>,
    bits: Signal<In, Bits<N>>,
    flit: Signal<In, Flit>,
    wires: Vec<Vec<Wire<In>>>,
    pair: [Signal<Out, Signed<9>>; 2],
    #[ports]
    bundle: Bundle,
    r#type: Wire<Out>,
    _count: usize,
}

impl<const N: usize> Everything<N> {
    fn new() -> Self {
        Self {
            clock: Default::default(),
            local: Default::default(),
            bits: Default::default(),
            flit: Default::default(),
            wires: vec![Wire::vec(2, 70), Wire::vec(1, 3)],
            pair: Default::default(),
            bundle: Bundle {
                valid: Default::default(),
                ready: Default::default(),
            },
            r#type: Wire::new(33),
            _count: 0,
        }
    }
}

/// Drives the same words everywhere; notes what it sees.
struct Driver<'a>(&'a [u32], Vec<String>);

impl Visitor for Driver<'_> {
    fn input(&mut self, name: &Name, port: &mut dyn Input) {
        let (width, clock) = (port.width(), port.is_clock());
        let driven = port.drive(self.0);
        let clock = if clock { " clock" } else { "" };
        self.1.push(format!("in {name} {width}{clock} {driven:x?}"));
    }

    fn output(&mut self, name: &Name, port: &dyn Output) {
        let (width, words) = (port.width(), port.words());
        self.1.push(format!("out {name} {width} {words:x?}"));
    }
}

#[test]
fn every_port_is_visited_with_its_name_and_driven_within_its_width() {
    let mut block = Everything::<130>::new();
    block.pair[1].next = (-1i64).into();
    let mut driver = Driver(&[!0; 5], vec![]);
    block.visit_ports(&Name::root(), &mut driver);
    assert_eq!(
        driver.1,
        [
            "in clock 1 clock [1]",
            "in bits 130 [ffffffff, ffffffff, ffffffff, ffffffff, 3]",
            // 1 tail, 40 bits of data, and state 3 of 3 is state 0.
            "in flit 43 [ffffffff, 1ff]",
            "in wires$0$0 70 [ffffffff, ffffffff, 3f]",
            "in wires$0$1 70 [ffffffff, ffffffff, 3f]",
            "in wires$1$0 3 [7]",
            "out pair$0 9 [0]",
            "out pair$1 9 [1ff]",
            "in bundle$valid 1 [1]",
            "out bundle$ready 1 [0]",
            "out type 33 [0, 0]",
        ]
    );
    assert!(block.flit.next.tail && block.flit.next.kind == Kind::Idle);
}

#[test]
fn structs_take_their_slices_in_order() {
    let flit = Flit {
        tail: true,
        data: 0x12_3456_789a.into(),
        kind: Kind::Done,
    };
    assert_eq!(to_words(flit), [0x68ac_f135, 0x424]);
    assert_eq!(Flit::from_words(&to_words(flit)), flit);
    assert_eq!(Kind::from_words(&[0xd]), Kind::Busy);
}

#[test]
fn words_and_values_agree_at_all_widths() {
    fn there_and_back<const N: usize>() {
        let words: Vec<u32> = (1..=N.div_ceil(32) as u32)
            .map(|i| i.wrapping_mul(0x9e37_79b9))
            .collect();
        let value = Bits::<N>::from_words(&words);
        for bit in 0..N {
            assert_eq!(
                value.get_bit(bit),
                words[bit / 32] >> (bit % 32) & 1 == 1,
                "{N}"
            );
        }
        assert_eq!(Bits::<N>::from_words(&to_words(value)), value, "{N}");
        let signed = Signed::<N>::from_words(&words);
        assert_eq!(to_words(signed), to_words(value), "{N}");
    }
    there_and_back::<1>();
    there_and_back::<5>();
    there_and_back::<31>();
    there_and_back::<32>();
    there_and_back::<33>();
    there_and_back::<64>();
    there_and_back::<65>();
    there_and_back::<130>();
}

#[test]
fn foreign_types_are_driven_by_a_function() {
    let mut signal: Signal<In, Kind> = Default::default();
    let mut input = Converted {
        signal: &mut signal,
        convert: |words: &[u32]| {
            if words[0] == 3 {
                Kind::Done
            } else {
                Kind::Busy
            }
        },
    };
    assert_eq!(input.drive(&[0xff]), [2]);
    assert_eq!(input.drive(&[0xf0]), [1]);
    assert_eq!(signal.next, Kind::Busy);
}
