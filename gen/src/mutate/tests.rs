//! Each kind of fault on small modules, and the designs that come of it.

use std::collections::{BTreeSet, HashSet};

use fantree_hdl::cells::{Fifo, Ram};
use rust_hdl::prelude::*;
use strum::IntoEnumIterator;

use super::*;
use crate::emit;

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
    x: Signal<In, Bits<2>>,
    y: Signal<In, Bits<2>>,
    pair: Signal<Out, Bits<4>>,
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
        self.pair.next = (bit_cast::<4, 2>(self.x.val()) << 2) | bit_cast::<4, 2>(self.y.val());
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
        ("parent/swapped-parts/pair", "{y, x}"),
    ] {
        assert_eq!(
            wrong(&design, name),
            expected,
            "{name}\n{}",
            design.to_verilog()
        );
    }
}

#[test]
fn faults_of_primitives_and_of_what_is_built_of_them() {
    let mut fifo = Fifo::new(8, 5);
    fifo.connect_all();
    let design = emit(&fifo, "fifo").unwrap();
    for (name, expected) in [
        ("fifo/stale-register/held.d", "held_q"),
        ("fifo/wrong-comparison/empty", "held_q != 3'd0"),
        ("fifo/missing-enable/head.advance", "1'b1"),
        ("lut_ram/missing-enable/words", "1'b1"),
        ("lut_ram/inverted-condition/words", "!(write_enable)"),
        ("register/missing-reset/q", "1'b0"),
        ("register/wrong-constant/q", "3'd1"),
    ] {
        assert_eq!(wrong(&design, name), expected, "{name}");
    }
}

/// A slip in a unit is in all its variants, whatever their sizes are.
#[test]
fn a_mutant_is_in_every_variant_of_its_unit() {
    #[derive(LogicBlock)]
    struct Two {
        clock: Signal<In, Clock>,
        a: Ram,
        b: Ram,
    }
    impl Logic for Two {
        #[hdl_gen]
        fn update(&mut self) {
            self.a.clock.next = self.clock.val();
            self.b.clock.next = self.clock.val();
            self.a.write_enable.next = true;
            self.b.write_enable.next = true;
            self.a.read_enable.next = true;
            self.b.read_enable.next = true;
            self.a.write_address.next = self.a.read_data.val();
            self.b.write_address.next = self.b.read_data.val();
            self.a.read_address.next = self.a.read_data.val();
            self.b.read_address.next = self.b.read_data.val();
            self.a.write_data.next = self.a.read_data.val();
            self.b.write_data.next = self.b.read_data.val();
        }
    }
    let two = Two {
        clock: Signal::default(),
        a: Ram::new(3, 8),
        b: Ram::new(4, 16),
    };
    let design = emit(&two, "two").unwrap();
    let mutant = named(mutants(&design), "ram/missing-enable/words").unwrap();
    let modules: Vec<&str> = mutant.changes.iter().map(|it| it.module.as_str()).collect();
    assert_eq!(modules, ["ram_8x3", "ram_16x4"]);
}

#[test]
fn a_name_that_there_is_not_is_answered_by_names_like_it() {
    let error = named(mutants(&parent()), "parent/lost-credits/child.freed").unwrap_err();
    let text = error.to_string();
    let expected = "there is no mutant `parent/lost-credits/child.freed`; names like it: \
                    parent/lost-credit/child.freed, ";
    assert!(text.starts_with(expected), "{text}");
}

/// Two faults of one expression and one of another: a choice each, and the input that chooses.
#[test]
fn a_woven_design_holds_all_faults() {
    let design = parent();
    let some = [
        "parent/off-by-one/more",
        "parent/stuck-at-one/more",
        "child/wrong-operator/free",
    ];
    let some: Vec<Mutant> = some
        .iter()
        .map(|name| named(mutants(&design), name).unwrap())
        .collect();
    let woven = weave(design.clone(), &some, "parent");
    let parent = woven.top();
    assert!(parent
        .text
        .starts_with("module parent (\n  input  wire [15:0] mutant,\n"));
    assert_eq!(
        (parent.ports[0].name.as_str(), parent.ports[0].width),
        (SELECT, 16)
    );
    let more = "assign more = (parent.mutant == 16'd1 ? ((count <= 4'd9) | is_tail) :\n\
                parent.mutant == 16'd2 ? (1'b1) :\n((count < 4'd9) | is_tail));";
    assert!(parent.text.contains(more), "{}", parent.text);
    let free = "free = (parent.mutant == 16'd3 ? (freed - 2'd1) :\n(freed + 2'd1));";
    let child = &woven.module("child").unwrap().text;
    assert!(child.contains(free), "{child}");
    assert_eq!(
        weave(design.clone(), &[] as &[Mutant], "parent").modules()[0].text,
        design.modules()[0].text
    );
}

/// A router has faults of every kind, and some in every unit; a sample has as well.
#[test]
fn a_router_has_every_kind_of_fault() {
    let config = "name = \"small\"\n[router]\nrows = 2\ncolumns = 2";
    let config = crate::config::Config::parse("small", config).unwrap();
    let design = crate::generate(&config).unwrap();
    let all = mutants(&design);
    let names: HashSet<String> = all.iter().map(Mutant::name).collect();
    assert_eq!(names.len(), all.len(), "names are unique");
    let units: BTreeSet<&str> = design.modules().iter().map(unit).collect();
    let units_of = |mutants: &[Mutant]| -> BTreeSet<String> {
        mutants.iter().map(|mutant| mutant.unit.clone()).collect()
    };
    let kinds_of = |mutants: &[Mutant]| -> BTreeSet<Kind> {
        mutants.iter().map(|mutant| mutant.kind).collect()
    };
    for some in [all.clone(), sample(all.clone(), 400)] {
        assert!(units_of(&some).iter().eq(&units), "{:?}", units_of(&some));
        assert!(kinds_of(&some).into_iter().eq(Kind::iter()));
    }
    let few = sample(all.clone(), 40);
    assert_eq!(few.len(), 40);
    assert!(units_of(&few).len() > 20 && kinds_of(&few).len() > 10);
    let more: HashSet<String> = sample(all, 80).iter().map(Mutant::name).collect();
    assert!(
        few.iter().all(|mutant| more.contains(&mutant.name())),
        "more is what is less, and others"
    );
}
