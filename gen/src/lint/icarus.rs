//! `iverilog -g2005 -Wall`: is it Verilog-2005, and does it elaborate without a warning?

use std::process::Output;
use std::sync::LazyLock;

use regex::Regex;

use super::{Check, Finding, Target};
use crate::output::FILE_LIST;
use crate::tool::{self, IVERILOG};

pub const CHECK: Check = Check {
    tool: IVERILOG,
    run,
    read,
};

fn run(target: Target) -> Result<Output, tool::Error> {
    IVERILOG.run(|command| {
        command
            .current_dir(target.dir)
            .args(["-g2005", "-Wall", "-t", "null"])
            .args(["-s", target.top, "-c", FILE_LIST])
    })
}

/// Every line is about a finding; those with spaces after the colon go on with the one before, and the last counts.
fn read(text: &str) -> Vec<Finding> {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:([^:\s]+:\d+):\s+)?(?:(?:warning|error|sorry): )?(\S.*)$")
            .expect("a valid pattern")
    });
    text.lines()
        .filter(|line| !line.ends_with("error(s) during elaboration."))
        .filter_map(|line| LINE.captures(line))
        .filter(|line| !line[2].starts_with(':'))
        .map(|line| Finding {
            code: None,
            place: line.get(1).map(|place| place.as_str().into()),
            message: line[2].into(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_read_and_continuations_are_not() {
        let text = "\
rtl/sub.v:5: error: Unable to bind wire/reg/memory `gone' in `top.s'
rtl/top.v:2: warning: Port 2 (b) of sub expects 4 bits, got 3.
rtl/top.v:2:        : Padding 1 high bits of the port.
rtl/bad.v:1: syntax error
error: Unable to find the root module \"none\" in the Verilog source.
     : Perhaps ``-s none'' is incorrect?
2 error(s) during elaboration.
";
        let read = read(text);
        let expected = [
            (
                Some("rtl/sub.v:5"),
                "Unable to bind wire/reg/memory `gone' in `top.s'",
            ),
            (
                Some("rtl/top.v:2"),
                "Port 2 (b) of sub expects 4 bits, got 3.",
            ),
            (Some("rtl/bad.v:1"), "syntax error"),
            (
                None,
                "Unable to find the root module \"none\" in the Verilog source.",
            ),
        ];
        let read: Vec<_> = read
            .iter()
            .map(|it| (it.place.as_deref(), it.message.as_str()))
            .collect();
        assert_eq!(read, expected);
    }
}
