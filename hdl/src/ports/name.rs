//! Names of ports, put together only where they are read.

use std::fmt;

/// Name of a port as rust-hdl's `Probe` forms it: parts joined by `$`, indexes as numbers.
///
/// Visiting happens in every cycle and names matter once, so a name is a list of parts on the stack.
#[derive(Debug, Clone, Copy)]
pub struct Name<'a> {
    parent: Option<&'a Name<'a>>,
    part: Part<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Part<'a> {
    Root,
    Field(&'a str),
    Index(usize),
}

impl<'a> Name<'a> {
    /// The block itself.
    pub const fn root() -> Name<'static> {
        Name {
            parent: None,
            part: Part::Root,
        }
    }

    /// A field of this.
    pub fn field(&'a self, name: &'a str) -> Name<'a> {
        Name {
            parent: Some(self),
            part: Part::Field(name),
        }
    }

    /// An element of this.
    pub fn index(&'a self, index: usize) -> Name<'a> {
        Name {
            parent: Some(self),
            part: Part::Index(index),
        }
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
            if !matches!(parent.part, Part::Root) {
                f.write_str("$")?;
            }
        }
        match self.part {
            Part::Root => Ok(()),
            Part::Field(name) => f.write_str(name),
            Part::Index(index) => write!(f, "{index}"),
        }
    }
}
