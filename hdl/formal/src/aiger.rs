//! And-inverter graphs: a circuit as AND gates, inverters and registers of one bit, in AIGER's binary format.
//!
//! A literal is twice the number of a variable, plus one where it is inverted; variable 0 is false, then come inputs,
//! latches and gates. See <https://fmv.jku.at/aiger/>.

use std::io::Write;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[error("not an AIGER file that Yosys would write: {0}")]
pub struct Error(&'static str);

/// A circuit whose latches start at zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    pub inputs: Vec<String>,
    /// The name and the next value of each.
    pub latches: Vec<(String, usize)>,
    pub outputs: Vec<(String, usize)>,
    gates: Vec<[usize; 2]>,
}

/// Takes bytes off the front of a file.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn line(&mut self) -> Result<&'a str, Error> {
        let end = self.0.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or(Error("it ends within a line"))?;
        let line = std::str::from_utf8(&self.0[..end]).map_err(|_| Error("a line is no text"))?;
        self.0 = &self.0[end + 1..];
        Ok(line)
    }

    fn number(&mut self) -> Result<usize, Error> {
        let line = self.line()?;
        line.parse().map_err(|_| Error("a line is no number"))
    }

    /// A number in groups of seven bits, the lowest first; the highest bit of a byte says that more follow.
    fn delta(&mut self) -> Result<usize, Error> {
        let mut value = 0;
        for group in 0..5 {
            let (&byte, rest) = self.0.split_first().ok_or(Error("it ends within a gate"))?;
            self.0 = rest;
            value |= usize::from(byte & 0x7f) << (7 * group);
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Error("a gate is too far from its operands"))
    }
}

impl Graph {
    /// Reads a file with its table of symbols.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let mut reader = Reader(bytes);
        let header = reader.line()?;
        let counts: Option<Vec<usize>> = header
            .strip_prefix("aig ")
            .and_then(|counts| counts.split(' ').map(|count| count.parse().ok()).collect());
        let &[variables, inputs, latches, outputs, gates] = counts.as_deref().unwrap_or(&[]) else {
            return Err(Error("its header has not five counts"));
        };
        if variables != inputs + latches + gates {
            return Err(Error("its counts do not add up"));
        }
        let mut graph = Self {
            inputs: vec![String::new(); inputs],
            latches: vec![Default::default(); latches],
            outputs: vec![Default::default(); outputs],
            gates: Vec::with_capacity(gates),
        };
        for (_, literal) in graph.latches.iter_mut().chain(&mut graph.outputs) {
            *literal = reader.number()?;
        }
        for gate in 0..gates {
            let own = 2 * (1 + inputs + latches + gate);
            let mut operand = own;
            let operands = [(); 2].map(|_| {
                operand = operand
                    .checked_sub(reader.delta()?)
                    .ok_or(Error("a gate's operand is below zero"))?;
                Ok(operand)
            });
            let [first, second] = operands;
            graph.gates.push([first?, second?]);
        }
        graph.read_symbols(&mut reader)?;
        let literals = graph
            .latches
            .iter()
            .chain(&graph.outputs)
            .map(|(_, literal)| literal);
        if literals
            .chain(graph.gates.iter().flatten())
            .any(|&literal| literal / 2 > variables)
        {
            return Err(Error("a literal is of no variable"));
        }
        Ok(graph)
    }

    fn read_symbols(&mut self, reader: &mut Reader) -> Result<(), Error> {
        while !reader.0.is_empty() {
            let line = reader.line()?;
            if line == "c" {
                break;
            }
            let (place, name) = line.split_once(' ').ok_or(Error("a symbol has no name"))?;
            let (kind, index) = place
                .split_at_checked(1)
                .ok_or(Error("a symbol has no place"))?;
            let index: usize = index.parse().map_err(|_| Error("a symbol has no place"))?;
            let symbol = match kind {
                "i" => self.inputs.get_mut(index),
                "l" => self.latches.get_mut(index).map(|(name, _)| name),
                "o" => self.outputs.get_mut(index).map(|(name, _)| name),
                _ => None,
            };
            *symbol.ok_or(Error("a symbol is of nothing"))? = name.into();
        }
        Ok(())
    }

    /// The file of the circuit with output `output` alone, for a program that looks at one.
    pub fn file_of_output(&self, output: usize) -> Vec<u8> {
        let (inputs, latches, gates) = (self.inputs.len(), self.latches.len(), self.gates.len());
        let mut bytes = Vec::new();
        let mut line =
            |text: String| writeln!(bytes, "{text}").expect("memory takes what is written");
        line(format!(
            "aig {} {inputs} {latches} 1 {gates}",
            inputs + latches + gates
        ));
        for (_, next) in &self.latches {
            line(next.to_string());
        }
        line(self.outputs[output].1.to_string());
        for (gate, &[first, second]) in self.gates.iter().enumerate() {
            let own = 2 * (1 + inputs + latches + gate);
            for mut delta in [own - first, first - second] {
                while delta >= 0x80 {
                    bytes.push(delta as u8 | 0x80);
                    delta >>= 7;
                }
                bytes.push(delta as u8);
            }
        }
        bytes
    }

    /// The state before the first step.
    pub fn start(&self) -> Vec<bool> {
        vec![false; self.latches.len()]
    }

    /// One cycle: from the values of latches and inputs to those of the outputs, and the latches' next.
    pub fn step(&self, state: &mut Vec<bool>, inputs: &[bool]) -> Vec<bool> {
        assert_eq!(inputs.len(), self.inputs.len(), "a value for each input");
        let mut values = vec![false];
        values.extend(inputs);
        values.extend(&*state);
        for &[first, second] in &self.gates {
            values.push(value(&values, first) & value(&values, second));
        }
        let of =
            |list: &[(String, usize)]| list.iter().map(|&(_, it)| value(&values, it)).collect();
        *state = of(&self.latches);
        of(&self.outputs)
    }
}

fn value(values: &[bool], literal: usize) -> bool {
    values[literal / 2] ^ (literal % 2 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter of two bits that counts when `on`, and an output that says it is 3.
    fn counter() -> Graph {
        let (on, low, high, carry) = (2, 4, 6, 8);
        Graph {
            inputs: vec!["on".into()],
            latches: vec![("low".into(), 12), ("high".into(), 18)],
            outputs: vec![("three".into(), 20), ("low".into(), low)],
            gates: vec![
                [low, on],
                // Neither; then not neither and not both.
                [low + 1, on + 1],
                [11, carry + 1],
                [carry, high],
                [carry + 1, high + 1],
                [17, 15],
                [high, low],
            ],
        }
    }

    #[test]
    fn steps_as_the_circuit_does() {
        let graph = counter();
        let mut state = graph.start();
        let mut seen = Vec::new();
        for on in [true, true, false, true, true, false] {
            seen.push(graph.step(&mut state, &[on])[0]);
        }
        assert_eq!(seen, [false, false, false, false, true, false]);
    }

    #[test]
    fn a_file_with_one_output_reads_back() {
        let graph = counter();
        for output in 0..2 {
            let mut file = graph.file_of_output(output);
            file.extend(b"i0 on\nl0 low\nl1 high\n");
            file.extend(format!("o0 {}\nc\nany comment", graph.outputs[output].0).bytes());
            let read = Graph::parse(&file).unwrap();
            assert_eq!(read.outputs, [graph.outputs[output].clone()]);
            assert_eq!(
                (read.gates, read.latches),
                (graph.gates.clone(), graph.latches.clone())
            );
        }
    }

    #[test]
    fn what_is_no_graph_is_an_error() {
        let good = counter().file_of_output(0);
        for length in 0..good.len() {
            assert!(
                Graph::parse(&good[..length]).is_err(),
                "cut to {length} bytes"
            );
        }
        for (file, why) in [
            ("aag 1 1 0 1 0\n2\n2\n", "its header has not five counts"),
            ("aig 2 1 0 1 0\n2\n", "its counts do not add up"),
            ("aig 1 1 0 1 0\n4\n", "a literal is of no variable"),
            ("aig 1 1 0 1 0\n2\nx0 on\n", "a symbol is of nothing"),
        ] {
            assert_eq!(Graph::parse(file.as_bytes()).unwrap_err().0, why);
        }
    }
}
