//! Modules of a router chip in a wave, and their signals.

use fantree_gen::config::Router;
use fantree_hdl::packet::FLIT_BITS;

use crate::wave::{Group, Item, Part, Show, Table, Trace};

/// A module in the wave.
pub struct Scope {
    path: String,
    pub vcs: usize,
}

impl Scope {
    /// The chip, in a wave that Verilator wrote of it on the bench.
    pub fn chip(router: &Router) -> Self {
        Scope {
            path: "TOP.bench.router".into(),
            vcs: router.virtual_channels,
        }
    }

    /// The tile of a port.
    pub fn tile(router: &Router, port: usize) -> Self {
        let (row, column) = (port / router.columns, port % router.columns);
        Self::chip(router).child(&format!("tile_{row}_{column}"))
    }

    /// The input unit of a tile. As keywords of Verilog, `input` and `output` have an underscore.
    pub fn input_unit(&self) -> Self {
        self.child("input_")
    }

    /// The crossbar unit of a tile.
    pub fn crossbar(&self) -> Self {
        self.child("crossbar")
    }

    /// The output unit of a tile.
    pub fn output_unit(&self) -> Self {
        self.child("output_")
    }

    fn child(&self, name: &str) -> Scope {
        Scope {
            path: self.of(name),
            vcs: self.vcs,
        }
    }

    /// The path of a signal.
    pub fn of(&self, signal: &str) -> String {
        format!("{}.{signal}", self.path)
    }

    /// A signal under its own name.
    pub fn trace(&self, name: &str, show: Show) -> Item {
        self.renamed(name, name, show)
    }

    /// A signal under another name.
    pub fn renamed(&self, name: &str, signal: &str, show: Show) -> Item {
        Trace::of(name, self.of(signal), show).into()
    }

    /// A signal that tells of an error.
    pub fn alarm(&self, name: &str, signal: &str, show: Show) -> Item {
        Trace::of(name, self.of(signal), show).alarm().into()
    }

    pub fn bits(&self, name: &str) -> Item {
        self.trace(name, Show::Bits)
    }

    /// One bit a virtual channel.
    pub fn vc_bits(&self, name: &str) -> Item {
        self.trace(name, Show::Named(Table::VcBits(self.vcs)))
    }

    /// The flit in the low bits of the signal `word`, there while `valid` is not zero.
    pub fn flit(&self, name: &str, valid: &str, word: &str) -> Item {
        flit(name, self.of(valid), self.of(word))
    }
}

/// The flit in the low bits of `word`, there while `valid` is not zero.
pub fn flit(name: &str, valid: String, word: String) -> Item {
    let parts = vec![Part::all(valid), Part::bits(word, 0..FLIT_BITS as u32)];
    Trace::joined(name, parts, Show::Flit).into()
}

pub fn group(name: &str, open: bool, items: Vec<Item>) -> Item {
    Item::Group(Group {
        name: name.into(),
        open,
        items,
    })
}
