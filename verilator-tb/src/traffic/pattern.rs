//! Traffic patterns by name.

use std::fmt;
use std::str::FromStr;

use super::{Arrivals, Error};

/// The array of ports that traffic crosses: port `row * columns + column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub rows: usize,
    pub columns: usize,
}

impl Shape {
    /// Number of ports.
    pub fn ports(self) -> usize {
        self.rows * self.columns
    }
}

/// Where packets go, among N ports. A port may send to itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pattern {
    /// Any port, equally likely, the own one included.
    Uniform,
    /// A random permutation that the seed fixes.
    Permutation,
    /// Port i to N − 1 − i.
    Complement,
    /// Port i to i + ⌈N/2⌉ − 1 (mod N).
    Tornado,
    /// Port r·columns + c to c·rows + r: where element (r, c) of the array is after transposing it. Exchanges row and
    /// column on a square array, and is a permutation on any.
    Transpose,
    /// Perfect shuffle: the halves of 0 … N − 1 interleaved, port 0 staying. Rotates the bits of i to the left where N
    /// is a power of two, and is a permutation for any N.
    Shuffle,
    /// The bits of i in reverse order; only where N is a power of two.
    BitReverse,
    /// Port i to i + 1 (mod N).
    Neighbour,
    /// `share` of all packets to one port, the others uniformly to all ports.
    Hotspot { port: usize, share: f64 },
    /// A port of row r uniformly to the ports of column r mod columns: a row's traffic meets in one column.
    RowToColumn,
    /// All to one port.
    AllToOne { port: usize },
    /// As uniform, arriving in bursts.
    Bursty,
}

impl Pattern {
    /// Every pattern, with its default parameters.
    pub const ALL: [Pattern; 12] = [
        Pattern::Uniform,
        Pattern::Permutation,
        Pattern::Complement,
        Pattern::Tornado,
        Pattern::Transpose,
        Pattern::Shuffle,
        Pattern::BitReverse,
        Pattern::Neighbour,
        Pattern::Hotspot {
            port: 0,
            share: 0.1,
        },
        Pattern::RowToColumn,
        Pattern::AllToOne { port: 0 },
        Pattern::Bursty,
    ];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Uniform => "uniform",
            Pattern::Permutation => "permutation",
            Pattern::Complement => "complement",
            Pattern::Tornado => "tornado",
            Pattern::Transpose => "transpose",
            Pattern::Shuffle => "shuffle",
            Pattern::BitReverse => "bit-reverse",
            Pattern::Neighbour => "neighbour",
            Pattern::Hotspot { .. } => "hotspot",
            Pattern::RowToColumn => "row-to-column",
            Pattern::AllToOne { .. } => "all-to-one",
            Pattern::Bursty => "bursty",
        }
    }

    /// How packets of this pattern arrive, unless told otherwise.
    pub fn arrivals(self) -> Arrivals {
        match self {
            Pattern::Bursty => Arrivals::BURSTY,
            _ => Arrivals::Bernoulli,
        }
    }

    /// Refuses a pattern that is not defined on `shape`.
    pub fn check(self, shape: Shape) -> Result<(), Error> {
        let ports = shape.ports();
        match self {
            Pattern::BitReverse if !ports.is_power_of_two() => Err(Error::PatternPorts {
                pattern: self,
                ports,
                legal: "powers of two: 2, 4, 8, 16, 32, 64",
            }),
            Pattern::Hotspot { port, .. } | Pattern::AllToOne { port } if port >= ports => {
                Err(Error::PatternPort {
                    pattern: self,
                    port,
                    ports,
                })
            }
            _ => Ok(()),
        }
    }
}

/// As [`FromStr`] reads it; parameters only where they are not the default.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match *self {
            _ if Pattern::ALL.contains(self) => Ok(()),
            Pattern::Hotspot { port, share } => write!(f, ":{port}:{share}"),
            Pattern::AllToOne { port } => write!(f, ":{port}"),
            _ => Ok(()),
        }
    }
}

/// `NAME`, `hotspot:PORT[:SHARE]` or `all-to-one:PORT`.
impl FromStr for Pattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let default = Pattern::ALL.into_iter().find(|it| it.name() == name);
        let mut pattern = default.ok_or_else(|| Error::UnknownPattern {
            name: name.into(),
            known: Pattern::ALL.map(Pattern::name).join(", "),
        })?;
        let form = match &mut pattern {
            Pattern::Hotspot { port, share } => {
                let good = set(port, parts.next()) && set(share, parts.next());
                let form =
                    "hotspot, hotspot:PORT or hotspot:PORT:SHARE, SHARE of all packets from 0 to 1";
                (good && (0.0..=1.0).contains(share), form)
            }
            Pattern::AllToOne { port } => {
                (set(port, parts.next()), "all-to-one or all-to-one:PORT")
            }
            simple => (true, simple.name()),
        };
        match (form, parts.next()) {
            ((true, _), None) => Ok(pattern),
            ((_, form), _) => Err(Error::PatternForm {
                text: text.into(),
                form,
            }),
        }
    }
}

/// Sets a parameter if the text gives one; false if what it gives is no number.
fn set<T: FromStr>(parameter: &mut T, text: Option<&str>) -> bool {
    match text.map(str::parse) {
        None => true,
        Some(Ok(value)) => {
            *parameter = value;
            true
        }
        Some(Err(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_defined_is_refused_with_what_is_legal() {
        let (rows, columns) = (5, 8);
        let shape = Shape { rows, columns };
        let error = |pattern: Pattern| pattern.check(shape).unwrap_err().to_string();
        assert_eq!(
            error(Pattern::BitReverse),
            "pattern bit-reverse is not defined for 40 ports; legal are powers of two: 2, 4, 8, 16, 32, 64"
        );
        assert_eq!(
            error(Pattern::AllToOne { port: 40 }),
            "pattern all-to-one:40 names port 40; legal are 0 to 39"
        );
    }

    #[test]
    fn text_survives_the_round_trip() {
        let texts = ["hotspot:7:0.25", "all-to-one:3", "hotspot:0:1"];
        let names = Pattern::ALL.map(Pattern::name);
        for text in names.into_iter().chain(texts) {
            assert_eq!(text.parse::<Pattern>().unwrap().to_string(), text);
        }
        let short: Pattern = "hotspot:7".parse().unwrap();
        assert_eq!(
            short,
            Pattern::Hotspot {
                port: 7,
                share: 0.1
            }
        );
    }

    #[test]
    fn bad_text_is_refused() {
        for text in [
            "uniform:1",
            "hotspot:x",
            "hotspot:1:2",
            "hotspot:1:0.1:3",
            "all-to-one:-1",
        ] {
            let error = text.parse::<Pattern>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("`{text}` is not a pattern: write ")),
                "{error}"
            );
        }
        let error = "unifrom".parse::<Pattern>().unwrap_err().to_string();
        assert!(
            error.contains("`unifrom`") && error.contains("uniform, permutation"),
            "{error}"
        );
    }
}
