//! Random legal kernels: rust-hdl's simulation, Verilator and Icarus agree on what the back end prints.
//!
//! | variable | meaning |
//! |---|---|
//! | `FANTREE_KERNELS` | how many kernels; 300 if not said |
//! | `FANTREE_SEED` | their seed; 1 if not said |
//! | `FANTREE_KERNEL` | the one kernel of this number alone |

use fantree_tb::kernels::{design, run, source, Alter, FailureKind, Plan};
use std::io::Write;
use std::str::FromStr;

/// A number in the environment.
fn number<T: FromStr>(variable: &str) -> Option<T> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse().ok();
    assert!(number.is_some(), "{variable}={text} is not a number");
    number
}

fn repeat(seed: u64, kernel: usize) -> String {
    format!("FANTREE_SEED={seed} FANTREE_KERNEL={kernel} cargo test -p fantree-tb --test random_kernels agree")
}

#[test]
fn all_simulators_agree() {
    let seed = number("FANTREE_SEED").unwrap_or(1);
    let count = number("FANTREE_KERNELS").unwrap_or(300);
    let kernels = number("FANTREE_KERNEL").map_or(0..count, |kernel| kernel..kernel + 1);
    let plan = Plan {
        seed,
        kernels,
        alter: None,
        project: "random".into(),
        repeat,
    };
    let summary = run(&plan).unwrap();
    let reports: Vec<String> = summary.failures.iter().map(ToString::to_string).collect();
    assert!(
        reports.is_empty(),
        "{} of {} random kernels of seed {seed} fail:\n\n{}",
        reports.len(),
        summary.kernels,
        reports.join("\n\n")
    );
    // Past the test harness, which hides what a test that passes prints.
    let _ = writeln!(
        std::io::stderr(),
        "{} random kernels of seed {seed} agree in rust-hdl, Verilator and Icarus",
        summary.kernels
    );
}

/// The whole chain, with a fault that the back end does not have: every exclusive or becomes an or.
#[test]
fn a_fault_in_the_verilog_is_found_and_shrunk() {
    let plan = Plan {
        seed: 1,
        kernels: 0..8,
        alter: Some(Alter {
            from: " ^ ".into(),
            to: " | ".into(),
        }),
        project: "faulty".into(),
        repeat,
    };
    let summary = run(&plan).unwrap();
    assert!(!summary.failures.is_empty(), "the fault was not found");
    let report = &summary.failures[0];
    assert_eq!(report.failure.kind, FailureKind::Verilator);
    let text = report.to_string();
    let (before, after) = (design(plan.seed, report.kernel), &report.design);
    assert!(after.size() * 10 < before.size(), "{text}");
    let kernels = source(after);
    let assignments: Vec<&str> = kernels.lines().filter(|l| l.contains(".next")).collect();
    assert!(assignments.len() < 10, "{text}");
    assert!(
        assignments.iter().any(|line| line.contains(" ^ ")),
        "{text}"
    );
    assert!(
        text.contains("differs in cycle") && text.contains("module top"),
        "{text}"
    );
    assert!(text.ends_with(&repeat(1, report.kernel)), "{text}");
}
