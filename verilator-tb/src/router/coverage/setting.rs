//! What is covered of the settings of a run, from its options.

use fantree_hdl::router::RouterParams;

use crate::coverage::{group, point};
use crate::router::{Incident, IncidentKind, Options, SourceQueues, Split, SplitPolicy, VcPolicy};

point! {
    /// How the blocks of an input buffer are split.
    pub enum Blocks: "split of blocks" {
        Reset = "as after reset",
        Own = "every channel its own",
        Mixed = "some shared",
        Shared = "all shared",
    }
}

point! {
    /// What happens to a port.
    pub enum Happening: "incident" {
        None = "none",
        Slow = "a receiver becomes slow",
        Stop = "a receiver stops for a time",
        Die = "a port dies",
    }
}

point! {
    /// Where packets wait at a source.
    pub enum Queueing: "source queues" {
        One = "one",
        PerDestination = "one a destination",
        Throttled = "throttled by reports",
    }
}

point! {
    /// How a source picks channels.
    pub enum Picking: "channel policy" {
        MostCredits = "most credits",
        Random = "random",
        Fixed = "fixed",
    }
}

point! {
    /// Whether receivers stall.
    pub enum Stalling: "receivers" {
        Steady = "never stall",
        Stall = "stall",
    }
}

point! {
    /// Whether sources mix packets of different channels on their links.
    pub enum Mixing: "packets of sources" {
        Whole = "whole",
        Interleaved = "interleaved",
    }
}

point! {
    /// When a port is congested.
    pub enum Sensing: "backlog limit" {
        Reset = "as after reset",
        Never = "never congested",
        Set = "set",
    }
}

point! {
    /// Whether packets may be blocked for ever.
    pub enum Patience: "blocked limit" {
        None = "none",
        Set = "set",
    }
}

point! {
    /// Candidates of a table entry.
    pub enum Candidates: "candidates" {
        One = "one",
        Several = "several",
    }
}

group! {
    /// How a chip and its bench are set in a run.
    pub struct Setting: "setting of a run" {
        blocks: Blocks,
        happening: Happening,
        queueing: Queueing,
        picking: Picking,
        stalling: Stalling,
        mixing: Mixing,
        sensing: Sensing,
        patience: Patience,
        candidates: Candidates,
    }
    crosses {
        blocks, stalling;
        blocks, mixing;
        blocks, picking;
        happening, candidates;
        happening, stalling;
        queueing, sensing;
        stalling, mixing;
        patience, stalling;
    }
    ignored {}
}

impl Setting {
    pub fn of(params: &RouterParams, options: &Options) -> Self {
        Self {
            blocks: match options.split {
                SplitPolicy::Reset => Blocks::Reset,
                _ => Blocks::of(options.split(params)),
            },
            happening: match options.incident {
                None => Happening::None,
                Some(Incident { kind, .. }) => match kind {
                    IncidentKind::Slow(_) => Happening::Slow,
                    IncidentKind::Stop(_) => Happening::Stop,
                    IncidentKind::Die => Happening::Die,
                },
            },
            queueing: match options.source_queues {
                SourceQueues::One => Queueing::One,
                SourceQueues::PerDestination => Queueing::PerDestination,
                SourceQueues::Throttled => Queueing::Throttled,
            },
            picking: match options.vc_policy {
                VcPolicy::MostCredits => Picking::MostCredits,
                VcPolicy::Random => Picking::Random,
                VcPolicy::Fixed(_) => Picking::Fixed,
            },
            stalling: match options.stalls.share > 0.0 {
                true => Stalling::Stall,
                false => Stalling::Steady,
            },
            mixing: match options.interleave {
                true => Mixing::Interleaved,
                false => Mixing::Whole,
            },
            sensing: match options.backlog_limit {
                None => Sensing::Reset,
                Some(0) => Sensing::Never,
                Some(_) => Sensing::Set,
            },
            patience: match options.blocked_limit {
                0 => Patience::None,
                _ => Patience::Set,
            },
            candidates: match options.candidates {
                1 => Candidates::One,
                _ => Candidates::Several,
            },
        }
    }
}

impl Blocks {
    fn of(split: Split) -> Self {
        let Split {
            private, shared, ..
        } = split;
        match (private.iter().any(|&blocks| blocks > 0), shared > 0) {
            (true, false) => Blocks::Own,
            (true, true) => Blocks::Mixed,
            (false, _) => Blocks::Shared,
        }
    }
}
