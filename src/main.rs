//! The command line of fantree: reads the arguments, runs the command, tells the outcome by the exit code.

mod commands;

use std::process::ExitCode;

use clap::Parser;
use fantree_gen::config;

use commands::Cli;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            match error.downcast_ref::<config::Error>() {
                // Its lines start with file:line:column, for editors to jump to.
                Some(config::Error::Invalid(invalid)) => eprintln!("{invalid}"),
                _ => eprintln!("error: {error:#}"),
            }
            commands::Outcome::Failed.into()
        }
    }
}
