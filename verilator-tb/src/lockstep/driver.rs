//! What the bench drives in each cycle: data, resets and clock edges.

use super::clocks::Clocks;
use super::constrain::Names;
use super::error::{Error, Result};
use super::frame::Frame;
use super::pins::{Pins, Role};
use super::stimulus::Stimulus;
use crate::traffic::{stream, Random};
use rand::Rng;
use std::collections::HashMap;

/// A reset returns with one chance in so many cycles.
const RESET_AGAIN: u32 = 300;

/// Chooses inputs and clock edges.
pub struct Driver {
    pub names: Names,
    pub constraints: Random,
    roles: Vec<Role>,
    stimulus: Stimulus,
    clocks: Clocks,
    resets: Resets,
}

impl Driver {
    /// `resets_again`: resets return after the first time.
    pub fn new(
        pins: &Pins,
        periods: &HashMap<String, u32>,
        resets_again: bool,
        seed: u64,
    ) -> Result<Driver> {
        let clocks: Vec<&str> = pins
            .inputs
            .iter()
            .filter(|pin| pin.role == Role::Clock)
            .map(|pin| pin.name.as_str())
            .collect();
        if let Some(name) = periods.keys().find(|name| !clocks.contains(&name.as_str())) {
            return Err(Error::Ports(format!("`{name}` is no clock of the block")));
        }
        let periods: Vec<_> = clocks
            .iter()
            .map(|&clock| periods.get(clock).copied())
            .collect();
        Ok(Driver {
            names: Names::new(pins),
            roles: pins.inputs.iter().map(|pin| pin.role).collect(),
            stimulus: Stimulus::new(
                pins.input_layout(),
                pins.output_layout(),
                stream(seed, "stimulus", 0),
            ),
            clocks: Clocks::new(&periods, stream(seed, "clocks", 0)),
            resets: Resets {
                again: resets_again,
                lasting: vec![0; pins.inputs.len()],
                random: stream(seed, "resets", 0),
            },
            constraints: stream(seed, "constraints", 0),
        })
    }

    /// Random values on the inputs that are data, zero on clocks, and all resets active if this is the `start`.
    pub fn inputs(&mut self, frame: &mut Frame, outputs: &Frame, start: bool) {
        let layout = &self.names.input_layout;
        for (port, role) in self.roles.iter().enumerate() {
            match *role {
                Role::Clock => layout.get_mut(frame, port)[0] = 0,
                Role::Reset { active } => {
                    let reset = start || self.resets.again(port);
                    layout.get_mut(frame, port)[0] = (active == reset).into();
                }
                Role::Data => self.stimulus.advance(port, frame, outputs),
                Role::Output | Role::Ignored => unreachable!("an output among the inputs"),
            }
        }
    }

    /// Which clocks rise in the next cycle.
    pub fn rising(&mut self) -> Vec<bool> {
        self.clocks.next()
    }

    /// The block has a reset.
    pub fn has_reset(&self) -> bool {
        let is_reset = |role: &Role| matches!(role, Role::Reset { .. });
        self.roles.iter().any(is_reset)
    }
}

/// Resets after the start: each returns by itself, so that one that reaches the wrong registers is seen.
struct Resets {
    again: bool,
    /// Cycles that the reset at an input still lasts.
    lasting: Vec<u32>,
    random: Random,
}

impl Resets {
    /// Whether the reset at this input returns or still lasts.
    fn again(&mut self, port: usize) -> bool {
        let lasting = &mut self.lasting[port];
        if self.again && *lasting == 0 && self.random.gen_range(0..RESET_AGAIN) == 0 {
            *lasting = self.random.gen_range(1..=4);
        }
        let resetting = *lasting > 0;
        *lasting = lasting.saturating_sub(1);
        resetting
    }
}
