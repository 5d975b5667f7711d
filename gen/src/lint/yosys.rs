//! `yosys synth`: can it be synthesised, without latches, undriven or doubly driven wires?
//!
//! The hierarchy is kept, so each module is synthesised once, however many instances it has.

use std::process::Output;
use std::sync::LazyLock;

use regex::Regex;

use super::{Check, Finding, Memories, Target};
use crate::tool::{self, YOSYS};

pub const CHECK: Check = Check {
    tool: YOSYS,
    run,
    read: findings,
};

fn run(target: Target) -> Result<Output, tool::Error> {
    let top = target.top;
    let synth = match target.memories {
        Memories::Kept => {
            format!("synth -top {top} -run :fine; blackbox t:$mem* %m; synth -top {top} -run fine:")
        }
        // One that cannot become flip-flops is left without a word.
        Memories::FlipFlops => format!("synth -top {top}; select -assert-none t:$mem*"),
    };
    let script = format!(
        "read_verilog rtl/*.v; hierarchy -check -top {top}; {synth}; \
         check; select -assert-none t:$_DLATCH*"
    );
    tool::yosys(target.dir, &script)
}

/// Warnings and errors, each once: passes repeat what earlier ones said.
pub fn findings(text: &str) -> Vec<Finding> {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:([^:\s]+:\d+): )?(?:Warning|ERROR): (.*)$").expect("a valid pattern")
    });
    let mut findings = Vec::new();
    for line in text.lines().filter_map(|line| LINE.captures(line)) {
        let finding = Finding {
            code: None,
            place: line.get(1).map(|place| place.as_str().into()),
            message: line[2]
                .replace("selection is not empty: t:$_DLATCH*", "there are latches")
                .replace(
                    "selection is not empty: t:$mem*",
                    "there are memories that are no flip-flops",
                ),
        };
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_read_once() {
        let text = "\
rtl/sub.v:5: Warning: Identifier `\\gone' is implicitly declared.
Warning: Wire sub.\\z is used but has no driver.
Warning: Wire sub.\\z is used but has no driver.
ERROR: Assertion failed: selection is not empty: t:$_DLATCH*
Selection contains:
sub/$auto$ff.cc:266:slice$103
";
        let read = findings(text);
        let expected = [
            (
                Some("rtl/sub.v:5"),
                "Identifier `\\gone' is implicitly declared.",
            ),
            (None, "Wire sub.\\z is used but has no driver."),
            (None, "Assertion failed: there are latches"),
        ];
        let read: Vec<_> = read
            .iter()
            .map(|it| (it.place.as_deref(), it.message.as_str()))
            .collect();
        assert_eq!(read, expected);
    }
}
