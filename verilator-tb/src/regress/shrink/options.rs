//! Fewer cycles, fewer packets, plainer options.

use anyhow::Result;

use super::{Shrinker, Trial};

/// Numbers up to here are counted down one by one.
const FEW: u64 = 8;

impl<T: Trial> Shrinker<'_, T> {
    /// Fewer cycles and packets.
    pub(super) fn shorten(&mut self) -> Result<()> {
        self.set("warmup", 0)?;
        // What comes after the first failure is not needed.
        if let Some(violation) = &self.best.outcome.violation {
            let enough = violation.cycle.max(1);
            self.set("cycles", enough)?;
        }
        self.lower("cycles", 1)?;
        let sent = self.best.outcome.packets;
        self.set("packets", sent)?;
        self.lower("packets", 0)
    }

    /// Options that make no difference are left out.
    pub(super) fn simplify(&mut self) -> Result<()> {
        let settings = self.best.candidate.settings.0.keys();
        let options: Vec<String> = settings.cloned().collect();
        for option in options {
            let needed = ["seed", "cycles", "warmup", "packets"].contains(&&*option);
            if !needed {
                let plainer = self.best.candidate.settings.without(&option);
                self.attempt_settings(plainer, format!("without {option}"))?;
            }
        }
        // Of several lengths, one.
        let lengths = self.best.candidate.settings.0.get("packet-flits");
        let lengths = lengths.cloned().flatten().unwrap_or_default();
        if !lengths.contains(',') {
            return Ok(());
        }
        for length in lengths.split(',').filter_map(|it| it.parse().ok()) {
            let settings = self.best.candidate.settings.with("packet-flits", length);
            if self.attempt_settings(settings, format!("packet-flits {lengths} → {length}"))? {
                break;
            }
        }
        Ok(())
    }

    fn number(&self, option: &str) -> Option<u64> {
        let set = self.best.candidate.settings.number(option);
        set.or_else(|| self.trial.usual(option))
    }

    /// Tries a number for an option that has none, or a greater one.
    fn set(&mut self, option: &str, number: u64) -> Result<bool> {
        let step = match self.number(option) {
            Some(before) if before <= number => return Ok(false),
            Some(before) => format!("{option} {before} → {number}"),
            None => format!("{option} {number}"),
        };
        let settings = self.best.candidate.settings.with(option, number);
        self.attempt_settings(settings, step)
    }

    /// Halves a number as often as it may be, then takes a quarter off, then one.
    fn lower(&mut self, option: &str, least: u64) -> Result<()> {
        let smaller: [fn(u64) -> u64; 3] = [
            |number| number / 2,
            |number| number - number / 4,
            |number| if number <= FEW { number - 1 } else { number },
        ];
        for smaller in smaller {
            while let Some(number) = self.number(option).filter(|&number| number > least) {
                let next = smaller(number).max(least);
                if !self.set(option, next)? {
                    break;
                }
            }
        }
        Ok(())
    }
}
