//! The bridge as a whole, on real Verilator.

use super::build::build_in;
use super::tools::Tools;
use super::*;
use crate::wave::Wave;
use std::path::{Path, PathBuf};

/// One port of each storage size in both directions, a register with a reset and a memory without.
const ACCUMULATOR: &str = r"
module accumulator (
  input wire clock, input wire reset,
  input wire [7:0] a, input wire [15:0] b, input wire [31:0] c, input wire [39:0] d,
  input wire [99:0] e, input wire [299:0] f,
  output reg [7:0] sum, output wire [7:0] stored, output wire [15:0] not_b,
  output wire [31:0] not_c, output wire [39:0] not_d, output wire [99:0] not_e,
  output wire [299:0] not_f, output wire \odd$name );
  reg [7:0] memory [0:3];
  always @(posedge clock) begin
    sum <= reset ? 8'd0 : sum + a;
    if (b[15]) memory[b[1:0]] <= a;
  end
  assign stored = memory[b[1:0]];
  assign not_b = ~b;
  assign not_c = ~c;
  assign not_d = ~d;
  assign not_e = ~e;
  assign not_f = ~f;
  assign \odd$name = a[0];
endmodule
";

const SOURCE: Source = Source {
    top: "accumulator",
    verilog: ACCUMULATOR,
};

fn library() -> Library {
    build(&SOURCE, &Options::default()).unwrap()
}

fn traced() -> Options {
    Options {
        trace: true,
        ..Options::default()
    }
}

/// A directory of its own for one test, removed if the test succeeds.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("fantree-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            std::fs::remove_dir_all(&self.0).unwrap();
        }
    }
}

fn tick(model: &mut Model) {
    let clock = model.input("clock").unwrap();
    for level in [0, 1] {
        model.write(clock, level);
        model.eval().unwrap();
        model.trace_dump().unwrap();
        model.set_time(model.time() + 5);
    }
}

fn accumulate(model: &mut Model, values: impl IntoIterator<Item = u64>) -> u64 {
    let a = model.input("a").unwrap();
    let reset = model.input("reset").unwrap();
    model.write(reset, 1);
    tick(model);
    model.write(reset, 0);
    for value in values {
        model.write(a, value);
        tick(model);
    }
    model.read(model.output("sum").unwrap())
}

#[test]
fn ports_are_listed_with_direction_and_width() {
    let library = library();
    let ports: Vec<_> = library
        .ports()
        .iter()
        .map(|port| format!("{} {} {}", port.direction, port.name, port.width))
        .collect();
    for wanted in [
        "input clock 1",
        "input f 300",
        "output not_d 40",
        "output odd$name 1",
    ] {
        assert!(
            ports.iter().any(|port| port == wanted),
            "{wanted}: {ports:?}"
        );
    }
    assert_eq!(ports.len(), 16);
}

#[test]
fn values_of_every_width_come_through() {
    let mut model = library().model(1).unwrap();
    for (input, output, width) in [("b", "not_b", 16), ("c", "not_c", 32), ("d", "not_d", 40)] {
        let (input, output) = (model.input(input).unwrap(), model.output(output).unwrap());
        for value in [0, 1, 0x1234, (1 << width) - 1] {
            model.write(input, value);
            model.eval().unwrap();
            assert_eq!(model.read(output), !value & ((1 << width) - 1));
            assert_eq!(model.read_u128(output), model.read(output).into());
        }
    }
    let (e, not_e) = (model.input("e").unwrap(), model.output("not_e").unwrap());
    let value = 0x9_1234_5678_9abc_def0_1357_2468u128;
    model.write_u128(e, value);
    model.eval().unwrap();
    assert_eq!(model.read_u128(not_e), !value & ((1 << 100) - 1));
    model.write(e, 5);
    model.eval().unwrap();
    assert_eq!(model.read_words(not_e), [!5, !0, !0, 0xf]);

    let (f, not_f) = (model.input("f").unwrap(), model.output("not_f").unwrap());
    model.write_words(f, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    model.write_words(f, &[7, 8]);
    model.eval().unwrap();
    let mut expected = [!0; 10];
    expected[..2].copy_from_slice(&[!7, !8]);
    expected[9] = 0xfff;
    assert_eq!(model.read_words(not_f), expected);
    let d = model.input("d").unwrap();
    model.write_words(d, &[3, 4]);
    assert_eq!(model.read(d), 4 << 32 | 3);
    assert_eq!(model.read_words(d), [3, 4]);
}

#[test]
fn registers_count_and_models_are_independent() {
    let library = library();
    let mut first = library.model(1).unwrap();
    let mut second = library.model(1).unwrap();
    assert_eq!(accumulate(&mut first, [1, 2, 3]), 6);
    assert_eq!(accumulate(&mut second, [250, 10]), 4);
    assert_eq!(first.read(first.output("sum").unwrap()), 6);
}

#[test]
fn start_values_are_as_asked() {
    let library = library();
    let memory = |start: Start| {
        let mut model = library.model(start).unwrap();
        let b = model.input("b").unwrap();
        let stored = model.output("stored").unwrap();
        [0, 1, 2, 3].map(|address| {
            model.write(b, address);
            model.eval().unwrap();
            model.read(stored)
        })
    };
    assert_eq!(memory(Start::Zeros), [0; 4]);
    assert_eq!(memory(Start::Ones), [255; 4]);
    assert_eq!(memory(Start::Random(7)), memory(Start::Random(7)));
    assert_ne!(memory(Start::Random(7)), memory(Start::Random(8)));
    // The low 31 bits of this seed are those of seed 0.
    assert_ne!(memory(Start::Random(0)), memory(Start::Random(1 << 40)));
}

#[test]
fn wrong_names_and_directions_are_explained() {
    let model = library().model(1).unwrap();
    assert_eq!(
        model.port("rest").unwrap_err().to_string(),
        "`accumulator` has no port `rest`; nearest: reset"
    );
    assert_eq!(
        model.output("reset").unwrap_err().to_string(),
        "port `reset` of `accumulator` is an input, not an output"
    );
}

fn panic_text(action: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(action).unwrap_err();
    *payload.downcast::<String>().unwrap()
}

#[test]
fn bad_values_are_refused() {
    let check = |port: &'static str, words: &'static [u32]| {
        panic_text(move || {
            let mut model = library().model(1).unwrap();
            let port = model.port(port).unwrap();
            model.write_words(port, words);
        })
    };
    assert_eq!(
        check("a", &[256]),
        "[100] does not fit into `a` of `accumulator`, which is 8 bits wide"
    );
    assert!(check("e", &[0, 0, 0, 16]).contains("which is 100 bits wide"));
    assert!(check("d", &[0, 256]).contains("which is 40 bits wide"));
    assert_eq!(
        check("sum", &[0]),
        "`sum` of `accumulator` is an output and cannot be written"
    );
    let text = panic_text(|| {
        let mut model = library().model(1).unwrap();
        model.write(model.port("b").unwrap(), 0x10000);
    });
    assert_eq!(
        text,
        "0x10000 does not fit into `b` of `accumulator`, which is 16 bits wide"
    );
    let text = panic_text(|| {
        let model = library().model(1).unwrap();
        model.read(model.port("e").unwrap());
    });
    assert_eq!(
        text,
        "`e` of `accumulator` is 100 bits wide: more than 64, use `read_words`"
    );
}

#[test]
fn bad_verilog_shows_verilators_message_and_the_log() {
    let source = Source {
        top: "broken",
        verilog: "module broken (input wire a, output wire b);\n  assign b = missing;\nendmodule",
    };
    let error = build(&source, &Options::default()).unwrap_err();
    let Error::Rejected { messages, log, .. } = &error else {
        panic!("{error}");
    };
    assert!(messages.contains("missing"), "{messages}");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("missing"), "{log}");
    assert!(error.to_string().contains("full log: /"), "{error}");
}

#[test]
fn endless_loops_and_fatal_stop_the_model_not_the_process() {
    let source = Source {
        top: "looping",
        verilog: "module looping (input wire a, input wire b, output wire y);
            wire x = a & ~x;
            assign y = x;
            always @(posedge b) begin $display(\"stopping\"); $fatal; end
          endmodule",
    };
    let library = build(&source, &Options::default()).unwrap();
    let mut model = library.model(Start::Zeros).unwrap();
    model.eval().unwrap();
    model.set_time(10);
    model.write(model.input("a").unwrap(), 1);
    let text = model.eval().unwrap_err().to_string();
    assert!(
        text.starts_with("the model of `looping` stopped at time 10: "),
        "{text}"
    );
    assert!(text.contains("converge"), "{text}");
    model.write(model.input("a").unwrap(), 0);
    assert_eq!(model.eval().unwrap_err().to_string(), text);

    let mut model = library.model(Start::Zeros).unwrap();
    model.eval().unwrap();
    model.write(model.input("b").unwrap(), 1);
    let text = model.eval().unwrap_err().to_string();
    assert!(text.contains("looping.v:4"), "{text}");
}

#[test]
fn finish_is_seen() {
    let source = Source {
        top: "ending",
        verilog: "module ending (input wire a); always @(posedge a) $finish; endmodule",
    };
    let mut model = build(&source, &Options::default())
        .unwrap()
        .model(1)
        .unwrap();
    model.write(model.input("a").unwrap(), 0);
    model.eval().unwrap();
    assert!(!model.finished());
    model.write(model.input("a").unwrap(), 1);
    model.eval().unwrap();
    assert!(model.finished());
}

/// Times of the value changes of a top-level signal in a wave, with the values.
fn changes(wave: &Path, name: &str) -> Vec<(u64, String)> {
    let mut wave = Wave::open(wave).unwrap();
    wave.changes(&format!("TOP.{name}")).unwrap()
}

#[test]
fn two_models_trace_windows_in_one_process() {
    let scratch = Scratch::new("trace");
    let other = Source {
        top: "follower",
        verilog: "module follower (input wire clock, input wire [3:0] a, output reg [3:0] q);
            always @(posedge clock) q <= a;
          endmodule",
    };
    let library = build(&SOURCE, &traced()).unwrap();
    let mut first = library.model(1).unwrap();
    let mut twin = library.model(2).unwrap();
    let mut second = build(&other, &traced())
        .unwrap()
        .model(Start::Zeros)
        .unwrap();
    let wave = |name: &str| scratch.0.join("waves").join(name);
    second.trace_open(wave("second.fst")).unwrap();
    twin.trace_open(wave("twin.fst")).unwrap();
    accumulate(&mut first, [1, 2]);
    first.trace_open(wave("first.fst")).unwrap();
    for value in 3..6 {
        first.write(first.input("a").unwrap(), value);
        tick(&mut first);
        second.write(second.input("a").unwrap(), value);
        tick(&mut second);
        tick(&mut twin);
    }
    first.trace_close().unwrap();
    assert!(!first.tracing());
    tick(&mut first);
    first.trace_open(wave("again.fst")).unwrap();
    tick(&mut first);
    drop((first, second, twin));

    let bits = |changes: Vec<(u64, String)>| -> Vec<(u64, u64)> {
        let value = |bits: &str| u64::from_str_radix(bits, 2).unwrap();
        changes
            .iter()
            .map(|(time, bits)| (*time, value(bits)))
            .collect()
    };
    // Reset and two values took three clocks of 10 ns.
    assert_eq!(
        bits(changes(&wave("first.fst"), "sum")),
        [(30, 3), (35, 6), (45, 10), (55, 15)]
    );
    assert_eq!(
        bits(changes(&wave("second.fst"), "q")),
        [(0, 0), (5, 3), (15, 4), (25, 5)]
    );
    assert_eq!(
        bits(changes(&wave("again.fst"), "sum")),
        [(70, 20), (75, 25)]
    );
    assert!(changes(&wave("twin.fst"), "clock").len() >= 6);
}

#[test]
fn waves_need_the_option_and_a_place() {
    let scratch = Scratch::new("no-trace");
    let mut model = library().model(1).unwrap();
    assert_eq!(
        model.trace_open("/nowhere/x.fst").unwrap_err().to_string(),
        "the model of `accumulator` was built without trace: set it in `Options`"
    );
    let text = model.coverage_write("x.dat").unwrap_err().to_string();
    assert!(text.contains("without coverage"), "{text}");

    let mut model = build(&SOURCE, &traced()).unwrap().model(1).unwrap();
    let error = model.trace_open(&scratch.0).unwrap_err().to_string();
    assert!(error.contains("is no file"), "{error}");
}

#[test]
fn a_wave_is_written_to_a_file_and_nothing_else() {
    let mut model = build(&SOURCE, &traced()).unwrap().model(1).unwrap();
    assert_eq!(
        model.trace_open("/dev/full").unwrap_err().to_string(),
        "/dev/full is no file that a wave could be written to"
    );
}

#[test]
fn half_a_wave_is_told_from_a_whole_one() {
    let scratch = Scratch::new("half-a-wave");
    let path = scratch.0.join("whole.fst");
    let mut model = build(&SOURCE, &traced()).unwrap().model(1).unwrap();
    model.trace_open(&path).unwrap();
    accumulate(&mut model, [1; 10]);
    model.trace_close().unwrap();
    let whole = std::fs::read(&path).unwrap();
    let cut = scratch.0.join("cut.fst");
    for length in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        std::fs::write(&cut, &whole[..length]).unwrap();
        assert!(!fst::is_whole(&cut).unwrap(), "{length} bytes");
    }
    assert!(fst::is_whole(&path).unwrap());
}

#[test]
fn coverage_counts_lines_under_a_stable_path() {
    let scratch = Scratch::new("coverage");
    let options = Options {
        coverage: Coverage::Line,
        ..Options::default()
    };
    let mut model = build(&SOURCE, &options).unwrap().model(1).unwrap();
    accumulate(&mut model, [1; 10]);
    let path = scratch.0.join("coverage.dat");
    model.coverage_write(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let source = cache_directory().display().to_string();
    let lines = text.lines().filter(|line| line.contains("accumulator.v"));
    assert!(lines.clone().count() > 0, "{text}");
    for line in lines {
        assert!(line.contains(&source), "{line}");
    }
    let name = text
        .split('\u{1}')
        .find_map(|field| field.strip_prefix("f\u{2}"));
    assert!(Path::new(name.unwrap()).is_file());
}

/// Also run by [`cold_cache_serves_processes_and_threads`] in other processes.
#[test]
fn second_build_is_a_cache_hit() {
    let first = library();
    let mut stages = vec![];
    let again = build_with(&SOURCE, &Options::default(), &mut |stage| {
        stages.push(stage)
    })
    .unwrap();
    assert!(again.report().cached);
    assert!(!stages.contains(&Stage::Verilating), "{stages:?}");
    assert!(again.report().library_bytes > 0 && again.report().cpp_bytes > 0);
    assert_eq!(first.report().build_seconds, again.report().build_seconds);
    let mut model = again.model(1).unwrap();
    assert_eq!(accumulate(&mut model, [1, 2, 3]), 6);
}

#[test]
fn cold_cache_serves_processes_and_threads() {
    let scratch = Scratch::new("cold");
    // What a failed build leaves behind must not count as a model.
    let tools = Tools::of_process().unwrap();
    let failing = Tools {
        compiler: "false".into(),
        ..tools.clone()
    };
    let failed = build_in(
        &scratch.0,
        &failing,
        &SOURCE,
        &Options::default(),
        &mut |_| {},
    );
    assert!(matches!(failed, Err(Error::Rejected { .. })));

    let children: Vec<_> = (0..2)
        .map(|_| {
            std::process::Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "verilator::tests::second_build_is_a_cache_hit"])
                .env("FANTREE_CACHE", &scratch.0)
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let built: usize = std::thread::scope(|scope| {
        let build_here = || {
            let options = Options::default();
            let library = build_in(&scratch.0, tools, &SOURCE, &options, &mut |_| {}).unwrap();
            let mut model = library.model(3).unwrap();
            assert_eq!(accumulate(&mut model, 0..5), 10);
            usize::from(!library.report().cached)
        };
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(build_here)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    for child in children {
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && text.contains("1 passed"),
            "{text}"
        );
    }
    assert!(built <= 1, "built {built} times");
    let entries = std::fs::read_dir(&scratch.0).unwrap();
    let models = entries.filter(|entry| entry.as_ref().unwrap().path().join("model.so").is_file());
    assert_eq!(models.count(), 1);
}

#[test]
fn gcc_builds_too() {
    let tools = Tools::find(None, Some("g++")).unwrap();
    let options = Options {
        trace: true,
        coverage: Coverage::Line,
        ..Options::default()
    };
    let library = build_in(&cache_directory(), &tools, &SOURCE, &options, &mut |_| {}).unwrap();
    assert_eq!(accumulate(&mut library.model(1).unwrap(), [9, 9]), 18);
}
