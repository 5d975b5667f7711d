//! `Report`: sections of plots, tables and texts in one HTML file, for a screen of any size, light or dark, and for paper.

use maud::{html, Markup, PreEscaped, DOCTYPE};
use percent_encoding::{utf8_percent_encode, NON_ALPHANUMERIC};

use super::accessible::described;
use super::{plot, Bars, Figure, HeatMap, Table};

/// What an HTML file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub title: String,
    pub subtitle: String,
    /// What was measured and how: names and values.
    pub facts: Vec<(String, String)>,
    pub sections: Vec<Section>,
    /// The command that makes the report again.
    pub command: String,
}

/// A part of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    pub title: String,
    /// What it is about, in a sentence or two.
    pub text: String,
    pub items: Vec<Item>,
}

/// What a section shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Curves with their table.
    Figure(Figure),
    /// Bars with their table.
    Bars(Bars),
    /// Maps, whose values are in a table of the same section.
    HeatMaps(Vec<HeatMap>),
    /// An SVG file; its values are in a table of the same section.
    Picture {
        title: String,
        svg: String,
    },
    Table(Table),
    /// A section of its own in this one.
    Section(Section),
    /// A command as it is typed.
    Command(String),
}

const STYLE: &str = include_str!("style.css");
/// Longer tables are folded on a screen.
const OPEN_ROWS: usize = 12;

impl Report {
    /// The HTML file. It needs no other file.
    pub fn html(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        h1 { (self.title) }
                        p { (self.subtitle) }
                    }
                    @if self.sections.len() > 2 { (contents(&self.sections)) }
                    main {
                        dl {
                            @for (name, value) in &self.facts {
                                div { dt { (name) } dd { (value) } }
                            }
                        }
                        @for (index, part) in self.sections.iter().enumerate() {
                            section id=(anchor(index)) {
                                h2 { (part.title) }
                                (body(part))
                            }
                        }
                    }
                    footer {
                        p { "Made by" }
                        pre { (self.command) }
                    }
                }
            }
        };
        page.into_string()
    }
}

fn contents(sections: &[Section]) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                @for (index, part) in sections.iter().enumerate() {
                    li { a href=(format!("#{}", anchor(index))) { (part.title) } }
                }
            }
        }
    }
}

fn anchor(section: usize) -> String {
    format!("part-{}", section + 1)
}

/// A section without its title.
fn body(part: &Section) -> Markup {
    html! {
        @if !part.text.is_empty() { p { (part.text) } }
        @for item in &part.items { (shown(item)) }
    }
}

fn shown(item: &Item) -> Markup {
    match item {
        Item::Figure(figure) => {
            let (title, caption) = (&figure.title, &figure.caption);
            plotted(title, caption, &plot::svg(figure), Some(&figure.table()))
        }
        Item::Bars(bars) => {
            let (title, caption) = (&bars.title, &bars.caption);
            plotted(title, caption, &plot::bars(bars), Some(&bars.table()))
        }
        Item::HeatMaps(maps) => html! {
            div.maps { @for map in maps { (heat_map(map)) } }
        },
        Item::Picture { title, svg } => plotted(title, "", &described(svg, title, ""), None),
        Item::Table(table) => html! {
            h3 { (table.title) }
            (tabulated(table))
        },
        Item::Section(part) => html! {
            section {
                h3 { (part.title) }
                (body(part))
            }
        },
        Item::Command(command) => html! { pre { (command) } },
    }
}

/// A plot, and the table that it is made of.
fn plotted(title: &str, caption: &str, svg: &str, table: Option<&Table>) -> Markup {
    html! {
        section {
            h3 { (title) }
            figure { (PreEscaped(svg)) }
            @if !caption.is_empty() { p { (caption) } }
            @if let Some(table) = table { (tabulated(table)) }
        }
    }
}

/// A map is never narrower than its texts can be read.
fn heat_map(map: &HeatMap) -> Markup {
    html! {
        section {
            h4 { (map.title) }
            div.wide {
                figure style=(format!("min-width: {}px; max-width: {}px", map.width() * 2 / 3, map.width())) {
                    (PreEscaped(map.svg()))
                }
            }
            p { (map.caption) }
        }
    }
}

fn tabulated(table: &Table) -> Markup {
    let rows = table.rows.len();
    let body = html! {
        div.wide {
            table {
                caption { (table.title) }
                thead { tr { @for name in &table.header { th scope="col" { (name) } } } }
                tbody { @for row in &table.rows { tr { @for value in row { td { (value) } } } } }
            }
        }
    };
    html! {
        @if rows > OPEN_ROWS {
            details {
                summary { (format!("Table, {rows} rows")) }
                (body)
            }
        } @else { (body) }
        a.csv href=(data_uri(&table.csv())) download=(table.file_name()) { "Download as CSV" }
    }
}

/// A link that holds what it leads to.
fn data_uri(csv: &str) -> String {
    format!(
        "data:text/csv;charset=utf-8,{}",
        utf8_percent_encode(csv, NON_ALPHANUMERIC)
    )
}

#[cfg(test)]
mod tests {
    use super::super::figure::sample;
    use super::*;

    fn report() -> Report {
        Report {
            title: "A <router>".into(),
            subtitle: "in a test".into(),
            facts: vec![("seed".into(), "1 & 2".into())],
            sections: vec![Section {
                title: "What is seen".into(),
                text: "1 < 2".into(),
                items: vec![Item::Figure(sample())],
            }],
            command: "fantree sim a.toml > b".into(),
        }
    }

    #[test]
    fn texts_are_escaped_and_there() {
        let html = report().html();
        for text in [
            "<title>A &lt;router&gt;</title>",
            "<dt>seed</dt><dd>1 &amp; 2</dd>",
            "<pre>fantree sim a.toml &gt; b</pre>",
            "<th scope=\"col\">offered load (flits/cycle/port)</th><th scope=\"col\">mean</th>",
            "<h2>What is seen</h2><p>1 &lt; 2</p>",
            "<caption>Latency &amp; load</caption>",
            "<tr><td>0.3</td><td>14.000</td><td>31</td></tr>",
        ] {
            assert!(html.contains(text), "no {text}");
        }
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        let html = report().html();
        for reference in ["src=", "@import", "url(", "<link", "<script", "href=\"http"] {
            assert!(!html.contains(reference), "{reference}");
        }
    }

    #[test]
    fn the_link_holds_the_table() {
        let html = report().html();
        let link = html
            .split_once("href=\"data:text/csv;charset=utf-8,")
            .unwrap()
            .1;
        let encoded = link.split_once('"').unwrap().0;
        let csv = percent_encoding::percent_decode_str(encoded)
            .decode_utf8()
            .unwrap();
        assert_eq!(csv, sample().table().csv());
        assert!(html.contains("download=\"latency-load.csv\""));
    }

    #[test]
    fn colours_of_plots_follow_the_theme() {
        let svg = plot::svg(&sample());
        for (colour, rule) in [
            (plot::INK, "fill"),
            (plot::INK, "stroke"),
            (plot::GRID, "stroke"),
        ] {
            let attribute = format!(
                "{rule}=\"#{:02X}{:02X}{:02X}\"",
                colour.0, colour.1, colour.2
            );
            assert!(svg.contains(&attribute), "the plot has no {attribute}");
            assert!(
                STYLE.contains(&format!("[{attribute}]")),
                "no style for {attribute}"
            );
        }
    }

    #[test]
    fn long_tables_are_folded_and_many_sections_listed() {
        let rows = |count: usize| vec![vec!["1".to_owned()]; count];
        let section = |rows| Section {
            items: vec![Item::Table(Table::new("t", &["a"], rows))],
            ..Section::default()
        };
        let html = |rows: Vec<Vec<String>>, sections: usize| {
            let sections = vec![section(rows); sections];
            let report = Report {
                sections,
                ..report()
            };
            report.html()
        };
        assert!(!html(rows(OPEN_ROWS), 1).contains("<details>"));
        let folded = html(rows(OPEN_ROWS + 1), 3);
        assert!(
            folded.contains("<summary>Table, 13 rows</summary>"),
            "{folded}"
        );
        assert!(folded.contains("href=\"#part-3\"") && folded.contains("id=\"part-3\""));
    }
}
