//! Tables on the screen.

use comfy_table::{LineStyle, Row, Table, TableStyle};

/// A table with lines above its header, below it, and at its end.
pub fn lined(header: impl Into<Row>) -> Table {
    const LINE: LineStyle = LineStyle::none().fill('─').junction('─');
    const LINES: TableStyle = TableStyle::new()
        .top_border(LINE)
        .header_separator(LINE)
        .bottom_border(LINE);
    let mut table = Table::new();
    table.load_style(LINES).set_header(header);
    table
}
