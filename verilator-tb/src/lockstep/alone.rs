//! The Verilog of a module alone, under the random input of lockstep: for a wave to look at.

use std::collections::HashSet;
use std::path::Path;

use fantree_gen::verilog::{Design, Direction, Module};

use super::constrain::Cycle;
use super::driver::Driver;
use super::frame::Frame;
use super::pins::{Pin, Pins, Role};
use super::recording::HALF_CYCLE;
use super::run::RESET_CYCLES;
use super::{Constrain, Result};
use crate::verilator::{self, Model, Options, Port, Source, Stage, Start};

/// A module of a design, compiled for waves.
pub struct Alone {
    pins: Pins,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    clocks: Vec<usize>,
    model: Model,
}

impl Alone {
    /// Compiles a module, or takes it from the cache. `progress` tells each stage as it starts.
    pub fn build(
        design: &Design,
        module: &Module,
        progress: &mut dyn FnMut(Stage),
    ) -> Result<Self> {
        let verilog = with_children(design, module);
        let source = Source {
            top: &module.name,
            verilog: &verilog,
        };
        let options = Options {
            trace: true,
            ..Options::default()
        };
        let library = verilator::build_with(&source, &options, progress)?;
        let model = library.model(Start::Zeros)?;
        let pins = Pins::of_module(module);
        let ports = |pins: &[Pin]| {
            let ports = pins.iter().map(|pin| model.port(&pin.verilog));
            ports.collect::<verilator::Result<Vec<_>>>()
        };
        let all = pins.inputs.iter().enumerate();
        let clocks = all.filter(|(_, pin)| pin.role == Role::Clock);
        Ok(Self {
            inputs: ports(&pins.inputs)?,
            outputs: ports(&pins.outputs)?,
            clocks: clocks.map(|(at, _)| at).collect(),
            model,
            pins,
        })
    }

    /// Runs the module for some cycles after its reset, and writes everything into a wave. `constrain` makes the input
    /// legal.
    pub fn record(
        mut self,
        wave: &Path,
        cycles: usize,
        seed: u64,
        mut constrain: Option<Constrain>,
    ) -> Result<()> {
        let mut driver = Driver::new(&self.pins, &Default::default(), false, seed)?;
        let mut inputs = self.pins.input_layout().zeros();
        let mut outputs = self.pins.output_layout().zeros();
        self.model.trace_open(wave)?;
        let resets = if driver.has_reset() { RESET_CYCLES } else { 0 };
        for number in 0..resets + cycles {
            let resetting = number < resets;
            driver.inputs(&mut inputs, &outputs, resetting);
            if let Some(constrain) = &mut constrain {
                constrain(&mut Cycle {
                    names: &driver.names,
                    inputs: &mut inputs,
                    outputs: &outputs,
                    number: number.saturating_sub(resets),
                    rng: &mut driver.constraints,
                });
            }
            let rising = match resetting {
                true => vec![true; self.clocks.len()],
                false => driver.rising(),
            };
            self.step(number as u64, &driver, &inputs, &rising)?;
            self.read(&driver, &mut outputs);
        }
        self.model.trace_close()?;
        Ok(())
    }

    /// A cycle: inputs change with clocks low, then clocks rise.
    fn step(
        &mut self,
        number: u64,
        driver: &Driver,
        inputs: &Frame,
        rising: &[bool],
    ) -> Result<()> {
        let layout = &driver.names.input_layout;
        for (port, &input) in self.inputs.iter().enumerate() {
            self.model.write_words(input, layout.get(inputs, port));
        }
        for half in [0, 1] {
            for (&clock, &rises) in self.clocks.iter().zip(rising) {
                let level = half == 1 && rises;
                self.model.write(self.inputs[clock], level.into());
            }
            self.model.set_time((2 * number + half) * HALF_CYCLE);
            self.model.eval()?;
            self.model.trace_dump()?;
        }
        Ok(())
    }

    fn read(&self, driver: &Driver, outputs: &mut Frame) {
        let layout = &driver.names.output_layout;
        for (port, &output) in self.outputs.iter().enumerate() {
            let words = self.model.read_words(output);
            layout.get_mut(outputs, port).copy_from_slice(&words);
        }
    }
}

impl Pins {
    /// The ports of a module, by their names in the block that it comes from.
    fn of_module(module: &Module) -> Self {
        let mut pins = Pins::default();
        for port in &module.ports {
            let ends = |what: &str| port.name == what || port.name.ends_with(&format!("_{what}"));
            let is_bit = port.width == 1;
            let (list, role) = match port.direction {
                Direction::Input if is_bit && ends("clock") => (&mut pins.inputs, Role::Clock),
                Direction::Input if is_bit && ends("reset") => {
                    (&mut pins.inputs, Role::Reset { active: true })
                }
                Direction::Input => (&mut pins.inputs, Role::Data),
                _ => (&mut pins.outputs, Role::Output),
            };
            list.push(Pin {
                name: port.rust_name.clone(),
                verilog: port.name.clone(),
                width: port.width,
                role,
            });
        }
        pins
    }
}

/// The text of a module and of all that are below it.
fn with_children(design: &Design, module: &Module) -> String {
    let mut wanted: HashSet<&str> = HashSet::from([module.name.as_str()]);
    // Children stand before their parents.
    for module in design.modules().iter().rev() {
        if wanted.contains(module.name.as_str()) {
            wanted.extend(module.children.iter().map(String::as_str));
        }
    }
    let modules = design.modules().iter();
    let texts = modules.filter(|module| wanted.contains(module.name.as_str()));
    texts.map(|module| format!("{}\n", module.text)).collect()
}
