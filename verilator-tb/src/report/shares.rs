//! `Part`: what a whole is made of, as SVG: a column for the whole, its parts beside it, theirs beside them, each as
//! high as its share.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::plot::{Result, INK, PALETTE, TEXT};

/// A whole or a part of it, with what it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub label: String,
    /// In any unit; what parts leave of it is empty in the next column.
    pub size: f64,
    pub parts: Vec<Part>,
}

/// Parts of a smaller share are drawn without a text: it would not fit.
const LEAST_LABELLED: f64 = 0.025;
const COLUMN: i32 = 250;
const HEIGHT: i32 = 640;
const TITLE: i32 = 30;
/// Between boxes, and between a box and its text.
const GAP: i32 = 2;
const INDENT: i32 = 6;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

impl Part {
    /// The picture as an SVG element.
    pub fn svg(&self, title: &str) -> String {
        let mut text = String::new();
        let size = (
            (COLUMN * self.depth()) as u32,
            (TITLE + HEIGHT + GAP) as u32,
        );
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        self.draw_whole(title, &area)
            .expect("drawing into a string does not fail");
        drop(area);
        text
    }

    fn depth(&self) -> i32 {
        1 + self.parts.iter().map(Part::depth).max().unwrap_or(0)
    }

    fn draw_whole(&self, title: &str, area: &Area) -> Result {
        area.fill(&WHITE)?;
        let place = Place {
            column: 0,
            top: 0.0,
            colour: RGBColor(0x88, 0x88, 0x88),
        };
        write(area, title, (INDENT, TITLE / 2))?;
        self.draw(area, self.size, place)?;
        area.present()?;
        Ok(())
    }

    fn draw(&self, area: &Area, whole: f64, place: Place) -> Result {
        let share = self.size / whole;
        let y = |share: f64| TITLE + (share * f64::from(HEIGHT)).round() as i32;
        let (left, top, bottom) = (
            COLUMN * place.column,
            y(place.top),
            y(place.top + share).max(y(place.top) + 1),
        );
        let fill = place.colour.mix(0.35).filled();
        area.draw(&Rectangle::new(
            [(left, top), (left + COLUMN - GAP, bottom - GAP / 2)],
            fill,
        ))?;
        if share >= LEAST_LABELLED {
            let text = format!("{}: {:.1} %", self.label, 100.0 * share);
            write(area, &text, (left + INDENT, (top + bottom) / 2))?;
        }
        let mut top = place.top;
        for (index, part) in self.parts.iter().enumerate() {
            let colour = match place.column {
                0 => PALETTE[index % PALETTE.len()],
                _ => place.colour,
            };
            let column = place.column + 1;
            part.draw(
                area,
                whole,
                Place {
                    column,
                    top,
                    colour,
                },
            )?;
            top += part.size / whole;
        }
        Ok(())
    }
}

/// Where a box begins: its column and its upper end as a share of the height.
struct Place {
    column: i32,
    top: f64,
    colour: RGBColor,
}

fn write(area: &Area, text: &str, place: (i32, i32)) -> Result {
    let style = TextStyle::from(("sans-serif", TEXT))
        .color(&INK)
        .pos(Pos::new(HPos::Left, VPos::Center));
    area.draw(&Text::new(text, place, style))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(label: &str, size: f64, parts: Vec<Part>) -> Part {
        Part {
            label: label.into(),
            size,
            parts,
        }
    }

    #[test]
    fn boxes_are_as_high_as_their_shares() {
        let whole = part(
            "all",
            200.0,
            vec![
                part("half", 100.0, Vec::new()),
                part("<small>", 10.0, Vec::new()),
                part("tiny", 1.0, Vec::new()),
            ],
        );
        let svg = whole.svg("Area");
        let heights: Vec<i32> = svg
            .split("<rect ")
            .skip(2) // what follows, then the background
            .map(|rect| {
                let height = rect.split_once(" height=\"").expect("a height").1;
                height
                    .split_once('"')
                    .expect("its end")
                    .0
                    .parse()
                    .expect("pixels")
            })
            .collect();
        assert_eq!(heights, [640, 320, 32, 3].map(|height| height - GAP / 2));
        for text in ["all: 100.0 %", "half: 50.0 %", "&lt;small&gt;: 5.0 %"] {
            assert!(svg.contains(text), "no {text} in {svg}");
        }
        assert!(!svg.contains("tiny"), "no room for its text");
    }
}
