//! The rust-hdl side: a block driven and read through its ports.

use super::frame::{Frame, Layout};
use super::pins::{Pin, Pins, Role};
use super::VisitPorts;
use fantree_hdl::ports::{Input, Name, Output, Visitor};
use rust_hdl::core::simulate::simulate;
use rust_hdl::prelude::Block;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// Rounds after which a block that still changes counts as a loop. Each level of hierarchy takes a round.
const MOST_ROUNDS: usize = 200;

/// A block in rust-hdl's own simulation.
pub struct RustSide<B> {
    pub block: Box<B>,
    pub visit: VisitPorts<B>,
}

impl<B> RustSide<B> {
    /// The ports as the block shows them; Verilog names are left empty.
    pub fn pins(&mut self) -> Pins {
        let mut pins = Pins::default();
        (self.visit)(&mut self.block, &mut Describe(&mut pins));
        pins
    }

    /// Drives all inputs; a value that is none of the port's type becomes a legal one, in `inputs` too.
    pub fn drive(&mut self, layout: &Layout, inputs: &mut Frame) {
        let visitor = &mut Drive {
            layout,
            inputs,
            port: 0,
        };
        (self.visit)(&mut self.block, visitor);
    }

    /// Reads all outputs.
    pub fn read(&mut self, layout: &Layout, outputs: &mut Frame) {
        let visitor = &mut Read {
            layout,
            outputs,
            port: 0,
        };
        (self.visit)(&mut self.block, visitor);
    }
}

impl<B: Block> RustSide<B> {
    /// Simulates until nothing changes. The error is what rust-hdl or the block has to say.
    pub fn settle(&mut self) -> Result<(), String> {
        let settled = catch_unwind(AssertUnwindSafe(|| {
            simulate(self.block.as_mut(), MOST_ROUNDS)
        }));
        match settled {
            Ok(true) => Ok(()),
            Ok(false) => Err(format!("does not settle in {MOST_ROUNDS} rounds")),
            Err(payload) => {
                let text = payload
                    .downcast_ref::<String>()
                    .map(String::as_str)
                    .or(payload.downcast_ref::<&str>().copied());
                Err(format!("panics: {}", text.unwrap_or("(no message)")))
            }
        }
    }
}

struct Describe<'a>(&'a mut Pins);

impl Visitor for Describe<'_> {
    fn input(&mut self, name: &Name, port: &mut dyn Input) {
        self.0.inputs.push(Pin {
            name: name.to_string(),
            verilog: String::new(),
            width: port.width(),
            role: if port.is_clock() {
                Role::Clock
            } else {
                Role::Data
            },
        });
    }

    fn output(&mut self, name: &Name, port: &dyn Output) {
        self.0.outputs.push(Pin {
            name: name.to_string(),
            verilog: String::new(),
            width: port.width(),
            role: Role::Output,
        });
    }
}

struct Drive<'a> {
    layout: &'a Layout,
    inputs: &'a mut Frame,
    port: usize,
}

impl Visitor for Drive<'_> {
    fn input(&mut self, _name: &Name, port: &mut dyn Input) {
        let words = self.layout.get_mut(self.inputs, self.port);
        let driven = port.drive(words);
        words.copy_from_slice(&driven);
        self.port += 1;
    }

    fn output(&mut self, _name: &Name, _port: &dyn Output) {}
}

struct Read<'a> {
    layout: &'a Layout,
    outputs: &'a mut Frame,
    port: usize,
}

impl Visitor for Read<'_> {
    fn input(&mut self, _name: &Name, _port: &mut dyn Input) {}

    fn output(&mut self, _name: &Name, port: &dyn Output) {
        let words = self.layout.get_mut(self.outputs, self.port);
        words.copy_from_slice(&port.words());
        self.port += 1;
    }
}
