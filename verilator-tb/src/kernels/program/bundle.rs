//! Many kernels as one block: one Verilator build and one Icarus run for all of them.
//!
//! The bundle's ports are those of its kernels, `k7$data` for `data` of kernel 7, but clock and reset, which they share.

use fantree_hdl::ports::{Input, Name, Output, Ports, Visitor};
use rust_hdl::core::ast::{VerilogExpression, VerilogStatement};
use rust_hdl::core::constraint::PinConstraint;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;
use std::cell::Cell;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;

/// Rounds after which a kernel that still changes counts as a loop.
const MOST_ROUNDS: usize = 200;

/// A block and its ports, whatever its type.
pub trait Subject: Block + Ports {}

impl<T: Block + Ports> Subject for T {}

/// Makes a kernel.
pub type Make = fn() -> Box<dyn Subject>;

/// Kernels side by side.
pub struct Bundle {
    clock: Signal<In, Clock>,
    reset: Signal<In, Bit>,
    members: Vec<Member>,
    culprit: Rc<Cell<Option<usize>>>,
}

struct Member {
    number: usize,
    block: Box<dyn Subject>,
    ports: Vec<Pin>,
}

impl Bundle {
    /// A bundle of numbered kernels. `culprit` will have the number of a kernel that fails in simulation.
    pub fn new(kernels: &[(usize, Make)], culprit: Rc<Cell<Option<usize>>>) -> Bundle {
        let member = |&(number, make): &(usize, Make)| {
            let block = make();
            let mut pins = Pins::default();
            block.accept("kernel", &mut pins);
            Member {
                number,
                block,
                ports: pins.found,
            }
        };
        Bundle {
            clock: Default::default(),
            reset: Default::default(),
            members: kernels.iter().map(member).collect(),
            culprit,
        }
    }
}

/// The number of the kernel that has this port of the bundle.
pub fn owner(port: &str) -> Option<usize> {
    let (kernel, _) = port.split_once('$')?;
    kernel.strip_prefix('k')?.parse().ok()
}

impl Member {
    fn name(&self) -> String {
        format!("k{}", self.number)
    }

    fn instance(&self) -> String {
        format!("kernel${}", self.number)
    }

    /// Updates the kernel until nothing in it changes.
    fn settle(&mut self) -> Result<(), String> {
        let block = &mut self.block;
        let settled = catch_unwind(AssertUnwindSafe(|| {
            (0..MOST_ROUNDS).any(|_| {
                block.update_all();
                !block.has_changed()
            })
        }));
        match settled {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!("does not settle in {MOST_ROUNDS} rounds")),
            Err(payload) => {
                let text = payload.downcast_ref::<String>().map(String::as_str);
                let text = text.or(payload.downcast_ref::<&str>().copied());
                Err(format!("panics: {}", text.unwrap_or("(no message)")))
            }
        }
    }
}

impl Logic for Bundle {
    fn update(&mut self) {}

    fn connect(&mut self) {}

    fn hdl(&self) -> Verilog {
        let signal = |name: String| VerilogExpression::Signal(name);
        let mut statements = vec![];
        for member in &self.members {
            for pin in &member.ports {
                let inner = signal(format!("{}${}", member.instance(), pin.name));
                let outer = signal(pin.outer(member));
                statements.push(match pin.kind {
                    AtomKind::OutputParameter => VerilogStatement::Assignment(outer, inner),
                    _ => VerilogStatement::Assignment(inner, outer),
                });
            }
        }
        Verilog::Combinatorial(statements)
    }
}

impl Block for Bundle {
    fn connect_all(&mut self) {
        self.members
            .iter_mut()
            .for_each(|member| member.block.connect_all());
    }

    /// Each kernel settles for itself: others that need more rounds do not hold it up.
    fn update_all(&mut self) {
        self.clock.update_all();
        self.reset.update_all();
        let mut shared = Shared {
            clock: self.clock.val().clk,
            reset: self.reset.val(),
        };
        for member in &mut self.members {
            member.block.visit_ports(&Name::root(), &mut shared);
            if let Err(reason) = member.settle() {
                self.culprit.set(Some(member.number));
                panic!("{} {reason}", member.name());
            }
        }
    }

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        self.clock.accept("clock", probe);
        self.reset.accept("reset", probe);
        for member in &self.members {
            for pin in member.ports.iter().filter(|pin| !pin.is_shared()) {
                probe.visit_atom(&pin.outer(member), pin);
            }
        }
        for member in &self.members {
            member.block.accept(&member.instance(), probe);
        }
        probe.visit_end_scope(name, self);
    }
}

impl Ports for Bundle {
    fn visit_ports(&mut self, name: &Name, visitor: &mut dyn Visitor) {
        self.clock.visit_ports(&name.field("clock"), visitor);
        self.reset.visit_ports(&name.field("reset"), visitor);
        for member in &mut self.members {
            let kernel = member.name();
            let mut own = Own {
                reset: format!("{kernel}$reset"),
                visitor,
            };
            member.block.visit_ports(&name.field(&kernel), &mut own);
        }
    }
}

/// Drives the ports that kernels share.
struct Shared {
    clock: bool,
    reset: bool,
}

impl Visitor for Shared {
    fn input(&mut self, name: &Name, port: &mut dyn Input) {
        if port.is_clock() {
            port.drive(&[self.clock.into()]);
        } else if name.to_string() == "reset" {
            port.drive(&[self.reset.into()]);
        }
    }

    fn output(&mut self, _name: &Name, _port: &dyn Output) {}
}

/// Shows the ports that a kernel has for itself.
struct Own<'a> {
    reset: String,
    visitor: &'a mut dyn Visitor,
}

impl Visitor for Own<'_> {
    fn input(&mut self, name: &Name, port: &mut dyn Input) {
        if !port.is_clock() && name.to_string() != self.reset {
            self.visitor.input(name, port);
        }
    }

    fn output(&mut self, name: &Name, port: &dyn Output) {
        self.visitor.output(name, port);
    }
}

/// A port of a kernel, as the bundle shows it to probes.
struct Pin {
    name: String,
    kind: AtomKind,
    bits: usize,
    descriptor: TypeDescriptor,
    id: usize,
}

impl Pin {
    fn is_shared(&self) -> bool {
        ["clock", "reset"].contains(&self.name.as_str())
    }

    /// The port of the bundle.
    fn outer(&self, member: &Member) -> String {
        match self.is_shared() {
            true => self.name.clone(),
            false => format!("{}${}", member.name(), self.name),
        }
    }
}

impl Atom for Pin {
    fn bits(&self) -> usize {
        self.bits
    }

    fn connected(&self) -> bool {
        true
    }

    fn changed(&self) -> bool {
        false
    }

    fn kind(&self) -> AtomKind {
        self.kind
    }

    fn descriptor(&self) -> TypeDescriptor {
        self.descriptor.clone()
    }

    fn vcd(&self) -> VCDValue {
        VCDValue::Vector(vec![])
    }

    fn verilog(&self) -> VerilogLiteral {
        0u32.into()
    }

    fn id(&self) -> usize {
        self.id
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        vec![]
    }
}

/// Collects the ports of the outermost block.
#[derive(Default)]
struct Pins {
    found: Vec<Pin>,
    depth: usize,
}

impl Probe for Pins {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let kind = signal.kind();
        let is_port = matches!(kind, AtomKind::InputParameter | AtomKind::OutputParameter);
        if self.depth == 1 && is_port {
            self.found.push(Pin {
                name: name.to_owned(),
                kind,
                bits: signal.bits(),
                descriptor: signal.descriptor(),
                id: get_signal_id(),
            });
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}
