//! Figures and bars as SVG.
//!
//! Text and grid have stand-in colours, which the style sheet of the page replaces by those of its theme. Curves differ
//! in colour, in the mark of their points and in their dashes, so that they are told apart without colours, too.

use std::ops::Range;

use plotters::coord::types::RangedCoordf64;
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::series::DashedLineSeries;

use super::accessible::described;
use super::bars::Bars;
use super::figure::{number, Axis, Curve, Figure};
use super::legend;

/// Size in pixels at which texts have their size. Small, so that texts are still read on a phone; the page enlarges it.
const SIZE: (u32, u32) = (420, 310);
/// Pixels around a plot, and of what stands below it.
const MARGIN: u32 = 6;
const X_LABELS: u32 = 46;
/// Pixels of the plot from top to bottom.
pub const HEIGHT: u32 = SIZE.1 - 2 * MARGIN - X_LABELS;
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

/// Dashes of the curves and the gaps between them, in pixels; the first is drawn through.
const DASHES: [Option<(i32, i32)>; 4] = [None, Some((9, 4)), Some((3, 3)), Some((14, 6))];
/// Dashes of lines that are no curves.
const GUIDE_DASHES: (i32, i32) = (5, 4);
/// Curves of more points are drawn without their marks, which would hide the line.
const MARKED_POINTS: usize = 40;

pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The SVG element of a figure, for a page that has a background.
pub fn svg(figure: &Figure) -> String {
    let svg = text_of(|area| draw(figure, area, None));
    described(&svg, &figure.title, &figure.caption)
}

/// A figure as an SVG file of its own.
pub fn file(figure: &Figure) -> String {
    let svg = text_of(|area| draw(figure, area, Some(WHITE)));
    described(&svg, &figure.title, &figure.caption)
}

/// The SVG element of bars.
pub fn bars(bars: &Bars) -> String {
    let svg = text_of(|area| draw_bars(bars, area));
    described(&svg, &bars.title, &bars.caption)
}

fn text_of(draw: impl FnOnce(&Area) -> Result) -> String {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
    draw(&area).expect("drawing into a string does not fail");
    drop(area);
    text
}

/// Axes with their labels and a grid.
fn axes<'a>(area: &Area<'a>, x: (&Axis, Range<f64>), y: (&Axis, Range<f64>)) -> Result<Chart<'a>> {
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_right(14)
        .x_label_area_size(X_LABELS)
        .y_label_area_size(58)
        .build_cartesian_2d(x.1, y.1)?;
    chart
        .configure_mesh()
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .label_style(font())
        .x_desc(x.0.text())
        .y_desc(y.0.text())
        .x_labels(8)
        .y_labels(8)
        .x_label_formatter(&|value| number(*value))
        .y_label_formatter(&|value| number(*value))
        .draw()?;
    Ok(chart)
}

pub fn font() -> TextStyle<'static> {
    TextStyle::from(("sans-serif", TEXT)).color(&INK)
}

fn draw(figure: &Figure, area: &Area, background: Option<RGBColor>) -> Result {
    if let Some(colour) = background {
        area.fill(&colour)?;
    }
    let top = figure.top.unwrap_or_else(|| legend::end_of_y(figure));
    let x = (&figure.x, 0.0..end_of_x(figure));
    let mut chart = axes(area, x, (&figure.y, 0.0..top))?;
    if let Some((label, ends)) = &figure.guide {
        draw_guide(&mut chart, label, *ends)?;
    }
    for (index, curve) in figure.curves.iter().enumerate() {
        draw_band(&mut chart, &figure.xs, curve, index, top)?;
    }
    for (index, curve) in figure.curves.iter().enumerate() {
        draw_curve(&mut chart, &figure.xs, curve, index, top)?;
    }
    if !figure.curves.is_empty() {
        legend::draw(&mut chart, SeriesLabelPosition::UpperLeft)?;
    }
    area.present()?;
    Ok(())
}

/// The line of what would be ideal.
fn draw_guide(chart: &mut Chart, label: &str, ends: [(f64, f64); 2]) -> Result {
    let (dash, gap) = GUIDE_DASHES;
    chart
        .draw_series(DashedLineSeries::new(ends, dash, gap, GUIDE.into()))?
        .label(label)
        .legend(move |(x, y)| {
            DashedPathElement::new([(x, y), (x + legend::LINE, y)], dash, gap, GUIDE)
        });
    Ok(())
}

/// How far the values of a curve may be off.
fn draw_band(chart: &mut Chart, xs: &[f64], curve: &Curve, index: usize, top: f64) -> Result {
    let edges = xs.iter().zip(&curve.values).zip(&curve.margins);
    let edges = edges.filter_map(|((&x, &value), &margin)| Some((x, value?, margin?)));
    // Beyond the top there is nothing to see.
    let edges: Vec<_> = edges.take_while(|&(_, value, _)| value <= top).collect();
    let upper = edges
        .iter()
        .map(|&(x, y, margin)| (x, (y + margin).min(top)));
    let lower = edges
        .iter()
        .map(|&(x, y, margin)| (x, (y - margin).max(0.0)));
    let outline: Vec<(f64, f64)> = upper.chain(lower.rev()).collect();
    if !outline.is_empty() {
        let colour = PALETTE[index % PALETTE.len()].mix(0.2);
        chart.draw_series(std::iter::once(Polygon::new(outline, colour)))?;
    }
    Ok(())
}

fn draw_curve(chart: &mut Chart, xs: &[f64], curve: &Curve, index: usize, top: f64) -> Result {
    let colour = PALETTE[index % PALETTE.len()];
    let line = colour.stroke_width(2);
    let points = xs.iter().zip(&curve.values);
    let points: Vec<(f64, f64)> = points.filter_map(|(&x, &y)| Some((x, y?))).collect();
    if points.len() <= MARKED_POINTS {
        let seen = points.iter().copied().take_while(|&(_, y)| y <= top);
        chart.draw_series(seen.map(|point| EmptyElement::at(point) + mark(index, colour)))?;
    }
    let path = up_to(&points, top);
    let dashes = DASHES[index % DASHES.len()];
    let series = match dashes {
        None => chart.draw_series(LineSeries::new(path, line))?,
        Some((dash, gap)) => chart.draw_series(DashedLineSeries::new(path, dash, gap, line))?,
    };
    series.label(&curve.label).legend(move |(x, y)| {
        // Dashes of one length are a line drawn through.
        let (dash, gap) = dashes.unwrap_or((legend::LINE, 0));
        let line = DashedPathElement::new([(0, 0), (legend::LINE, 0)], dash, gap, line);
        EmptyElement::at((x, y)) + line + mark(index, colour)
    });
    Ok(())
}

/// The path up to where it leaves the plot at the top.
fn up_to(points: &[(f64, f64)], top: f64) -> Vec<(f64, f64)> {
    let inside = points.iter().take_while(|(_, y)| *y <= top).count();
    let mut path = points[..inside].to_vec();
    if let (Some(&(x, y)), Some(&(next_x, next_y))) = (path.last(), points.get(inside)) {
        path.push((x + (next_x - x) * (top - y) / (next_y - y), top));
    }
    path
}

fn draw_bars(bars: &Bars, area: &Area) -> Result {
    let left = bars.bars.first().map_or(0.0, |bar| bar.from);
    let right = bars.bars.last().map_or(1.0, |bar| bar.to);
    let greatest = greatest(bars.bars.iter().map(|bar| bar.value));
    // The names of the marks stand above all bars.
    let room = if bars.marks.is_empty() { 1.1 } else { 1.5 };
    let highest = room * greatest;
    let mut chart = axes(area, (&bars.x, left..right), (&bars.y, 0.0..highest))?;
    let fill = PALETTE[0].mix(0.6).filled();
    chart.draw_series(bars.bars.iter().map(|bar| {
        let mut bar = Rectangle::new([(bar.from, 0.0), (bar.to, bar.value)], fill);
        bar.set_margin(0, 0, 0, 1);
        bar
    }))?;
    for (index, (label, place)) in bars.marks.iter().enumerate() {
        let (dash, gap) = DASHES[index % DASHES.len()].unwrap_or((legend::LINE, 0));
        let path = [(*place, 0.0), (*place, greatest)];
        chart
            .draw_series(DashedLineSeries::new(path, dash, gap, INK.into()))?
            .label(format!("{label}: {}", number(*place)))
            .legend(move |(x, y)| {
                DashedPathElement::new([(x, y), (x + legend::LINE, y)], dash, gap, INK)
            });
    }
    if !bars.marks.is_empty() {
        legend::draw(&mut chart, SeriesLabelPosition::UpperRight)?;
    }
    area.present()?;
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
pub fn end_of_x(figure: &Figure) -> f64 {
    1.05 * greatest(figure.xs.iter().copied())
}

/// The greatest value; 1 if there is none to see.
pub fn greatest(values: impl Iterator<Item = f64>) -> f64 {
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
        assert!(svg.contains("<title>Latency &amp; load</title><desc>Rises.</desc>"));
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

    #[test]
    fn a_curve_leaves_the_plot_where_it_crosses_the_top() {
        let points = [(1.0, 10.0), (2.0, 20.0), (3.0, 60.0), (4.0, 5.0)];
        assert_eq!(
            up_to(&points, 40.0),
            [(1.0, 10.0), (2.0, 20.0), (2.5, 40.0)]
        );
        assert_eq!(up_to(&points, 70.0), points);
        assert_eq!(up_to(&points, 5.0), []);
    }

    #[test]
    fn margins_are_a_band() {
        let mut figure = sample();
        figure.curves[0].margins = vec![Some(1.0), None, Some(2.0)];
        assert_eq!(svg(&figure).matches("<polygon").count(), 1 + 3 + 2 + 2);
    }

    #[test]
    fn bars_have_marks_with_their_places() {
        let bar = |from: f64, value| super::super::bars::Bar {
            label: format!("{from}"),
            from,
            to: from + 10.0,
            value,
        };
        let histogram = Bars {
            title: "Latencies".into(),
            caption: String::new(),
            x: Axis::new("latency", "cycles"),
            y: Axis::new("packets", ""),
            bars: vec![bar(10.0, 5.0), bar(20.0, 7.0), bar(30.0, 1.0)],
            marks: vec![("99th percentile".into(), 31.0)],
        };
        let svg = bars(&histogram);
        // A legend has a box of its own, twice.
        assert!(svg.matches("<rect").count() >= 3, "{svg}");
        for text in ["99th percentile: 31", "latency (cycles)", "packets"] {
            assert!(svg.contains(text), "no {text} in {svg}");
        }
    }
}
