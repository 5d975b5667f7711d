//! What a run does.

use fantree_hdl::router::RouterParams;

use super::addresses::{Addresses, TablesTooSmall};
use super::blocks::{Split, SplitPolicy};
use super::policies::{Incident, IncidentKind, Routing, SourceQueues, Stalls, Store, VcPolicy};
use super::MAX_VCS;
use crate::traffic::{self, stream, Arrivals, Lengths, Load, Pattern, Shape};

/// Everything that shapes a run besides the chip. The same options give the same run, to the bit.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    pub pattern: Pattern,
    pub load: Load,
    pub arrivals: Arrivals,
    pub lengths: Lengths,
    pub vc_policy: VcPolicy,
    pub source_queues: SourceQueues,
    /// Sources mix the flits of packets of different virtual channels on the link.
    pub interleave: bool,
    /// Share of the packets whose address has no route: the chip drops and counts them.
    pub no_route: f64,
    /// Share of the packets that ask for what no router may do: the chip drops and counts them.
    pub misfits: f64,
    /// Share of the packets that are damaged on the way into the chip, half of them in the header.
    pub damage: f64,
    /// How packets are routed.
    pub routing: Routing,
    /// Candidate ports of every table entry: the port itself and the next ones.
    pub candidates: usize,
    /// Share of the packets that go to a multicast group, as far as they are short enough.
    pub multicast: f64,
    /// Every multicast group has all ports; else the first has, and the others have any.
    pub multicast_to_all: bool,
    /// Ports that store packets whole before they send them on.
    pub store: Store,
    /// Blocks of all input buffers.
    pub split: SplitPolicy,
    /// Cycles that a packet may be blocked in the chip before it is dropped; 0: for ever.
    pub blocked_limit: u32,
    /// Flits in the buffers of a port that mean congestion; 0: there is never any; none: as after the reset.
    pub backlog_limit: Option<u32>,
    /// Something happens to a port.
    pub incident: Option<Incident>,
    /// Stalls of the receivers.
    pub stalls: Stalls,
    /// Cycles from a flit on a link until its credit is back at the sender's pins, if its place is free at once.
    pub credit_round_trip: usize,
    /// Cycles before the measurement.
    pub warmup: u64,
    /// Cycles of the measurement.
    pub cycles: u64,
    /// At most so many packets are sent, and none to measure the latency of the idle chip.
    pub packets: Option<u64>,
    pub seed: u64,
    /// Cycles without any packet starting or arriving after which a run with packets on their way is given up, if
    /// receivers never stall and credits are back at once.
    pub patience: u64,
}

/// Longest credit round trip: a bench keeps a place for each cycle of it.
pub const MAX_CREDIT_ROUND_TRIP: usize = 100_000;
/// Longest mean of a stall.
pub const MAX_STALL_CYCLES: f64 = 1e6;
/// Most cycles of a run, far more than anybody can wait for.
pub const MAX_CYCLES: u64 = 1_000_000_000_000;

impl Default for Options {
    fn default() -> Self {
        Self {
            pattern: Pattern::Uniform,
            load: Load::FULL,
            arrivals: Arrivals::Bernoulli,
            lengths: Lengths::fixed(4),
            vc_policy: VcPolicy::MostCredits,
            source_queues: SourceQueues::One,
            interleave: false,
            no_route: 0.0,
            misfits: 0.0,
            damage: 0.0,
            routing: Routing::Deterministic,
            candidates: 1,
            multicast: 0.0,
            multicast_to_all: false,
            store: Store::Never,
            split: SplitPolicy::Reset,
            blocked_limit: 0,
            backlog_limit: None,
            incident: None,
            stalls: Stalls::NONE,
            credit_round_trip: 8,
            warmup: 1000,
            cycles: 5000,
            packets: None,
            seed: 1,
            patience: 2000,
        }
    }
}

/// Options that do not fit the chip or are out of range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InvalidOptions {
    #[error(transparent)]
    Traffic(#[from] traffic::Error),
    #[error(transparent)]
    Tables(#[from] TablesTooSmall),
    #[error("there is no virtual channel {vc}; legal are 0 to {}", vcs - 1)]
    Vc { vc: usize, vcs: usize },
    #[error("stalls for {0} of the cycles are not legal: from 0 to below 1")]
    Stalls(f64),
    #[error("stalls of {0} cycles are not legal: 1 to {MAX_STALL_CYCLES}")]
    StallCycles(f64),
    #[error("a credit round trip of {0} cycles is not legal: 1 to {MAX_CREDIT_ROUND_TRIP}")]
    CreditRoundTrip(usize),
    #[error("{share} of the packets without a route is not legal: 0 to {most}{}", if *most == 0.0 {
        ", as every table entry is in use"
    } else {
        ""
    })]
    NoRoute { share: f64, most: f64 },
    #[error("{share} of the packets {what} is not legal: 0 to 1")]
    Share { what: &'static str, share: f64 },
    #[error("{candidates} candidates an entry are not legal: 1 to {most}")]
    Candidates { candidates: usize, most: usize },
    #[error(
        "blocks that do not hold the longest packet, which takes {longest}, or more than the buffer, which has {most}"
    )]
    Split { longest: usize, most: usize },
    #[error("private blocks of {given} virtual channels are not legal: of 1 for all, or of each of the {vcs}")]
    SplitChannels { given: usize, vcs: usize },
    #[error("{limit} flits that mean congestion are not legal: 0 to {most}, what the buffers of a port hold")]
    BacklogLimit { limit: u32, most: usize },
    #[error("there is no port {port}; legal are 0 to {}", ports - 1)]
    Port { port: usize, ports: usize },
    #[error("a measurement of 0 cycles is not legal: at least 1")]
    NoCycles,
    #[error("{warmup} cycles before a measurement of {cycles} are not legal: {MAX_CYCLES} at most together")]
    TooManyCycles { warmup: u64, cycles: u64 },
}

impl Options {
    /// Refuses options that do not fit a chip.
    pub fn check(&self, params: &RouterParams) -> Result<(), InvalidOptions> {
        let (rows, columns) = (params.rows, params.columns);
        self.pattern.check(Shape { rows, columns })?;
        self.lengths.check(params.max_packet_flits)?;
        let vcs = params.virtual_channels;
        match self.vc_policy {
            VcPolicy::Fixed(vc) if vc >= vcs => return Err(InvalidOptions::Vc { vc, vcs }),
            _ => (),
        }
        for share in [self.stalls.share, self.slow_port()] {
            if !(0.0..1.0).contains(&share) {
                return Err(InvalidOptions::Stalls(share));
            }
        }
        if !(1.0..=MAX_STALL_CYCLES).contains(&self.stalls.mean_cycles) {
            return Err(InvalidOptions::StallCycles(self.stalls.mean_cycles));
        }
        if !(1..=MAX_CREDIT_ROUND_TRIP).contains(&self.credit_round_trip) {
            return Err(InvalidOptions::CreditRoundTrip(self.credit_round_trip));
        }
        for (what, share) in [
            ("damaged", self.damage),
            ("multicast", self.multicast),
            ("that ask for what no router may do", self.misfits),
        ] {
            if !(0.0..=1.0).contains(&share) {
                return Err(InvalidOptions::Share { what, share });
            }
        }
        let (candidates, most) = (self.candidates, params.candidates.min(params.ports()));
        if !(1..=most).contains(&candidates) {
            return Err(InvalidOptions::Candidates { candidates, most });
        }
        self.check_split(params)?;
        if let Some(limit) = self.backlog_limit {
            let most = params.rows * params.virtual_channels * params.column_buffer_flits;
            if limit as usize > most {
                return Err(InvalidOptions::BacklogLimit { limit, most });
            }
        }
        if let Some(Incident { port, .. }) = self.incident {
            let ports = params.ports();
            if port >= ports {
                return Err(InvalidOptions::Port { port, ports });
            }
        }
        let unrouted = !Addresses::new(params, candidates)?.unrouted().is_empty();
        let (share, most) = (self.no_route, if unrouted { 1.0 } else { 0.0 });
        if !(0.0..=most).contains(&share) {
            return Err(InvalidOptions::NoRoute { share, most });
        }
        if self.cycles == 0 {
            return Err(InvalidOptions::NoCycles);
        }
        let (warmup, cycles) = (self.warmup, self.cycles);
        if warmup.saturating_add(cycles) > MAX_CYCLES {
            return Err(InvalidOptions::TooManyCycles { warmup, cycles });
        }
        Ok(())
    }

    fn check_split(&self, params: &RouterParams) -> Result<(), InvalidOptions> {
        let SplitPolicy::Fixed { private, .. } = &self.split else {
            return Ok(());
        };
        let (given, vcs) = (private.len(), params.virtual_channels);
        if given != 1 && given != vcs {
            return Err(InvalidOptions::SplitChannels { given, vcs });
        }
        let split = self.split(params);
        let (longest, most) = (
            params.blocks_of(params.max_packet_flits),
            params.input_buffer_blocks,
        );
        let holds = |vc: usize| split.private[vc].saturating_add(split.shared) >= longest;
        if split.total() > most || !(0..vcs).all(holds) {
            return Err(InvalidOptions::Split { longest, most });
        }
        Ok(())
    }

    /// The split of a chip's buffers.
    pub(super) fn split(&self, params: &RouterParams) -> Split {
        match &self.split {
            SplitPolicy::Reset => Split::of(params),
            SplitPolicy::Random => Split::random(params, &mut stream(self.seed, "split", 0)),
            SplitPolicy::Fixed { private, shared } => {
                let mut blocks = [0; MAX_VCS];
                for (vc, blocks) in blocks[..params.virtual_channels].iter_mut().enumerate() {
                    *blocks = private[vc % private.len()];
                }
                Split {
                    block_flits: params.block_flits,
                    private: blocks,
                    shared: *shared,
                }
            }
        }
    }

    /// Share of the cycles in which the port stalls that becomes slow, if one does.
    fn slow_port(&self) -> f64 {
        match self.incident {
            Some(Incident {
                kind: IncidentKind::Slow(share),
                ..
            }) => share,
            _ => 0.0,
        }
    }

    /// Cycles without progress after which a run is given up. Receivers that stall stretch what takes a packet its time,
    /// and while a credit is on its way nothing need happen.
    pub(super) fn patience(&self) -> u64 {
        let share = self.stalls.share.max(self.slow_port());
        let stretched = self.patience as f64 / (1.0 - share);
        (stretched as u64).saturating_add(self.credit_round_trip as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_is_of_all_channels_or_of_each() {
        let params = fantree_gen::config::Router::default().params();
        let check = |text: &str| {
            let split = text.parse().unwrap();
            Options {
                split,
                ..Options::default()
            }
            .check(&params)
        };
        for text in ["reset", "random", "18/56", "0/18", "18,20,22,24/44"] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let (longest, most) = (18, 128);
        for text in ["0/17", "18/57", "18,18,18,0/17"] {
            assert_eq!(
                check(text),
                Err(InvalidOptions::Split { longest, most }),
                "{text}"
            );
        }
        let wrong = InvalidOptions::SplitChannels { given: 2, vcs: 4 };
        assert_eq!(check("18,18/56"), Err(wrong));
    }

    #[test]
    fn a_run_is_given_up_later_the_slower_its_receivers_and_credits_are() {
        let patience = |share, credit_round_trip| {
            let stalls = Stalls::share(share);
            Options {
                stalls,
                credit_round_trip,
                ..Options::default()
            }
            .patience()
        };
        assert_eq!(patience(0.0, 8), 2008);
        assert_eq!(patience(0.5, 5000), 9000);
        assert_eq!(
            patience(1.0 - f64::EPSILON, MAX_CREDIT_ROUND_TRIP),
            (2000u64 << 52) + 100_000
        );
    }
}
