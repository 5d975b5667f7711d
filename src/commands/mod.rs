//! The commands: one file each, with its arguments and what it prints. The work itself is done by the libraries.
//!
//! A new command is a file with `Args` (its arguments) and `run`, and a line in [`Command`] and in [`Cli::run`].

mod config;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Sunway and Myrinet interconnects as hardware: Verilog, simulation, waveforms.
///
/// Exit codes: 0 done and all well; 1 the input is wrong or what was checked failed; 2 wrong arguments.
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
}

/// How a command that ran to its end turned out.
pub enum Outcome {
    Passed,
    /// The command did its work, and what it checked is not in order.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Passed => ExitCode::SUCCESS,
            Outcome::Failed => ExitCode::from(1),
        }
    }
}

impl Cli {
    pub fn run(self) -> anyhow::Result<Outcome> {
        match self.command {
            Command::Config(command) => command.run(),
        }
    }
}
