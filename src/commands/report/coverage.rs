//! The section of coverage.

use fantree_tb::coverage::{Report, Tally};
use fantree_tb::report::{Item, Section, Table};

/// `None` without any.
pub fn section(reports: &[Report]) -> Option<Section> {
    let items = reports.iter().flat_map(|report| {
        let configs: Vec<&str> = report.configs.iter().map(String::as_str).collect();
        let name = format!("{} runs of {}", report.runs, configs.join(", "));
        [
            summary(report, &name),
            units(report, &name),
            points(report, &name),
            missed(report, &name),
        ]
    });
    (!reports.is_empty()).then(|| Section {
        title: "Coverage".into(),
        text: "What of the Verilog ran, and which of the situations that monitors know were seen."
            .into(),
        items: items.map(Item::Table).collect(),
    })
}

/// Hit, all, and the share.
fn cells(tally: Tally) -> [String; 3] {
    let Tally { hit, all } = tally;
    [
        hit.to_string(),
        all.to_string(),
        format!("{:.2} %", tally.percent()),
    ]
}

fn summary(report: &Report, name: &str) -> Table {
    let kinds = [
        ("lines", report.lines),
        ("branches", report.branches),
        ("functional", report.functional),
    ];
    let row = |(what, tally): (&str, Tally)| {
        let mut row = vec![what.to_owned()];
        row.extend(cells(tally));
        row
    };
    let rows = kinds.into_iter().map(row).collect();
    Table::new(
        &format!("Coverage of {name}"),
        &["kind", "hit", "of", "share"],
        rows,
    )
}

fn units(report: &Report, name: &str) -> Table {
    let rows = report.units.iter().map(|unit| {
        let mut row = vec![unit.name.clone()];
        row.extend(cells(unit.lines));
        row.extend(cells(unit.branches));
        row
    });
    let header = [
        "unit",
        "lines hit",
        "of",
        "share",
        "branches hit",
        "of",
        "share",
    ];
    Table::new(&format!("Lines by unit, {name}"), &header, rows.collect())
}

fn points(report: &Report, name: &str) -> Table {
    let rows = report.groups.iter().flat_map(|group| {
        group.questions().map(|question| {
            let mut row = vec![format!("{}: {}", group.name, question.name)];
            row.extend(cells(question.tally()));
            row
        })
    });
    let header = ["point or cross", "bins hit", "of", "share"];
    Table::new(
        &format!("Points and crosses, {name}"),
        &header,
        rows.collect(),
    )
}

/// What never was.
fn missed(report: &Report, name: &str) -> Table {
    let lines = report
        .units
        .iter()
        .flat_map(|unit| &unit.missed)
        .map(|missed| {
            vec![
                format!("{}:{}", missed.module, missed.line),
                missed.text.clone(),
            ]
        });
    let bins = report.groups.iter().flat_map(|group| {
        group.questions().flat_map(|question| {
            let place = format!("{}: {}", group.name, question.name);
            question
                .missed()
                .map(move |bin| vec![place.clone(), bin.name.clone()])
        })
    });
    let rows = lines.chain(bins).collect();
    Table::new(&format!("Never covered, {name}"), &["where", "what"], rows)
}
