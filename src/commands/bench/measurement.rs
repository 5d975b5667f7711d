//! A figure and what it should be.

use comfy_table::{CellAlignment, Table};
use serde::Serialize;

use crate::commands::table;

/// A figure beside what the 40-port chip must reach, and what it should.
#[derive(Debug, Clone, Serialize)]
pub struct Measurement {
    pub name: &'static str,
    pub unit: &'static str,
    pub value: f64,
    #[serde(flatten)]
    pub marks: Marks,
    #[serde(skip)]
    pub decimals: usize,
}

/// What a figure is measured by, if anything.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Marks {
    pub bar: Option<f64>,
    pub goal: Option<f64>,
}

/// A figure that is shown beside another one.
pub const NO_MARKS: Marks = Marks {
    bar: None,
    goal: None,
};

impl Measurement {
    /// Whether the value reaches a mark; where the goal is below the bar, less is better.
    fn reaches(&self, mark: Option<f64>) -> bool {
        let Marks { bar, goal } = self.marks;
        let less_is_better = matches!((bar, goal), (Some(bar), Some(goal)) if goal < bar);
        mark.is_some_and(|mark| match less_is_better {
            true => self.value <= mark,
            false => self.value >= mark,
        })
    }

    fn reached(&self) -> &'static str {
        let Marks { bar, goal } = self.marks;
        match (self.reaches(goal), self.reaches(bar)) {
            (true, _) => "goal",
            (_, true) => "bar",
            _ if bar.or(goal).is_none() => "",
            _ => "neither",
        }
    }

    /// A row of the table.
    pub fn cells(&self) -> [String; 6] {
        let number = |value: f64| format!("{value:.*}", self.decimals);
        let mark = |mark: Option<f64>| mark.map_or(String::new(), number);
        [
            self.name.into(),
            number(self.value),
            mark(self.marks.bar),
            mark(self.marks.goal),
            self.reached().into(),
            self.unit.into(),
        ]
    }
}

/// The table, as on the screen.
pub fn table(measurements: &[Measurement]) -> Table {
    let mut table = table::lined(["measured", "value", "bar", "goal", "reached", "unit"]);
    table.add_rows(measurements.iter().map(Measurement::cells));
    for column in table.column_iter_mut().skip(1).take(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(value: f64, bar: Option<f64>, goal: Option<f64>) -> &'static str {
        let measurement = Measurement {
            name: "",
            unit: "",
            value,
            marks: Marks { bar, goal },
            decimals: 2,
        };
        measurement.reached()
    }

    #[test]
    fn less_is_better_where_the_goal_is_below_the_bar() {
        assert_eq!(reached(0.96, Some(0.95), Some(0.98)), "bar");
        assert_eq!(reached(0.98, Some(0.95), Some(0.98)), "goal");
        assert_eq!(reached(0.94, Some(0.95), Some(0.98)), "neither");
        assert_eq!(reached(7.0, Some(8.0), Some(6.0)), "bar");
        assert_eq!(reached(6.0, Some(8.0), Some(6.0)), "goal");
        assert_eq!(reached(9.0, Some(8.0), Some(6.0)), "neither");
    }

    #[test]
    fn marks_may_be_missing() {
        assert_eq!(reached(0.4, None, Some(0.36)), "goal");
        assert_eq!(reached(0.3, None, Some(0.36)), "neither");
        assert_eq!(reached(0.3, None, None), "");
    }
}
