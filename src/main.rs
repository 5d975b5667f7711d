//! The command line of fantree: reads the arguments, runs the command, tells the outcome by the exit code.

mod commands;

use std::process::ExitCode;

use clap::Parser;
use fantree_gen::{config, tool};
use fantree_tb::regress::plan;

use commands::{Cli, Outcome};

fn main() -> ExitCode {
    // `fantree … | head` ends quietly, as other programs do.
    sigpipe::reset();
    let outcome = Cli::parse().run().unwrap_or_else(|error| {
        match invalid(&error) {
            // Its lines start with file:line:column, for editors to jump to.
            Some(invalid) => eprintln!("{invalid}"),
            None => eprintln!("error: {error:#}"),
        }
        match error.downcast_ref() {
            Some(tool::Error::Missing(_) | tool::Error::NotSetUp(_)) => Outcome::MissingProgram,
            _ => Outcome::Failed,
        }
    });
    outcome.into()
}

/// The problems of a file, if it is these that an error tells of.
fn invalid(error: &anyhow::Error) -> Option<&config::Invalid> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(config::Error::Invalid(invalid)), _) => Some(invalid),
        (_, Some(plan::Error::Invalid(invalid))) => Some(invalid),
        _ => error.downcast_ref(),
    }
}
