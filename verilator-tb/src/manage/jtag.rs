//! Commands by scans of the JTAG pins.

use anyhow::{bail, Result};
use fantree_hdl::manage::command::{setup_bits, KEY_BITS};
use fantree_hdl::manage::jtag::{answer, request, Instruction, Kind, INSTRUCTION_BITS};
use fantree_hdl::manage::Setup;
use fantree_hdl::router::RouterParams;

use super::network::JtagPins;
use super::transport::values_of_beat;
use super::{Answer, Network, Transport};
use crate::jtag::Pins;

/// Cycles of the test clock between scans: an access of a few ports takes no longer.
const IDLE: usize = 8;
/// Scans that a chip may take to answer.
const PATIENCE: usize = 100;

/// A chip's JTAG port; see the [module](self).
pub struct Jtag<'a> {
    pins: JtagPins<'a>,
    setup_bits: usize,
}

impl<'a> Jtag<'a> {
    /// That of a chip, in Run-Test/Idle.
    pub fn new(network: &'a mut Network, chip: usize) -> Result<Self> {
        let params: RouterParams = *network.params();
        let mut jtag = Self {
            pins: network.jtag(chip),
            setup_bits: setup_bits(&params),
        };
        for tms in [true, true, true, true, true, false] {
            jtag.clock(tms, false)?;
        }
        Ok(jtag)
    }

    /// Sets the key that writes in band need; 0: nobody has it.
    pub fn set_key(&mut self, key: u32) -> Result<()> {
        self.instruct(Instruction::Key)?;
        self.scan_data(KEY_BITS, key.into()).map(|_| ())
    }

    /// What the chip says it is.
    pub fn idcode(&mut self) -> Result<u32> {
        self.instruct(Instruction::Idcode)?;
        Ok(self.scan_data(32, 0)? as u32)
    }

    /// A cycle of the test clock; what TDO shows before its rising edge.
    pub fn clock(&mut self, tms: bool, tdi: bool) -> Result<bool> {
        self.pins.drive(false, tms, tdi)?;
        let tdo = self.pins.tdo();
        self.pins.drive(true, tms, tdi)?;
        Ok(tdo)
    }

    /// Chooses a data register; gives what stood in the instruction register.
    pub fn instruct(&mut self, instruction: Instruction) -> Result<u128> {
        self.scan(true, INSTRUCTION_BITS, instruction as u128)
    }

    /// Shifts through the data register.
    pub fn scan_data(&mut self, bits: usize, value: u128) -> Result<u128> {
        self.scan(false, bits, value)
    }

    /// From Run-Test/Idle through a scan and back.
    pub fn scan(&mut self, instruction: bool, bits: usize, value: u128) -> Result<u128> {
        let select = std::iter::repeat_n(true, 1 + usize::from(instruction));
        for tms in select.chain([false, false]) {
            self.clock(tms, false)?;
        }
        let mut out = 0;
        for bit in 0..bits {
            let tdo = self.clock(bit + 1 == bits, value >> bit & 1 == 1)?;
            out |= u128::from(tdo) << bit;
        }
        self.clock(true, false)?;
        self.clock(false, false)?;
        Ok(out)
    }

    /// Asks, and gives the answer to what was asked before; none if the chip is still at work.
    pub fn ask(&mut self, kind: Kind, data: u32) -> Result<Option<u128>> {
        let asked = u128::from(data) | (kind as u128) << request::KIND.offset;
        let answer = self.scan_data(answer::SCAN_BITS, asked)?;
        for _ in 0..IDLE {
            self.clock(false, false)?;
        }
        Ok((answer::VALID.get(answer) == 1).then_some(answer))
    }

    /// Waits for the answer, and asks for what comes next with the same scan.
    fn answer(&mut self, kind: Kind, data: u32) -> Result<u128> {
        for _ in 0..PATIENCE {
            if let Some(answer) = self.ask(kind, data)? {
                return Ok(answer);
            }
        }
        bail!("the chip does not answer in {PATIENCE} scans")
    }
}

impl Transport for Jtag<'_> {
    fn run(&mut self, setup: &Setup, beats: &[u32]) -> Result<Answer> {
        self.instruct(Instruction::Setup)?;
        self.scan_data(self.setup_bits, setup.to_bits())?;
        self.instruct(Instruction::Access)?;
        let each = values_of_beat(setup);
        // What is asked for, one scan after another: each beat, and the values after its first one. Each scan brings the
        // answer to the one before.
        let asked = beats.iter().flat_map(|&beat| {
            let rest = std::iter::repeat_n((Kind::Next, 0), each.saturating_sub(1));
            std::iter::once((Kind::Beat, beat)).chain(rest)
        });
        let mut scans = asked.chain([(Kind::Nothing, 0)]);
        let mut answer = Answer {
            values: Vec::new(),
            status: 0,
        };
        if let Some((kind, data)) = scans.next() {
            self.ask(kind, data)?;
        }
        for (kind, data) in scans {
            let bits = self.answer(kind, data)?;
            if each > 0 {
                answer.values.push(answer::VALUE.get(bits));
            }
            answer.status = answer::STATUS.get(bits);
        }
        Ok(answer)
    }

    fn cycle(&self) -> u64 {
        self.pins.cycle()
    }
}
