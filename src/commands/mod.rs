//! The commands: one file each, with its arguments and what it prints. The work itself is done by the libraries.
//!
//! A new command is a file with `Args` (its arguments) and `run`, and a line in [`Command`] and in [`Cli::run`].

mod bench;
mod config;
mod coverage;
mod demo;
mod formal;
mod generate;
mod lint;
mod mutate;
mod page;
mod progress;
mod registers;
mod regress;
mod report;
mod sim;
mod sweep;
mod synth;
mod table;
mod testplan;
mod trace;
mod wave;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fantree_tb::wave::filter::Kind;

/// Sunway and Myrinet interconnects as hardware: Verilog, simulation, waveforms.
///
/// Exit codes: 0 all well; 1 the input is wrong, or what was checked is; 2 wrong arguments; 3 a program is missing.
#[derive(Parser)]
#[command(name = "fantree", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check, list and document configurations.
    #[command(subcommand)]
    Config(config::Command),
    /// Write the Verilog of a configuration, with constraints and lists for other flows.
    Generate(generate::Args),
    /// Write the registers of a configuration as a reference, as a C header, or for other tools.
    Registers(registers::Args),
    /// Check the Verilog of a configuration with Icarus Verilog, Verilator and Yosys.
    Lint(lint::Args),
    /// Measure area by unit and longest paths with Yosys, and speed by place and route; tell what grew.
    Synth(synth::Args),
    /// Run random traffic through a router under Verilator.
    Sim(sim::Args),
    /// Merge what simulations have covered; tell what never was.
    Coverage(coverage::Args),
    /// Measure latency and throughput over loads, patterns and seeds, and find where routers saturate.
    Sweep(sweep::Args),
    /// Run the cases of a plan in parallel, and look into those that fail.
    Regress(regress::Args),
    /// Make one page of what was measured and checked: curves, ports, coverage, tests, area.
    Report(report::Args),
    /// Record a short simulation and open it in GTKWave.
    Wave(wave::Args),
    /// Tell the life of a packet by cycle and unit, or list the packets of a run.
    Trace(trace::Args),
    /// Generate, lint and simulate a small router: a table, a report and a wave.
    Demo(demo::Args),
    /// Prove what blocks must never do, by model checking.
    Formal(formal::Args),
    /// Measure the size and the speed of the whole chip.
    Bench(bench::Args),
    /// Test the tests: put faults into the Verilog of a router, and see which check finds each.
    Mutate(mutate::Args),
    /// Show which points of the test plan have tests, and how these went.
    Testplan(testplan::Args),
    /// Answer values of flits on the input by their texts: GTKWave's filter.
    #[command(name = Kind::Flits.command(), hide = true)]
    DecodeFlits,
    /// The same for routes of packets that wait.
    #[command(name = Kind::Routes.command(), hide = true)]
    DecodeRoutes,
}

/// How a command turned out.
pub enum Outcome {
    Passed,
    /// The input is wrong, or what was checked is.
    Failed,
    /// A program that the command runs is not installed.
    MissingProgram,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Passed => ExitCode::SUCCESS,
            Outcome::Failed => ExitCode::from(1),
            Outcome::MissingProgram => ExitCode::from(3),
        }
    }
}

impl Cli {
    pub fn run(self) -> anyhow::Result<Outcome> {
        match self.command {
            Command::Config(command) => command.run(),
            Command::Generate(args) => generate::run(&args),
            Command::Registers(args) => registers::run(&args),
            Command::Lint(args) => lint::run(&args),
            Command::Synth(args) => synth::run(&args),
            Command::Sim(args) => sim::run(&args),
            Command::Coverage(args) => coverage::run(&args),
            Command::Sweep(args) => sweep::run(&args),
            Command::Regress(args) => regress::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Wave(args) => wave::run(&args),
            Command::Trace(args) => trace::run(&args),
            Command::Demo(args) => demo::run(&args),
            Command::Formal(args) => formal::run(&args),
            Command::Bench(args) => bench::run(&args),
            Command::Mutate(args) => mutate::run(&args),
            Command::Testplan(args) => testplan::run(&args),
            Command::DecodeFlits => wave::decode(Kind::Flits),
            Command::DecodeRoutes => wave::decode(Kind::Routes),
        }
    }
}
