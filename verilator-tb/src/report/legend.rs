//! Names of the curves in a plot, where they stand on no curve.

use plotters::prelude::SeriesLabelPosition;

use super::figure::{Curve, Figure};
use super::plot::{end_of_x, font, greatest, Chart, Result, HEIGHT, TEXT};

/// Length of the line beside a name.
pub const LINE: i32 = 24;
/// Pixels between the names and the axes.
const MARGIN: i32 = 8;
/// What the names take of the horizontal axis, the longest ones that there are.
const WIDTH: f64 = 0.6;

/// Names of all series, in a corner.
pub fn draw(chart: &mut Chart, corner: SeriesLabelPosition) -> Result {
    chart
        .configure_series_labels()
        .position(corner)
        .legend_area_size(LINE + 6)
        .margin(MARGIN)
        .label_font(font())
        .draw()?;
    Ok(())
}

/// The vertical axis leaves room above the highest point, and for the names in the left corner if they would stand on one.
pub fn end_of_y(figure: &Figure) -> f64 {
    let values = figure.curves.iter().flat_map(|curve| &curve.values);
    let greatest = greatest(values.flatten().copied());
    let end = 1.1 * greatest;
    let below_names = WIDTH * end_of_x(figure);
    let is_hidden = |curve: &Curve| {
        let mut points = figure.xs.iter().zip(&curve.values);
        points.any(|(x, y)| *x < below_names && y.is_some_and(|y| y > free(figure) * end))
    };
    match figure.curves.iter().any(is_hidden) {
        true => greatest / free(figure),
        false => end,
    }
}

/// What the names leave of the vertical axis.
fn free(figure: &Figure) -> f64 {
    let names = figure.curves.len() + usize::from(figure.guide.is_some());
    let taken = 2 * MARGIN + names as i32 * (TEXT + 4);
    1.0 - f64::from(taken) / f64::from(HEIGHT)
}

#[cfg(test)]
mod tests {
    use super::super::figure::sample;
    use super::*;

    #[test]
    fn names_stand_on_no_curve() {
        let mut figure = sample();
        figure.curves = vec![Curve::new("mean", [1.0, 2.0, 30.0].map(Some))];
        let rising = end_of_y(&figure);
        figure.curves[0].values.reverse();
        let falling = end_of_y(&figure);
        assert!(falling > rising, "{falling} over {rising}");
        assert!(30.0 <= 1.001 * free(&figure) * falling);
    }
}
