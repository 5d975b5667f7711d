//! What a run of synthesis finds out, and the files it leaves.

use anyhow::Result;
use fantree_gen::config::Config;
use fantree_gen::output::{self, Files};
use fantree_gen::synth::{LongestPath, Placement, Technology, Unit};
use serde::{Serialize, Serializer};
use serde_json::json;

use super::comparison::Comparison;
use super::figures;

/// The figures, in the output folder.
pub const FILE: &str = "report.json";

/// Of that file; another one when an earlier fantree could no longer be compared with.
pub const FORMAT: u32 = 1;

/// All that is found out.
#[derive(Serialize)]
pub struct Report {
    pub format: u32,
    pub config: String,
    pub yosys: String,
    /// How many levels below a block are units.
    pub depth: usize,
    pub blocks: Vec<Block>,
}

#[derive(Serialize)]
pub struct Block {
    pub name: String,
    /// Of the Verilog, with all that is below it.
    pub hash: String,
    pub mapped: Vec<Mapped>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placed: Option<Placement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// A block mapped to a technology.
#[derive(Serialize)]
pub struct Mapped {
    #[serde(serialize_with = "name_of")]
    pub technology: Technology,
    /// Of standard cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    pub longest_path: LongestPath,
    pub area: Unit,
}

fn name_of<S: Serializer>(technology: &Technology, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(technology.name())
}

impl Report {
    /// The figures as JSON, and a picture for each block and technology.
    pub fn files(&self, config: &Config) -> Result<Files> {
        let mut files = Files::new();
        files.insert(FILE.into(), serde_json::to_string_pretty(self)? + "\n");
        for block in &self.blocks {
            for mapped in &block.mapped {
                files.insert(
                    format!("{}-{}.svg", block.name, mapped.technology.name()),
                    figures::picture(mapped),
                );
            }
        }
        let blocks: Vec<&String> = self.blocks.iter().map(|block| &block.name).collect();
        let about = json!({ "parameters": config, "blocks": blocks });
        Ok(output::with_manifest(files, about))
    }

    pub fn print(&self) {
        for block in &self.blocks {
            for mapped in &block.mapped {
                println!(
                    "{} of {} in {}, by {}",
                    block.name,
                    self.config,
                    figures::technology(&mapped.technology),
                    self.yosys
                );
                println!("{}", figures::table(mapped));
                println!("{}\n", figures::longest_path(&mapped.longest_path));
            }
            if let Some(placed) = &block.placed {
                println!("{}\n", figures::placement(placed));
            }
            if let Some(comparison) = &block.comparison {
                println!("{}\n", comparison.text(&block.name));
            }
        }
    }
}
