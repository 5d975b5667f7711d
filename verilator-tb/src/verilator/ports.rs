//! Ports of a Verilated top module, read from the class Verilator generates.
//!
//! The class header has one line a port, in all versions of Verilator 5:
//! `VL_IN8(&name,7,0);` or `VL_OUTW(&name,127,0,4);`.

use super::error::{Error, Result};

/// Which way a port of the top module points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Driven by the bench.
    Input,
    /// Driven by the model.
    Output,
}

impl std::fmt::Display for Direction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Direction::Input => "input",
            Direction::Output => "output",
        })
    }
}

/// A port of the top module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortInfo {
    /// Name in the Verilog.
    pub name: String,
    /// Direction seen from the model.
    pub direction: Direction,
    /// Width in bits.
    pub width: u32,
}

/// A port with the C++ member that holds it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub port: PortInfo,
    pub member: String,
}

/// Reads the ports from the text of the model's class header.
pub(super) fn declared(header: &str, top: &str) -> Result<Vec<Declared>> {
    header
        .lines()
        .filter_map(|line| declaration(line.trim(), top))
        .collect()
}

fn declaration(line: &str, top: &str) -> Option<Result<Declared>> {
    let (kind, rest) = line.strip_prefix("VL_")?.split_once('(')?;
    let mut arguments = rest.strip_suffix(");")?.split(',');
    let member = arguments.next()?.trim_start_matches('&').to_owned();
    let high: u32 = arguments.next()?.parse().ok()?;
    let low: u32 = arguments.next()?.parse().ok()?;
    let name = original_name(&member);
    let direction = if kind.starts_with("INOUT") {
        return Some(Err(Error::InoutPort {
            top: top.to_owned(),
            port: name,
        }));
    } else if kind.starts_with("IN") {
        Direction::Input
    } else if kind.starts_with("OUT") {
        Direction::Output
    } else {
        return None;
    };
    Some(Ok(Declared {
        port: PortInfo {
            name,
            direction,
            width: high - low + 1,
        },
        member,
    }))
}

/// Undoes Verilator's encoding of names: `__0HH` is the character with that code, `___05F` the
/// second of two underscores, `__SYM__` a C++ keyword's prefix.
fn original_name(member: &str) -> String {
    let member = member.strip_prefix("__SYM__").unwrap_or(member);
    let mut name = String::new();
    let mut rest = member;
    while let Some(start) = rest.find("__0") {
        let code = rest
            .get(start + 3..start + 5)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code {
            Some(code) => {
                name += &rest[..start];
                name.push(code as char);
                rest = &rest[start + 5..];
            }
            None => {
                name += &rest[..start + 3];
                rest = &rest[start + 3..];
            }
        }
    }
    name + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_all_kinds_of_ports() {
        let header = "
    VL_IN8(&clock,0,0);
    VL_OUTW(&data,127,0,4);
    VL_IN64(&mid,40,1);
    Vtop___024root* const rootp;";
        let ports = declared(header, "top").unwrap();
        let found: Vec<_> = ports
            .iter()
            .map(|declared| {
                (
                    &*declared.port.name,
                    declared.port.direction,
                    declared.port.width,
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                ("clock", Direction::Input, 1),
                ("data", Direction::Output, 128),
                ("mid", Direction::Input, 40),
            ]
        );
    }

    #[test]
    fn inout_is_refused_by_name() {
        let error = declared("VL_INOUT8(&pad,0,0);", "chip").unwrap_err();
        assert_eq!(
            error.to_string(),
            "port `pad` of `chip` is an inout: only inputs and outputs can be driven"
        );
    }

    #[test]
    fn decodes_names() {
        assert_eq!(original_name("odd__024name"), "odd$name");
        assert_eq!(original_name("a___05Fb"), "a__b");
        assert_eq!(original_name("__SYM__class"), "class");
        assert_eq!(original_name("a__0zz"), "a__0zz");
    }
}
