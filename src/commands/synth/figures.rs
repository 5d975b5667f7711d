//! Figures of synthesis as tables, sentences and pictures.

use comfy_table::{CellAlignment, Table};
use fantree_gen::synth::{Area, LongestPath, Placement, Resource, Technology, Unit};
use fantree_tb::report::Part;

use super::report::Mapped;
use crate::commands::table;

/// Units of a smaller share are shown together.
const LEAST_SHARE: f64 = 0.01;
/// Together they are not shown either if theirs is smaller than this.
const LEAST_REST: f64 = 0.002;

/// The name of a technology in a text.
pub fn technology(technology: &Technology) -> String {
    match technology {
        Technology::Ecp5 => "ECP5".into(),
        Technology::Cells(library) => format!("standard cells ({})", library.name()),
    }
}

/// A table of the units.
pub fn table(mapped: &Mapped) -> Table {
    let resources = mapped.technology.resources();
    let mut header = vec!["unit", "share", "own"];
    header.extend(resources.iter().map(|resource| heading(*resource)));
    header.push("levels");
    let mut table = table::lined(header);
    let whole = mapped.area.size(&mapped.technology);
    add_rows(
        &mut table,
        &gathered(&mapped.area, &mapped.technology, whole),
        mapped,
        0,
    );
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn add_rows(table: &mut Table, unit: &Unit, mapped: &Mapped, depth: usize) {
    let whole = mapped.area.size(&mapped.technology);
    let share = |area: &Area| format!("{:.1} %", 100.0 * mapped.technology.size(area) / whole);
    let mut row = vec![
        "· ".repeat(depth) + &label(unit),
        share(&unit.whole),
        share(&unit.own),
    ];
    let resources = mapped.technology.resources().iter();
    row.extend(resources.map(|resource| format!("{:.0}", unit.whole.get(*resource))));
    row.push(unit.levels.to_string());
    table.add_row(row);
    for part in &unit.parts {
        add_rows(table, part, mapped, depth + 1);
    }
}

/// The head of a column.
pub fn heading(resource: Resource) -> &'static str {
    match resource {
        Resource::Luts => "LUT4",
        Resource::SquareMicrons => "µm²",
        Resource::Gates => "NAND2",
        Resource::FlipFlops => "flip-flops",
        Resource::DistributedRams => "16 × 4 RAM",
        Resource::BlockRams => "18 kbit RAM",
        Resource::RamBits => "bits of RAM",
    }
}

/// A picture of the shares.
pub fn picture(mapped: &Mapped) -> String {
    let technology = &mapped.technology;
    let whole = mapped.area.size(technology);
    let unit = gathered(&mapped.area, technology, whole);
    let title = format!(
        "Area of {} in {}",
        unit.module,
        self::technology(technology)
    );
    part(&unit, technology, whole).svg(&title)
}

fn part(unit: &Unit, technology: &Technology, whole: f64) -> Part {
    let is_seen = |size: f64| size >= LEAST_SHARE * whole;
    let parts = unit.parts.iter();
    let mut parts: Vec<Part> = parts
        .filter(|it| is_seen(it.size(technology)))
        .map(|it| part(it, technology, whole))
        .collect();
    let own = technology.size(&unit.own);
    if !parts.is_empty() && is_seen(own) {
        parts.push(Part {
            label: "own logic".into(),
            size: own,
            parts: Vec::new(),
        });
    }
    Part {
        label: label(unit),
        size: unit.size(technology),
        parts,
    }
}

fn label(unit: &Unit) -> String {
    match unit.instances {
        1 => unit.module.clone(),
        count => format!("{} × {count}", unit.module),
    }
}

/// The unit with its small parts as one.
fn gathered(unit: &Unit, technology: &Technology, whole: f64) -> Unit {
    let parts = unit.parts.iter();
    let (shown, small): (Vec<&Unit>, Vec<&Unit>) =
        parts.partition(|part| part.size(technology) >= LEAST_SHARE * whole);
    let shown = shown.into_iter().map(|it| gathered(it, technology, whole));
    let rest = Unit {
        module: "other parts".into(),
        instances: small.iter().map(|it| it.instances).sum(),
        whole: small.iter().map(|it| it.whole.clone()).sum(),
        own: small.iter().map(|it| it.whole.clone()).sum(),
        levels: small.iter().map(|it| it.levels).max().unwrap_or(0),
        parts: Vec::new(),
    };
    let rest = (rest.size(technology) >= LEAST_REST * whole).then_some(rest);
    Unit {
        parts: shown.chain(rest).collect(),
        ..unit.clone()
    }
}

pub fn longest_path(path: &LongestPath) -> String {
    let stretches = path.through.iter().map(|stretch| {
        let instance = match stretch.instance.as_str() {
            "" => "the block itself",
            instance => instance,
        };
        format!("{} in {instance}", stretch.levels)
    });
    format!(
        "Longest path: {} levels of logic from `{}` to `{}`: {}.",
        path.levels,
        path.from,
        path.to,
        stretches.collect::<Vec<_>>().join(", ")
    )
}

pub fn placement(placed: &Placement) -> String {
    let path = &placed.critical_path;
    let used = placed
        .used
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"));
    format!(
        "Placed and routed on {} by {}: {:.1} MHz. The path that limits it has {} cells, {:.1} ns of logic and {:.1} ns of wires, \
         from `{}` to `{}`. In use: {}; {} of the flip-flops are those around the block.",
        placed.device,
        placed.nextpnr,
        placed.megahertz,
        path.cells,
        path.logic,
        path.routing,
        path.nets.first().map_or("", String::as_str),
        path.to,
        used.collect::<Vec<_>>().join(", "),
        placed.harness_flip_flops,
    )
}
