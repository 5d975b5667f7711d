//! `verilator --lint-only -Wall`: widths, latches, loops, unused and undriven signals.

use std::process::Output;
use std::sync::LazyLock;

use regex::Regex;

use super::{Check, Finding, Target};
use crate::output::FILE_LIST;
use crate::tool::{self, VERILATOR};

pub const CHECK: Check = Check {
    tool: VERILATOR,
    run,
    read,
};

fn run(target: Target) -> Result<Output, tool::Error> {
    VERILATOR.run(|command| {
        command
            .current_dir(target.dir)
            // A file has the name of its module by construction; the warning is about the top's.
            .args(["--lint-only", "-Wall", "-Wno-DECLFILENAME"])
            .args(["--top-module", target.top, "-F", FILE_LIST])
    })
}

/// Lines that start with `%`; the others show the source or how to silence the finding.
fn read(text: &str) -> Vec<Finding> {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^%(?:Warning|Error)(?:-(\w+))?: (?:([^:\s]+:\d+):\d+: )?(.*)$")
            .expect("a valid pattern")
    });
    text.lines()
        .filter_map(|line| LINE.captures(line))
        .map(|line| Finding {
            code: line.get(1).map(|code| code.as_str().into()),
            place: line.get(2).map(|place| place.as_str().into()),
            message: line[3].into(),
        })
        .filter(|finding| !finding.message.starts_with("Exiting due to"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_read_and_context_is_not() {
        let text = "\
%Warning-PINMISSING: rtl/top.v:2:7: Cell has missing pin: 'z'
    2 |   sub s(.a(a), .b(b[2:0]), .q(q));
      |       ^
                     ... For warning description see https://verilator.org/warn/PINMISSING?v=5.006
%Error: rtl/sub.v:5:14: Can't find definition of variable: 'gone'
%Error: Cannot find file containing module: 'none'
%Error: Exiting due to 1 error(s), 1 warning(s)
";
        let read = read(text);
        let expected = [
            (
                Some("PINMISSING"),
                Some("rtl/top.v:2"),
                "Cell has missing pin: 'z'",
            ),
            (
                None,
                Some("rtl/sub.v:5"),
                "Can't find definition of variable: 'gone'",
            ),
            (None, None, "Cannot find file containing module: 'none'"),
        ];
        let read: Vec<_> = read
            .iter()
            .map(|it| (it.code.as_deref(), it.place.as_deref(), it.message.as_str()))
            .collect();
        assert_eq!(read, expected);
    }
}
