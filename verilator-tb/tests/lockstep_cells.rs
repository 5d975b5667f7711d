//! Every cell in lockstep: Rust simulation and Verilated Verilog agree at every output in every cycle.

use fantree_hdl::cells::*;
use fantree_hdl::ports::FromWords;
use fantree_tb::lockstep::{Cycle, Error, Lockstep};
use rust_hdl::prelude::*;

/// Legal or not, whatever the cell is given must mean the same on both sides.
macro_rules! lockstep {
    ($($name:ident: $($block:expr),+;)*) => {
        $(#[test]
        fn $name() {
            $(check(Lockstep::new(stringify!($name), || $block));)+
        })*
    };
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState, FromWords)]
enum State {
    Idle,
    Busy,
    Done,
}

/// A default that is not all zeros.
#[derive(Copy, Clone, PartialEq, Debug, LogicStruct, FromWords)]
struct Timer {
    state: State,
    left: Bits<3>,
}

impl Default for Timer {
    fn default() -> Self {
        Self {
            state: State::Idle,
            left: 5.into(),
        }
    }
}

fn check<B: Block>(bench: Lockstep<B>) {
    if let Err(error) = bench.cycles(2000).run() {
        panic!("{error}");
    }
}

lockstep! {
    register: Register::new(1), Register::with_reset(70, 9);
    flag: Flag::default();
    falling_flag: FallingFlag::default();
    state_register: StateRegister::<State>::default(), StateRegister::<Timer>::default();
    gray_counter: GrayCounter::new(1), GrayCounter::new(5);
    modulo_counter: ModuloCounter::new(1), ModuloCounter::new(5), ModuloCounter::new(8);
    synchronizer: Synchronizer::new(3);
    fifo: Fifo::new(134, 16), Fifo::new(8, 5), Fifo::new(33, 1);
    async_fifo: AsyncFifo::new(40, 4), AsyncFifo::new(8, 16);
    credit_counter: CreditCounter::new(1), CreditCounter::with_steps(69, 7, 3), CreditCounter::with_steps(3, 7, 15);
    round_robin_arbiter: RoundRobinArbiter::new(1), RoundRobinArbiter::new(5), RoundRobinArbiter::new(64);
    hierarchical_arbiter: HierarchicalArbiter::new(1), HierarchicalArbiter::new(9), HierarchicalArbiter::new(40),
        HierarchicalArbiter::new(64);
    weighted_arbiter: WeightedArbiter::new(1, 1), WeightedArbiter::new(5, 4), WeightedArbiter::new(40, 2);
    one_hot_encoder: OneHotEncoder::new(1), OneHotEncoder::new(40);
    one_hot_mux: OneHotMux::new(1, 1), OneHotMux::new(5, 134);
    crc8: Crc8::default();
    crc32c_word: Crc32cWord::default();
    crc32c: Crc32c::default();
}

/// Past the end of a memory nothing is promised.
fn below(cycle: &mut Cycle, address: &str, depth: u64) {
    let wanted = cycle.get(address);
    cycle.set(address, wanted % depth);
}

#[test]
fn memories() {
    for depth in [1, 5, 16] {
        let bench = Lockstep::new("lut_ram", || LutRam::new(134, depth));
        check(bench.constrain(move |cycle| {
            below(cycle, "write_address", depth as u64);
            below(cycle, "read_address", depth as u64);
        }));
    }
    type Make = fn(usize, usize) -> Ram;
    for make in [Ram::new as Make, Ram::without_collisions] {
        let bench = Lockstep::new("ram", || make(70, 13));
        check(bench.constrain(|cycle| {
            below(cycle, "write_address", 13);
            below(cycle, "read_address", 13);
        }));
    }
    let bench = Lockstep::new("ram2", || Ram2::new(9, 6));
    check(bench.constrain(|cycle| {
        for address in ["write_address", "read_address$0", "read_address$1"] {
            below(cycle, address, 6);
        }
    }));
}

/// A counter whose rules are kept stays in the middle of its range, where random input soon breaks them.
#[test]
fn credit_counter_within_its_rules() {
    let bench = Lockstep::new("credit_counter", || CreditCounter::with_steps(20, 5, 3));
    check(bench.constrain(|cycle| {
        let count = cycle.get("count");
        let take = cycle.get("take").min(count);
        let give = cycle.get("give").min(20 - (count - take));
        cycle.set("take", take);
        cycle.set("give", give);
        assert_eq!(cycle.get("error"), 0);
    }));
}

/// The queue between clocks at fixed rates, equal and far apart.
#[test]
fn async_fifo_at_fixed_rates() {
    for (write, read) in [(1, 1), (1, 5), (5, 1), (3, 4)] {
        let bench = Lockstep::new("async_fifo", || AsyncFifo::new(16, 8));
        check(
            bench
                .period("write_clock", write)
                .period("read_clock", read),
        );
    }
}

/// Faults put into a cell's Verilog: the random input reaches the corners where cells go wrong.
macro_rules! faults {
    ($($name:ident: $block:expr, $($right:literal => $wrong:literal),+;)*) => {
        mod faults_are_found {
            use super::*;
            $(#[test]
            fn $name() {
                $(finds(Lockstep::new(concat!("a_", stringify!($name)), || $block), $right, $wrong);)+
            })*
        }
    };
}

fn finds<B: Block>(bench: Lockstep<B>, right: &'static str, wrong: &'static str) {
    let bench = bench.cycles(5000).without_wave().alter(move |text| {
        assert!(text.contains(right), "no `{right}` in\n{text}");
        text.replace(right, wrong)
    });
    let result = bench.run().map(|report| report.cycles);
    assert!(
        matches!(result, Err(Error::Mismatch(_))),
        "`{wrong}` for `{right}`: {result:?}"
    );
}

faults! {
    register: Register::with_reset(70, 9),
        "q <= 70'h9" => "q <= 70'h8", "if (reset)" => "if (reset & !d[0])";
    gray_counter: GrayCounter::new(5), "(count_q + 5'd1) ^" => "count_q ^", ">> 1" => ">> 2";
    modulo_counter: ModuloCounter::new(5),
        "count_q == 3'd4" => "count_q == 3'd5", "count_q == 3'd4" => "count_q >= 3'd3";
    synchronizer: Synchronizer::new(3), "second <= first" => "second <= d";
    lut_ram: LutRam::new(9, 4),
        "if (write_enable)" => "if (write_enable | write_address == 3)",
        "read_data = words" => "read_data = write_address == read_address ? write_data : words";
    ram: Ram::new(8, 4),
        "read_data <= words" => "read_data <= write_enable && write_address == read_address ? write_data : words",
        "if (read_enable)" => "";
    ram2: Ram2::new(8, 4), ".read_enable(read_enable_1)" => ".read_enable(read_enable_0)";
    fifo: Fifo::new(8, 5),
        "full = held_q == 3'd5" => "full = held_q >= 3'd4",
        "push & !full" => "push",
        "pop & !empty" => "pop",
        "pushed & !popped" => "pushed";
    async_fifo: AsyncFifo::new(8, 4),
        "second <= first" => "second <= d",
        "^ 3'd6" => "^ 3'd4",
        ".reset(read_reset)" => ".reset(write_reset)";
    credit_counter: CreditCounter::with_steps(69, 7, 3),
        "> {1'b0, free_q}" => ">= {1'b0, free_q}",
        "+ 8'h45" => "+ 8'h44",
        "broken_d = broken_q" => "broken_d = 1'b0";
    round_robin_arbiter: RoundRobinArbiter::new(5),
        "advance & (|candidates)" => "advance",
        "if (|(request & after_last_q))" => "if (|after_last_q)",
        "~candidates + 5'd1" => "~candidates + 5'd3";
    hierarchical_arbiter: HierarchicalArbiter::new(9),
        "advance & (|groups)" => "advance", "if (|later)" => "if (later[0])";
    one_hot_encoder: OneHotEncoder::new(8), "8'hf0" => "8'hf1", "8'haa" => "8'h2a";
    one_hot_mux: OneHotMux::new(3, 8), "| (data_2" => "^ (data_2";
    crc8: Crc8::default(), "e339a3" => "e339a2", "8'hb9" => "8'hb8";
    crc32c: Crc32c::default(), "start >> {bytes, 3'd0}" => "32'd0", "valid & last" => "last";
}
