//! `Change`: what a unit takes in one run and in a later one.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Resource, Technology, Unit};

/// A figure of both runs; of a unit that was not there it is 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    pub before: f64,
    pub after: f64,
    /// Growth; none from nothing.
    pub percent: Option<f64>,
}

impl Figure {
    pub fn new(before: f64, after: f64) -> Self {
        Self {
            before,
            after,
            percent: (before > 0.0).then(|| 100.0 * (after - before) / before),
        }
    }

    pub fn is_change(&self) -> bool {
        self.before != self.after
    }
}

/// The figures of a unit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The modules from the block down to the unit.
    pub path: Vec<String>,
    /// What shares are measured in.
    pub area: Figure,
    pub flip_flops: Figure,
    pub levels: Figure,
}

impl Change {
    /// The units of a block that changed, with all that they are in: the block first, if anything did.
    pub fn all(before: &Unit, after: &Unit, technology: &Technology) -> Vec<Self> {
        between(&[], [Some(before), Some(after)], technology)
    }

    fn new(path: Vec<String>, units: [Option<&Unit>; 2], technology: &Technology) -> Self {
        // Those of the earlier run are rounded, having been written.
        let figure = |of: &dyn Fn(&Unit) -> f64| {
            let [before, after] = units.map(|unit| unit.map_or(0.0, of).round());
            Figure::new(before, after)
        };
        Self {
            path,
            area: figure(&|unit| unit.size(technology)),
            flip_flops: figure(&|unit| unit.whole.get(Resource::FlipFlops)),
            levels: figure(&|unit| unit.levels.into()),
        }
    }

    fn is_one(&self) -> bool {
        let figures = [self.area, self.flip_flops, self.levels];
        figures.iter().any(Figure::is_change)
    }
}

/// The units of two runs in one place of the hierarchy, and the units below.
fn between(parents: &[String], units: [Option<&Unit>; 2], technology: &Technology) -> Vec<Change> {
    let [before, after] = units;
    let module = after.or(before).map(|unit| unit.module.clone());
    let path: Vec<String> = parents.iter().cloned().chain(module).collect();
    let modules = [after, before].into_iter().flatten();
    let modules = modules.flat_map(|unit| unit.parts.iter().map(|part| part.module.as_str()));
    let mut seen = BTreeSet::new();
    let below: Vec<Change> = modules
        .filter(|module| seen.insert(*module))
        .flat_map(|module| {
            let parts = units.map(|unit| unit?.parts.iter().find(|part| part.module == module));
            between(&path, parts, technology)
        })
        .collect();
    let change = Change::new(path, units, technology);
    match below.is_empty() && !change.is_one() {
        true => Vec::new(),
        false => [change].into_iter().chain(below).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synth::Area;

    fn unit(module: &str, luts: f64, flip_flops: f64, levels: u32, parts: Vec<Unit>) -> Unit {
        let own = Area::of([(Resource::Luts, luts), (Resource::FlipFlops, flip_flops)]);
        let whole = parts.iter().map(|part| part.whole.clone());
        Unit {
            module: module.into(),
            instances: 1,
            whole: whole.chain([own.clone()]).sum(),
            own,
            levels,
            parts,
        }
    }

    /// Path, area, flip-flops and levels, each before and after.
    type Row = (String, [f64; 6]);

    fn changes(before: &Unit, after: &Unit) -> Vec<Row> {
        let changes = Change::all(before, after, &Technology::Ecp5).into_iter();
        changes
            .map(|it| {
                let [area, state, levels] = [it.area, it.flip_flops, it.levels];
                let figures = [area.before, area.after, state.before, state.after];
                let figures = [&figures[..], &[levels.before, levels.after]].concat();
                (it.path.join("/"), figures.try_into().unwrap())
            })
            .collect()
    }

    #[test]
    fn units_that_changed_are_told_with_those_they_are_in() {
        let quiet = || unit("quiet", 7.0, 0.0, 2, Vec::new());
        let block = |gone, deep| unit("block", 10.0, 1.0, 5, vec![quiet(), gone, deep]);
        let middle = |luts, levels| {
            let deep = unit("deep", luts, 2.0, levels, vec![quiet()]);
            unit("middle", 0.0, 0.0, 4, vec![deep])
        };
        let before = block(unit("old", 3.0, 1.0, 1, Vec::new()), middle(8.0, 3));
        let after = block(unit("new", 5.0, 1.0, 1, Vec::new()), middle(6.0, 4));
        assert_eq!(changes(&before, &before), []);
        assert_eq!(
            changes(&before, &after),
            [
                ("block".into(), [35.0, 35.0, 4.0, 4.0, 5.0, 5.0]),
                ("block/new".into(), [0.0, 5.0, 0.0, 1.0, 0.0, 1.0]),
                ("block/middle".into(), [15.0, 13.0, 2.0, 2.0, 4.0, 4.0]),
                ("block/middle/deep".into(), [15.0, 13.0, 2.0, 2.0, 3.0, 4.0]),
                ("block/old".into(), [3.0, 0.0, 1.0, 0.0, 1.0, 0.0]),
            ]
        );
    }

    #[test]
    fn growth_is_in_percent_of_what_was() {
        let percent = |before, after| Figure::new(before, after).percent;
        assert_eq!(percent(40.0, 50.0), Some(25.0));
        assert_eq!(percent(40.0, 0.0), Some(-100.0));
        assert_eq!(percent(0.0, 50.0), None);
    }

    #[test]
    fn fractions_that_are_not_written_are_no_change() {
        let before = unit("block", 7.0, 0.0, 1, Vec::new());
        let after = unit("block", 7.4, 0.0, 1, Vec::new());
        assert_eq!(changes(&before, &after), []);
    }
}
