//! `fantree config`: check, list and document configurations.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use fantree_gen::config::{self, Config};
use serde_json::json;

use super::Outcome;

#[derive(Subcommand)]
pub enum Command {
    /// Check files; every problem is reported with its place and what is legal there.
    Check(Check),
    /// Print a configuration with all defaults filled in and every field explained.
    Show {
        /// Configuration file (TOML).
        file: PathBuf,
    },
    /// Print the JSON Schema of configuration files, for editors.
    Schema,
    /// Print the table of all fields in Markdown.
    Fields,
}

#[derive(Args)]
pub struct Check {
    /// Configuration files (TOML).
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print the problems as JSON.
    #[arg(long)]
    json: bool,
}

impl Command {
    pub fn run(self) -> Result<Outcome> {
        match self {
            Command::Check(check) => return check.run(),
            Command::Show { file } => print!("{}", config::listing(&Config::load(&file)?)),
            Command::Schema => println!("{:#}", config::json_schema()),
            Command::Fields => print!("{}", config::field_table()),
        }
        Ok(Outcome::Passed)
    }
}

impl Check {
    /// A wrong file does not keep the others from being checked.
    fn run(self) -> Result<Outcome> {
        let mut outcome = Outcome::Passed;
        let mut results = Vec::new();
        for path in &self.files {
            let file = path.display();
            let problems = match Config::load(path) {
                Ok(_) => {
                    if !self.json {
                        println!("{file}: ok");
                    }
                    Vec::new()
                }
                Err(config::Error::Invalid(invalid)) => {
                    outcome = Outcome::Failed;
                    if !self.json {
                        eprintln!("{invalid}");
                    }
                    invalid.problems
                }
                Err(unreadable) => return Err(unreadable.into()),
            };
            results.push(json!({ "file": file.to_string(), "problems": problems }));
        }
        if self.json {
            println!("{:#}", json!(results));
        }
        Ok(outcome)
    }
}
