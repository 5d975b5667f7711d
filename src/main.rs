//! The command line of fantree: reads the arguments, runs the command, tells the outcome by the exit code.

mod commands;

use std::process::ExitCode;

use clap::Parser;
use fantree_gen::{config, tool};

use commands::{Cli, Outcome};

fn main() -> ExitCode {
    // `fantree … | head` ends quietly, as other programs do.
    sigpipe::reset();
    let outcome = Cli::parse().run().unwrap_or_else(|error| {
        match error.downcast_ref() {
            // Its lines start with file:line:column, for editors to jump to.
            Some(config::Error::Invalid(invalid)) => eprintln!("{invalid}"),
            _ => eprintln!("error: {error:#}"),
        }
        match error.downcast_ref() {
            Some(tool::Error::Missing(_) | tool::Error::NotSetUp(_)) => Outcome::MissingProgram,
            _ => Outcome::Failed,
        }
    });
    outcome.into()
}
