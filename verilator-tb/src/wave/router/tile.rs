//! What is worth seeing of a port: its links, the units of its tile, how full its buffers are, what goes wrong.

use fantree_gen::config::Router;
use fantree_hdl::packet::header;

use super::scope::{flit, group, Scope};
use crate::wave::{Item, Part, Show, Table, Trace};

/// A group of a port's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    LinkIn,
    LinkOut,
    Occupancy,
    Errors,
    Input,
    Crossbar,
    Output,
}

impl Unit {
    pub const ALL: [Unit; 7] = [
        Unit::LinkIn,
        Unit::LinkOut,
        Unit::Occupancy,
        Unit::Errors,
        Unit::Input,
        Unit::Crossbar,
        Unit::Output,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Unit::LinkIn => "link in",
            Unit::LinkOut => "link out",
            Unit::Occupancy => "occupancy",
            Unit::Errors => "errors",
            Unit::Input => "input unit",
            Unit::Crossbar => "crossbar",
            Unit::Output => "output unit",
        }
    }

    /// The lines of the group.
    pub fn items(self, router: &Router, port: usize) -> Vec<Item> {
        let chip = Scope::chip(router);
        let tile = Scope::tile(router, port);
        match self {
            Unit::LinkIn => link_in(&chip, &tile, port),
            Unit::LinkOut => link_out(&chip, &tile, port),
            Unit::Occupancy => occupancy(&tile),
            Unit::Errors => errors(&chip, &tile, router, port),
            Unit::Input => input_unit(&tile.input_unit(), router),
            Unit::Crossbar => crossbar(&tile.crossbar(), router),
            Unit::Output => output_unit(&tile.output_unit(), router),
        }
    }
}

fn link_in(chip: &Scope, tile: &Scope, port: usize) -> Vec<Item> {
    let mut items = link(chip, tile, "rx", port);
    items.push(port_bits(chip, "rx_credit", port));
    items
}

fn link_out(chip: &Scope, tile: &Scope, port: usize) -> Vec<Item> {
    let mut items = link(chip, tile, "tx", port);
    items.push(port_bits(chip, "tx_ready", port));
    items.push(port_bits(chip, "tx_credit", port));
    items
}

/// What both directions of a link have: the flit as the tile sees it, its parts as the chip's ports have them.
fn link(chip: &Scope, tile: &Scope, side: &str, port: usize) -> Vec<Item> {
    let signal = |name: &str| chip.of(&format!("{side}_{name}_{port}"));
    let valid = || Part::all(signal("valid"));
    let opcode = vec![
        valid(),
        Part::all(signal("head")),
        Part::bits(signal("data"), 0..header::OPCODE.width as u32),
    ];
    let vc = vec![valid(), Part::all(signal("vc"))];
    let bad = vec![valid(), Part::all(signal("bad"))];
    vec![
        flit(
            &format!("{side} flit"),
            signal("valid"),
            tile.of(&format!("{side}_flit")),
        ),
        Trace::joined(format!("{side} opcode"), opcode, Show::Named(Table::Opcode)).into(),
        Trace::joined(format!("{side} vc"), vc, Show::Named(Table::Vc)).into(),
        port_bits(chip, &format!("{side}_valid"), port),
        port_bits(chip, &format!("{side}_head"), port),
        port_bits(chip, &format!("{side}_tail"), port),
        Trace::joined(format!("{side} bad"), bad, Show::Named(Table::Bad))
            .alarm()
            .into(),
    ]
}

/// A port's signal of the chip, by its name without the number.
fn port_bits(chip: &Scope, name: &str, port: usize) -> Item {
    chip.renamed(name, &format!("{name}_{port}"), Show::Bits)
}

/// Blocks of the input buffer by virtual channel, flits in the column buffers, blocks in use in the next chip.
fn occupancy(tile: &Scope) -> Vec<Item> {
    let (input, output) = (tile.input_unit(), tile.output_unit());
    let blocks = |vc| {
        let signal = format!("blocks_{vc}");
        input.renamed(&format!("input blocks vc{vc}"), &signal, Show::Curve)
    };
    let mut items: Vec<Item> = (0..tile.vcs).map(blocks).collect();
    items.push(output.renamed("output backlog", "backlog", Show::Curve));
    items.push(output.renamed("next chip blocks", "in_use", Show::Curve));
    items
}

fn errors(chip: &Scope, tile: &Scope, router: &Router, port: usize) -> Vec<Item> {
    let (input, crossbar, output) = (tile.input_unit(), tile.crossbar(), tile.output_unit());
    let mut overflow = Vec::new();
    for vc in 0..tile.vcs {
        for column in 0..router.columns {
            let name = format!("row buffer {column} vc{vc}");
            let signal = format!("row_space_{column}_{vc}.error");
            overflow.push(input.alarm(&name, &signal, Show::Bits));
        }
        for row in 0..router.rows {
            let name = format!("column buffer {row} vc{vc}");
            let signal = format!("column_space_{row}_{vc}.error");
            overflow.push(crossbar.alarm(&name, &signal, Show::Bits));
        }
    }
    overflow.push(output.alarm("next chip", "pool.error", Show::Bits));
    let link_error = format!("link_error_{port}");
    vec![
        chip.alarm("link error", &link_error, Show::Bits),
        input.alarm("dropped", "drop_cause", Show::Named(Table::DropCause)),
        output.alarm("dropped, dead port", "dropped_dead", Show::Bits),
        output.alarm("dropped, blocked", "dropped_blocked", Show::Bits),
        group("credits wrong", false, overflow),
    ]
}

fn input_unit(input: &Scope, router: &Router) -> Vec<Item> {
    let ports = Show::Named(Table::PortBits(router.ports()));
    let mut items = vec![
        input.flit("row flit", "row_ports", "row_flit"),
        input.vc_bits("row_vc"),
        input.trace("row_ports", ports),
    ];
    items.extend((0..router.columns).map(|column| input.bits(&format!("row_credit_{column}"))));
    for vc in 0..input.vcs {
        let signal = |name: &str| input.of(&format!("channel_{vc}.{name}"));
        let state = ["routed", "started", "reads_group"].map(|name| Part::all(signal(name)));
        let route = ["routed", "route"].map(|name| Part::all(signal(name)));
        items.push(
            Trace::joined(
                format!("vc{vc} state"),
                state.into(),
                Show::Named(Table::ChannelState),
            )
            .into(),
        );
        items.push(Trace::joined(format!("vc{vc} route"), route.into(), Show::Route).into());
    }
    items.push(input.vc_bits("stalled"));
    items.push(input.alarm("drop_cause", "drop_cause", Show::Named(Table::DropCause)));
    items
}

fn crossbar(crossbar: &Scope, router: &Router) -> Vec<Item> {
    let mut items = Vec::new();
    for column in 0..router.columns {
        let (valid, word) = (format!("row_valid_{column}"), format!("row_word_{column}"));
        items.push(crossbar.flit(&format!("row flit {column}"), &valid, &word));
        items.push(crossbar.bits(&format!("row_credit_{column}")));
    }
    items.extend(columns(crossbar, router));
    items
}

fn output_unit(output: &Scope, router: &Router) -> Vec<Item> {
    let mut items = columns(output, router);
    items.push(output.trace("in_use", Show::Decimal));
    items.push(output.trace("backlog", Show::Decimal));
    items.push(output.bits("congested"));
    items
}

/// The column channels at a unit, one a row.
fn columns(unit: &Scope, router: &Router) -> Vec<Item> {
    let each = |row| {
        let (vc, word) = (format!("column_vc_{row}"), format!("column_flit_{row}"));
        [
            unit.flit(&format!("column flit {row}"), &vc, &word),
            unit.vc_bits(&vc),
            unit.bits(&format!("column_credit_{row}")),
        ]
    };
    (0..router.rows).flat_map(each).collect()
}
