//! `Report`: figures with their tables in one HTML file, for a screen of any size, light or dark, and for paper.

use maud::{html, Markup, PreEscaped, DOCTYPE};
use percent_encoding::{utf8_percent_encode, NON_ALPHANUMERIC};

use super::figure::Figure;
use super::plot;

/// What an HTML file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub title: String,
    pub subtitle: String,
    /// What was measured and how: names and values.
    pub facts: Vec<(String, String)>,
    pub figures: Vec<Figure>,
    /// The command that measures again.
    pub command: String,
}

const STYLE: &str = include_str!("style.css");

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
                    main {
                        dl {
                            @for (name, value) in &self.facts {
                                div { dt { (name) } dd { (value) } }
                            }
                        }
                        @for figure in &self.figures { (section(figure)) }
                    }
                    footer {
                        p { "Measured by" }
                        pre { (self.command) }
                    }
                }
            }
        };
        page.into_string()
    }
}

fn section(figure: &Figure) -> Markup {
    html! {
        section {
            h2 { (figure.title) }
            figure role="img" aria-label=(figure.title) { (PreEscaped(plot::svg(figure))) }
            p { (figure.caption) }
            div.wide {
                table {
                    thead { tr { @for name in figure.header() { th scope="col" { (name) } } } }
                    tbody { @for row in figure.rows() { tr { @for value in row { td { (value) } } } } }
                }
            }
            a href=(data_uri(&figure.csv())) download=(file_name(figure)) { "Download as CSV" }
        }
    }
}

/// A link that holds what it leads to.
fn data_uri(csv: &str) -> String {
    format!(
        "data:text/csv;charset=utf-8,{}",
        utf8_percent_encode(csv, NON_ALPHANUMERIC)
    )
}

fn file_name(figure: &Figure) -> String {
    let words: Vec<String> = figure
        .title
        .split(|it: char| !it.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    format!("{}.csv", words.join("-"))
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
            figures: vec![sample()],
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
        assert_eq!(csv, sample().csv());
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
}
