//! Signals as kernels name them.

/// A signal, as a kernel names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    pub field: usize,
    pub at: Vec<Index>,
    pub port: Port,
}

/// A port of the field that a [`Path`] leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Port {
    /// The field is the signal.
    Field,
    /// Of a register.
    D,
    /// Of a register.
    Q,
    /// Of a child: its field.
    Of(usize, Vec<Index>),
}

/// An index, fixed or made of a loop variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    Fixed(usize),
    /// `i + n`
    Plus(usize, usize),
    /// `n - i`
    From(usize, usize),
    /// `i * n + m`
    Times(usize, usize, usize),
    /// `(i + n) % m`
    Ring(usize, usize, usize),
}

impl Index {
    /// Its value, given those of the loop variables.
    pub fn value(self, vars: &impl Fn(usize) -> Option<usize>) -> Option<usize> {
        match self {
            Index::Fixed(n) => Some(n),
            Index::Plus(i, n) => Some(vars(i)? + n),
            Index::From(n, i) => n.checked_sub(vars(i)?),
            Index::Times(i, n, m) => Some(vars(i)? * n + m),
            Index::Ring(i, n, m) => (vars(i)? + n).checked_rem(m),
        }
    }
}

impl Path {
    /// A field that is a signal.
    pub fn field(field: usize) -> Path {
        Path {
            field,
            at: vec![],
            port: Port::Field,
        }
    }

    /// The indexes of the field and of the port.
    pub fn indexes(&self) -> impl Iterator<Item = &Index> {
        let port = match &self.port {
            Port::Of(_, at) => at.as_slice(),
            _ => &[],
        };
        self.at.iter().chain(port)
    }
}
