//! The view of a router chip: the register bus, then for each port its links and the units of its tile.

use fantree_gen::config::Router;
use fantree_hdl::packet::{header, FLIT_BITS};

use super::{Error, Group, Item, Part, Show, Table, Trace, View, Wave};

/// The scope of the chip in a wave that Verilator wrote.
const CHIP: &str = "TOP.bench.router";

/// Cycles that the window spans: a head's text is read in the width of one.
const CYCLES_SHOWN: usize = 16;

/// Everything worth seeing of a router chip, from the first packet into port 0 since a cycle; of port 0, the links are
/// unfolded.
pub fn router_view(router: &Router, wave: &mut Wave, from_cycle: u64) -> Result<View, Error> {
    let starts: Vec<u64> = starts_of_ones(wave, "clock")?;
    let cycle = |number: usize| starts.get(number).or(starts.last()).copied().unwrap_or(0);
    let from = cycle(from_cycle as usize);
    let packets = starts_of_ones(wave, "rx_valid_0")?;
    let marker = packets
        .into_iter()
        .find(|time| *time >= from)
        .unwrap_or(from);
    let period = cycle(2).saturating_sub(cycle(1));
    Ok(View {
        items: items(router),
        // A cycle before the packet is enough to see it start.
        start: marker.saturating_sub(period),
        marker,
        span: CYCLES_SHOWN as u64 * period,
    })
}

/// The times at which a bit of the chip becomes 1.
fn starts_of_ones(wave: &mut Wave, signal: &str) -> Result<Vec<u64>, Error> {
    let changes = wave.changes(&format!("{CHIP}.{signal}"))?;
    let ones = changes.into_iter().filter(|(_, value)| value == "1");
    Ok(ones.map(|(time, _)| time).collect())
}

fn items(router: &Router) -> Vec<Item> {
    let chip = Scope {
        path: CHIP.into(),
        vcs: router.virtual_channels,
    };
    let mut items = vec![
        chip.bits("clock"),
        chip.bits("reset"),
        group("register bus", false, chip.register_bus()),
    ];
    items.extend((0..router.ports()).map(|port| {
        let (row, column) = (port / router.columns, port % router.columns);
        let tile = chip.child(&format!("tile_{row}_{column}"));
        let first = port == 0;
        let parts = vec![
            group("link in", first, chip.link_in(port, &tile)),
            group("link out", first, chip.link_out(port, &tile)),
            // As keywords of Verilog, their names have an underscore.
            group("input unit", false, tile.child("input_").input_unit(router)),
            group("crossbar", false, tile.child("crossbar").crossbar(router)),
            group(
                "output unit",
                false,
                tile.child("output_").output_unit(router),
            ),
        ];
        group(
            &format!("port {port}: row {row}, column {column}"),
            first,
            parts,
        )
    }));
    items
}

fn group(name: &str, open: bool, items: Vec<Item>) -> Item {
    Item::Group(Group {
        name: name.into(),
        open,
        items,
    })
}

/// A module in the wave.
struct Scope {
    path: String,
    vcs: usize,
}

impl Scope {
    fn child(&self, name: &str) -> Scope {
        Scope {
            path: self.of(name),
            vcs: self.vcs,
        }
    }

    fn of(&self, signal: &str) -> String {
        format!("{}.{signal}", self.path)
    }

    fn register_bus(&self) -> Vec<Item> {
        vec![
            self.bits("cfg_write"),
            self.bits("cfg_read"),
            self.bits("cfg_broadcast"),
            self.trace("cfg_port", Show::Decimal),
            self.trace("cfg_address", Show::Hex),
            self.trace("cfg_wdata", Show::Hex),
            self.bits("cfg_rvalid"),
            self.trace("cfg_rdata", Show::Hex),
        ]
    }

    fn link_in(&self, port: usize, tile: &Scope) -> Vec<Item> {
        let mut items = self.link("rx", port, tile);
        items.push(self.port_bits("rx_credit", port));
        items
    }

    fn link_out(&self, port: usize, tile: &Scope) -> Vec<Item> {
        let mut items = self.link("tx", port, tile);
        items.push(self.port_bits("tx_ready", port));
        items.push(self.port_bits("tx_credit", port));
        items
    }

    /// What both directions of a link have: the flit as the tile sees it, its parts as the chip's ports have them.
    fn link(&self, side: &str, port: usize, tile: &Scope) -> Vec<Item> {
        let signal = |name: &str| self.of(&format!("{side}_{name}_{port}"));
        let valid = || Part::all(signal("valid"));
        let mut items = vec![
            flit(
                &format!("{side} flit"),
                valid(),
                tile.of(&format!("{side}_flit")),
            ),
            Item::Trace(Trace {
                name: format!("{side} opcode"),
                parts: vec![
                    valid(),
                    Part::all(signal("head")),
                    Part::bits(signal("data"), 0..header::OPCODE.width as u32),
                ],
                show: Show::Named(Table::Opcode),
            }),
            Item::Trace(Trace {
                name: format!("{side} vc"),
                parts: vec![valid(), Part::all(signal("vc"))],
                show: Show::Named(Table::Vc),
            }),
        ];
        for mark in ["valid", "head", "tail", "bad"] {
            items.push(self.port_bits(&format!("{side}_{mark}"), port));
        }
        items
    }

    fn input_unit(&self, router: &Router) -> Vec<Item> {
        let mut items = vec![
            flit(
                "row flit",
                Part::all(self.of("row_ports")),
                self.of("row_flit"),
            ),
            self.vc_bits("row_vc"),
            self.bits("row_ports"),
        ];
        items.extend((0..router.columns).map(|column| self.bits(&format!("row_credit_{column}"))));
        let blocks = |vc| self.trace(&format!("blocks_{vc}"), Show::Decimal);
        items.extend((0..self.vcs).map(blocks));
        items.push(self.vc_bits("stalled"));
        items.push(self.trace("drop_cause", Show::Decimal));
        items
    }

    fn crossbar(&self, router: &Router) -> Vec<Item> {
        let mut items = Vec::new();
        for column in 0..router.columns {
            let valid = Part::all(self.of(&format!("row_valid_{column}")));
            let word = self.of(&format!("row_word_{column}"));
            items.push(flit(&format!("row flit {column}"), valid, word));
            items.push(self.bits(&format!("row_credit_{column}")));
        }
        items.extend(self.columns(router));
        items
    }

    fn output_unit(&self, router: &Router) -> Vec<Item> {
        let mut items = self.columns(router);
        items.push(self.trace("in_use", Show::Decimal));
        items.push(self.trace("backlog", Show::Decimal));
        items.push(self.bits("congested"));
        items
    }

    /// The column channels at a unit, one a row.
    fn columns(&self, router: &Router) -> Vec<Item> {
        let each = |row| {
            let vc = self.of(&format!("column_vc_{row}"));
            let word = self.of(&format!("column_flit_{row}"));
            [
                flit(&format!("column flit {row}"), Part::all(vc), word),
                self.vc_bits(&format!("column_vc_{row}")),
                self.bits(&format!("column_credit_{row}")),
            ]
        };
        (0..router.rows).flat_map(each).collect()
    }

    fn trace(&self, name: &str, show: Show) -> Item {
        Trace::of(name, self.of(name), show).into()
    }

    fn bits(&self, name: &str) -> Item {
        self.trace(name, Show::Bits)
    }

    /// A port's signal of the chip, by its name without the number.
    fn port_bits(&self, name: &str, port: usize) -> Item {
        Trace::of(name, self.of(&format!("{name}_{port}")), Show::Bits).into()
    }

    fn vc_bits(&self, name: &str) -> Item {
        self.trace(name, Show::Named(Table::VcBits(self.vcs)))
    }
}

/// The flit in the low bits of `word`, there while `valid` is not zero.
fn flit(name: &str, valid: Part, word: String) -> Item {
    Item::Trace(Trace {
        name: name.into(),
        parts: vec![valid, Part::bits(word, 0..FLIT_BITS as u32)],
        show: Show::Flit,
    })
}
