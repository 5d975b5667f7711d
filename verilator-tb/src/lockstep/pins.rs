//! The ports of a block and of its Verilog, brought together by name.

use super::error::{Error, Result};
use super::frame::Layout;
use super::rust_side::RustSide;
use crate::verilator::{Direction, PortInfo};
use std::collections::HashMap;

/// A port as both sides know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// Name in the block.
    pub name: String,
    /// Name in the Verilog.
    pub verilog: String,
    /// Width in bits.
    pub width: usize,
    /// What the bench does with it.
    pub role: Role,
}

/// What the bench does with a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Rises and falls.
    Clock,
    /// Held at this level for a reset.
    Reset { active: bool },
    /// Driven at random.
    Data,
    /// Compared.
    Output,
    /// An output that is not compared.
    Ignored,
}

/// All ports. Inputs include clocks and resets; both lists are in the order of the block.
#[derive(Debug, Clone, Default)]
pub struct Pins {
    pub inputs: Vec<Pin>,
    pub outputs: Vec<Pin>,
}

impl Pins {
    /// The ports of a block, with their names in Verilog from `verilog_names` or by the common rule.
    pub fn of_block<B>(
        rust: &mut RustSide<B>,
        verilog_names: &HashMap<String, String>,
        resets: &HashMap<String, bool>,
    ) -> Result<Pins> {
        let mut pins = rust.pins();
        for pin in pins.inputs.iter_mut().chain(&mut pins.outputs) {
            pin.verilog = match verilog_names.get(&pin.name) {
                Some(name) => name.clone(),
                None => pin.name.replace('$', "_"),
            };
        }
        for pin in &mut pins.inputs {
            let named =
                pin.name == "reset" || pin.name.ends_with("_reset") || pin.name.ends_with("$reset");
            let active = resets.get(&pin.name).copied().or(named.then_some(true));
            if let (Role::Data, 1, Some(active)) = (pin.role, pin.width, active) {
                pin.role = Role::Reset { active };
            }
        }
        for name in resets.keys() {
            let is_reset = |pin: &Pin| pin.name == *name && matches!(pin.role, Role::Reset { .. });
            if !pins.inputs.iter().any(is_reset) {
                return Err(Error::Ports(format!(
                    "`{name}` is no single-bit input that could be a reset"
                )));
            }
        }
        Ok(pins)
    }

    /// Checks that the Verilog has the same ports.
    pub fn check(&self, verilog: &[PortInfo]) -> Result<()> {
        let mut left: HashMap<&str, &PortInfo> = verilog
            .iter()
            .map(|port| (port.name.as_str(), port))
            .collect();
        let sides = [
            (&self.inputs, Direction::Input),
            (&self.outputs, Direction::Output),
        ];
        for (pins, direction) in sides {
            for pin in pins {
                let wanted = format!("{direction} of {} bits", pin.width);
                match left.remove(pin.verilog.as_str()) {
                    None => {
                        return Err(Error::Ports(format!(
                            "`{}` of the block, an {wanted}, is not in the Verilog as `{}`",
                            pin.name, pin.verilog
                        )))
                    }
                    Some(port)
                        if (port.direction, port.width as usize) != (direction, pin.width) =>
                    {
                        return Err(Error::Ports(format!(
                            "`{}` is an {wanted} in the block and an {} of {} bits in the Verilog",
                            pin.name, port.direction, port.width
                        )))
                    }
                    Some(_) => {}
                }
            }
        }
        match left.values().map(|port| &port.name).min() {
            None => Ok(()),
            Some(name) => Err(Error::Ports(format!(
                "`{name}` of the Verilog is not among the block's ports: is its field marked `#[ports]`?"
            ))),
        }
    }

    pub fn input_layout(&self) -> Layout {
        Layout::new(self.inputs.iter().map(|pin| pin.width))
    }

    pub fn output_layout(&self) -> Layout {
        Layout::new(self.outputs.iter().map(|pin| pin.width))
    }
}
