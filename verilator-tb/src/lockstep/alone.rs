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
use super::verilated::Verilated;
use super::{Constrain, Result};
use crate::verilator::{self, Options, Source, Stage, Start};

/// A module of a design, compiled for waves.
pub struct Alone {
    pins: Pins,
    verilated: Verilated,
}

impl Alone {
    /// Compiles a module, or takes it from the cache. `progress` tells each stage as it starts.
    pub fn build(
        design: &Design,
        module: &Module,
        progress: &mut dyn FnMut(Stage),
    ) -> Result<Self> {
        let verilog = with_children(design, &module.name);
        let source = Source {
            top: &module.name,
            verilog: &verilog,
        };
        let options = Options {
            trace: true,
            ..Options::default()
        };
        let library = verilator::build_with(&source, &options, progress)?;
        let pins = Pins::of_module(module);
        Ok(Self {
            verilated: Verilated::new(library.model(Start::Zeros)?, &pins)?,
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
        constrain: Option<Constrain>,
    ) -> Result<()> {
        let mut driver = Driver::new(&self.pins, &Default::default(), false, seed)?;
        let (inputs, outputs) = (self.pins.input_layout(), self.pins.output_layout());
        let (side, mut time) = (&mut self.verilated, 0);
        side.model.trace_open(wave)?;
        drive(&mut driver, cycles, constrain, &mut |moment| {
            side.model.set_time(time);
            side.settle(&inputs, moment.inputs)?;
            side.model.trace_dump()?;
            side.model.set_time(time + HALF_CYCLE);
            side.rise(moment.rising)?;
            side.model.trace_dump()?;
            side.read(&outputs, moment.outputs);
            time += 2 * HALF_CYCLE;
            Ok(())
        })?;
        Ok(side.model.trace_close()?)
    }
}

/// A cycle of a module alone.
pub(super) struct Drive<'a> {
    /// With all clocks low.
    pub inputs: &'a Frame,
    /// Clocks that rise then.
    pub rising: &'a [bool],
    /// Those of the cycle before; to become those of this one.
    pub outputs: &'a mut Frame,
    pub in_first_reset: bool,
}

/// Gives a module random legal input, from its reset on; `step` is a cycle of it.
pub(super) fn drive(
    driver: &mut Driver,
    cycles: usize,
    mut constrain: Option<Constrain>,
    step: &mut dyn FnMut(Drive) -> Result<()>,
) -> Result<()> {
    let mut inputs = driver.names.input_layout.zeros();
    let mut outputs = driver.names.output_layout.zeros();
    let resets = if driver.has_reset() { RESET_CYCLES } else { 0 };
    for number in 0..resets + cycles {
        let in_first_reset = number < resets;
        driver.inputs(&mut inputs, &outputs, in_first_reset);
        if let Some(constrain) = &mut constrain {
            constrain(&mut Cycle {
                names: &driver.names,
                inputs: &mut inputs,
                outputs: &outputs,
                number: number.saturating_sub(resets),
                rng: &mut driver.constraints,
            });
        }
        let mut rising = driver.rising();
        if in_first_reset {
            // Every clock, so that every register is reached.
            rising.fill(true);
        }
        step(Drive {
            inputs: &inputs,
            rising: &rising,
            outputs: &mut outputs,
            in_first_reset,
        })?;
    }
    Ok(())
}

impl Pins {
    /// The ports of a module, by their names in the block that it comes from.
    pub(super) fn of_module(module: &Module) -> Self {
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
pub(super) fn with_children(design: &Design, module: &str) -> String {
    let mut wanted = HashSet::from([module]);
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
