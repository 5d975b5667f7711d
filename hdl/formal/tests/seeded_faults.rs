//! Test of the proofs: a fault in the Verilog of a block must break the right claim, and the run must show it.

use fantree_formal::{all, Claim, Method, Verdict};

struct Seeded {
    proof: &'static str,
    /// The module of the fault, and what becomes of its text.
    module: &'static str,
    right: &'static str,
    wrong: &'static str,
    /// The claim that breaks.
    breaks: &'static str,
}

const SEEDED: &[Seeded] = &[
    Seeded {
        proof: "fifo-3",
        module: "fifo_3x8",
        right: "full = held_q == 2'd3",
        wrong: "full = held_q == 2'd2",
        breaks: "never_miscounts",
    },
    Seeded {
        proof: "fifo-3",
        module: "modulo_counter_3",
        right: "count_q == 2'd2",
        wrong: "count_q == 2'd1",
        breaks: "never_out_of_order",
    },
    Seeded {
        proof: "credit-counter-7",
        module: "credit_counter_7",
        right: "+ give",
        wrong: "+ {2'd0, give[0]}",
        breaks: "never_loses_a_place",
    },
    Seeded {
        proof: "credit-counter-7",
        module: "credit_counter_7",
        right: "available = |free_q",
        wrong: "available = &free_q",
        breaks: "never_misleads",
    },
    Seeded {
        proof: "credit-counter-7",
        module: "credit_counter_7",
        right: "({2'd0, take} + 4'd7)",
        wrong: "({2'd0, take} + 4'd6)",
        breaks: "never_accuses",
    },
    Seeded {
        proof: "credit-counter-7",
        module: "credit_counter_7",
        right: "broken_d = 1'b1",
        wrong: "broken_d = 1'b0",
        breaks: "never_overlooks",
    },
    Seeded {
        proof: "round-robin-4",
        module: "round_robin_arbiter_4",
        right: "grant = candidates & (~candidates + 4'd1)",
        wrong: "grant = candidates",
        breaks: "never_grants_wrongly",
    },
    Seeded {
        proof: "round-robin-4",
        module: "round_robin_arbiter_4",
        right: "if (advance & (|candidates))",
        wrong: "if (|candidates)",
        breaks: "never_wavers",
    },
    Seeded {
        proof: "round-robin-4",
        module: "round_robin_arbiter_4",
        right: "candidates = request & after_last_q",
        wrong: "candidates = request",
        breaks: "never_starves",
    },
    Seeded {
        proof: "hierarchical-9",
        module: "hierarchical_arbiter_9",
        right: "groups = {later[8], |later[7:0]}",
        wrong: "groups = {candidates_1, |candidates_0}",
        breaks: "never_differs",
    },
    Seeded {
        proof: "weighted-3x2",
        module: "weighted_arbiter_3x2",
        right: "turns_0_d = turns_0_q - 2'd1",
        wrong: "turns_0_d = turns_0_q",
        breaks: "never_starves",
    },
    Seeded {
        proof: "weighted-3x2",
        module: "weighted_arbiter_3x2",
        right: "grant = arbiter_grant",
        wrong: "grant = ~arbiter_grant",
        breaks: "never_grants_wrongly",
    },
    Seeded {
        proof: "credit-pool-2x3",
        module: "credit_pool",
        right: "give[0] & !(|used_0_q)",
        wrong: "give[0]",
        breaks: "never_accuses",
    },
    Seeded {
        proof: "credit-pool-2x3",
        module: "credit_pool",
        right: "- {1'b0, give[0]}",
        wrong: "",
        breaks: "never_loses_a_credit",
    },
    Seeded {
        proof: "credit-pool-2x3",
        module: "credit_pool",
        right: "left = 2'd3 - in_use",
        wrong: "left = 2'd3",
        breaks: "never_overflows",
    },
    Seeded {
        proof: "credit-pool-2x3",
        module: "credit_pool",
        right: "shared_left = shared - beyond_below_2",
        wrong: "shared_left = shared",
        breaks: "never_shares_too_much",
    },
    Seeded {
        proof: "credit-pool-2x3",
        module: "credit_pool",
        right: "kept_for_d = turn_grant",
        wrong: "kept_for_d = 2'd0",
        breaks: "never_starves",
    },
    Seeded {
        proof: "credit-pool-2x3",
        module: "credit_pool",
        right: "kept_for_q & wants & ~take",
        wrong: "kept_for_q",
        breaks: "never_locks_up",
    },
    Seeded {
        proof: "credit-pair-2x1",
        module: "credit_pool",
        right: "give[0] & !(|used_0_q)",
        wrong: "give[0]",
        breaks: "never_accuses",
    },
    Seeded {
        proof: "credit-pair-2x1",
        module: "input_buffer",
        right: "freed = reading_end_q",
        wrong: "freed = 2'd0",
        breaks: "never_loses_a_credit",
    },
    Seeded {
        proof: "credit-pair-2x1",
        module: "credit_pool",
        right: "({2{take[0]}} & take_blocks)",
        wrong: "2'd0",
        breaks: "never_overflows",
    },
    Seeded {
        proof: "credit-pair-2x1",
        module: "input_buffer",
        right: "held_flits_0_q - 2'd1",
        wrong: "held_flits_0_q",
        breaks: "never_loses_a_flit",
    },
    Seeded {
        proof: "credit-pair-2x1",
        module: "input_buffer",
        right: "write_block = free_block",
        wrong: "write_block = chain_end",
        breaks: "never_out_of_order",
    },
    Seeded {
        proof: "output-unit-1",
        module: "output_unit",
        right: "owner_0_d = holder_0",
        wrong: "owner_0_d = 2'd0",
        breaks: "never_interleaves",
    },
    Seeded {
        proof: "output-unit-1",
        module: "output_unit",
        right: "(pool_available_0 < blocks_0)",
        wrong: "1'b0",
        breaks: "never_overflows",
    },
    Seeded {
        proof: "output-unit-1",
        module: "output_unit",
        right: "pool_take = link_grant & starts",
        wrong: "pool_take = link_grant",
        breaks: "never_loses_a_credit",
    },
    Seeded {
        proof: "output-unit-1",
        module: "output_unit",
        right: "leaves[1] & holder_1[0], ",
        wrong: "leaves[1], ",
        breaks: "never_frees_too_much",
    },
    Seeded {
        proof: "replay-pair-2x2",
        module: "sequence_check_2",
        right: "accepted = frame & !(|(sequence_ - expected_q))",
        wrong: "accepted = frame",
        breaks: "never_doubles",
    },
    Seeded {
        proof: "replay-pair-2x2",
        module: "replay_buffer_2x1",
        right: "if (push & (next_oldest == newest_q))",
        wrong: "if (1'b0)",
        breaks: "never_out_of_order",
    },
    Seeded {
        proof: "replay-pair-2x2",
        module: "replay_buffer_2x1",
        right: "room = (newest_q - oldest_q) != 2'd2",
        wrong: "room = 1'b1",
        breaks: "never_forgets",
    },
    Seeded {
        proof: "credit-counts-1x2",
        module: "credit_return",
        right: "(given_0_q != reported_0_q)",
        wrong: "1'b1",
        breaks: "never_invents",
    },
    Seeded {
        proof: "credit-counts-1x2",
        module: "credit_return",
        right: "reported_0_d = count;",
        wrong: "reported_0_d = reported_0_q;",
        breaks: "never_keeps",
    },
    Seeded {
        proof: "credit-counts-1x2",
        module: "credit_return",
        right: "home = !out_q & !(place_0_count != 2'd2)",
        wrong: "home = !out_q",
        breaks: "never_brings_home",
    },
];

/// The Verilog with one fault in it.
fn with_fault(verilog: &str, fault: &Seeded) -> String {
    let Seeded {
        module,
        right,
        wrong,
        ..
    } = fault;
    let start = verilog.find(&format!("module {module} (")).expect(module);
    let end = start + verilog[start..].find("endmodule").expect(module);
    let changed = verilog[start..end].replace(right, wrong);
    assert!(changed != verilog[start..end], "{module} has no `{right}`");
    format!("{}{changed}{}", &verilog[..start], &verilog[end..])
}

#[test]
fn seeded_faults_break_their_claims() {
    let proofs = all();
    for fault in SEEDED {
        let proof = proofs
            .iter()
            .find(|proof| proof.name == fault.proof)
            .expect(fault.proof);
        let verilog = with_fault(&proof.design().to_verilog(), fault);
        let circuit = proof.circuit_of(&verilog).unwrap();
        let claims = proof.claims();
        let claim = claims
            .iter()
            .find(|claim| claim.name == fault.breaks)
            .expect(fault.breaks);
        // What breaks soon is found soonest by looking at a few cycles.
        let claim = Claim {
            method: Method::Bounded(25),
            ..claim.clone()
        };
        let verdict = claim.check(&circuit).unwrap();
        let Verdict::Violated(run) = verdict else {
            panic!(
                "{}: {} stands `{}`: {verdict:?}",
                fault.proof, fault.breaks, fault.wrong
            );
        };
        let shown = run
            .signals
            .iter()
            .find(|signal| signal.name == fault.breaks)
            .unwrap();
        let (last, before) = shown.values.split_last().unwrap();
        assert_eq!(last, &[true], "{}\n{}", fault.breaks, run.table());
        assert!(
            before.iter().all(|value| value == &[false]),
            "the run ends with the fault"
        );
    }
}

/// A claim that no fault breaks would be worth nothing.
#[test]
fn every_claim_has_a_fault_that_breaks_it() {
    let mut missing = Vec::new();
    for proof in all() {
        let family = proof
            .name
            .trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x' || c == '-');
        for claim in proof
            .claims()
            .iter()
            .filter(|claim| !claim.is_about_reaching())
        {
            let seeded = SEEDED
                .iter()
                .any(|it| it.proof.starts_with(family) && it.breaks == claim.name);
            if !seeded {
                missing.push(format!("{family}: {}", claim.name));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
