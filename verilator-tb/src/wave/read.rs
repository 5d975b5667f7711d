//! `Wave`: an FST file, with its signals by path.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use wellen::simple::Waveform;
use wellen::SignalRef;

/// A signal of a wave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// The scopes from the top and the name, joined with dots.
    pub path: String,
    /// Width in bits.
    pub width: u32,
    reference: SignalRef,
}

impl Signal {
    /// The name as GTKWave has it: vectors with their range.
    pub fn name(&self) -> String {
        match self.width {
            1 => self.path.clone(),
            width => format!("{}[{}:0]", self.path, width - 1),
        }
    }
}

/// Why a wave is not what was expected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read the wave {}", path.display())]
    Unreadable {
        path: PathBuf,
        source: wellen::WellenError,
    },
    #[error("the wave {} has no signal {}", path.display(), list(missing))]
    NoSignal { path: PathBuf, missing: Vec<String> },
    #[error("cannot write {}", path.display())]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// The first few names, and how many there are more: a wrong scope misses hundreds.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        text += &format!(" and {} more", names.len() - SHOWN);
    }
    text
}

/// An FST file.
pub struct Wave {
    path: PathBuf,
    wave: Waveform,
    signals: HashMap<String, Signal>,
}

impl Wave {
    /// Reads the file's hierarchy; values are read as they are asked for.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let wave = wellen::simple::read(path).map_err(|source| Error::Unreadable {
            path: path.into(),
            source,
        })?;
        let hierarchy = wave.hierarchy();
        let signals = hierarchy
            .all_vars()
            .filter_map(|var| {
                let var = &hierarchy[var];
                let signal = Signal {
                    path: var.full_name(hierarchy),
                    width: var.length(hierarchy)?,
                    reference: var.signal_ref(),
                };
                Some((signal.path.clone(), signal))
            })
            .collect();
        Ok(Self {
            path: path.into(),
            wave,
            signals,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The signal with this path.
    pub fn signal(&self, path: &str) -> Result<&Signal, Error> {
        self.signals
            .get(path)
            .ok_or_else(|| self.missing(vec![path.into()]))
    }

    /// All signals, in no order.
    pub fn signals(&self) -> impl Iterator<Item = &Signal> {
        self.signals.values()
    }

    /// The error that these signals are not there.
    pub(super) fn missing(&self, missing: Vec<String>) -> Error {
        Error::NoSignal {
            path: self.path.clone(),
            missing,
        }
    }

    /// Reads the values of signals together, which takes one pass through the file.
    pub fn load(&mut self, paths: &[String]) -> Result<(), Error> {
        let absent = paths.iter().filter(|path| self.signal(path).is_err());
        let absent: Vec<String> = absent.cloned().collect();
        if !absent.is_empty() {
            return Err(self.missing(absent));
        }
        let references = paths.iter().map(|path| self.signals[path].reference);
        let references: Vec<SignalRef> = references.collect();
        self.wave.load_signals(&references);
        Ok(())
    }

    /// The first and the last time.
    pub fn span(&self) -> Option<(u64, u64)> {
        let times = self.wave.time_table();
        Some((*times.first()?, *times.last()?))
    }

    /// Every value of a signal as bits, the highest first, with the time it starts at, in the wave's unit.
    pub fn changes(&mut self, path: &str) -> Result<Vec<(u64, String)>, Error> {
        let reference = self.signal(path)?.reference;
        self.wave.load_signals(&[reference]);
        let times = self.wave.time_table();
        let signal = self.wave.get_signal(reference).expect("just loaded");
        Ok(signal
            .iter_changes()
            .filter_map(|(at, value)| Some((times[at as usize], value.to_bit_string()?)))
            .collect())
    }

    /// The value of a signal at a time; none before its first.
    pub fn value(&mut self, path: &str, time: u64) -> Result<Option<String>, Error> {
        let mut changes = self.changes(path)?;
        let before = changes.partition_point(|(start, _)| *start <= time);
        Ok(before
            .checked_sub(1)
            .map(|last| changes.swap_remove(last).1))
    }

    /// The unit of time in seconds, as a power of ten: −9 for nanoseconds.
    pub fn time_exponent(&self) -> Option<i8> {
        let scale = self.wave.hierarchy().timescale()?;
        Some(scale.unit.to_exponent()? + scale.factor.ilog10() as i8)
    }
}
