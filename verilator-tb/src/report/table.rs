//! `Table`: rows under a header, for a page and as CSV.

/// Rows of equal length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Names the CSV file, too.
    pub title: String,
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<T: ToString>(title: &str, header: &[T], rows: Vec<Vec<String>>) -> Self {
        Self {
            title: title.into(),
            header: header.iter().map(T::to_string).collect(),
            rows,
        }
    }

    /// As CSV, the header first.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for record in std::iter::once(&self.header).chain(&self.rows) {
            writer
                .write_record(record)
                .expect("a vector takes any text, and records are of one length");
        }
        let bytes = writer.into_inner().expect("a vector can be flushed");
        String::from_utf8(bytes).expect("made of strings")
    }

    /// The name of its CSV file.
    pub fn file_name(&self) -> String {
        let words: Vec<String> = self
            .title
            .split(|it: char| !it.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        format!("{}.csv", words.join("-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_has_a_row_for_each_and_quotes_what_needs_it() {
        let rows = vec![vec!["0.5".into(), String::new()]];
        let table = Table::new("Latency & load", &["x", "p99, <worst>"], rows);
        assert_eq!(table.csv(), "x,\"p99, <worst>\"\n0.5,\n");
        assert_eq!(table.file_name(), "latency-load.csv");
    }
}
