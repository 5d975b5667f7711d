//! A page in Markdown with parts that the bench writes, so that it never tells other figures than those measured.
//!
//! A part stands between `<!-- fantree bench: NAME -->` and `<!-- end -->`, each a line of its own.

use std::path::Path;

use anyhow::{Context, Result};

use super::curves::{self, PatternCurve, Picture};
use super::measurement::{self, Measurement};
use super::saturation::{self, Saturation};

const END: &str = "<!-- end -->\n";

/// Folder of the curves, beside the page.
const CURVES: &str = "curves";

/// Names of the parts.
const MEASUREMENTS: &str = "measurements";
const SATURATION: &str = "saturation";
const LOADS: &str = "curves";

/// Refuses a page that lacks a part, before anything is measured for it.
pub fn check(path: &Path, with_curves: bool) -> Result<()> {
    let page = read(path)?;
    let curves = with_curves.then_some(LOADS);
    for name in [MEASUREMENTS, SATURATION].into_iter().chain(curves) {
        with_part(&page, name, "", path)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes new figures into a page, and the curves, if there are any, beside it.
pub fn update(
    path: &Path,
    measurements: &[Measurement],
    saturations: &[Saturation],
    curves: &[PatternCurve],
) -> Result<()> {
    let mut parts = vec![
        (MEASUREMENTS, of_measurements(measurements)),
        (SATURATION, of_saturations(saturations)),
    ];
    if !curves.is_empty() {
        parts.push((LOADS, of_curves(curves)));
    }
    let mut page = read(path)?;
    for (name, text) in parts {
        page = with_part(&page, name, &text, path)?;
    }
    if !curves.is_empty() {
        let beside = path.parent().unwrap_or(Path::new(""));
        curves::write(curves, &beside.join(CURVES))?;
    }
    std::fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))
}

fn with_part(page: &str, name: &str, text: &str, path: &Path) -> Result<String> {
    replaced(page, name, text).with_context(|| format!("no part `{name}` in {}", path.display()))
}

/// A page with another text in a part.
fn replaced(page: &str, name: &str, text: &str) -> Result<String> {
    let start = format!("<!-- fantree bench: {name} -->\n");
    let (before, rest) = page
        .split_once(&start)
        .with_context(|| format!("there is no line `{}`", start.trim_end()))?;
    let (_, after) = rest
        .split_once(END)
        .with_context(|| format!("there is no line `{}` after it", END.trim_end()))?;
    Ok(format!("{before}{start}\n{text}\n{END}{after}"))
}

/// A table; the first column is text.
fn markdown<R: AsRef<[String]>>(header: &[String], rows: impl IntoIterator<Item = R>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|{}\n", "---|".repeat(header.len()));
    let rows = rows.into_iter().map(|row| line(row.as_ref()));
    std::iter::once(line(header) + &rule).chain(rows).collect()
}

fn of_measurements(measurements: &[Measurement]) -> String {
    markdown(
        &measurement::HEADER.map(String::from),
        measurements.iter().map(Measurement::cells),
    )
}

fn of_saturations(saturations: &[Saturation]) -> String {
    markdown(
        &saturation::header(),
        saturations.iter().map(Saturation::cells),
    )
}

fn of_curves(curves: &[PatternCurve]) -> String {
    let saturations = curves.iter().map(|curve| {
        [
            curve.pattern.to_string(),
            format!("{:.4}", curve.saturation),
        ]
    });
    let table = markdown(
        &["pattern", "accepted at full load"].map(String::from),
        saturations,
    );
    let images = curves::pictures(curves)
        .into_iter()
        .map(|Picture { file, figure }| format!("![{}]({CURVES}/{file})\n", figure.title));
    let images: String = images.collect();
    format!(
        "{images}\nAll points: [{}]({CURVES}/{}).\n\n{table}",
        curves::CSV,
        curves::CSV
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_replaced_and_nothing_else() {
        let page = "a\n<!-- fantree bench: x -->\nold\n<!-- end -->\nb\n<!-- fantree bench: y -->\n<!-- end -->\n";
        let once = replaced(page, "x", "new\n").unwrap();
        assert_eq!(
            once,
            "a\n<!-- fantree bench: x -->\n\nnew\n\n<!-- end -->\nb\n<!-- fantree bench: y -->\n<!-- end -->\n"
        );
        assert_eq!(replaced(&once, "x", "new\n").unwrap(), once);
    }

    #[test]
    fn the_pictures_of_the_page_are_there() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let page = docs.join("performance.md");
        check(&page, true).unwrap();
        let text = read(&page).unwrap();
        let links = text.split("](curves/").skip(1);
        let files: Vec<&str> = links.filter_map(|it| Some(it.split_once(')')?.0)).collect();
        assert_eq!(files.len(), 7, "six pictures and their points: {files:?}");
        for file in files {
            assert!(docs.join(CURVES).join(file).is_file(), "{file}");
        }
    }

    #[test]
    fn a_page_without_the_part_is_refused() {
        for page in [
            "",
            "<!-- fantree bench: x -->\n",
            "<!-- fantree bench: y -->\n<!-- end -->\n",
        ] {
            assert!(replaced(page, "x", "").is_err(), "{page:?}");
        }
    }
}
