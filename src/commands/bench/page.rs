//! The parts of a page that the bench writes.

use std::path::Path;

use anyhow::Result;
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::Table;

use super::curves::{self, PatternCurve, Picture};
use super::measurement::{self, Measurement};
use super::saturation::{self, Saturation};
use crate::commands::page::Page;
use crate::commands::table;

const COMMAND: &str = "bench";

/// Folder of the curves, beside the page.
const CURVES: &str = "curves";

/// Names of the parts.
const MEASUREMENTS: &str = "measurements";
const SATURATION: &str = "saturation";
const LOADS: &str = "curves";

/// Refuses a page that lacks a part, before anything is measured for it.
pub fn check(path: &Path, with_curves: bool) -> Result<()> {
    let mut page = Page::read(path, COMMAND)?;
    let curves = with_curves.then_some(LOADS);
    let mut names = [MEASUREMENTS, SATURATION].into_iter().chain(curves);
    names.try_for_each(|name| page.replace(name, ""))
}

/// Writes new figures into a page, and the curves, if there are any, beside it.
pub fn update(
    path: &Path,
    measurements: &[Measurement],
    saturations: &[Saturation],
    curves: &[PatternCurve],
) -> Result<()> {
    let mut parts = vec![
        (MEASUREMENTS, markdown(measurement::table(measurements))),
        (SATURATION, markdown(saturation::table(saturations))),
    ];
    if !curves.is_empty() {
        parts.push((LOADS, of_curves(curves)));
    }
    let mut page = Page::read(path, COMMAND)?;
    for (name, text) in parts {
        page.replace(name, &text)?;
    }
    if !curves.is_empty() {
        let beside = path.parent().unwrap_or(Path::new(""));
        curves::write(curves, &beside.join(CURVES))?;
    }
    page.write()
}

fn markdown(mut table: Table) -> String {
    table.load_style(ASCII_MARKDOWN);
    format!("{table}\n")
}

fn of_curves(curves: &[PatternCurve]) -> String {
    let mut table = table::lined(["pattern", "accepted at full load"]);
    table.add_rows(curves.iter().map(|curve| {
        [
            curve.pattern.to_string(),
            format!("{:.4}", curve.saturation),
        ]
    }));
    let images = curves::pictures(curves)
        .into_iter()
        .map(|Picture { file, figure }| format!("![{}]({CURVES}/{file})\n", figure.title));
    let images: String = images.collect();
    format!(
        "{images}\nAll points: [{}]({CURVES}/{}).\n\n{}",
        curves::CSV,
        curves::CSV,
        markdown(table)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_of_the_page_are_there() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let page = docs.join("performance.md");
        check(&page, true).unwrap();
        let text = std::fs::read_to_string(page).unwrap();
        let links = text.split("](curves/").skip(1);
        let files: Vec<&str> = links.filter_map(|it| Some(it.split_once(')')?.0)).collect();
        assert_eq!(files.len(), 7, "six pictures and their points: {files:?}");
        for file in files {
            assert!(docs.join(CURVES).join(file).is_file(), "{file}");
        }
    }
}
