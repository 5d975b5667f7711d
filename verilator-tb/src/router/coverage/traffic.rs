//! What is covered of the traffic of a run, from its options.

use crate::coverage::{group, point};
use crate::router::{Options, Routing, Store};
use crate::traffic::{Arrivals, Load, Pattern};

point! {
    /// Where packets go.
    pub enum Towards: "pattern" {
        Uniform = "uniform",
        Permutation = "permutation",
        Complement = "complement",
        Tornado = "tornado",
        Transpose = "transpose",
        Shuffle = "shuffle",
        BitReverse = "bit-reverse",
        Neighbour = "neighbour",
        Hotspot = "hotspot",
        RowToColumn = "row-to-column",
        AllToOne = "all-to-one",
        Bursty = "bursty",
    }
}

point! {
    /// What sources offer.
    pub enum Offered: "load" {
        Full = "full",
        Part = "below full",
    }
}

point! {
    /// How packets come to a source.
    pub enum Coming: "arrivals" {
        Steady = "one by one",
        Bursts = "in bursts",
    }
}

point! {
    /// How packets are routed.
    pub enum Routes: "routing" {
        Deterministic = "deterministic",
        Adaptive = "adaptive",
        Source = "source",
        Mixed = "mixed",
    }
}

point! {
    /// Ports that store packets whole.
    pub enum Storing: "storing ports" {
        None = "none",
        All = "all",
        Odd = "every other",
    }
}

group! {
    /// What goes through a chip in a run.
    pub struct Traffic: "traffic of a run" {
        towards: Towards,
        offered: Offered,
        coming: Coming,
        routes: Routes,
        storing: Storing,
    }
    crosses {
        towards, routes, storing;
        towards, offered;
        offered, coming;
    }
    ignored {}
}

impl Traffic {
    pub fn of(options: &Options) -> Self {
        Self {
            towards: match options.pattern {
                Pattern::Uniform => Towards::Uniform,
                Pattern::Permutation => Towards::Permutation,
                Pattern::Complement => Towards::Complement,
                Pattern::Tornado => Towards::Tornado,
                Pattern::Transpose => Towards::Transpose,
                Pattern::Shuffle => Towards::Shuffle,
                Pattern::BitReverse => Towards::BitReverse,
                Pattern::Neighbour => Towards::Neighbour,
                Pattern::Hotspot { .. } => Towards::Hotspot,
                Pattern::RowToColumn => Towards::RowToColumn,
                Pattern::AllToOne { .. } => Towards::AllToOne,
                Pattern::Bursty => Towards::Bursty,
            },
            offered: match options.load {
                Load::FULL => Offered::Full,
                _ => Offered::Part,
            },
            coming: match options.arrivals {
                Arrivals::Bernoulli => Coming::Steady,
                Arrivals::Bursty { .. } => Coming::Bursts,
            },
            routes: match options.routing {
                Routing::Deterministic => Routes::Deterministic,
                Routing::Adaptive => Routes::Adaptive,
                Routing::Source => Routes::Source,
                Routing::Mixed => Routes::Mixed,
            },
            storing: match options.store {
                Store::Never => Storing::None,
                Store::Always => Storing::All,
                Store::Odd => Storing::Odd,
            },
        }
    }
}
