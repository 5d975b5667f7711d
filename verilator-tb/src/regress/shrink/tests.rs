//! Shrinking without a simulator: a rule says what fails.

use super::*;
use crate::regress::outcome::{Status, Violation};

/// A case fails in a cycle, if its options and its chip are as they must be for it.
struct Rule {
    cycle: u64,
    packets: u64,
    needs: &'static [&'static str],
    chip: fn(&Config) -> bool,
}

impl Trial for Rule {
    fn fits(&self, candidate: &Candidate) -> bool {
        Config::parse("candidate", &listing(&candidate.config)).is_ok()
    }

    fn usual(&self, option: &str) -> Option<u64> {
        match option {
            "cycles" => Some(5000),
            "warmup" => Some(1000),
            _ => None,
        }
    }

    fn run(&self, Candidate { config, settings }: &Candidate) -> Result<Outcome> {
        let has = |option: &&str| settings.0.contains_key(*option);
        let number = |option: &str| settings.number(option).or(self.usual(option));
        let fails = number("cycles") >= Some(self.cycle)
            && number("packets").unwrap_or(u64::MAX) >= self.packets
            && self.needs.iter().all(has)
            && (self.chip)(config);
        Ok(match fails {
            true => failure(self.cycle),
            false => Outcome {
                status: Status::Passed,
                violation: None,
                ..failure(0)
            },
        })
    }
}

fn failure(cycle: u64) -> Outcome {
    Outcome {
        status: Status::Failed,
        packets: 900,
        cycles: 6000,
        violation: Some(Violation {
            check: "stuck".into(),
            cycle,
            since: 0,
            link: None,
            text: String::new(),
        }),
        message: None,
        seconds: 0.0,
    }
}

fn case() -> Candidate {
    let text = "name = \"big\"\n[router]\nrows = 4\ncolumns = 4\nphases = 2";
    let mut settings = Settings::default();
    for option in ["pattern", "stall", "damage", "seed"] {
        settings.0.insert(option.into(), Some("1".into()));
    }
    Candidate {
        config: Config::parse("big", text).unwrap(),
        settings,
    }
}

#[test]
fn what_makes_no_difference_goes() {
    let rule = Rule {
        cycle: 300,
        packets: 5,
        needs: &["stall"],
        chip: |_| true,
    };
    let shrunk = shrink(case(), failure(300), &rule).unwrap();
    let Candidate { config, settings } = &shrunk.candidate;
    let options: Vec<&str> = settings.0.keys().map(String::as_str).collect();
    assert_eq!(options, ["stall", "seed", "warmup", "cycles", "packets"]);
    assert_eq!(settings.number("cycles"), Some(300));
    assert_eq!(settings.number("packets"), Some(5));
    let router = &config.router;
    assert_eq!((router.ports(), router.virtual_channels), (2, 1));
    assert_eq!((router.payload_bytes, router.row_buffer_flits), (64, 2));
    assert!(
        shrunk.steps.contains(&"without damage".into()),
        "{:?}",
        shrunk.steps
    );
    // And it always shrinks to the same.
    assert_eq!(shrink(case(), failure(300), &rule).unwrap(), shrunk);
}

#[test]
fn what_is_needed_stays() {
    let rule = Rule {
        cycle: 77,
        packets: 0,
        needs: &[],
        chip: |config| config.router.rows == 4 && config.router.payload_bytes > 500,
    };
    let shrunk = shrink(case(), failure(77), &rule).unwrap();
    let router = &shrunk.candidate.config.router;
    assert_eq!((router.rows, router.columns), (4, 1));
    assert_eq!(router.payload_bytes, 512);
    assert!(shrunk.runs <= MOST_RUNS);
}

#[test]
fn another_failure_is_not_the_same() {
    let rule = Rule {
        cycle: 10,
        packets: 0,
        needs: &[],
        chip: |_| true,
    };
    let mut lost = failure(10);
    if let Some(violation) = &mut lost.violation {
        violation.check = "lost".into();
    }
    let shrunk = shrink(case(), lost.clone(), &rule).unwrap();
    assert_eq!((shrunk.candidate, shrunk.outcome), (case(), lost));
}
