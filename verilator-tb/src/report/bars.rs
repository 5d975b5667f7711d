//! `Bars`: how much there is in each range of an axis: a histogram, or a value for each of a few things.

use super::figure::{aligned, Axis};
use super::Table;

/// Bars over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    pub title: String,
    /// What is to be seen, in a sentence or two.
    pub caption: String,
    pub x: Axis,
    pub y: Axis,
    pub bars: Vec<Bar>,
    /// Places on the axis with their names, such as percentiles.
    pub marks: Vec<(String, f64)>,
}

/// A bar from one place of the axis to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// As the table has it.
    pub label: String,
    pub from: f64,
    pub to: f64,
    pub value: f64,
}

impl Bars {
    /// The bars as a table, and the marks after them.
    pub fn table(&self) -> Table {
        let values: Vec<_> = self.bars.iter().map(|bar| Some(bar.value)).collect();
        let bars = self.bars.iter().zip(aligned(&values));
        let mut rows: Vec<Vec<String>> = bars
            .map(|(bar, value)| vec![bar.label.clone(), value])
            .collect();
        rows.extend(
            self.marks
                .iter()
                .map(|(name, place)| vec![format!("{name}: {place}"), String::new()]),
        );
        Table::new(&self.title, &[self.x.text(), self.y.text()], rows)
    }
}
