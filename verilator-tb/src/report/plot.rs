//! A figure as SVG.
//!
//! Text and grid have stand-in colours, which the style sheet of the page replaces by those of its theme.

use plotters::coord::types::RangedCoordf64;
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::series::DashedLineSeries;

use super::figure::{number, Figure};

/// Size in pixels at which texts have their size. Small, so that texts are still read on a phone; the page enlarges it.
const SIZE: (u32, u32) = (480, 330);
/// A text's height with its line spacing.
pub const TEXT: i32 = 17;

/// Stand-in for the page's text colour.
pub const INK: RGBColor = RGBColor(0x11, 0x11, 0x11);
/// Stand-in for the page's grid colour.
pub const GRID: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);
const GUIDE: RGBColor = RGBColor(0x88, 0x88, 0x88);

/// Colours of the curves: told apart by the colour-blind, seen on white and on black.
pub const PALETTE: [RGBColor; 4] = [
    RGBColor(0x00, 0x7f, 0xc6),
    RGBColor(0xd9, 0x82, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x62, 0xa0),
];

pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The SVG element of a figure, for a page that has a background.
pub fn svg(figure: &Figure) -> String {
    text_of(figure, None)
}

/// A figure as an SVG file of its own.
pub fn file(figure: &Figure) -> String {
    text_of(figure, Some(WHITE))
}

fn text_of(figure: &Figure, background: Option<RGBColor>) -> String {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
    draw(figure, area, background).expect("drawing into a string does not fail");
    text
}

fn draw(figure: &Figure, area: Area, background: Option<RGBColor>) -> Result {
    if let Some(colour) = background {
        area.fill(&colour)?;
    }
    let font = TextStyle::from(("sans-serif", TEXT)).color(&INK);
    let mut chart: Chart = ChartBuilder::on(&area)
        .margin(6)
        .margin_right(14)
        .x_label_area_size(46)
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..end_of_x(figure), 0.0..end_of_y(figure))?;
    chart
        .configure_mesh()
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(font.clone())
        .x_desc(figure.x.text())
        .y_desc(figure.y.text())
        .x_labels(8)
        .y_labels(8)
        .x_label_formatter(&|value| number(*value))
        .y_label_formatter(&|value| number(*value))
        .draw()?;
    draw_guide(figure, &mut chart)?;
    for (index, curve) in figure.curves.iter().enumerate() {
        let colour = PALETTE[index % PALETTE.len()];
        let points = || {
            figure
                .xs
                .iter()
                .zip(&curve.values)
                .filter_map(|(&x, &y)| Some((x, y?)))
        };
        chart.draw_series(points().map(|point| EmptyElement::at(point) + mark(index, colour)))?;
        chart
            .draw_series(LineSeries::new(points(), colour.stroke_width(2)))?
            .label(&curve.label)
            .legend(move |(x, y)| {
                let line = PathElement::new(vec![(0, 0), (24, 0)], colour.stroke_width(2));
                EmptyElement::at((x, y)) + line + mark(index, colour)
            });
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .legend_area_size(30)
        .margin(8)
        .label_font(font)
        .draw()?;
    area.present()?;
    Ok(())
}

/// The line of what would be ideal, dashed.
fn draw_guide(figure: &Figure, chart: &mut Chart) -> Result {
    const DASH: (i32, i32) = (5, 4);
    if let Some((label, ends)) = &figure.guide {
        chart
            .draw_series(DashedLineSeries::new(*ends, DASH.0, DASH.1, GUIDE.into()))?
            .label(label)
            .legend(|(x, y)| DashedPathElement::new([(x, y), (x + 24, y)], DASH.0, DASH.1, GUIDE));
    }
    Ok(())
}

/// The mark of a curve's points, around the origin: curves have different ones, for print without colours.
fn mark(curve: usize, colour: RGBColor) -> Polygon<(i32, i32)> {
    let corners = match curve % 4 {
        0 => vec![
            (-2, -4),
            (2, -4),
            (4, -2),
            (4, 2),
            (2, 4),
            (-2, 4),
            (-4, 2),
            (-4, -2),
        ],
        1 => vec![(0, -5), (5, 4), (-5, 4)],
        2 => vec![(-4, -4), (4, -4), (4, 4), (-4, 4)],
        _ => vec![(0, -5), (5, 0), (0, 5), (-5, 0)],
    };
    Polygon::new(corners, colour.filled())
}

/// The horizontal axis ends a little after the last point.
fn end_of_x(figure: &Figure) -> f64 {
    1.05 * greatest(figure.xs.iter().copied())
}

/// The vertical axis leaves room above the highest point.
fn end_of_y(figure: &Figure) -> f64 {
    1.1 * greatest(
        figure
            .curves
            .iter()
            .flat_map(|curve| curve.values.iter().flatten().copied()),
    )
}

/// The greatest value; 1 if there is none to see.
fn greatest(values: impl Iterator<Item = f64>) -> f64 {
    let greatest = values.fold(0.0, f64::max);
    if greatest > 0.0 {
        greatest
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::figure::sample;
    use super::*;

    #[test]
    fn a_plot_has_axes_with_units_ticks_and_a_legend() {
        let svg = svg(&sample());
        let texts: Vec<&str> = svg
            .split("<text")
            .skip(1)
            .filter_map(|text| Some(text.split_once('>')?.1.split_once("</text>")?.0.trim()))
            .collect();
        for text in [
            "offered load (flits/cycle/port)",
            "latency (cycles)",
            "mean",
            "p99, &lt;worst&gt;",
            "ideal",
            "0.5",
            "20",
        ] {
            assert!(texts.contains(&text), "no {text} in {texts:?}");
        }
    }

    #[test]
    fn a_file_of_its_own_is_the_same_on_white() {
        let (element, file) = (svg(&sample()), file(&sample()));
        assert!(!element.contains("<rect") || file.len() > element.len());
        assert!(file.to_lowercase().contains("fill=\"#ffffff\""), "{file}");
    }

    #[test]
    fn every_point_is_marked() {
        // Three points of one curve, two of the other, and one of each in the legend.
        assert_eq!(svg(&sample()).matches("<polygon").count(), 3 + 2 + 2);
    }

    #[test]
    fn nothing_measured_is_still_a_plot() {
        let mut figure = sample();
        figure.xs.clear();
        figure
            .curves
            .iter_mut()
            .for_each(|curve| curve.values.clear());
        assert!(svg(&figure).contains("latency (cycles)"));
    }
}
