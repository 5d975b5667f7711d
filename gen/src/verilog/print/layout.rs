//! A module on paper: ports, declarations, instances, logic, in this order.
//!
//! A finished module is a list of [`Piece`]s, because the names of the modules it instantiates are chosen last.

pub use super::lines::INDENT;
use super::lines::{comments, line};
use std::fmt::Write;

/// Index of a module of the design.
pub type ModId = usize;

/// Text, or the name of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Text(String),
    Module(ModId),
}

/// Direction of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Input,
    Output,
    InOut,
}

/// A declared name: a port if it has a direction.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub direction: Option<Direction>,
    pub is_reg: bool,
    pub signed: bool,
    pub width: usize,
    pub name: String,
    /// Not every bit is read, and that is as it should be.
    pub partly_read: bool,
}

impl Declaration {
    fn text(&self) -> String {
        let direction = match self.direction {
            Some(Direction::Input) => "input  ",
            Some(Direction::Output) => "output ",
            Some(Direction::InOut) => "inout  ",
            None => "",
        };
        let kind = if self.is_reg { "reg " } else { "wire" };
        let signed = if self.signed { " signed" } else { "" };
        let range = match self.width {
            1 => String::new(),
            width => format!(" [{}:0]", width - 1),
        };
        format!("{direction}{kind}{signed}{range} {}", self.name)
    }
}

/// A connection of an instance; an output that nobody reads is left open.
pub struct Pin {
    pub port: String,
    pub net: Option<String>,
}

/// A child.
pub struct Instance {
    pub comments: Vec<String>,
    pub module: ModId,
    pub name: String,
    pub pins: Vec<Pin>,
}

/// Everything in a module.
#[derive(Default)]
pub struct Layout {
    pub ports: Vec<Declaration>,
    /// Name, width and value, as text.
    pub constants: Vec<(String, usize, String)>,
    pub nets: Vec<Declaration>,
    pub instances: Vec<Instance>,
    /// Paragraphs, each ending in a new line.
    pub logic: Vec<String>,
    /// Comments after the last statement.
    pub remarks: Vec<String>,
}

impl Layout {
    /// The module from behind its name to its end.
    pub fn render(self) -> Vec<Piece> {
        let mut sheet = Sheet::default();
        sheet.ports(&self.ports);
        if !self.constants.is_empty() {
            sheet.gap();
            for (name, width, value) in &self.constants {
                let range = match width {
                    1 => String::new(),
                    width => format!(" [{}:0]", width - 1),
                };
                line(
                    &mut sheet.text,
                    1,
                    &format!("localparam{range} {name} = {value};"),
                );
            }
        }
        if !self.nets.is_empty() {
            sheet.gap();
            for (marked, group) in groups(&self.nets, |net| net.partly_read) {
                sheet.waived(marked, 1, UNUSED, |text| {
                    for net in group {
                        line(text, 1, &format!("{};", net.text()));
                    }
                });
            }
        }
        for instance in &self.instances {
            sheet.gap();
            sheet.instance(instance);
        }
        // Single assignments stand together; everything else is a paragraph.
        let mut after_single = false;
        for paragraph in &self.logic {
            let single = paragraph.lines().count() == 1;
            if !(single && after_single) {
                sheet.gap();
            }
            after_single = single;
            sheet.text.push_str(paragraph);
        }
        if !self.remarks.is_empty() {
            sheet.gap();
            comments(&mut sheet.text, &self.remarks, 1);
        }
        sheet.text.push_str("endmodule\n");
        sheet.flush();
        sheet.pieces
    }
}

/// A waiver: the rule of Verilator and why it does not apply.
type Waiver = (&'static str, &'static str);
const UNUSED: Waiver = ("UNUSEDSIGNAL", "not every bit is read here");
const OPEN: Waiver = ("PINCONNECTEMPTY", "outputs that are not read here");

#[derive(Default)]
struct Sheet {
    pieces: Vec<Piece>,
    text: String,
}

impl Sheet {
    fn gap(&mut self) {
        self.text.push('\n');
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.pieces.push(Piece::Text(text));
    }

    fn waived(&mut self, is: bool, depth: usize, waiver: Waiver, write: impl FnOnce(&mut String)) {
        let (indent, (rule, reason)) = (INDENT.repeat(depth), waiver);
        if is {
            let pragma = format!("/* verilator lint_off {rule} */ // {reason}");
            let _ = writeln!(self.text, "{indent}{pragma}");
        }
        write(&mut self.text);
        if is {
            let _ = writeln!(self.text, "{indent}/* verilator lint_on {rule} */");
        }
    }

    fn ports(&mut self, ports: &[Declaration]) {
        if ports.is_empty() {
            self.text.push_str(" ();\n");
            return;
        }
        self.text.push_str(" (\n");
        let last = &ports[ports.len() - 1].name;
        for (marked, group) in groups(ports, |port| port.partly_read) {
            self.waived(marked, 1, UNUSED, |text| {
                for port in group {
                    let comma = if port.name == *last { "" } else { "," };
                    let _ = writeln!(text, "{INDENT}{}{comma}", port.text());
                }
            });
        }
        self.text.push_str(");\n");
    }

    fn instance(&mut self, instance: &Instance) {
        comments(&mut self.text, &instance.comments, 1);
        self.text.push_str(INDENT);
        self.flush();
        self.pieces.push(Piece::Module(instance.module));
        let name = &instance.name;
        if instance.pins.is_empty() {
            let _ = writeln!(self.text, " {name} ();");
            return;
        }
        let _ = writeln!(self.text, " {name} (");
        let last = &instance.pins[instance.pins.len() - 1].port;
        for (open, group) in groups(&instance.pins, |pin| pin.net.is_none()) {
            self.waived(open, 2, OPEN, |text| {
                for Pin { port, net } in group {
                    let comma = if port == last { "" } else { "," };
                    let net = net.as_deref().unwrap_or_default();
                    let _ = writeln!(text, "{INDENT}{INDENT}.{port}({net}){comma}");
                }
            });
        }
        let _ = writeln!(self.text, "{INDENT});");
    }
}

/// Runs of neighbours with the same mark.
fn groups<T>(items: &[T], mark: impl Fn(&T) -> bool) -> Vec<(bool, &[T])> {
    items
        .chunk_by(|a, b| mark(a) == mark(b))
        .map(|run| (mark(&run[0]), run))
        .collect()
}
