//! A Verilated end of a link: its pins by number instead of by name.

use fantree_hdl::link::Event;

use super::channel::Word;
use crate::router::Flit;
use crate::verilator::{Library, Model, Port as Pin, Result};

/// What an end is given in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Inputs {
    pub reset: bool,
    pub tx: Option<Flit>,
    /// Bit v: a block of virtual channel v came free.
    pub rx_credit: u8,
    pub line_ready: bool,
    pub line: Option<Word>,
}

/// What it shows in a cycle.
#[derive(Debug, Clone, Copy)]
pub struct Outputs {
    pub rx: Option<Flit>,
    pub tx_credit: u8,
    pub line: Word,
    pub up: bool,
}

/// Width of a flit's data.
const DATA_BITS: u32 = u128::BITS;

/// An end of a link.
pub struct Port {
    model: Model,
    clock: Pin,
    reset: Pin,
    tx_valid: Pin,
    tx_flit: Pin,
    tx_vc: Pin,
    tx_ready: Pin,
    tx_credit: Pin,
    rx_valid: Pin,
    rx_flit: Pin,
    rx_vc: Pin,
    rx_credit: Pin,
    line_tx_word: Pin,
    line_tx_kind: Pin,
    line_tx_ready: Pin,
    line_rx_valid: Pin,
    line_rx_word: Pin,
    line_rx_kind: Pin,
    up: Pin,
    counts: Vec<Pin>,
}

impl Port {
    /// An end that may come up.
    pub fn new(library: &Library, silence_limit: u16, seed: u64) -> Result<Self> {
        let mut model = library.model(seed)?;
        let (enable, limit) = (model.input("enable")?, model.input("silence_limit")?);
        model.write(enable, 1);
        model.write(limit, silence_limit.into());
        let counts: Result<Vec<Pin>> = (0..Event::ALL.len())
            .map(|event| model.output(&format!("count_{event}")))
            .collect();
        Ok(Self {
            clock: model.input("clock")?,
            reset: model.input("reset")?,
            tx_valid: model.input("tx_valid")?,
            tx_flit: model.input("tx_flit")?,
            tx_vc: model.input("tx_vc")?,
            tx_ready: model.output("tx_ready")?,
            tx_credit: model.output("tx_credit")?,
            rx_valid: model.output("rx_valid")?,
            rx_flit: model.output("rx_flit")?,
            rx_vc: model.output("rx_vc")?,
            rx_credit: model.input("rx_credit")?,
            line_tx_word: model.output("line_tx_word")?,
            line_tx_kind: model.output("line_tx_kind")?,
            line_tx_ready: model.input("line_tx_ready")?,
            line_rx_valid: model.input("line_rx_valid")?,
            line_rx_word: model.input("line_rx_word")?,
            line_rx_kind: model.input("line_rx_kind")?,
            up: model.output("up")?,
            counts: counts?,
            model,
        })
    }

    /// What it shows since the last clock edge.
    pub fn outputs(&self) -> Outputs {
        let model = &self.model;
        let rx = (model.read(self.rx_valid) == 1).then(|| {
            let words = model.read_words(self.rx_flit);
            let marks = words[DATA_BITS as usize / 32];
            Flit {
                data: words[..4]
                    .iter()
                    .rev()
                    .fold(0, |data, &word| data << 32 | u128::from(word)),
                head: marks & 1 == 1,
                tail: marks >> 1 & 1 == 1,
                bad: marks >> 2 & 1 == 1,
                vc: model.read(self.rx_vc) as u8,
            }
        });
        Outputs {
            rx,
            tx_credit: model.read(self.tx_credit) as u8,
            line: Word {
                bits: model.read_u128(self.line_tx_word),
                kind: model.read(self.line_tx_kind) as u8,
            },
            up: model.read(self.up) == 1,
        }
    }

    /// A cycle with these inputs, up to the clock edge that ends it; says whether the flit was taken. What comes without
    /// being valid is what came before.
    pub fn step(&mut self, inputs: &Inputs) -> Result<bool> {
        let model = &mut self.model;
        model.write(self.reset, inputs.reset.into());
        model.write(self.tx_valid, inputs.tx.is_some().into());
        if let Some(flit) = inputs.tx {
            let marks = u32::from(flit.head) | u32::from(flit.tail) << 1 | u32::from(flit.bad) << 2;
            let mut words = [marks; 5];
            for (i, word) in words[..4].iter_mut().enumerate() {
                *word = (flit.data >> (32 * i)) as u32;
            }
            model.write_words(self.tx_flit, &words);
            model.write(self.tx_vc, flit.vc.into());
        }
        model.write(self.rx_credit, inputs.rx_credit.into());
        model.write(self.line_tx_ready, inputs.line_ready.into());
        model.write(self.line_rx_valid, inputs.line.is_some().into());
        if let Some(word) = inputs.line {
            model.write_u128(self.line_rx_word, word.bits);
            model.write(self.line_rx_kind, word.kind.into());
        }
        model.write(self.clock, 0);
        model.eval()?;
        let taken = inputs.tx.is_some() && model.read(self.tx_ready) == 1;
        model.write(self.clock, 1);
        model.eval()?;
        Ok(taken)
    }

    /// How often an event has come.
    pub fn count(&self, event: Event) -> u64 {
        self.model.read(self.counts[event as usize])
    }
}
