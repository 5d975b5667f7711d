//! The choices of a run that have names: how packets are routed, stored and queued, and what befalls a port.

use std::fmt;
use std::str::FromStr;

/// How packets are routed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Routing {
    /// By table, to the first usable candidate.
    Deterministic,
    /// By table, to the idlest candidate.
    Adaptive,
    /// By the packet itself, if it has two flits or more; else by table.
    Source,
    /// Each packet in one of these ways.
    Mixed,
}

/// Ports that store packets whole before they send them on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Store {
    /// None: virtual cut-through everywhere.
    Never,
    /// All.
    Always,
    /// Those with odd numbers.
    Odd,
}

impl Store {
    /// Whether a port stores.
    pub fn at(self, port: usize) -> bool {
        match self {
            Store::Never => false,
            Store::Always => true,
            Store::Odd => port % 2 == 1,
        }
    }
}

/// Something that happens to a port in the middle of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Incident {
    pub port: usize,
    /// Cycles after the start of the traffic.
    pub after: u64,
    pub kind: IncidentKind,
}

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum IncidentKind {
    /// Its receiver stalls for this share of the cycles from then on, as behind a link that has lost lanes.
    Slow(f64),
    /// Its receiver takes nothing for so many cycles.
    Stop(u64),
    /// It is switched off for good: traffic goes on by the next candidates.
    Die,
}

/// `PORT@AFTER:stop=CYCLES`, `PORT@AFTER:slow=SHARE` or `PORT@AFTER:die`.
impl FromStr for Incident {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let incident = || {
            let (place, kind) = text.split_once(':')?;
            let (port, after) = place.split_once('@')?;
            let kind = match kind.split_once('=') {
                Some(("stop", cycles)) => IncidentKind::Stop(cycles.parse().ok()?),
                Some(("slow", share)) => IncidentKind::Slow(share.parse().ok()?),
                None if kind == "die" => IncidentKind::Die,
                _ => return None,
            };
            Some(Incident {
                port: port.parse().ok()?,
                after: after.parse().ok()?,
                kind,
            })
        };
        incident().ok_or("legal are PORT@AFTER:stop=CYCLES, :slow=SHARE and :die".into())
    }
}

impl fmt::Display for Incident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}:", self.port, self.after)?;
        match self.kind {
            IncidentKind::Stop(cycles) => write!(f, "stop={cycles}"),
            IncidentKind::Slow(share) => write!(f, "slow={share}"),
            IncidentKind::Die => f.write_str("die"),
        }
    }
}

/// Random stalls of a receiver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stalls {
    /// Share of the cycles that are stalled, from 0 to below 1.
    pub share: f64,
    /// Mean length of a stall.
    pub mean_cycles: f64,
}

impl Stalls {
    pub const NONE: Stalls = Stalls::share(0.0);

    /// Stalls of 4 cycles on average.
    pub const fn share(share: f64) -> Self {
        Self {
            share,
            mean_cycles: 4.0,
        }
    }
}

/// Where packets wait at a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SourceQueues {
    /// In one queue, in the order in which they came.
    One,
    /// In one for each destination; the queues take turns.
    PerDestination,
    /// In one for each destination, from which they leave more slowly while the chip reports congestion there.
    Throttled,
}

/// Which virtual channel a source puts its next packet on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VcPolicy {
    /// The one with the most credits; of several, the next in turn.
    MostCredits,
    /// Any, chosen when the packet becomes the first of its queue.
    Random,
    /// Always this one.
    Fixed(usize),
}

impl FromStr for VcPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "most-credits" => Ok(VcPolicy::MostCredits),
            "random" => Ok(VcPolicy::Random),
            _ => text
                .strip_prefix("fixed=")
                .and_then(|vc| vc.parse().ok())
                .map(VcPolicy::Fixed)
                .ok_or("legal are most-credits, random and fixed=N".into()),
        }
    }
}

impl fmt::Display for VcPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VcPolicy::MostCredits => f.write_str("most-credits"),
            VcPolicy::Random => f.write_str("random"),
            VcPolicy::Fixed(vc) => write!(f, "fixed={vc}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_survives_the_round_trip() {
        for text in ["most-credits", "random", "fixed=3"] {
            assert_eq!(text.parse::<VcPolicy>().unwrap().to_string(), text);
        }
        for text in ["", "fixed", "fixed=", "fixed=x", "least-credits"] {
            assert!(text.parse::<VcPolicy>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_incident_survives_the_round_trip() {
        for text in ["4@500:stop=10000", "0@0:slow=0.75", "2@700:die"] {
            assert_eq!(text.parse::<Incident>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "4",
            "4@1",
            "4@1:",
            "4@1:stop",
            "4@1:die=1",
            "4:die",
            "x@1:die",
        ] {
            assert!(text.parse::<Incident>().is_err(), "{text}");
        }
    }
}
