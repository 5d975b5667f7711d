//! The section of area.

use std::path::Path;

use fantree_gen::synth::{Resource, Unit};
use fantree_tb::report::{Item, Section, Table};

use crate::commands::synth::{heading, Baseline};

/// Figures of a configuration, and the pictures beside them.
pub struct Synthesis {
    figures: Baseline,
    pictures: Vec<Item>,
}

/// In the order of the columns.
const RESOURCES: [Resource; 7] = [
    Resource::Luts,
    Resource::SquareMicrons,
    Resource::Gates,
    Resource::FlipFlops,
    Resource::DistributedRams,
    Resource::BlockRams,
    Resource::RamBits,
];

impl Synthesis {
    /// `file`: where the figures were read.
    pub fn new(figures: Baseline, file: &Path) -> Self {
        let mut pictures = Vec::new();
        for block in &figures.blocks {
            for mapped in &block.mapped {
                let name = format!("{}-{}.svg", block.name, mapped.technology);
                if let Ok(svg) = std::fs::read_to_string(file.with_file_name(name)) {
                    let title = title(&figures.config, &block.name, &mapped.technology);
                    pictures.push(Item::Picture { title, svg });
                }
            }
        }
        Self { figures, pictures }
    }

    fn items(&self) -> Vec<Item> {
        let Baseline { config, blocks, .. } = &self.figures;
        let mut items = self.pictures.clone();
        for block in blocks {
            for mapped in &block.mapped {
                let title = title(config, &block.name, &mapped.technology);
                items.push(Item::Table(table(&title, &mapped.area)));
            }
        }
        items
    }
}

fn title(config: &str, block: &str, technology: &str) -> String {
    format!("Area of {block} of {config} in {technology}")
}

/// `None` without any.
pub fn section(syntheses: &[Synthesis]) -> Option<Section> {
    let clocks = syntheses
        .iter()
        .flat_map(|it| &it.figures.blocks)
        .filter_map(|block| {
            let placed = block.placed.as_ref()?;
            Some(format!(
                " {}: {:.1} MHz, placed and routed.",
                block.name, placed.megahertz
            ))
        });
    let clocks: String = clocks.collect();
    (!syntheses.is_empty()).then(|| Section {
        title: "Area".into(),
        text: format!("What blocks take, with all that is below them.{clocks}"),
        items: syntheses.iter().flat_map(Synthesis::items).collect(),
    })
}

fn table(title: &str, whole: &Unit) -> Table {
    let resources = RESOURCES.into_iter();
    let resources: Vec<Resource> = resources.filter(|&it| whole.whole.get(it) > 0.0).collect();
    let mut header = vec!["unit", "instances"];
    header.extend(resources.iter().map(|&resource| heading(resource)));
    header.push("levels");
    let mut rows = Vec::new();
    add_rows(&mut rows, whole, &resources, 0);
    Table::new(title, &header, rows)
}

fn add_rows(rows: &mut Vec<Vec<String>>, unit: &Unit, resources: &[Resource], depth: usize) {
    let mut row = vec![
        "· ".repeat(depth) + &unit.module,
        unit.instances.to_string(),
    ];
    let amounts = resources.iter().map(|&resource| unit.whole.get(resource));
    row.extend(amounts.map(|amount| format!("{amount:.0}")));
    row.push(unit.levels.to_string());
    rows.push(row);
    for part in &unit.parts {
        add_rows(rows, part, resources, depth + 1);
    }
}
