//! A run of a circuit: every named signal in every cycle, as a table and as a wave.

use std::collections::HashMap;
use std::io;

use vcd::{TimescaleUnit, Value, Writer};

use crate::aiger::Graph;

/// A signal and what it carries, cycle by cycle; the lowest bit first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    pub name: String,
    pub is_port: bool,
    pub values: Vec<Vec<bool>>,
}

/// A run; the first cycle is the reset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    pub signals: Vec<Signal>,
    pub cycles: usize,
}

impl Trace {
    /// What the circuit does with these inputs, a list a cycle.
    pub fn of(graph: &Graph, inputs: &[Vec<bool>]) -> Self {
        let mut signals = Signals::default();
        let mut state = graph.start();
        for (cycle, inputs) in inputs.iter().enumerate() {
            let registers = state.clone();
            let outputs = graph.step(&mut state, inputs);
            for (name, &bit) in graph.inputs.iter().zip(inputs) {
                signals.set(name, true, cycle, bit);
            }
            for ((name, _), bit) in graph.outputs.iter().zip(outputs) {
                signals.set(name, true, cycle, bit);
            }
            for ((name, _), bit) in graph.latches.iter().zip(registers) {
                signals.set(name, false, cycle, bit);
            }
        }
        Self {
            signals: signals.list,
            cycles: inputs.len(),
        }
    }

    /// The ports of the harness, a line each, a column a cycle, in hexadecimal.
    pub fn table(&self) -> String {
        let mut columns = vec![vec!["cycle".to_string()]];
        columns.extend((0..self.cycles).map(|cycle| vec![cycle.to_string()]));
        for signal in self.signals.iter().filter(|signal| signal.is_port) {
            columns[0].push(signal.name.clone());
            for (cycle, column) in columns[1..].iter_mut().enumerate() {
                column.push(hexadecimal(&signal.values[cycle]));
            }
        }
        let widths = columns
            .iter()
            .map(|column| column.iter().map(String::len).max());
        let widths: Vec<usize> = widths.map(Option::unwrap_or_default).collect();
        let line = |row: usize| {
            let mut line = format!("{:1$}", columns[0][row], widths[0]);
            for (column, width) in columns.iter().zip(&widths).skip(1) {
                line += &format!(" {:>width$}", column[row]);
            }
            line + "\n"
        };
        (0..columns[0].len()).map(line).collect()
    }

    /// All signals as a VCD file, a cycle in ten units of time: the clock rises at the end of each.
    pub fn write_vcd(&self, file: impl io::Write) -> io::Result<()> {
        let mut writer = Writer::new(file);
        writer.timescale(1, TimescaleUnit::NS)?;
        writer.add_module("harness")?;
        let clock = writer.add_wire(1, "clock")?;
        let mut codes = Vec::new();
        for signal in &self.signals {
            // A register's name has dots where it is in a block of the harness.
            let width = signal.values.first().map_or(1, Vec::len) as u32;
            codes.push(writer.add_wire(width, &signal.name)?);
        }
        writer.upscope()?;
        writer.enddefinitions()?;
        for cycle in 0..self.cycles {
            writer.timestamp(10 * cycle as u64)?;
            writer.change_scalar(clock, Value::V0)?;
            for (signal, &code) in self.signals.iter().zip(&codes) {
                let bits = signal.values[cycle].iter().rev();
                let bits: Vec<Value> = bits.map(|&bit| bit.into()).collect();
                writer.change_vector(code, &bits)?;
            }
            writer.timestamp(10 * cycle as u64 + 5)?;
            writer.change_scalar(clock, Value::V1)?;
        }
        writer.timestamp(10 * self.cycles as u64)
    }
}

/// Signals as their bits come.
#[derive(Default)]
struct Signals {
    list: Vec<Signal>,
    places: HashMap<String, usize>,
}

impl Signals {
    /// Takes a bit of a cycle; `names` are those of the bit, `a[3]` or `a`.
    fn set(&mut self, names: &str, is_port: bool, cycle: usize, bit: bool) {
        let Some(full) = name_of(names) else {
            return;
        };
        let indexed = full
            .strip_suffix(']')
            .and_then(|full| full.rsplit_once('['));
        let (name, index) = match indexed.map(|(name, index)| (name, index.parse())) {
            Some((name, Ok(index))) => (name, index),
            _ => (full, 0),
        };
        let place = *self.places.entry(name.into()).or_insert_with(|| {
            self.list.push(Signal {
                name: name.into(),
                is_port,
                values: Vec::new(),
            });
            self.list.len() - 1
        });
        let values = &mut self.list[place].values;
        values.resize(values.len().max(cycle + 1), Vec::new());
        let bits = &mut values[cycle];
        bits.resize(bits.len().max(index + 1), false);
        bits[index] = bit;
    }
}

/// The name to show of those of a bit, with a space between them. A register is also called what it drives: its own name
/// has the longest path. What power-on leaves in a register has no name, nor has what stands for open bits.
fn name_of(names: &str) -> Option<&str> {
    let deepest = names
        .split(' ')
        .max_by_key(|name| name.matches('.').count())?;
    let name = deepest.strip_prefix("harness.").unwrap_or(deepest);
    (!name.is_empty() && !name.starts_with("init:")).then_some(name)
}

fn hexadecimal(bits: &[bool]) -> String {
    let digit = |bits: &[bool]| {
        bits.iter()
            .rev()
            .fold(0, |digit, &bit| digit << 1 | u32::from(bit))
    };
    let digits = bits.chunks(4).rev().map(digit);
    digits
        .filter_map(|digit| char::from_digit(digit, 16))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue that is filled: what its ports and registers show, in both forms.
    #[test]
    fn a_run_shows_ports_and_registers() {
        let proofs = crate::all();
        let proof = proofs.iter().find(|proof| proof.name == "fifo-2").unwrap();
        let circuit = proof.circuit().unwrap();
        let push = |push: bool| {
            let inputs = circuit.inputs.iter();
            let value = |name: &String| match name.as_str() {
                "push" => push,
                name => name == "push_data[7]" || name == "push_data[0]",
            };
            inputs.map(value).collect::<Vec<bool>>()
        };
        let trace = Trace::of(&circuit, &[false, true, true, false].map(push));

        let table = trace.table();
        let row = |name: &str| {
            let mut lines = table.lines().map(|line| line.split_whitespace());
            let row = lines.find_map(|mut words| (words.next() == Some(name)).then_some(words));
            row.unwrap().collect::<Vec<_>>()
        };
        assert_eq!(row("cycle"), ["0", "1", "2", "3"]);
        assert_eq!(row("push"), ["0", "1", "1", "0"]);
        assert_eq!(row("push_data"), ["81"; 4]);
        assert_eq!(row("reaches_full"), ["0", "0", "0", "1"]);
        assert!(!table.contains("held"), "registers are in the wave alone");

        let mut wave = Vec::new();
        trace.write_vcd(&mut wave).unwrap();
        let wave = String::from_utf8(wave).unwrap();
        let held = wave.lines().find(|line| line.contains(" held.q ")).unwrap();
        let code = held.split_whitespace().nth(3).unwrap();
        let shown = |value: &str| wave.contains(&format!("\nb{value} {code}\n"));
        assert!(shown("01") && shown("10"), "{wave}");
    }
}
