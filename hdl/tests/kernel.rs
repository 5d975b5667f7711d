//! The `kernel` attribute: what it simulates, what it connects, and the tree that it builds.

use fantree_hdl::cells::{Flag, Register};
use fantree_hdl::kernel;
use fantree_hdl::wire::{cat, replicate, Value, Wire};
use rust_hdl::core::ast::VerilogStatement;
use rust_hdl::prelude::*;

/// Sums of pairs of lanes, held in registers; the last lane is kept or cleared by configuration.
#[derive(LogicBlock)]
struct Lanes {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub lane: Vec<Wire<In>>,
    pub enable: Signal<In, Bit>,
    pub sum: Vec<Wire<Out>>,
    pub joined: Wire<Out>,
    pub seen: Signal<Out, Bit>,
    total: Vec<Register>,
    flag: Flag,
    _keep_last: bool,
}

impl Lanes {
    fn new(lanes: usize, width: usize, keep_last: bool) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            lane: Wire::vec(lanes, width),
            enable: Default::default(),
            sum: Wire::vec(lanes, width + 1),
            joined: Wire::new(2 * width + 3),
            seen: Default::default(),
            total: Register::vec(lanes, width + 1),
            flag: Default::default(),
            _keep_last: keep_last,
        }
    }
}

impl Logic for Lanes {
    #[kernel]
    fn update(&mut self) {
        comment!("module: lanes");
        registers!(self.flag);
        let lanes = self.lane.len();
        for i in 0..lanes {
            registers!(self.total[i]);
            let wide = self.lane[i].bits() + 1;
            let pair =
                self.lane[i].val().resize(wide) + self.lane[(i + 1) % lanes].val().resize(wide);
            if self.enable.val() {
                self.total[i].d.next = pair;
            }
            if self._keep_last || i + 1 < lanes {
                self.sum[i].next = self.total[i].q.val();
            } else {
                self.sum[i].next = 0.into();
            }
        }
        if self.enable.val() & (self.lane[0].val() == 3) {
            self.flag.d.next = true;
        }
        self.seen.next = self.flag.q.val();
        self.joined.next = cat(
            cat(self.lane[0].val(), self.lane[1].val()),
            replicate(self.enable.val(), 3),
        );
    }
}

fn clock(block: &mut Lanes) {
    for level in [false, true] {
        block.clock.next = level.into();
        assert!(simulate(block, 20));
    }
}

#[test]
fn simulates_as_written() {
    let mut block = Lanes::new(3, 40, false);
    block.connect_all();
    block.lane[0].next = 3.into();
    block.lane[1].next = Value::new(40, (1 << 40) - 1);
    block.enable.next = true;
    clock(&mut block);
    assert_eq!(block.sum[0].val().to_u64(), (1 << 40) + 2);
    assert_eq!(block.sum[1].val().to_u64(), (1 << 40) - 1);
    assert_eq!(block.sum[2].val().to_u64(), 0, "the last lane is cleared");
    assert_eq!(
        block.joined.val().to_u128(),
        (3 << 43) | ((1 << 40) - 1) << 3 | 7
    );
    assert!(block.seen.val());
    block.enable.next = false;
    block.lane[0].next = 0.into();
    clock(&mut block);
    assert_eq!(block.sum[0].val().to_u64(), (1 << 40) + 2, "held");
    block.reset.next = true;
    clock(&mut block);
    assert_eq!(block.sum[0].val().to_u64(), 0);
    assert!(!block.seen.val());
}

#[test]
fn connects_all_that_it_drives() {
    let mut block = Lanes::new(2, 5, true);
    block.connect_all();
    check_connected(&TopWrap::new(block)).expect_err("only the inputs of the top are open");
    let mut block = TopWrap::new(Lanes::new(2, 5, true));
    block.uut.clock.connect();
    block.uut.reset.connect();
    block.uut.enable.connect();
    block.uut.lane.iter_mut().for_each(Logic::connect);
    block.connect_all();
    check_connected(&block).expect("everything is driven");
}

#[test]
fn builds_an_unrolled_tree() {
    let Verilog::Combinatorial(statements) = Lanes::new(3, 5, false).hdl() else {
        panic!("a kernel is combinatorial");
    };
    let text = format!("{statements:?}");
    for name in ["lane$2", "total$1$d", "flag$clock", "sum$2"] {
        assert!(
            text.contains(&format!("Signal(\"{name}\")")),
            "{name} in {text}"
        );
    }
    assert!(
        !text.contains("total$2$q\")))"),
        "the cleared lane reads nothing"
    );
    let loops = statements
        .iter()
        .filter(|s| matches!(s, VerilogStatement::Loop(_)));
    assert_eq!(loops.count(), 0);
}

#[test]
#[should_panic(expected = "operands of 5 and 6 bits")]
fn refuses_operands_of_different_widths() {
    let _ = Value::new(5, 1) + Value::new(6, 1);
}

#[test]
#[should_panic(expected = "a wire of 5 bits was given 6 bits")]
fn refuses_a_value_of_another_width() {
    let mut wire: Wire<In> = Wire::new(5);
    wire.next = Value::new(6, 1);
    wire.update_all();
}
