//! What goes through the router: options of a run as arguments of a command, and back.

use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use fantree_tb::router::{
    Incident, Options, Routing, SourceQueues, SplitPolicy, Stalls, Store, VcPolicy,
};
use fantree_tb::shell::quoted;
use fantree_tb::traffic::{Arrivals, Lengths, Load, Pattern};

/// What goes through the router.
#[derive(clap::Args)]
pub struct Traffic {
    /// Where packets go: uniform, permutation, complement, tornado, transpose, shuffle, bit-reverse, neighbour,
    /// hotspot[:PORT[:SHARE]], row-to-column, all-to-one[:PORT], or bursty (uniform, in bursts).
    #[arg(long, default_value_t = Pattern::Uniform)]
    pattern: Pattern,
    /// Flits a cycle a port that are offered, above 0; at 1.0 a packet is always waiting.
    #[arg(long, default_value_t = Load::HALF)]
    load: Load,
    #[command(flatten)]
    manner: Manner,
    /// Put this fault into the router's Verilog, such as `output_unit/swapped-ready/leaves`; `fantree mutate --list` tells
    /// which there are.
    #[arg(long, value_name = "NAME")]
    mutant: Option<String>,
}

/// How it goes, whatever the pattern and the load.
#[derive(clap::Args)]
pub struct Manner {
    /// Packets arrive in bursts, whatever the pattern.
    #[arg(long)]
    bursty: bool,
    /// Length of the packets in flits, or several to choose from, such as 1,4,69.
    #[arg(long, value_name = "FLITS", default_value_t = Lengths::fixed(4))]
    packet_flits: Lengths,
    /// Virtual channel of a packet: most-credits, random, or fixed=N.
    #[arg(long, value_name = "POLICY", default_value_t = VcPolicy::MostCredits)]
    vc_policy: VcPolicy,
    /// Packets wait at a source in one queue, or in one a destination; these leave at once, or more slowly to ports that
    /// the router reports as congested.
    #[arg(long, value_enum, default_value_t = SourceQueues::One)]
    source_queues: SourceQueues,
    /// Flits in the buffers of a port from which on it is congested; 0 never. Else three quarters of what they hold.
    #[arg(long, value_name = "FLITS")]
    backlog_limit: Option<u32>,
    /// Sources mix the flits of packets of different virtual channels on the link.
    #[arg(long)]
    interleave: bool,
    /// Share of the packets whose address has no route.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    no_route: f64,
    /// Share of the packets that ask for what no router may do: more hops than they have left, a port or group that there
    /// is not, a multicast that is too long.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    misfits: f64,
    /// How packets are routed: by table to the first candidate port, by table to the idlest, by the packet itself.
    #[arg(long, value_enum, default_value_t = Routing::Deterministic)]
    routing: Routing,
    /// Candidate ports of a table entry: the destination and the ports after it.
    #[arg(long, value_name = "PORTS", default_value_t = 1)]
    candidates: usize,
    /// Share of the packets that go to a multicast group, if they are short enough.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    multicast: f64,
    /// Every multicast group has all ports; else the first has, and the others have any.
    #[arg(long)]
    multicast_to_all: bool,
    /// Ports that store packets whole before they send them on; the others cut through.
    #[arg(long, value_enum, default_value_t = Store::Never)]
    store: Store,
    /// Blocks of all input buffers: reset (as after it), random, or those of each virtual channel, one number for all or one
    /// for each, and those that all share, such as 18/56.
    #[arg(long, value_name = "BLOCKS", default_value_t = SplitPolicy::Reset)]
    split: SplitPolicy,
    /// Cycles that a packet may be blocked in the chip before it is dropped; 0 for ever.
    #[arg(long, value_name = "CYCLES", default_value_t = 0)]
    blocked_limit: u32,
    /// Something happens to a port, so many cycles after the traffic started: PORT@AFTER:stop=CYCLES (it takes nothing for
    /// so long), PORT@AFTER:slow=SHARE (it stalls for this share of the cycles from then on), or PORT@AFTER:die.
    #[arg(long)]
    incident: Option<Incident>,
    /// Share of the packets that are damaged on their way into the chip.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    damage: f64,
    /// Share of the cycles in which a receiver takes no flits, and in which its buffer does not drain.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    stall: f64,
    /// Mean length of these stalls.
    #[arg(long, value_name = "CYCLES", default_value_t = Stalls::NONE.mean_cycles)]
    stall_cycles: f64,
    /// Cycles that a credit needs from a flit on the link back to its sender.
    #[arg(long, value_name = "CYCLES", default_value_t = 8)]
    credit_round_trip: usize,
    /// Cycles of traffic before the measurement.
    #[arg(long, value_name = "CYCLES", default_value_t = 1000)]
    warmup: u64,
    /// Cycles of the measurement.
    #[arg(long, default_value_t = 5000)]
    cycles: u64,
    /// Send at most so many packets, and none to measure the latency of the idle chip.
    #[arg(long, value_name = "NUMBER")]
    packets: Option<u64>,
    /// Cycles without any packet starting or arriving after which a run is given up; more where receivers stall.
    #[arg(long, value_name = "CYCLES", default_value_t = Options::default().patience)]
    patience: u64,
    /// The same seed gives the same run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Traffic {
    /// As the bench takes it.
    pub fn options(&self) -> Options {
        self.manner.options(self.pattern, self.load)
    }

    /// The command line that gives the same run.
    pub fn command(&self, command: &str, config: &Path) -> String {
        let Self {
            pattern,
            load,
            manner,
            mutant,
        } = self;
        let config = quoted(config.display());
        let mutant = mutant.as_ref().map(|name| format!(" --mutant {name}"));
        let mutant = mutant.unwrap_or_default();
        format!("fantree {command} {config} --pattern {pattern} --load {load}{manner}{mutant}")
    }

    /// Name of the fault in the router, if there shall be one.
    pub fn mutant(&self) -> Option<&str> {
        self.mutant.as_deref()
    }
}

impl Manner {
    /// As the bench takes it.
    pub fn options(&self, pattern: Pattern, load: Load) -> Options {
        Options {
            pattern,
            load,
            arrivals: match self.bursty {
                true => Arrivals::BURSTY,
                false => pattern.arrivals(),
            },
            lengths: self.packet_flits.clone(),
            vc_policy: self.vc_policy,
            source_queues: self.source_queues,
            backlog_limit: self.backlog_limit,
            interleave: self.interleave,
            no_route: self.no_route,
            misfits: self.misfits,
            routing: self.routing,
            candidates: self.candidates,
            multicast: self.multicast,
            multicast_to_all: self.multicast_to_all,
            store: self.store,
            split: self.split.clone(),
            blocked_limit: self.blocked_limit,
            incident: self.incident,
            damage: self.damage,
            stalls: Stalls {
                share: self.stall,
                mean_cycles: self.stall_cycles,
            },
            credit_round_trip: self.credit_round_trip,
            warmup: self.warmup,
            cycles: self.cycles,
            packets: self.packets,
            seed: self.seed,
            patience: self.patience,
        }
    }

    /// What is not asked for by everybody, and whether it was.
    fn unusual(&self) -> [(bool, String); 21] {
        let usual = Options::default();
        let Self {
            vc_policy,
            no_route,
            misfits,
            candidates,
            multicast,
            split,
            blocked_limit,
            damage,
            stall,
            stall_cycles,
            credit_round_trip,
            patience,
            ..
        } = self;
        let (queues, routing, store) = (
            name(self.source_queues),
            name(self.routing),
            name(self.store),
        );
        let limit = self.backlog_limit.unwrap_or_default();
        let incident = self.incident.map(|incident| incident.to_string());
        let incident = incident.unwrap_or_default();
        let packets = self.packets.unwrap_or_default();
        [
            (
                *vc_policy != usual.vc_policy,
                format!("vc-policy {vc_policy}"),
            ),
            (
                self.source_queues != usual.source_queues,
                format!("source-queues {queues}"),
            ),
            (
                self.backlog_limit.is_some(),
                format!("backlog-limit {limit}"),
            ),
            (self.bursty, "bursty".into()),
            (self.interleave, "interleave".into()),
            (*no_route > 0.0, format!("no-route {no_route}")),
            (*misfits > 0.0, format!("misfits {misfits}")),
            (self.routing != usual.routing, format!("routing {routing}")),
            (
                *candidates != usual.candidates,
                format!("candidates {candidates}"),
            ),
            (*multicast > 0.0, format!("multicast {multicast}")),
            (self.multicast_to_all, "multicast-to-all".into()),
            (self.store != usual.store, format!("store {store}")),
            (*split != usual.split, format!("split {split}")),
            (*blocked_limit > 0, format!("blocked-limit {blocked_limit}")),
            (self.incident.is_some(), format!("incident {incident}")),
            (*damage > 0.0, format!("damage {damage}")),
            (*stall > 0.0, format!("stall {stall}")),
            (
                *stall_cycles != usual.stalls.mean_cycles,
                format!("stall-cycles {stall_cycles}"),
            ),
            (
                *credit_round_trip != usual.credit_round_trip,
                format!("credit-round-trip {credit_round_trip}"),
            ),
            (self.packets.is_some(), format!("packets {packets}")),
            (*patience != usual.patience, format!("patience {patience}")),
        ]
    }
}

/// The arguments, each after a space; what is not asked for by everybody only where it differs.
impl fmt::Display for Manner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            packet_flits,
            warmup,
            cycles,
            seed,
            ..
        } = self;
        write!(
            f,
            " --packet-flits {packet_flits} --warmup {warmup} --cycles {cycles} --seed {seed}"
        )?;
        let unusual = self.unusual().into_iter().filter(|(differs, _)| *differs);
        unusual
            .map(|(_, argument)| argument)
            .try_for_each(|argument| write!(f, " --{argument}"))
    }
}

/// As the command line has it.
fn name(value: impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or(String::new(), |value| value.get_name().into())
}

#[cfg(test)]
mod tests {
    use super::super::Args;
    use super::*;
    use clap::{Args as _, FromArgMatches};

    fn parse(line: &str) -> Args {
        let command = Args::augment_args(clap::Command::new("sim"));
        let matches = command
            .try_get_matches_from(line.split(' ').skip(1))
            .unwrap();
        Args::from_arg_matches(&matches).unwrap()
    }

    #[test]
    fn the_command_repeats_itself() {
        for line in [
            "fantree sim a.toml --pattern uniform --load 0.5 --packet-flits 4 --warmup 1000 --cycles 5000 --seed 1",
            "fantree sim a.toml --pattern hotspot:3:0.5 --load 1 --packet-flits 1,69 --warmup 0 --cycles 1 --seed 9 \
             --vc-policy fixed=2 --source-queues throttled --backlog-limit 40 --bursty --interleave --no-route 0.1 --misfits 0.2 \
             --routing mixed --candidates 3 --multicast 0.5 --multicast-to-all --store odd --split 1,2/30 \
             --blocked-limit 900 --incident 3@70:slow=0.5 --damage 0.2 --stall 0.25 --stall-cycles 20 \
             --credit-round-trip 3 --packets 0 --patience 77 --mutant fifo/off-by-one/held_d.2",
        ] {
            let args = parse(line);
            assert_eq!(args.traffic.command("sim", &args.config), line);
        }
    }

    /// An argument that a command would not repeat makes no difference to the bench either.
    #[test]
    fn without_arguments_a_run_has_the_usual_options() {
        let usual = Options {
            load: Load::HALF,
            ..Options::default()
        };
        assert_eq!(parse("fantree sim a.toml").traffic.options(), usual);
    }
}
