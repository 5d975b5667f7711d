//! What a router with a fault goes through: short runs that together use every feature, with buffers that run full.

use fantree_hdl::router::RouterParams;

use crate::router::{
    Incident, IncidentKind, Options, Routing, SourceQueues, SplitPolicy, Stalls, Store, VcPolicy,
};
use crate::traffic::{Lengths, Load, Pattern};

/// A run, and what to call it.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub name: &'static str,
    pub options: Options,
}

/// The runs, those that find most first.
pub fn scenarios(params: &RouterParams) -> Vec<Scenario> {
    let longest = params.max_packet_flits;
    let candidates = params.candidates.min(params.rows * params.columns);
    let usual = Options {
        load: Load::FULL,
        lengths: format!("1,2,{longest}").parse().expect("legal lengths"),
        stalls: Stalls::share(0.3),
        interleave: true,
        vc_policy: VcPolicy::Random,
        split: SplitPolicy::Random,
        warmup: 0,
        cycles: 1000,
        patience: 500,
        ..Options::default()
    };
    let last = params.rows * params.columns - 1;
    let incident = |after, kind| {
        Some(Incident {
            port: last,
            after,
            kind,
        })
    };
    vec![
        Scenario {
            name: "everything at once",
            options: Options {
                no_route: 0.05,
                misfits: 0.05,
                damage: 0.1,
                multicast: 0.2,
                routing: Routing::Mixed,
                candidates,
                store: Store::Odd,
                ..usual.clone()
            },
        },
        Scenario {
            name: "tables",
            options: Options {
                split: SplitPolicy::Reset,
                vc_policy: VcPolicy::MostCredits,
                multicast: 0.1,
                cycles: 2000,
                ..usual.clone()
            },
        },
        Scenario {
            name: "a few packets",
            options: Options {
                load: Load::new(0.1).expect("a legal load"),
                routing: Routing::Mixed,
                candidates,
                multicast: 0.1,
                no_route: 0.1,
                stalls: Stalls::NONE,
                ..usual.clone()
            },
        },
        // No multicast: a packet to several ports that is dropped counts once, so that nobody can tell how many never come.
        Scenario {
            name: "a slow port, and a limit for what it blocks",
            options: Options {
                incident: incident(100, IncidentKind::Slow(0.95)),
                blocked_limit: 60,
                ..usual.clone()
            },
        },
        Scenario {
            name: "a port dies",
            options: Options {
                incident: incident(200, IncidentKind::Die),
                routing: Routing::Adaptive,
                candidates,
                damage: 0.1,
                ..usual.clone()
            },
        },
        Scenario {
            name: "congestion that sources hear of",
            options: Options {
                pattern: Pattern::AllToOne { port: last },
                source_queues: SourceQueues::Throttled,
                backlog_limit: Some(8),
                multicast: 0.1,
                ..usual.clone()
            },
        },
        Scenario {
            name: "stored, long packets",
            options: Options {
                store: Store::Always,
                lengths: Lengths::fixed(longest),
                damage: 0.2,
                routing: Routing::Source,
                multicast_to_all: true,
                ..usual
            },
        },
    ]
}
