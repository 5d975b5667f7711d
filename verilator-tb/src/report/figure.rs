//! `Figure`: curves over one axis. The plot, the table and the CSV under it are made of the same numbers.

use super::plot;

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
}

impl Axis {
    pub fn new(label: &str, unit: &str) -> Self {
        Self {
            label: label.into(),
            unit: unit.into(),
        }
    }

    /// The label with its unit.
    pub fn text(&self) -> String {
        format!("{} ({})", self.label, self.unit)
    }
}

impl Curve {
    pub fn new(label: &str, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        Self {
            label: label.into(),
            values: values.into_iter().collect(),
        }
    }
}

impl Figure {
    /// The heads of the table: the horizontal axis, then the curves.
    pub fn header(&self) -> Vec<String> {
        let curves = self.curves.iter().map(|curve| curve.label.clone());
        std::iter::once(self.x.text()).chain(curves).collect()
    }

    /// The rows of the table; a value that is not there is empty.
    pub fn rows(&self) -> Vec<Vec<String>> {
        let xs = self.xs.iter().copied().map(Some).collect();
        let curves = self.curves.iter().map(|curve| curve.values.clone());
        let columns: Vec<Vec<String>> = std::iter::once(xs)
            .chain(curves)
            .map(|column| aligned(&column))
            .collect();
        (0..self.xs.len())
            .map(|row| columns.iter().map(|column| column[row].clone()).collect())
            .collect()
    }

    /// The plot as an SVG file, on white.
    pub fn svg(&self) -> String {
        plot::file(self)
    }

    /// The table as CSV.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let records = std::iter::once(self.header()).chain(self.rows());
        for record in records {
            writer
                .write_record(record)
                .expect("a vector takes any text, and records are of one length");
        }
        let bytes = writer.into_inner().expect("a vector can be flushed");
        String::from_utf8(bytes).expect("made of strings")
    }
}

/// Up to three places, without zeros at the end.
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The numbers of a column, all with as many places as the longest needs.
fn aligned(column: &[Option<f64>]) -> Vec<String> {
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
    fn csv_has_a_row_for_each_point_and_quotes_names() {
        assert_eq!(
            sample().csv(),
            "offered load (flits/cycle/port),mean,\"p99, <worst>\"\n0.1,12.500,20\n0.3,14.000,31\n0.5,17.123,\n"
        );
    }
}
