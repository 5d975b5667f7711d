//! `fantree formal`, as a user meets it.

use serde_json::Value;
use snapbox::cmd::{cargo_bin, Command};

fn fantree(arguments: &[&str]) -> Command {
    Command::new(cargo_bin!("fantree")).args(arguments)
}

fn json(arguments: &[&str]) -> Vec<Value> {
    let output = fantree(arguments).assert().success().get_output().clone();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_family_of_proofs_is_run_by_its_name() {
    let rows = json(&["formal", "credit-counter", "--json"]);
    assert_eq!(rows.len(), 3 * 6, "three sizes, six claims");
    for row in &rows {
        assert_eq!(row["block"], "CreditCounter");
        let reaches = row["claim"].as_str().unwrap().starts_with("reaches_");
        let verdict = if reaches { "reached" } else { "proved" };
        assert_eq!(row["verdict"], verdict, "{row}");
        assert_eq!(row["unbounded"], !reaches, "{row}");
        assert_eq!(row["run"], Value::Null);
    }
}

#[test]
fn the_fast_ones_are_listed_alone() {
    let all = json(&["formal", "--list", "--json"]);
    let fast = json(&["formal", "--list", "--fast", "--json"]);
    assert!(fast.len() < all.len());
    assert!(fast.iter().all(|proof| proof["fast"] == true));
}

#[test]
fn an_unknown_proof_is_named_with_those_there_are() {
    let assert = fantree(&["formal", "fif"]).assert().failure().code(1);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let expected = "error: there is no proof `fif`; the proofs are fifo-1, fifo-2";
    assert!(said.starts_with(expected), "{said}");
}

/// It once proved nothing and passed.
#[test]
fn a_slow_proof_among_the_fast_ones_is_none() {
    let assert = fantree(&["formal", "credit-pool-3x4", "--fast"]);
    let assert = assert.assert().failure().code(1);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let expected = "error: none of the proofs credit-pool-3x4 is a fast one\n";
    assert_eq!(said, expected);
}
