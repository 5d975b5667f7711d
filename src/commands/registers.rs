//! `fantree registers`: the registers of a configuration as a reference, as constants, or for other tools.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueEnum;
use fantree_gen::config::Config;
use fantree_gen::registers::{c_header, markdown, systemrdl, tables};
use fantree_hdl::manage::chip_register_map;
use fantree_hdl::registers::{Group, RegisterMap};
use fantree_tb::regress::write_whole;
use fantree_tb::report::{Item, Report, Section, Table};
use fantree_tb::shell::quoted;

use super::Outcome;

#[derive(clap::Args)]
pub struct Args {
    /// Configuration file (TOML).
    config: PathBuf,
    /// What to write.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// File to write; the screen by default.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What the registers are written as.
#[derive(Clone, Copy, Default, ValueEnum)]
enum Format {
    /// A reference, for reading.
    #[default]
    Markdown,
    /// The same as a page.
    Html,
    /// A header with addresses, masks and reset values.
    C,
    /// SystemRDL 2.0, for other register tools.
    Systemrdl,
    /// Everything, for scripts.
    Json,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let config = Config::load(&args.config)?;
    let map = chip_register_map(&config.router.params());
    let title = format!("Registers of {}", config.name);
    let text = match args.format {
        Format::Markdown => markdown(&map, &title),
        Format::Html => page(&map, &title, &args.config).html(),
        Format::C => c_header(&map, &title),
        Format::Systemrdl => systemrdl(&map, &title),
        Format::Json => format!("{:#}\n", serde_json::to_value(&map)?),
    };
    match &args.out {
        Some(file) => write_whole(file, &text)?,
        None => print!("{text}"),
    }
    Ok(Outcome::Passed)
}

/// The reference as a page.
fn page(map: &RegisterMap, title: &str, config: &Path) -> Report {
    let table = |title: &str, header: [&str; 5], rows: Vec<[String; 5]>| {
        let rows = rows.into_iter().map(Vec::from).collect();
        Item::Table(Table::new(title, &header, rows))
    };
    let section = |group: &Group| {
        let name = group.name.replace('_', " ");
        Section {
            items: vec![
                table(
                    &format!("{name}: registers"),
                    tables::REGISTER_HEADER,
                    tables::registers(group),
                ),
                table(
                    &format!("{name}: fields"),
                    tables::FIELD_HEADER,
                    tables::fields(group),
                ),
            ],
            title: name,
            text: group.about.clone(),
        }
    };
    Report {
        title: title.into(),
        subtitle: format!("{} bits each; reserved bits read as zero", map.data_bits),
        sections: map.groups.iter().map(section).collect(),
        command: format!(
            "fantree registers {} --format html",
            quoted(config.display())
        ),
        ..Report::default()
    }
}
