//! `Technology`: what a block is mapped to, and what is known of its cells.

use anyhow::Result;

use super::netlist::Cell;
use super::{ecp5, Area, Library, Resource};

/// What a block is mapped to.
#[derive(Debug, Clone)]
pub enum Technology {
    /// Lattice's ECP5: lookup tables, distributed RAM, block RAM.
    Ecp5,
    /// Standard cells. Small memories become flip-flops, large ones stay whole: a chip would have RAM macros there.
    Cells(Library),
}

/// What a pin of a cell is to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pin {
    /// The path ends here.
    End,
    /// The path goes on from every output, so many levels of logic later.
    Through(u32),
}

impl Technology {
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Cells(_) => "cells",
        }
    }

    /// The resources that cells take, the one that shares are of first.
    pub fn resources(&self) -> &'static [Resource] {
        match self {
            Self::Ecp5 => &ecp5::RESOURCES,
            Self::Cells(_) => &Library::RESOURCES,
        }
    }

    /// The commands of Yosys from the hierarchy of `top` to its mapped cells.
    pub(super) fn script(&self, top: &str) -> String {
        match self {
            Self::Ecp5 => ecp5::script(top),
            Self::Cells(library) => library.script(top),
        }
    }

    /// What a cell takes.
    pub(super) fn area(&self, cell: &Cell) -> Result<Area> {
        match self {
            Self::Ecp5 => ecp5::area(cell),
            Self::Cells(library) => library.area(cell),
        }
    }

    /// What an input of a cell is to a path.
    pub(super) fn pin(&self, cell: &Cell, input: &str) -> Pin {
        match self {
            Self::Ecp5 => ecp5::pin(&cell.kind, input),
            Self::Cells(library) => library.pin(&cell.kind),
        }
    }

    /// An area as one number, for shares: lookup tables with those that distributed RAMs take, or square microns.
    pub fn size(&self, area: &Area) -> f64 {
        match self {
            Self::Ecp5 => ecp5::size(area),
            Self::Cells(_) => area.get(Resource::SquareMicrons),
        }
    }
}
