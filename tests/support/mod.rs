//! What the tests of routers under load share.

use fantree_tb::router::{Options, Results, Simulation, Violation};

/// Runs a chip once; no rule is broken.
#[track_caller]
pub fn run(simulation: &Simulation, options: &Options) -> Results {
    let results = simulation
        .run(options, None, &mut |_| ())
        .unwrap_or_else(|error| panic!("{options:?}: {error:#}"))
        .results;
    let violations = results.violations.iter().map(Violation::to_string);
    let violations: Vec<String> = violations.collect();
    assert!(results.passed(), "{options:?}\n{}", violations.join("\n"));
    results
}
