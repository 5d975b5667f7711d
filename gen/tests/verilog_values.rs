//! Expressions mean in Verilog what they mean in rust-hdl: random inputs, every operator, awkward widths.

#[macro_use]
mod common;

use rust_hdl::prelude::*;

#[derive(LogicBlock, Default)]
struct Arithmetic {
    a: Signal<In, Bits<8>>,
    b: Signal<In, Bits<8>>,
    c: Signal<In, Bits<8>>,
    flag: Signal<In, Bit>,
    wrapped_zero: Signal<Out, Bit>,
    inverted_zero: Signal<Out, Bit>,
    precedence: Signal<Out, Bit>,
    sum_less: Signal<Out, Bit>,
    widened: Signal<Out, Bits<12>>,
    widened_inverse: Signal<Out, Bits<12>>,
    widened_difference: Signal<Out, Bits<40>>,
    narrowed: Signal<Out, Bits<3>>,
    narrowed_compare: Signal<Out, Bit>,
    carried: Signal<Out, Bits<8>>,
    reversed: Signal<Out, Bits<8>>,
    mixed: Signal<Out, Bits<8>>,
    reduced: Signal<Out, Bits<8>>,
    boolean: Signal<Out, Bit>,
}

impl Logic for Arithmetic {
    #[hdl_gen]
    fn update(&mut self) {
        self.wrapped_zero.next = self.a.val() + 1 == 0;
        self.inverted_zero.next = !self.a.val() == 0;
        self.precedence.next = (self.a.val() & self.b.val()) == self.c.val();
        self.sum_less.next = self.a.val() + self.b.val() < self.c.val() - self.b.val();
        self.widened.next = bit_cast::<12, 8>(self.a.val() + self.b.val());
        self.widened_inverse.next = bit_cast::<12, 8>(!self.a.val()) + 1;
        self.widened_difference.next = bit_cast::<40, 8>(self.a.val() - self.b.val()) - 1;
        self.narrowed.next = bit_cast::<3, 8>(self.a.val() + self.b.val());
        self.narrowed_compare.next =
            bit_cast::<3, 8>(self.a.val() - self.c.val()) + 3 == bit_cast::<3, 8>(self.b.val());
        self.carried.next = self.a.val() + self.flag.val();
        self.reversed.next = 200 - self.a.val();
        self.mixed.next =
            (self.a.val() ^ self.b.val() | self.c.val()) & (0x3c | self.a.val()) ^ !self.b.val();
        self.reduced.next = bit_cast::<8, 1>(self.a.val().all().into())
            + bit_cast::<8, 1>((self.a.val() ^ self.b.val()).any().into())
            + bit_cast::<8, 1>((self.a.val() + self.b.val()).xor().into());
        self.boolean.next = (self.flag.val() && self.a.val() > 7)
            || (self.b.val() > self.c.val()) ^ (self.a.val() != self.b.val());
    }
}

#[test]
fn arithmetic_wraps_at_its_own_width() {
    agrees!(Arithmetic; a b c flag; wrapped_zero inverted_zero precedence sum_less widened widened_inverse
        widened_difference narrowed narrowed_compare carried reversed mixed reduced boolean);
}

#[derive(LogicBlock, Default)]
struct Shifts {
    a: Signal<In, Bits<8>>,
    wide: Signal<In, Bits<40>>,
    by: Signal<In, Bits<5>>,
    one: Signal<In, Bits<1>>,
    distance: Signal<In, Bits<40>>,
    left: Signal<Out, Bits<8>>,
    right: Signal<Out, Bits<40>>,
    constant: Signal<Out, Bits<8>>,
    nothing: Signal<Out, Bits<8>>,
    tiny: Signal<Out, Bits<1>>,
    number: Signal<Out, Bits<64>>,
    number_cut: Signal<Out, Bits<8>>,
    beyond: Signal<Out, Bits<40>>,
    sum: Signal<Out, Bits<8>>,
    cut: Signal<Out, Bits<3>>,
    widened: Signal<Out, Bits<12>>,
    compared: Signal<Out, Bit>,
}

impl Logic for Shifts {
    #[hdl_gen]
    fn update(&mut self) {
        self.left.next = self.a.val() << self.by.val();
        self.right.next = self.wide.val() >> self.by.val();
        self.constant.next = (self.a.val() << 3) ^ (self.a.val() >> 2);
        self.nothing.next = self.a.val() << 8;
        self.tiny.next = self.one.val() << self.by.val();
        self.number.next = 1 << self.by.val();
        self.number_cut.next = bit_cast::<8, 64>(5 << self.by.val());
        self.beyond.next = self.wide.val() >> self.distance.val();
        self.sum.next = (self.a.val() + self.a.val()) >> self.by.val();
        self.cut.next = bit_cast::<3, 8>(self.a.val() >> self.by.val());
        self.widened.next = bit_cast::<12, 8>(self.a.val() << self.by.val()) << 2;
        self.compared.next = (self.a.val() << 1) > self.a.val();
    }
}

#[test]
fn shifts_by_the_width_or_more_give_zero() {
    common::compare(
        "Shifts",
        &mut Shifts::default(),
        |block, random| {
            let driven = vec![
                common::drive("a", &mut block.a, random),
                common::drive("wide", &mut block.wide, random),
                common::drive("by", &mut block.by, random),
                common::drive("one", &mut block.one, random),
            ];
            // Further than some thousand bits, rust-hdl's own simulation fails.
            let distance: Bits<40> = bit_cast::<40, 5>(block.by.next) << 3;
            block.distance.next = distance;
            driven
                .into_iter()
                .chain([("distance", 40, distance.into())])
                .collect()
        },
        |block| {
            vec![
                common::read("left", &block.left),
                common::read("right", &block.right),
                common::read("constant", &block.constant),
                common::read("nothing", &block.nothing),
                common::read("tiny", &block.tiny),
                common::read("number", &block.number),
                common::read("number_cut", &block.number_cut),
                common::read("beyond", &block.beyond),
                common::read("sum", &block.sum),
                common::read("cut", &block.cut),
                common::read("widened", &block.widened),
                common::read("compared", &block.compared),
            ]
        },
    );
}

#[derive(LogicBlock, Default)]
struct Slices {
    a: Signal<In, Bits<8>>,
    b: Signal<In, Bits<8>>,
    odd: Signal<In, Bits<11>>,
    at: Signal<In, Bits<3>>,
    close: Signal<In, Bits<2>>,
    single: Signal<In, Bit>,
    bit_of_sum: Signal<Out, Bit>,
    bit_at: Signal<Out, Bit>,
    bit_near: Signal<Out, Bit>,
    bit_odd: Signal<Out, Bit>,
    high: Signal<Out, Bits<4>>,
    past_end: Signal<Out, Bits<6>>,
    all_past_end: Signal<Out, Bits<6>>,
    of_sum: Signal<Out, Bits<3>>,
    moving: Signal<Out, Bits<5>>,
    moving_wide: Signal<Out, Bits<20>>,
    of_logic: Signal<Out, Bits<3>>,
    of_shift: Signal<Out, Bits<4>>,
    replaced: Signal<Out, Bits<8>>,
    replaced_at: Signal<Out, Bits<8>>,
    replaced_in_sum: Signal<Out, Bits<8>>,
}

impl Logic for Slices {
    #[hdl_gen]
    fn update(&mut self) {
        self.bit_of_sum.next = (self.a.val() + self.b.val()).get_bit(5);
        self.bit_at.next = self.a.val().get_bit(self.at.val().index());
        self.bit_near.next = self.a.val().get_bit(self.close.val().index());
        self.bit_odd.next = self.odd.val().get_bit(self.at.val().index());
        self.high.next = self.a.val().get_bits::<4>(4);
        self.past_end.next = self.a.val().get_bits::<6>(5);
        self.all_past_end.next = self.a.val().get_bits::<6>(8);
        self.of_sum.next = (self.a.val() + self.b.val()).get_bits::<3>(2);
        self.moving.next = self.odd.val().get_bits::<5>(self.at.val().index());
        self.moving_wide.next = self.odd.val().get_bits::<20>(self.at.val().index());
        self.of_logic.next = (!(self.a.val() & self.b.val()) ^ 0x55).get_bits::<3>(3);
        self.of_shift.next = (self.a.val() >> 2).get_bits::<4>(3);
        self.replaced.next = self.a.val().replace_bit(3, self.single.val());
        self.replaced_at.next = self
            .a
            .val()
            .replace_bit(self.at.val().index(), self.single.val());
        self.replaced_in_sum.next = (self.a.val() + self.b.val()).replace_bit(0, self.single.val());
    }
}

#[test]
fn slices_past_the_end_read_zeros() {
    agrees!(Slices; a b odd at close single; bit_of_sum bit_at bit_near bit_odd high past_end all_past_end of_sum moving
        moving_wide of_logic of_shift replaced replaced_at replaced_in_sum);
}

#[derive(LogicBlock, Default)]
struct SignedValues {
    a: Signal<In, Signed<16>>,
    b: Signal<In, Signed<16>>,
    raw: Signal<In, Bits<16>>,
    less: Signal<Out, Bit>,
    at_least: Signal<Out, Bit>,
    sum: Signal<Out, Signed<16>>,
    difference: Signal<Out, Signed<16>>,
    negated: Signal<Out, Signed<16>>,
    product: Signal<Out, Signed<32>>,
    product_of_sum: Signal<Out, Signed<32>>,
    raw_less: Signal<Out, Bit>,
    unsigned_less: Signal<Out, Bit>,
    low: Signal<Out, Signed<4>>,
    sign: Signal<Out, Bit>,
}

impl Logic for SignedValues {
    #[hdl_gen]
    fn update(&mut self) {
        self.less.next = self.a.val() < self.b.val();
        self.at_least.next = self.a.val() + self.b.val() >= -self.b.val();
        self.sum.next = self.a.val() + self.b.val();
        self.difference.next = self.a.val() - self.b.val();
        self.negated.next = -self.a.val();
        self.product.next = self.a.val() * self.b.val();
        self.product_of_sum.next = (self.a.val() + self.b.val()) * self.b.val();
        self.raw_less.next = signed_cast(self.raw.val()) < (-5).into();
        self.unsigned_less.next = unsigned_cast(self.a.val()) < self.raw.val();
        self.low.next = self.a.val().get_bits::<4>(3);
        self.sign.next = self.a.val().get_bit(15);
    }
}

#[test]
fn signed_values_compare_and_multiply_with_their_sign() {
    agrees!(SignedValues; a b raw; less at_least sum difference negated product product_of_sum raw_less unsigned_less
        low sign);
}

#[derive(LogicBlock)]
struct Wide {
    a: Signal<In, Bits<100>>,
    magic: Constant<Bits<100>>,
    step: Constant<Bits<8>>,
    on: Constant<Bit>,
    same: Signal<Out, Bit>,
    masked: Signal<Out, Bits<100>>,
    stepped: Signal<Out, Bits<100>>,
    gated: Signal<Out, Bits<100>>,
}

impl Default for Wide {
    fn default() -> Self {
        let magic: num_bigint::BigUint =
            (num_bigint::BigUint::from(0xdead_beef_u64) << 64) + 0x1234_5678_9abc_def0_u64;
        Self {
            a: Default::default(),
            magic: Constant::new(magic.into()),
            step: Constant::new(200.into()),
            on: Constant::new(true),
            same: Default::default(),
            masked: Default::default(),
            stepped: Default::default(),
            gated: Default::default(),
        }
    }
}

impl Logic for Wide {
    #[hdl_gen]
    fn update(&mut self) {
        self.same.next = (self.a.val() | self.magic.val()) == self.magic.val();
        self.masked.next = self.a.val() ^ self.magic.val();
        self.stepped.next = self.a.val() + bit_cast::<100, 8>(self.step.val() + 100);
        self.gated.next = bits::<100>(7);
        if self.on.val() {
            self.gated.next = self.a.val() - self.magic.val();
        }
    }
}

#[test]
fn constants_may_be_wider_than_a_word() {
    agrees!(Wide; a; same masked stepped gated);
}

#[derive(LogicBlock, Default)]
struct Control {
    a: Signal<In, Bits<4>>,
    b: Signal<In, Bits<4>>,
    flag: Signal<In, Bit>,
    inputs: [Signal<In, Bits<4>>; 4],
    chosen: Signal<Out, Bits<4>>,
    counted: Signal<Out, Bits<4>>,
    first: Signal<Out, Bits<4>>,
    chained: Signal<Out, Bits<4>>,
    both: Signal<Out, Bits<4>>,
    half: Signal<Local, Bits<4>>,
    pair: Signal<Out, Bits<8>>,
}

impl Logic for Control {
    #[hdl_gen]
    fn update(&mut self) {
        self.half.next = self.a.val() >> 1;
        self.chosen.next = 9.into();
        match self.a.val().index() {
            0 => self.chosen.next = self.b.val(),
            1 => {
                if self.flag.val() {
                    self.chosen.next = !self.b.val();
                }
            }
            0x0e => {}
            99 => self.chosen.next = 1.into(),
            _ => self.chosen.next = self.half.val(),
        }
        match self.flag.val() {
            true => self.both.next = self.a.val(),
            false => self.both.next = self.b.val(),
        }
        self.first.next = 15.into();
        self.counted.next = 0.into();
        for i in 0..4 {
            if self.a.val() == i.to_bits() {
                self.first.next = self.inputs[3 - i].val();
            }
            if i == 2 {
                self.counted.next = self.inputs[i].val() + i.to_bits();
            }
        }
        if self.a.val() > 12 {
            self.chained.next = 1.into();
        } else if self.a.val() > 8 {
            self.chained.next = self.b.val();
        } else if self.flag.val() {
            self.chained.next = 3.into();
        } else {
            self.chained.next = self.a.val();
        }
        self.pair.next = (bit_cast::<8, 4>(self.a.val()) << 4) | bit_cast::<8, 4>(self.b.val());
    }
}

#[test]
fn control_flow_picks_the_same_branch() {
    common::compare(
        "Control",
        &mut Control::default(),
        |block, random| {
            let mut driven = vec![
                common::drive("a", &mut block.a, random),
                common::drive("b", &mut block.b, random),
                common::drive("flag", &mut block.flag, random),
            ];
            let names = ["inputs_0", "inputs_1", "inputs_2", "inputs_3"];
            for (name, port) in names.iter().zip(&mut block.inputs) {
                driven.push(common::drive(name, port, random));
            }
            driven
        },
        |block| {
            vec![
                common::read("chosen", &block.chosen),
                common::read("counted", &block.counted),
                common::read("first", &block.first),
                common::read("chained", &block.chained),
                common::read("both", &block.both),
                common::read("pair", &block.pair),
            ]
        },
    );
}
