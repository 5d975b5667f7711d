//! Each kind of fault on the smallest module that has room for it, and the designs that come of it.

use rust_hdl::prelude::*;

use super::*;
use crate::emit;

/// A block with something for every operator that Verilog of ours has.
#[derive(LogicBlock, Default)]
struct Child {
    reset: Signal<In, Bit>,
    freed: Signal<In, Bits<2>>,
    push: Signal<In, Bit>,
    free: Signal<Out, Bits<2>>,
}

impl Logic for Child {
    #[hdl_gen]
    fn update(&mut self) {
        self.free.next = 0.into();
        if self.push.val() & !self.reset.val() {
            self.free.next = self.freed.val() + 1;
        }
    }
}

#[derive(LogicBlock, Default)]
struct Parent {
    reset: Signal<In, Bit>,
    count: Signal<In, Bits<4>>,
    tx_ready: Signal<In, Bit>,
    is_tail: Signal<In, Bit>,
    more: Signal<Out, Bit>,
    grant: Signal<Out, Bits<2>>,
    child: Child,
}

impl Logic for Parent {
    #[hdl_gen]
    fn update(&mut self) {
        self.child.reset.next = self.reset.val();
        self.child.push.next = self.tx_ready.val();
        self.child.freed.next = self.count.val().get_bits::<2>(1);
        self.more.next = (self.count.val() < 9) | self.is_tail.val();
        self.grant.next = self.child.free.val() & bits::<2>(3);
    }
}

fn parent() -> Design {
    emit(&Parent::default(), "parent").unwrap()
}

/// What the mutant makes of its expression.
fn wrong(design: &Design, name: &str) -> String {
    let mutant = named(mutants(design), name).unwrap();
    assert_eq!(mutant.changes.len(), 1, "{name}");
    mutant.changes[0].wrong.clone()
}

#[test]
fn each_kind_changes_what_it_says() {
    let design = parent();
    for (name, expected) in [
        ("child/inverted-condition/free", "!(push & !reset)"),
        ("child/missing-not/free", "push & reset"),
        ("child/and-for-or/free", "push | !reset"),
        ("child/wrong-operator/free", "freed - 2'd1"),
        ("child/off-by-one/free", "freed + 2'd2"),
        ("child/wrong-constant/free", "2'd1"),
        ("child/stuck-at-one/free", "(freed + 2'd1) | 2'd1"),
        (
            "child/stuck-at-zero/free",
            "(freed + 2'd1) & {{1{1'b1}}, 1'b0}",
        ),
        ("parent/missing-reset/child.reset", "1'b0"),
        ("parent/missing-enable/child.push", "1'b1"),
        ("parent/swapped-ready/child.push", "!tx_ready"),
        (
            "parent/lost-credit/child.freed",
            "(count[2:1]) & {{1{1'b1}}, 1'b0}",
        ),
        (
            "parent/doubled-credit/child.freed",
            "(count[2:1]) | ((count[2:1]) << 1)",
        ),
        ("parent/wrong-select/child.freed", "count[3:2]"),
        ("parent/dropped-tail/more", "(count < 4'd9) | 1'b0"),
        ("parent/off-by-one/more", "(count <= 4'd9) | is_tail"),
        ("parent/off-by-one/more.2", "(count < 4'd10) | is_tail"),
        ("parent/stuck-arbiter/grant", "2'd1"),
    ] {
        assert_eq!(
            wrong(&design, name),
            expected,
            "{name}\n{}",
            design.to_verilog()
        );
    }
}
