//! `HeatMap`: a value for each port of the rows × columns array, as SVG: the darker, the greater. The values stand in the
//! squares, so nothing depends on the eye for shades.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::accessible::described;
use super::plot::{Result, INK, TEXT};

/// Values of all ports, by row and column.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    pub title: String,
    /// What the values are, with their unit.
    pub caption: String,
    pub columns: usize,
    /// Of port row · columns + column; none where there is nothing to measure.
    pub values: Vec<Option<f64>>,
    /// The value of the darkest square, if it does not follow from the values.
    pub most: Option<f64>,
}

const WIDTH: i32 = 58;
const HEIGHT: i32 = 38;
/// For the numbers of rows and columns.
const LEFT: i32 = 62;
const TOP: i32 = 26;
const DARKEST: RGBColor = RGBColor(0x0b, 0x3c, 0x66);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl HeatMap {
    /// Width in pixels at which texts have their size.
    pub fn width(&self) -> i32 {
        LEFT + WIDTH * self.columns as i32
    }

    /// The picture as an SVG element.
    pub fn svg(&self) -> String {
        let rows = self.values.len().div_ceil(self.columns) as i32;
        let size = (self.width() as u32, (TOP + HEIGHT * rows) as u32);
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        self.draw(&area)
            .expect("drawing into a string does not fail");
        drop(area);
        described(&text, &self.title, &self.caption)
    }

    fn draw(&self, area: &Area) -> Result {
        let greatest = self.values.iter().flatten().copied().fold(0.0, f64::max);
        let most = self.most.unwrap_or(greatest);
        for column in 0..self.columns {
            let middle = (left(column) + WIDTH / 2, TOP / 2);
            write(area, &format!("c{column}"), middle, INK)?;
        }
        for (port, value) in self.values.iter().enumerate() {
            let (row, column) = (port / self.columns, port % self.columns);
            let (x, y) = (left(column), TOP + HEIGHT * row as i32);
            if column == 0 {
                write(area, &format!("row {row}"), (LEFT / 2, y + HEIGHT / 2), INK)?;
            }
            let share = match value {
                Some(value) if most > 0.0 => (value / most).clamp(0.0, 1.0),
                _ => 0.0,
            };
            let corners = [(x, y), (x + WIDTH - 2, y + HEIGHT - 2)];
            area.draw(&Rectangle::new(corners, shade(share).filled()))?;
            let ink = if share > 0.45 { WHITE } else { BLACK };
            let number = value.map_or("–".into(), short);
            write(area, &number, (x + WIDTH / 2, y + HEIGHT / 2), ink)?;
        }
        area.present()?;
        Ok(())
    }
}

fn left(column: usize) -> i32 {
    LEFT + WIDTH * column as i32
}

/// From nearly white to the darkest colour; as a shade of grey it only falls.
fn shade(share: f64) -> RGBColor {
    let mix = |darkest: u8| (240.0 + share * (f64::from(darkest) - 240.0)).round() as u8;
    RGBColor(mix(DARKEST.0), mix(DARKEST.1), mix(DARKEST.2))
}

/// Three digits or so: as many as a square has room for.
fn short(value: f64) -> String {
    match value {
        _ if value >= 99.95 => format!("{value:.0}"),
        _ if value >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

fn write(area: &Area, text: &str, place: (i32, i32), colour: RGBColor) -> Result {
    let style = TextStyle::from(("sans-serif", TEXT))
        .color(&colour)
        .pos(Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(text.to_owned(), place, style))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_by_row_and_column_and_darker_the_greater() {
        let map = HeatMap {
            title: "Accepted".into(),
            caption: "Flits & cycles".into(),
            columns: 2,
            values: vec![Some(0.0), Some(0.5), Some(12.345), None],
            most: None,
        };
        let svg = map.svg();
        let rectangles: Vec<&str> = svg.split("<rect ").skip(1).collect();
        let attribute = |rectangle: &str, name: &str| {
            let (_, rest) = rectangle.split_once(&format!(" {name}=\"")).expect(name);
            rest.split_once('"').expect("its end").0.to_owned()
        };
        let places: Vec<(String, String)> = rectangles
            .iter()
            .map(|it| (format!(" {it}"), it))
            .map(|(it, _)| (attribute(&it, "x"), attribute(&it, "y")))
            .collect();
        let place = |x: i32, y: i32| (x.to_string(), y.to_string());
        assert_eq!(
            places,
            [
                place(LEFT, TOP),
                place(LEFT + WIDTH, TOP),
                place(LEFT, TOP + HEIGHT),
                place(LEFT + WIDTH, TOP + HEIGHT)
            ]
        );
        let fills: Vec<String> = rectangles.iter().map(|it| attribute(it, "fill")).collect();
        assert_eq!((&*fills[0], &*fills[2]), ("#F0F0F0", "#0B3C66"));
        assert_eq!(fills[3], fills[0], "nothing is no more than nothing");
        for text in [
            "0.50",
            "12.3",
            "–",
            "row 1",
            "<title>Accepted</title>",
            "<desc>Flits &amp; cycles</desc>",
        ] {
            assert!(svg.contains(text), "no {text} in {svg}");
        }
    }

    #[test]
    fn numbers_fit_their_square() {
        let texts = [0.0, 0.987, 9.99, 9.999, 99.94, 99.96, 12345.6].map(short);
        assert_eq!(
            texts,
            ["0.00", "0.99", "9.99", "10.0", "99.9", "100", "12346"]
        );
    }
}
