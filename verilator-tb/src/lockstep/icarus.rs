//! The same run on Icarus Verilog: a third opinion that shares no code with Verilator.
//!
//! A test bench reads the recorded inputs and rust-hdl's outputs from a file and compares in simulation. What was never
//! written is unknown in Icarus, where rust-hdl and Verilator start at zero; so a difference is a bit that Icarus knows
//! and that is not rust-hdl's, and outputs with unknown bits are counted.

use super::error::{Error, Moment, Result};
use super::frame::{Frame, Layout};
use super::pins::Pin;
use super::recording::{Recording, HALF_CYCLE};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A simulation that takes longer has a loop without time.
const MOST_SECONDS: u64 = 120;

/// A run on Icarus that agreed with rust-hdl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IcarusReport {
    /// Cycles compared.
    pub cycles: usize,
    /// Compared outputs that had unknown bits.
    pub unknown: usize,
}

/// Replays a run on Icarus and compares with rust-hdl's answers.
pub fn run_icarus(recording: &Recording) -> Result<IcarusReport> {
    let failed = |reason: String| Error::Icarus {
        block: recording.name.clone(),
        reason,
    };
    let directory = tempfile::Builder::new()
        .prefix(&format!("fantree-icarus-{}-", recording.name))
        .tempdir()
        .map_err(|failure| failed(failure.to_string()))?;
    let directory = directory.path();
    let write = |name: &str, text: &str| {
        std::fs::write(directory.join(name), text).map_err(|failure| failed(failure.to_string()))
    };
    write("design.v", &recording.verilog)?;
    write("bench.v", &bench(recording))?;
    write("vectors.hex", &vectors(recording))?;
    let mut compile = Command::new("iverilog");
    compile.args([
        "-g2005",
        "-Wall",
        "-o",
        "bench.vvp",
        "-s",
        "lockstep_bench",
        "bench.v",
        "design.v",
    ]);
    let warnings = execute(compile, directory).map_err(failed)?;
    if !warnings.is_empty() {
        return Err(failed(format!("`iverilog` warns:\n{warnings}")));
    }
    let mut simulate = Command::new("vvp");
    simulate.args(["-n", "bench.vvp"]);
    let output = execute(simulate, directory).map_err(failed)?;
    judge(recording, &output)
}

/// Runs a program in the directory to its end; what it printed, or why it failed.
fn execute(mut command: Command, directory: &Path) -> std::result::Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let log = directory.join("log");
    let file = std::fs::File::create(&log).map_err(|failure| failure.to_string())?;
    let errors = file.try_clone().map_err(|failure| failure.to_string())?;
    let mut child = command
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .spawn()
        .map_err(|failure| {
            format!("`{program}` cannot be run ({failure}): install Debian package `iverilog`")
        })?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|failure| failure.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > Duration::from_secs(MOST_SECONDS) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("`{program}` does not end: a loop in zero time"));
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let text = std::fs::read_to_string(&log).map_err(|failure| failure.to_string())?;
    if status.success() {
        Ok(text)
    } else {
        let shown: Vec<&str> = text.lines().take(12).collect();
        Err(format!("`{program}` failed:\n{}", shown.join("\n")))
    }
}

/// The last line tells the result: `PASS unknown` or `FAIL step moment port value`.
fn judge(recording: &Recording, output: &str) -> Result<IcarusReport> {
    let garbled = || Error::Icarus {
        block: recording.name.clone(),
        reason: format!("unexpected output: {output}"),
    };
    let last = output.lines().last().ok_or_else(garbled)?;
    let fields: Vec<&str> = last.split_ascii_whitespace().collect();
    match fields[..] {
        ["PASS", unknown] => Ok(IcarusReport {
            cycles: recording.steps.len() - recording.warm_up(),
            unknown: unknown.parse().map_err(|_| garbled())?,
        }),
        ["FAIL", step, moment, port, value] => {
            let number = |text: &str| text.parse::<usize>().map_err(|_| garbled());
            let (step, moment, port) = (number(step)?, number(moment)?, number(port)?);
            let expected = recording.steps[step].outputs.as_ref().ok_or_else(garbled)?;
            let when = [Moment::Inputs, Moment::Clocks][moment];
            let value = value.trim_start_matches('0');
            let value = if value.is_empty() { "0" } else { value };
            Err(Error::Mismatch(Box::new(recording.mismatch(
                "Icarus",
                step,
                when,
                port,
                &expected[moment],
                value.to_owned(),
            ))))
        }
        _ => Err(garbled()),
    }
}

fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}

/// The test bench; ports are called `i0`, `i1`, … and `o0`, `o1`, ….
fn bench(recording: &Recording) -> String {
    let Recording {
        pins,
        inputs,
        outputs,
        steps,
        ..
    } = recording;
    let clocks = recording.clocks();
    let mut text = String::from("module lockstep_bench;\n");
    let mut line = |line: String| text += &format!("{line}\n");
    let total = vector_bits(recording);
    line(format!(
        "  reg [{}:0] vectors [0:{}];",
        total - 1,
        steps.len() - 1
    ));
    line("  integer step, unknown;\n  reg compared;".into());
    for port in 0..inputs.len() {
        line(format!("  reg {}i{port};", range(inputs.width(port))));
    }
    for clock in 0..clocks.len() {
        line(format!("  reg rising{clock};"));
    }
    for port in 0..outputs.len() {
        let range = range(outputs.width(port));
        line(format!(
            "  wire {range}o{port};\n  reg {range}before{port}, after{port};"
        ));
    }
    let connect = |prefix: &'static str, pins: &[Pin]| -> Vec<String> {
        let ports = pins.iter().enumerate();
        ports
            .map(|(port, pin)| format!(".\\{} ({prefix}{port})", pin.verilog))
            .collect()
    };
    let connections = [connect("i", &pins.inputs), connect("o", &pins.outputs)].concat();
    line(format!(
        "  {} dut ({});",
        recording.name,
        connections.join(", ")
    ));
    line("  initial begin\n    $readmemh(\"vectors.hex\", vectors);\n    unknown = 0;".into());
    line(format!(
        "    for (step = 0; step < {}; step = step + 1) begin",
        steps.len()
    ));
    line(format!(
        "      {{{}}} = vectors[step];",
        fields(recording).join(", ")
    ));
    line(format!("      #{HALF_CYCLE};"));
    for (moment, name) in ["before", "after"].into_iter().enumerate() {
        if moment == 1 {
            for (clock, port) in clocks.iter().enumerate() {
                line(format!("      i{port} = rising{clock};"));
            }
            line(format!("      #{HALF_CYCLE};"));
        }
        line("      if (compared) begin".into());
        for port in (0..outputs.len()).filter(|port| recording.is_compared(*port)) {
            line(format!(
                "        if ((|(o{port} ^ {name}{port})) === 1'b1) begin \
                 $display(\"FAIL %0d {moment} {port} %h\", step, o{port}); $finish(0); #1; end"
            ));
            line(format!(
                "        if ((^o{port}) === 1'bx) unknown = unknown + 1;"
            ));
        }
        line("      end".into());
    }
    line("    end\n    $display(\"PASS %0d\", unknown);\n    $finish(0);\n  end\nendmodule".into());
    text
}

/// What a vector holds, from its highest bit down.
fn fields(recording: &Recording) -> Vec<String> {
    let numbered = |prefix: &str, count: usize| -> Vec<String> {
        (0..count).map(|at| format!("{prefix}{at}")).collect()
    };
    let outputs = recording.outputs.len();
    [
        vec!["compared".to_owned()],
        numbered("rising", recording.clocks().len()),
        numbered("i", recording.inputs.len()),
        numbered("before", outputs),
        numbered("after", outputs),
    ]
    .concat()
}

fn vector_bits(recording: &Recording) -> usize {
    1 + recording.clocks().len() + recording.inputs.bits() + 2 * recording.outputs.bits()
}

/// A line of hexadecimal digits a step.
fn vectors(recording: &Recording) -> String {
    let mut text = String::new();
    let nothing = recording.outputs.zeros();
    for step in &recording.steps {
        let [before, after] = match &step.outputs {
            Some([before, after]) => [before, after],
            None => [&nothing, &nothing],
        };
        // From the lowest bit up.
        let mut bits: Vec<bool> = vec![];
        push_reversed(&mut bits, &recording.outputs, after);
        push_reversed(&mut bits, &recording.outputs, before);
        push_reversed(&mut bits, &recording.inputs, &step.inputs);
        bits.extend(step.rising.iter().rev());
        bits.push(step.outputs.is_some());
        for digit in bits.chunks(4).rev() {
            let value = digit
                .iter()
                .rev()
                .fold(0, |value, &bit| value << 1 | u8::from(bit));
            let _ = write!(text, "{value:x}");
        }
        text.push('\n');
    }
    text
}

/// The bits of all ports, the last port's lowest.
fn push_reversed(bits: &mut Vec<bool>, layout: &Layout, frame: &Frame) {
    for port in (0..layout.len()).rev() {
        let words = layout.get(frame, port);
        bits.extend((0..layout.width(port)).map(|bit| words[bit / 32] >> (bit % 32) & 1 == 1));
    }
}
