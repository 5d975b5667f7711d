//! Test of the tests: faults in the Verilog of a router must be caught by the bench.
//!
//! Each of these faults is made for one check of the bench, which must be among those that find it: so no check is blind.
//! `fantree mutate` makes many more faults, which must be found by any.

use fantree_gen::config::Config;
use fantree_gen::mutate::Change;
use fantree_gen::Design;
use fantree_tb::router::{Fate, Fault, Observe, Options, Simulation, Stalls, Violation};
use fantree_tb::traffic::Load;

/// A router that compiles in seconds and in which buffers run full.
const CONFIG: &str = "name = \"small\"
[router]
rows = 2
columns = 2
virtual_channels = 2
payload_bytes = 64
input_buffer_blocks = 8
private_blocks = 3
row_buffer_flits = 3
column_buffer_flits = 3
routing = { in_supernode_entries = 4, out_supernode_entries = 4 }";

struct Seeded {
    name: &'static str,
    module: &'static str,
    /// What stands before the expression; it stays.
    after: &'static str,
    right: &'static str,
    wrong: &'static str,
    /// What the bench must say, among what else goes wrong.
    caught_by: fn(&Fault) -> bool,
}

const SEEDED: &[Seeded] = &[
    // Credits.
    Seeded {
        name: "of credits that come back for two channels at once, one is lost",
        module: "output_unit",
        after: ".give(",
        right: "tx_credit",
        wrong: "(tx_credit & {1'd1, !tx_credit[1]})",
        caught_by: |fault| matches!(fault, Fault::Stuck { .. }),
    },
    Seeded {
        name: "a packet starts with a block too few for all of it",
        module: "output_unit",
        after: "starts[0] & ",
        right: "(pool_available_0 < {2'd0, blocks_0})",
        wrong: "(pool_available_0 + 4'd1 < {2'd0, blocks_0})",
        caught_by: |fault| matches!(fault, Fault::CutThrough { .. }),
    },
    Seeded {
        name: "shared blocks are never used up",
        module: "credit_pool",
        after: "shared_left = ",
        right: "shared - beyond_below_2",
        wrong: "shared",
        caught_by: |fault| matches!(fault, Fault::CutThrough { .. }),
    },
    Seeded {
        name: "a credit comes back for two channels",
        module: "input_unit",
        after: "rx_credit = ",
        right: "buffer_freed",
        wrong: "buffer_freed | {buffer_freed[0], buffer_freed[1]}",
        caught_by: |fault| matches!(fault, Fault::ExtraCredit),
    },
    Seeded {
        name: "blocks of a dropped packet do not come back",
        module: "router_tile",
        after: "rx_credit = ",
        right: "input_rx_credit",
        wrong: "input_rx_credit & {2{!(|input_drop_cause)}}",
        caught_by: |fault| matches!(fault, Fault::CreditsMissing { .. }),
    },
    Seeded {
        name: "a flit is sent into a row buffer without a credit",
        module: "input_unit",
        after: "room_0 = ",
        right: "{row_space_1_0_available, row_space_0_0_available}",
        wrong: "2'd3",
        caught_by: |fault| matches!(fault, Fault::Corrupted { .. } | Fault::Stuck { .. }),
    },
    // Packets on the link.
    Seeded {
        name: "the link's readiness is taken the wrong way round",
        module: "output_unit",
        after: "!link_valid_q | ",
        right: "tx_ready",
        wrong: "!tx_ready",
        caught_by: |fault| *fault == Fault::Duplicated,
    },
    Seeded {
        name: "a packet lets its channel go after every flit",
        module: "output_unit",
        after: "leaves[0] & ",
        right: "front_0[129]",
        wrong: "1'b1",
        caught_by: |fault| matches!(fault, Fault::WrongLength { .. }),
    },
    Seeded {
        name: "flits of one channel go out as another's",
        module: "output_unit",
        after: "{3{link_grant[1]}} & ",
        right: "3'd1",
        wrong: "3'd0",
        caught_by: |fault| matches!(fault, Fault::Corrupted { .. }),
    },
    Seeded {
        name: "the header names the first channel whatever the packet goes out on",
        module: "output_unit",
        after: ".vc(",
        right: "sent_vc",
        wrong: "3'd0",
        caught_by: |fault| matches!(fault, Fault::WrongVc { .. }),
    },
    Seeded {
        name: "flits of a channel go out as one that there is not",
        module: "output_unit",
        after: "{3{link_grant[0]}} & ",
        right: "3'd0",
        wrong: "3'd7",
        caught_by: |fault| matches!(fault, Fault::InvalidVc { .. }),
    },
    Seeded {
        name: "a bit of a flit turns over on one channel",
        module: "router_tile",
        after: "tx_flit = ",
        right: "output_tx_flit",
        wrong: "output_tx_flit ^ {130'd0, output_tx_vc[0]}",
        caught_by: |fault| matches!(fault, Fault::UnknownHeader { .. }),
    },
    Seeded {
        name: "the header's CRC does not follow the header",
        module: "header_update",
        after: "",
        right: "change_crc_crc ^ 8'hb9",
        wrong: "8'd0",
        caught_by: |fault| matches!(fault, Fault::UnknownHeader { .. }),
    },
    Seeded {
        name: "no hop is used up",
        module: "header_update",
        after: "- ",
        right: "4'd1",
        wrong: "4'd0",
        caught_by: |fault| matches!(fault, Fault::Corrupted { .. }),
    },
    Seeded {
        name: "the mark of a damaged packet is lost",
        module: "input_buffer",
        after: "read_flit = {",
        right: "reading_damaged_q",
        wrong: "1'b0",
        caught_by: |fault| matches!(fault, Fault::Corrupted { .. }),
    },
    // Inside.
    Seeded {
        name: "the flits of a packet are counted down by two",
        module: "input_channel",
        after: "",
        right: "route - 20'd1",
        wrong: "route - 20'd2",
        caught_by: |fault| matches!(fault, Fault::Stuck { .. }),
    },
    Seeded {
        name: "an arbiter grants all that ask",
        module: "round_robin_arbiter_2",
        after: "grant = ",
        right: "candidates & (~candidates + 2'd1)",
        wrong: "candidates",
        // Two flits become one.
        caught_by: |fault| matches!(fault, Fault::Corrupted { .. } | Fault::UnknownHeader { .. }),
    },
    Seeded {
        name: "a block comes free a flit too early",
        module: "input_buffer",
        after: "read_offset_0_q == ",
        right: "2'd3",
        wrong: "2'd2",
        caught_by: |fault| matches!(fault, Fault::Corrupted { .. } | Fault::Stuck { .. }),
    },
    Seeded {
        name: "a row gets a packet twice",
        module: "crossbar_unit",
        after: "pending_0_0 = available_0 & target_0_0 & ",
        right: "~done_0_0_q",
        wrong: "2'd3",
        caught_by: |fault| matches!(fault, Fault::Duplicated | Fault::Stuck { .. }),
    },
    Seeded {
        name: "a row gets no copy of a multicast packet",
        module: "crossbar_unit",
        after: "buffer_1_0_keep = ",
        right: "!last_wave_0[1]",
        wrong: "1'b0",
        caught_by: |fault| matches!(fault, Fault::Lost { .. } | Fault::Stuck { .. }),
    },
    // Routes.
    Seeded {
        name: "other supernodes are looked up an entry off",
        module: "route_table",
        after: "",
        right: "guid[10:8] + 3'd4",
        wrong: "guid[10:8] + 3'd5",
        caught_by: |fault| matches!(fault, Fault::Misrouted { fate: Fate::Any(_) }),
    },
    Seeded {
        name: "a candidate that nobody wrote counts as one",
        module: "route_choice",
        after: "found & ",
        right: "word_0[6]",
        wrong: "1'b1",
        caught_by: |fault| {
            matches!(
                fault,
                Fault::Misrouted {
                    fate: Fate::Dropped(_)
                }
            )
        },
    },
    Seeded {
        name: "a dropped packet is counted twice",
        module: "counter_bank_19",
        after: "",
        right: "counter_12_q + 32'd1",
        wrong: "counter_12_q + 32'd2",
        caught_by: |fault| matches!(fault, Fault::DropCount { .. }),
    },
];

impl Seeded {
    /// Where the expression stands; lines may be broken at any space.
    fn changes(&self, design: &Design) -> Vec<Change> {
        let module = design.module(self.module).expect(self.module);
        let literally = |text: &str| regex::escape(text).replace(' ', r"\s+");
        let pattern = format!("{}({})", literally(self.after), literally(self.right));
        let found = regex::Regex::new(&pattern).unwrap();
        let places = found.captures_iter(&module.text);
        let places = places.map(|place| place.get(1).unwrap().range());
        let changes: Vec<Change> = places
            .map(|place| Change::new(module, place, self.wrong.into()))
            .collect();
        assert!(!changes.is_empty(), "{}: no `{pattern}`", self.name);
        changes
    }
}

#[test]
fn seeded_faults_are_caught() {
    let config = Config::parse("small", CONFIG).unwrap();
    let design = fantree_gen::generate(&config).unwrap();
    let faults: Vec<Vec<Change>> = SEEDED.iter().map(|fault| fault.changes(&design)).collect();
    let observe = Observe::waves(false);
    let simulation = Simulation::mutated(&config, design, &faults, observe, &mut |_| ()).unwrap();
    let options = Options {
        load: Load::new(0.9).unwrap(),
        lengths: "1,2,9".parse().unwrap(),
        stalls: Stalls::share(0.4),
        no_route: 0.05,
        multicast: 0.2,
        damage: 0.1,
        warmup: 0,
        cycles: 2000,
        patience: 500,
        ..Options::default()
    };
    let run = |fault: usize| {
        let awake = simulation.awake(fault);
        let run = awake.run(&options, None, &mut |_| ()).unwrap();
        run.results.violations
    };
    assert_eq!(run(0), [], "the router without a fault");
    for (index, seeded) in SEEDED.iter().enumerate() {
        let violations = run(index + 1);

        let text: Vec<String> = violations.iter().map(Violation::to_string).collect();
        assert!(
            violations
                .iter()
                .any(|violation| (seeded.caught_by)(&violation.fault)),
            "not caught: {} ({}: `{}` for `{}`); instead:\n{}",
            seeded.name,
            seeded.module,
            seeded.wrong,
            seeded.right,
            text.join("\n")
        );
    }
}
