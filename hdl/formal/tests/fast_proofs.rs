//! The proofs that take seconds, and every harness in rust-hdl's own simulation.

use fantree_formal::{all, Proof, Verdict};
use fantree_hdl::ports::{Input, Name, Output, Visitor};
use rand::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;

/// All claims of the fast proofs of a family hold.
fn hold(family: &str) {
    let proofs = all().into_iter().filter(|proof| proof.is_fast);
    let of_family = |proof: &Proof| proof.name.starts_with(&format!("{family}-"));
    let mut claims = 0;
    for proof in proofs.filter(of_family) {
        let circuit = proof.circuit().unwrap();
        for claim in proof.claims() {
            claims += 1;
            let (proof, name) = (&proof.name, &claim.name);
            match claim.check(&circuit).unwrap() {
                verdict if verdict.is_good() => {}
                Verdict::Violated(run) => panic!("{proof}: {name}\n{}", run.table()),
                verdict => panic!("{proof}: {name}: {verdict:?}"),
            }
        }
    }
    assert!(claims > 0, "{family} has fast proofs");
}

#[test]
fn fifo() {
    hold("fifo");
}

#[test]
fn credit_counter() {
    hold("credit-counter");
}

#[test]
fn round_robin_arbiter() {
    hold("round-robin");
}

#[test]
fn hierarchical_arbiter() {
    hold("hierarchical");
}

#[test]
fn weighted_arbiter() {
    hold("weighted");
}

#[test]
fn credit_pool() {
    hold("credit-pool");
}

#[test]
fn credit_pair() {
    hold("credit-pair");
}

#[test]
fn output_unit() {
    hold("output-unit");
}

#[test]
fn replay_pair() {
    hold("replay-pair");
}

#[test]
fn credit_counts() {
    hold("credit-counts");
}

/// Drives the inputs of a harness at random and notes the outputs that are not zero.
struct Bench {
    random: Xoshiro256PlusPlus,
    clock: bool,
    reset: bool,
    set: BTreeSet<String>,
}

impl Visitor for Bench {
    fn input(&mut self, name: &Name, port: &mut dyn Input) {
        match name.to_string().as_str() {
            "clock" => port.drive(&[self.clock.into()]),
            "reset" => port.drive(&[self.reset.into()]),
            // All others change while the clock is low.
            _ if self.clock => return,
            _ => {
                let words = (0..port.width().div_ceil(32)).map(|_| self.random.next_u32());
                port.drive(&words.collect::<Vec<u32>>())
            }
        };
    }

    fn output(&mut self, name: &Name, port: &dyn Output) {
        if port.words().iter().any(|&word| word != 0) {
            self.set.insert(name.to_string());
        }
    }
}

/// Random inputs are legal ones, so rust-hdl's simulation of a harness must keep what the model checker proves of its
/// Verilog.
#[test]
fn rust_simulation_keeps_every_claim() {
    for mut proof in all() {
        let name = proof.name.clone();
        let harness = proof.harness();
        let mut bench = Bench {
            random: Xoshiro256PlusPlus::seed_from_u64(1),
            clock: false,
            reset: true,
            set: BTreeSet::new(),
        };
        for cycle in 0..400 {
            bench.reset = cycle == 0;
            for level in [false, true] {
                bench.clock = level;
                harness.visit_ports(&Name::root(), &mut bench);
                assert!(harness.settles(100), "{name} settles");
            }
            if bench.reset {
                bench.set.clear();
            }
        }
        harness.visit_ports(&Name::root(), &mut bench);
        let broken: Vec<&String> = bench
            .set
            .iter()
            .filter(|it| it.starts_with("never_"))
            .collect();
        assert!(broken.is_empty(), "{name}: {broken:?}");
    }
}
