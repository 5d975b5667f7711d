//! The bench on small blocks, right ones and wrong ones.

use super::{run_icarus, Error, Lockstep, Mismatch, Moment, Report, Result};
use fantree_hdl::cells::Register;
use fantree_hdl::kernel;
use fantree_hdl::ports::{FromWords, Ports};
use fantree_hdl::wire::Wire;
use rust_hdl::prelude::*;

/// Saturating accumulator: a register with a reset, a comparison, a sum, and an output that depends on an input at once.
#[derive(LogicBlock, Ports)]
struct Accumulator {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub add: Signal<In, Bit>,
    pub amount: Wire<In>,
    pub limit: Wire<In>,
    pub total: Wire<Out>,
    pub above: Signal<Out, Bit>,
    sum: Register,
}

impl Accumulator {
    fn new(width: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            add: Default::default(),
            amount: Wire::new(width),
            limit: Wire::new(width),
            total: Wire::new(width),
            above: Default::default(),
            sum: Register::new(width),
        }
    }
}

impl Logic for Accumulator {
    #[kernel]
    fn update(&mut self) {
        registers!(self.sum);
        if self.add.val() {
            self.sum.d.next = self.sum.q.val() + self.amount.val();
        }
        self.total.next = self.sum.q.val();
        self.above.next = self.limit.val() < self.sum.q.val();
    }
}

/// The same by hand.
const ACCUMULATOR: &str = "
module accumulator (
  input wire clock, input wire reset, input wire add,
  input wire [39:0] amount, input wire [39:0] limit,
  output wire [39:0] total, output wire above);
  reg [39:0] sum;
  always @(posedge clock)
    if (reset) sum <= 40'd0;
    else if (add) sum <= sum + amount;
  assign total = sum;
  assign above = limit < sum;
endmodule
";

fn accumulator() -> Lockstep<Accumulator> {
    Lockstep::new("accumulator", || Accumulator::new(40)).verilog(ACCUMULATOR)
}

fn mismatch(result: Result<Report>) -> Mismatch {
    match result {
        Err(Error::Mismatch(mismatch)) => *mismatch,
        Err(other) => panic!("another failure: {other}"),
        Ok(_) => panic!("the fault was not found"),
    }
}

#[test]
fn an_equal_pair_passes_everywhere() {
    let report = accumulator().cycles(2000).run().unwrap();
    assert_eq!(report.cycles, 2000);
    assert_eq!(report.constant_outputs, Vec::<String>::new());
    let icarus = run_icarus(&report.recording).unwrap();
    assert_eq!((icarus.cycles, icarus.unknown), (2000, 0));
}

#[test]
fn emitted_verilog_agrees() {
    let report = Lockstep::new("accumulator_emitted", || Accumulator::new(40))
        .cycles(2000)
        .run()
        .unwrap();
    run_icarus(&report.recording).unwrap();
}

/// Faults in the Verilog: what to replace, by what, and the output that shows it.
const FAULTS: &[(&str, &str, &str)] = &[
    ("sum + amount", "sum - amount", "total"),
    ("sum + amount", "sum + amount + 40'd1", "total"),
    (
        "sum + amount",
        "{sum[39:32] + amount[39:32], sum[31:0] + amount[31:0]}",
        "total",
    ),
    ("limit < sum", "limit <= sum", "above"),
    ("limit < sum", "sum < limit", "above"),
    ("limit < sum", "limit[38:0] < sum[38:0]", "above"),
    ("limit < sum", "$signed(limit) < $signed(sum)", "above"),
    ("if (reset)", "if (!reset)", "total"),
    ("if (reset)", "if (0)", "total"),
    ("if (add)", "if (!add)", "total"),
    ("40'd0", "40'd1", "total"),
    ("40'd0", "sum", "total"),
    ("posedge clock)", "posedge clock or posedge reset)", "total"),
    ("posedge clock", "negedge clock", "total"),
    ("total = sum", "total = {1'b0, sum[38:0]}", "total"),
    ("total = sum", "total = add ? sum : 40'd0", "total"),
];

#[test]
fn every_seeded_fault_is_found() {
    let mut moments = vec![];
    for &(right, wrong, port) in FAULTS {
        assert!(ACCUMULATOR.contains(right));
        let bench = accumulator().cycles(2000).without_wave();
        let found = mismatch(bench.alter(move |text| text.replace(right, wrong)).run());
        assert_eq!(found.port, port, "{wrong}: {found}");
        assert_eq!(found.wave, None);
        moments.push(found.moment);
    }
    assert!(moments.contains(&Moment::Inputs) && moments.contains(&Moment::Clocks));
}

#[test]
fn an_ignored_output_may_differ() {
    let bench = |ignored: &'static str| {
        let bench = accumulator()
            .without_wave()
            .ignore(move |output| output == ignored);
        bench
            .alter(|text| text.replace("limit < sum", "limit <= sum"))
            .run()
    };
    let report = bench("above").unwrap();
    run_icarus(&report.recording).unwrap();
    assert_eq!(mismatch(bench("total")).port, "above");
}

#[test]
fn icarus_finds_faults_too() {
    let report = accumulator().run().unwrap();
    let mut recording = report.recording;
    recording.verilog = ACCUMULATOR.replace("limit < sum", "limit <= sum");
    let Err(Error::Mismatch(found)) = run_icarus(&recording) else {
        panic!("the fault was not found")
    };
    assert_eq!((found.port.as_str(), found.simulator), ("above", "Icarus"));
    assert_eq!((found.rust, found.verilog.as_str()), (vec![0], "1"));

    recording.verilog = ACCUMULATOR.replace("<= sum + amount", "<= sum + nothing");
    let text = run_icarus(&recording).unwrap_err().to_string();
    assert!(
        text.contains("`iverilog` failed") && text.contains("nothing"),
        "{text}"
    );
}

#[test]
fn a_mismatch_tells_all_and_repeats() {
    let run = || {
        let bench = accumulator().seed(11).cycles(500);
        mismatch(
            bench
                .alter(|text| text.replace("sum + amount", "sum - amount"))
                .run(),
        )
    };
    let found = run();
    assert_eq!(run(), found);
    let text = found.to_string();
    let first = format!(
        "lockstep of `accumulator`: output `total` differs in cycle {}, after the clock edge (seed 11)",
        found.cycle
    );
    assert!(text.starts_with(&first), "{text}");
    assert!(text.contains("\n  rust-hdl   40'h"), "{text}");
    assert!(text.contains("\n  Verilator  40'h"), "{text}");
    let last = found.history.last().unwrap();
    assert!(
        last.starts_with(&format!(
            "cycle {}: clock↑ reset=1'h0 add=1'h1 amount=40'h",
            found.cycle
        )),
        "{last}"
    );
    assert!(
        text.contains("repeat: FANTREE_LOCKSTEP_SEED=11 cargo test -p fantree-tb lockstep::tests::a_mismatch_tells_all"),
        "{text}"
    );
    let wave = found.wave.unwrap().unwrap();
    let mut wave = crate::wave::Wave::open(&wave).unwrap();
    let changes = wave.changes("TOP.total").unwrap();
    let value = u64::from_str_radix(&changes.last().unwrap().1, 2).unwrap();
    assert_eq!(format!("{value:x}"), found.verilog);
}

#[test]
fn ports_must_match() {
    let failure = |from: &'static str, to: &'static str| {
        let bench = accumulator().alter(move |text| text.replace(from, to));
        bench.run().unwrap_err().to_string()
    };
    assert_eq!(
        failure("wire [39:0] amount", "wire [38:0] amount"),
        "`amount` is an input of 40 bits in the block and an input of 39 bits in the Verilog"
    );
    assert_eq!(
        failure("input wire reset", "input wire reset, input wire more"),
        "`more` of the Verilog is not among the block's ports: is its field marked `#[ports]`?"
    );
    assert_eq!(
        failure("limit", "limits"),
        "`limit` of the block, an input of 40 bits, is not in the Verilog as `limit`"
    );
    let text = accumulator()
        .reset("amount", true)
        .run()
        .unwrap_err()
        .to_string();
    assert_eq!(
        text,
        "`amount` is no single-bit input that could be a reset"
    );
    let text = accumulator()
        .period("reset", 2)
        .run()
        .unwrap_err()
        .to_string();
    assert_eq!(text, "`reset` is no clock of the block");
}

#[test]
fn a_constraint_sees_outputs_and_sets_inputs() {
    // With nothing ever added and no return of the reset, the outputs rest.
    let report = accumulator()
        .constrain(|cycle| {
            if cycle.get("total") == 0 {
                cycle.set("add", 0);
            }
        })
        .run()
        .unwrap();
    assert_eq!(report.constant_outputs, ["total", "above"]);
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState, FromWords)]
enum Operation {
    Add,
    Hold,
    Clear,
}

#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct, FromWords)]
struct Request {
    operation: Operation,
    value: Bits<12>,
}

/// Anybody's block: plain rust-hdl with a struct, an enum, a `Vec` of ports and a register without a reset.
#[derive(LogicBlock, Ports)]
struct Plain {
    pub clock: Signal<In, Clock>,
    pub operation: Signal<In, Operation>,
    pub request: Signal<In, Request>,
    pub lanes: Vec<Signal<In, Bits<4>>>,
    pub sums: Vec<Signal<Out, Bits<4>>>,
    pub echo: Signal<Out, Request>,
    pub state: Signal<Out, Bits<12>>,
    dff: DFF<Bits<12>>,
}

impl Default for Plain {
    fn default() -> Self {
        Self {
            clock: Default::default(),
            operation: Default::default(),
            request: Default::default(),
            lanes: vec![Default::default(); 3],
            sums: vec![Default::default(); 3],
            echo: Default::default(),
            state: Default::default(),
            dff: Default::default(),
        }
    }
}

impl Logic for Plain {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, dff);
        match self.operation.val() {
            Operation::Add => {
                self.dff.d.next = self.dff.q.val() + self.request.val().value;
            }
            Operation::Hold => {}
            Operation::Clear => {
                self.dff.d.next = 0.into();
            }
        }
        for i in 0..3 {
            self.sums[i].next = self.lanes[i].val() + 3;
        }
        self.echo.next = self.request.val();
        self.state.next = self.dff.q.val();
    }
}

#[test]
fn plain_rust_hdl_blocks_run_too() {
    let report = Lockstep::new("plain", Plain::default).run().unwrap();
    assert_eq!(report.constant_outputs, Vec::<String>::new());
    run_icarus(&report.recording).unwrap();
}

/// Two registers, each on a clock of its own, the second behind the first.
#[derive(LogicBlock, Default, Ports)]
struct Crossing {
    pub write_clock: Signal<In, Clock>,
    pub read_clock: Signal<In, Clock>,
    pub d: Signal<In, Bits<7>>,
    pub q: Signal<Out, Bits<7>>,
    first: DFF<Bits<7>>,
    second: DFF<Bits<7>>,
}

impl Logic for Crossing {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, write_clock, first);
        dff_setup!(self, read_clock, second);
        self.first.d.next = self.d.val();
        self.second.d.next = self.first.q.val();
        self.q.next = self.second.q.val();
    }
}

const CROSSING: &str = "
module crossing (input wire write_clock, input wire read_clock, input wire [6:0] d, output reg [6:0] q);
  reg [6:0] first;
  always @(posedge write_clock) first <= d;
  always @(posedge read_clock) q <= first;
endmodule
";

#[test]
fn several_clocks_run_at_random_and_fixed_rates() {
    let bench = || Lockstep::new("crossing", Crossing::default).verilog(CROSSING);
    bench().run().unwrap();
    bench()
        .period("write_clock", 3)
        .period("read_clock", 2)
        .run()
        .unwrap();
    let swapped = bench().without_wave().alter(|text| {
        let text = text.replace("@(posedge write_clock)", "@(posedge other)");
        let text = text.replace("@(posedge read_clock)", "@(posedge write_clock)");
        text.replace("@(posedge other)", "@(posedge read_clock)")
    });
    assert_eq!(mismatch(swapped.run()).port, "q");
}

/// Never settles while `enable` is set.
#[derive(LogicBlock, Default, Ports)]
struct Ring {
    pub enable: Signal<In, Bit>,
    pub y: Signal<Out, Bit>,
    inner: Inverter,
}

#[derive(LogicBlock, Default)]
struct Inverter {
    pub a: Signal<In, Bit>,
    pub b: Signal<Out, Bit>,
}

impl Logic for Inverter {
    #[hdl_gen]
    fn update(&mut self) {
        self.b.next = !self.a.val();
    }
}

impl Logic for Ring {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.a.next = self.inner.b.val() & self.enable.val();
        self.y.next = self.inner.b.val();
    }
}

#[test]
fn a_loop_in_rust_is_told_not_run_for_ever() {
    let text = Lockstep::new("ring", Ring::default)
        .verilog("module ring (input wire enable, output wire y); assign y = ~enable; endmodule")
        .run()
        .unwrap_err()
        .to_string();
    assert!(
        text.starts_with("rust-hdl simulation of `ring` does not settle in 200 rounds (cycle "),
        "{text}"
    );
    assert!(text.ends_with(", seed 1)"), "{text}");
}

#[test]
fn a_panic_in_rust_names_the_cycle() {
    let text = Lockstep::new("accumulator", || {
        let mut block = Accumulator::new(40);
        block.total = Wire::new(39);
        block
    })
    .verilog(ACCUMULATOR.replace("output wire [39:0] total", "output wire [38:0] total"))
    .run()
    .unwrap_err()
    .to_string();
    assert_eq!(
        text,
        "rust-hdl simulation of `accumulator` panics: a wire of 39 bits was given 40 bits (cycle 0, seed 1)"
    );
}
