//! A router from its configuration to results.

use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use fantree_gen::config::Config;
use fantree_gen::mutate::{self, Change, Mutant, SELECT};
use fantree_gen::verilog::{Design, Direction, Module};
use fantree_hdl::router::RouterParams;
use serde::Serialize;

use super::verilated::chip_cycle;
use super::{Bench, Options, Progress, Results, Verilated};
use crate::coverage::LineData;
use crate::verilator::{self, BuildReport, Coverage, Library, Source, Stage, Start};

/// The top module that is compiled: the router, with a register before each input.
const TOP: &str = "bench";
/// The clock, which has no register.
const CLOCK: &str = "clock";
/// The module that a router has once a port.
const TILE: &str = "router_tile";

/// Optimisations of Verilator that make the functions of equal tiles differ, and so keep them from being one: variables
/// that are local where only one function needs them, and look-up tables that have a number.
pub const SHARED_CODE: [&str; 2] = ["-fno-localize", "-fno-table"];

/// A compiled router chip, ready for any number of runs.
#[derive(Clone)]
pub struct Simulation {
    config: String,
    params: RouterParams,
    library: Library,
    /// The Verilog, if its lines are counted.
    counted: Option<String>,
    /// Number of the fault that is awake, from 1; 0 for none.
    awake: usize,
}

/// What is seen of a chip beside its pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observe {
    /// Runs can write waves.
    pub trace: bool,
    /// Runs count which lines of the Verilog run, at 2.4 times the time.
    pub lines: bool,
}

impl Observe {
    /// With waves, or without.
    pub fn waves(trace: bool) -> Self {
        let lines = false;
        Self { trace, lines }
    }
}

/// An FST file to write, for a chip that was built for waves.
#[derive(Debug, Clone)]
pub struct WaveFile<'a> {
    pub path: &'a Path,
    /// Cycles of the run that it shall have, counted as those of violations are; none: all, and the reset.
    pub cycles: Option<Range<u64>>,
}

/// A run of a chip under Verilator.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// Name of the configuration.
    pub config: String,
    #[serde(flatten)]
    pub results: Results,
    /// Speed of the simulation.
    pub cycles_per_second: f64,
    /// Seconds from Verilog to a compiled model, when it was compiled.
    pub build_seconds: f64,
    /// Which lines ran, if the chip counts them.
    #[serde(skip)]
    pub lines: Option<LineData>,
}

impl Simulation {
    /// Generates the Verilog of a configuration's router, without its management, and compiles it, or takes the compiled
    /// chip from the cache. With `trace`, runs can write waves. `progress` tells each stage of a compilation as it starts.
    pub fn build(config: &Config, trace: bool, progress: &mut dyn FnMut(Stage)) -> Result<Self> {
        Self::observed(config, Observe::waves(trace), progress)
    }

    /// As [`build`](Self::build), of which more can be seen.
    pub fn observed(
        config: &Config,
        observe: Observe,
        progress: &mut dyn FnMut(Stage),
    ) -> Result<Self> {
        let design = fantree_gen::generate_router(config)?;
        Self::mutated(config, design, &[] as &[Mutant], observe, progress)
    }

    /// As [`observed`](Self::observed), of a configuration's design with these faults in it, all asleep; each can be
    /// [woken](Self::awake).
    pub fn mutated(
        config: &Config,
        design: Design,
        faults: &[impl AsRef<[Change]>],
        observe: Observe,
        progress: &mut dyn FnMut(Stage),
    ) -> Result<Self> {
        let orders = shared_tiles(&design);
        let design = match faults {
            [] => design,
            _ => {
                let top = design.top().name.clone();
                mutate::weave(design, faults, &top)
            }
        };
        let verilog = format!("{orders}{}", on_bench(&design));
        Self::compile(config, &verilog, observe, progress)
    }

    fn compile(
        config: &Config,
        verilog: &str,
        observe: Observe,
        progress: &mut dyn FnMut(Stage),
    ) -> Result<Self> {
        let source = Source { top: TOP, verilog };
        let options = verilator::Options {
            trace: observe.trace,
            coverage: match observe.lines {
                true => Coverage::Line,
                false => Coverage::None,
            },
            arguments: SHARED_CODE.map(String::from).to_vec(),
        };
        Ok(Self {
            config: config.name.clone(),
            params: config.router.params(),
            library: verilator::build_with(&source, &options, progress)?,
            counted: observe.lines.then(|| verilog.into()),
            awake: 0,
        })
    }

    /// The same chip with a fault awake, by its number among those it was made with, counted from 1.
    pub fn awake(&self, fault: usize) -> Self {
        Self {
            awake: fault,
            ..self.clone()
        }
    }

    /// Sizes of the chip.
    pub fn params(&self) -> &RouterParams {
        &self.params
    }

    /// How the chip was compiled.
    pub fn build_report(&self) -> &BuildReport {
        self.library.report()
    }

    /// A chip of its own, with these values before its reset.
    pub fn chip(&self, start: impl Into<Start>) -> Result<Verilated> {
        let mut model = self.library.model(start)?;
        if self.awake > 0 {
            let select = model.input(SELECT)?;
            model.write(select, self.awake as u64);
        }
        Ok(Verilated::new(model, &self.params)?)
    }

    /// Runs the chip once, from random values before its reset; from zeros if lines are counted.
    pub fn run(
        &self,
        options: &Options,
        wave: Option<WaveFile>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Run> {
        // Random values would run lines that nothing runs after the reset.
        let start = match &self.counted {
            Some(_) => Start::Zeros,
            None => Start::Random(options.seed),
        };
        let mut chip = self.chip(start)?;
        let is_traced = wave.is_some();
        if let Some(WaveFile { path, cycles }) = wave {
            let cycles = cycles.map_or(0..u64::MAX, |cycles| {
                chip_cycle(cycles.start)..chip_cycle(cycles.end)
            });
            chip.trace(path, cycles)?;
        }
        let mut bench = Bench::new(&mut chip, &self.params, options, progress)?;
        if is_traced {
            bench.keep_deliveries();
        }
        let start = Instant::now();
        let results = bench.run()?;
        chip.end_trace()?;
        Ok(Run {
            config: self.config.clone(),
            cycles_per_second: results.simulated_cycles as f64 / start.elapsed().as_secs_f64(),
            results,
            build_seconds: self.build_report().build_seconds,
            lines: self.lines(&mut chip)?,
        })
    }

    /// Which lines of a chip have run, if it counts them.
    fn lines(&self, chip: &mut Verilated) -> Result<Option<LineData>> {
        let Some(verilog) = self.counted.clone() else {
            return Ok(None);
        };
        // Verilator writes nothing but files.
        let file = tempfile::NamedTempFile::new().context("cannot make a temporary file")?;
        chip.model_mut().coverage_write(file.path())?;
        let data = std::fs::read_to_string(file.path())
            .with_context(|| format!("cannot read {}", file.path().display()))?;
        let top = TOP;
        Ok(Some(LineData { verilog, top, data }))
    }
}

/// Orders to Verilator that give all tiles the same C++.
///
/// Left alone, it inlines everything: forty tiles are forty times the code, 130 MB of it, slow to compile and slow to
/// run. A module kept apart has functions of its own, but each instance others, since what drives an input is put in
/// its place. Inputs that must be readable from outside stop that, and the functions of all instances are one: 6 MB.
pub fn shared_tiles(design: &Design) -> String {
    let mut orders = String::from("`verilator_config\n");
    let is_tile = |module: &&Module| module.declared.as_deref() == Some(TILE);
    for module in design.modules().iter().filter(is_tile) {
        let name = &module.name;
        orders += &format!("no_inline -module \"{name}\"\n");
        for port in &module.ports {
            if port.direction == Direction::Input {
                orders += &format!("public_flat_rd -module \"{name}\" -var \"{}\"\n", port.name);
            }
        }
    }
    orders + "`verilog\n"
}

/// The Verilog of a router, and of the module [`TOP`] around it: a register before each of its inputs.
///
/// Verilator works out everything that depends on an input whenever it is called, which is twice a cycle, and again when
/// the registers behind it have changed. What depends on registers alone it works out once.
fn on_bench(design: &Design) -> String {
    let router = design.top();
    let (mut pins, mut registers, mut edges, mut connections) = (vec![], vec![], vec![], vec![]);
    for port in &router.ports {
        let (name, range) = (&port.name, format!("[{}:0]", port.width - 1));
        let registered = port.direction == Direction::Input && name != CLOCK;
        if registered {
            registers.push(format!("reg {range} {name}_q;"));
            match name.as_str() {
                // A fault is awake from the start, before the first edge of a reset.
                SELECT => registers.push(format!("initial {name}_q = {name};")),
                _ => edges.push(format!("{name}_q <= {name};")),
            }
        }
        let way = match port.direction {
            Direction::Input => "input",
            _ => "output",
        };
        pins.push(format!("{way} wire {range} {name}"));
        connections.push(format!(
            ".{name}({name}{})",
            if registered { "_q" } else { "" }
        ));
    }
    format!(
        "{}
module {TOP} (
{}
);
{}
always @(posedge {CLOCK}) begin
{}
end
{router} {router} (
{}
);
endmodule
",
        design.to_verilog(),
        pins.join(",\n"),
        registers.join("\n"),
        edges.join("\n"),
        connections.join(",\n"),
        router = router.name,
    )
}
