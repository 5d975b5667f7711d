//! What the bench sees of a chip: its pins, one clock cycle at a time.
//!
//! Time is counted in cycles. In cycle t the chip shows [`Outputs`], [`Inputs`] reach it, and the clock edge that ends the
//! cycle takes both. No output of a chip depends on an input of the same cycle. The bench decides a cycle ahead what
//! reaches the chip: its inputs pass a register on their way.

/// A flit on a link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flit {
    pub data: u128,
    pub head: bool,
    pub tail: bool,
    pub bad: bool,
    pub vc: u8,
}

/// A transaction on the register bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BusRequest {
    Write {
        /// `None` writes the register of every port.
        port: Option<usize>,
        address: usize,
        data: u32,
    },
    Read {
        port: usize,
        address: usize,
    },
}

/// What the chip says of one port: whether the way out of it is congested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    pub port: usize,
    pub congested: bool,
}

/// Inputs of a chip in one cycle. One entry a port; bit v of a credit mask is virtual channel v.
#[derive(Debug, Clone)]
pub struct Inputs {
    pub reset: bool,
    pub rx: Vec<Option<Flit>>,
    pub tx_ready: Vec<bool>,
    pub tx_credit: Vec<u8>,
    pub bus: Option<BusRequest>,
}

/// Outputs of a chip in one cycle. One entry a port; bit v of a credit mask is virtual channel v.
#[derive(Debug, Clone)]
pub struct Outputs {
    pub tx: Vec<Option<Flit>>,
    pub rx_credit: Vec<u8>,
    /// A register's value, some cycles after the request.
    pub bus: Option<u32>,
    /// The ports one after another.
    pub report: Option<Report>,
}

impl Inputs {
    /// Nothing is sent and nothing taken.
    pub fn idle(ports: usize) -> Self {
        Self {
            reset: false,
            rx: vec![None; ports],
            tx_ready: vec![false; ports],
            tx_credit: vec![0; ports],
            bus: None,
        }
    }
}

impl Outputs {
    /// Nothing is shown.
    pub fn idle(ports: usize) -> Self {
        Self {
            tx: vec![None; ports],
            rx_credit: vec![0; ports],
            bus: None,
            report: None,
        }
    }
}

/// A router chip under test: the Verilated one, or a model in Rust that tests the bench.
pub trait Chip {
    /// One clock edge: gives the outputs of the next cycle, in which these inputs reach the chip.
    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> anyhow::Result<()>;
}

/// A chip that its owner looks at again after the bench.
impl<C: Chip> Chip for &mut C {
    fn step(&mut self, inputs: &Inputs, outputs: &mut Outputs) -> anyhow::Result<()> {
        (**self).step(inputs, outputs)
    }
}
