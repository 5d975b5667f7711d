//! The part of a page that synthesis writes, and what must be written by hand around it.

use std::path::Path;

use anyhow::{bail, Result};
use comfy_table::presets::ASCII_MARKDOWN;
use fantree_gen::synth::Unit;

use super::comparison::short;
use super::figures;
use super::report::{Mapped, Report};
use crate::commands::page::Page;

const FIGURES: &str = "figures";

/// A unit of a larger share needs a reason on the page.
const LARGE_SHARE: f64 = 0.25;

/// Reads a page, which must have the part: before anything is measured for it.
pub fn read(path: &Path) -> Result<Page> {
    let mut page = Page::read(path, "synth")?;
    page.replace(FIGURES, "")?;
    Ok(page)
}

/// Puts the figures into a page. Every large unit must be named by hand there.
pub fn update(mut page: Page, path: &Path, report: &Report) -> Result<()> {
    for mapped in report.blocks.iter().flat_map(|block| &block.mapped) {
        for (unit, share) in large_parts(mapped) {
            if !page.text.contains(&format!("`{unit}`")) {
                bail!(
                    "{} gives no reason why `{unit}` takes {:.0} % of the area",
                    path.display(),
                    100.0 * share
                );
            }
        }
    }
    page.replace(FIGURES, &markdown(report))?;
    page.write()
}

/// The units below the block that take a large share, and that share.
fn large_parts(mapped: &Mapped) -> Vec<(&str, f64)> {
    let whole = mapped.area.size(&mapped.technology);
    let mut open: Vec<&Unit> = mapped.area.parts.iter().collect();
    let mut large = Vec::new();
    while let Some(unit) = open.pop() {
        let share = unit.size(&mapped.technology) / whole;
        if share > LARGE_SHARE {
            large.push((unit.module.as_str(), share));
            open.extend(&unit.parts);
        }
    }
    large
}

fn markdown(report: &Report) -> String {
    let mut text = String::new();
    for block in &report.blocks {
        for mapped in &block.mapped {
            let technology = figures::technology(&mapped.technology);
            let mut table = figures::table(mapped);
            table.load_style(ASCII_MARKDOWN);
            text += &format!(
                "### `{}` in {technology}\n\n{table}\n\n{}\n\n",
                block.name,
                figures::longest_path(&mapped.longest_path)
            );
        }
        if let Some(placed) = &block.placed {
            text += &format!("### Place and route\n\n{}\n\n", figures::placement(placed));
        }
        text += &format!(
            "{}, `{}`, Verilog {} (`hash` of `{}` in `manifest.json`).\n",
            report.yosys,
            report.config,
            short(&block.hash),
            block.name
        );
    }
    text
}
