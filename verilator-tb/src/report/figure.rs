//! `Figure`: curves over one axis. The plot, the table and the CSV under it are made of the same numbers.

use super::{plot, Table};
use crate::sweep::Estimate;

/// An axis, or a column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    pub label: String,
    pub unit: String,
}

/// A curve, with one value for each value of the horizontal axis; none where nothing could be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub label: String,
    pub values: Vec<Option<f64>>,
    /// How far each value may be off, as a band around the curve; empty where that is not known.
    pub margins: Vec<Option<f64>>,
}

/// Curves over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub title: String,
    /// What is to be seen, in a sentence or two.
    pub caption: String,
    pub x: Axis,
    pub y: Axis,
    pub xs: Vec<f64>,
    pub curves: Vec<Curve>,
    /// A straight line from the first of these points to the second, with its name: what would be ideal.
    pub guide: Option<(String, [(f64, f64); 2])>,
    /// Where the vertical axis ends, if not above all values: curves leave the plot there.
    pub top: Option<f64>,
}

impl Axis {
    pub fn new(label: &str, unit: &str) -> Self {
        Self {
            label: label.into(),
            unit: unit.into(),
        }
    }

    /// The label with its unit, if it has one.
    pub fn text(&self) -> String {
        match self.unit.as_str() {
            "" => self.label.clone(),
            unit => format!("{} ({unit})", self.label),
        }
    }
}

impl Curve {
    pub fn new(label: &str, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        Self {
            label: label.into(),
            values: values.into_iter().collect(),
            margins: Vec::new(),
        }
    }

    /// With the confidence of its values, as far as there is any.
    pub fn estimated(label: &str, values: impl IntoIterator<Item = Option<Estimate>>) -> Self {
        let values: Vec<Option<Estimate>> = values.into_iter().collect();
        let margins: Vec<Option<f64>> = values
            .iter()
            .map(|it| it.and_then(|it| it.margin))
            .collect();
        Self {
            label: label.into(),
            values: values.iter().map(|it| it.map(|it| it.mean)).collect(),
            margins: match margins.iter().all(Option::is_none) {
                true => Vec::new(),
                false => margins,
            },
        }
    }
}

impl Figure {
    /// The values: the horizontal axis, then each curve, with its margins if it has any.
    pub fn table(&self) -> Table {
        let mut header = vec![self.x.text()];
        let mut columns = vec![self.xs.iter().copied().map(Some).collect::<Vec<_>>()];
        for curve in &self.curves {
            header.push(curve.label.clone());
            columns.push(curve.values.clone());
            if !curve.margins.is_empty() {
                header.push("± 95 %".into());
                columns.push(curve.margins.clone());
            }
        }
        let columns: Vec<Vec<String>> = columns.iter().map(|column| aligned(column)).collect();
        let rows = 0..self.xs.len();
        let row = |row: usize| columns.iter().map(|column| column[row].clone()).collect();
        Table::new(&self.title, &header, rows.map(row).collect())
    }

    /// The plot as an SVG file, on white.
    pub fn svg(&self) -> String {
        plot::file(self)
    }
}

/// Up to three places, without zeros at the end.
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The numbers of a column, all with as many places as the longest needs.
pub fn aligned(column: &[Option<f64>]) -> Vec<String> {
    let places = |value: &f64| {
        number(*value)
            .split_once('.')
            .map_or(0, |(_, places)| places.len())
    };
    let most = column.iter().flatten().map(places).max().unwrap_or(0);
    column
        .iter()
        .map(|value| value.map_or_else(String::new, |value| format!("{value:.most$}")))
        .collect()
}

#[cfg(test)]
pub(super) fn sample() -> Figure {
    Figure {
        title: "Latency & load".into(),
        caption: "Rises.".into(),
        x: Axis::new("offered load", "flits/cycle/port"),
        y: Axis::new("latency", "cycles"),
        xs: vec![0.1, 0.3, 0.5],
        curves: vec![
            Curve::new("mean", [Some(12.5), Some(14.0), Some(17.123_46)]),
            Curve::new("p99, <worst>", [Some(20.0), Some(31.0), None]),
        ],
        guide: Some(("ideal".into(), [(0.0, 0.0), (0.5, 50.0)])),
        top: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let texts = [0.1, 14.0, 17.123_46, 1000.0, 0.0].map(number);
        assert_eq!(texts, ["0.1", "14", "17.123", "1000", "0"]);
    }

    #[test]
    fn the_table_has_a_row_for_each_point() {
        assert_eq!(
            sample().table().csv(),
            "offered load (flits/cycle/port),mean,\"p99, <worst>\"\n0.1,12.500,20\n0.3,14.000,31\n0.5,17.123,\n"
        );
    }

    #[test]
    fn margins_are_a_column_of_their_own() {
        let estimate = |mean, margin| Some(Estimate { mean, margin });
        let values = [estimate(10.0, Some(0.5)), None, estimate(12.0, None)];
        let single = [estimate(1.0, None), estimate(2.0, None), None];
        let figure = Figure {
            curves: vec![
                Curve::estimated("mean", values),
                Curve::estimated("max", single),
            ],
            ..sample()
        };
        let table = figure.table();
        assert_eq!(table.header[1..], ["mean", "± 95 %", "max"]);
        let rows: Vec<_> = table.rows.iter().map(|row| &row[1..]).collect();
        assert_eq!(rows, [["10", "0.5", "1"], ["", "", "2"], ["12", "", ""]]);
    }
}
