//! Waves and coverage of a model.

use super::error::{Error, Result};
use super::fst;
use super::library::TraceApi;
use super::model::Model;
use std::ffi::CString;
use std::path::Path;

impl Model {
    /// Starts a wave (FST) with all signals, closing the one before. Nothing is written until
    /// [`trace_dump`](Model::trace_dump), so a window of a long run is a matter of when to open
    /// and to close.
    pub fn trace_open(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let trace = self.trace_api()?;
        self.trace_close()?;
        let path = path.as_ref();
        // The library deletes what is there and makes a file in its place, of a device, too.
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            return Err(Error::NoPlaceForWave { path: path.into() });
        }
        let text = self.writable(path)?;
        // SAFETY: the instance is alive and has no open wave; `text` outlives the call.
        self.check(unsafe { (trace.open)(self.instance, text.as_ptr()) })?;
        self.tracing = Some(path.into());
        Ok(())
    }

    /// Writes what changed into the wave at the present time; does nothing while none is open.
    #[inline]
    pub fn trace_dump(&mut self) -> Result<()> {
        if self.tracing.is_none() {
            return Ok(());
        }
        let trace = self.trace_api()?;
        // SAFETY: the instance is alive and has an open wave.
        self.check(unsafe { (trace.dump)(self.instance) })
    }

    /// Completes the wave, if one is open. Fails if it did not come whole onto the disk.
    pub fn trace_close(&mut self) -> Result<()> {
        let Some(path) = self.tracing.take() else {
            return Ok(());
        };
        let trace = self.trace_api()?;
        // SAFETY: the instance is alive and has an open wave.
        self.check(unsafe { (trace.close)(self.instance) })?;
        match fst::is_whole(&path).map_err(Error::io(&path))? {
            true => Ok(()),
            false => Err(Error::WaveCut { path }),
        }
    }

    /// A wave is being written.
    pub fn tracing(&self) -> bool {
        self.tracing.is_some()
    }

    /// Writes the coverage counters so far, for `verilator_coverage`.
    pub fn coverage_write(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let write = self.loaded.api.coverage_write.ok_or(Error::NotBuilt {
            top: self.loaded.top.clone(),
            feature: "coverage",
        })?;
        let text = self.writable(path.as_ref())?;
        // SAFETY: the instance is alive; `text` outlives the call.
        self.check(unsafe { write(self.instance, text.as_ptr()) })
    }

    fn trace_api(&self) -> Result<TraceApi> {
        self.loaded.api.trace.ok_or(Error::NotBuilt {
            top: self.loaded.top.clone(),
            feature: "trace",
        })
    }

    /// Makes sure that a file can be written before Verilator tries, whose messages name no
    /// reason.
    fn writable(&self, path: &Path) -> Result<CString> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(Error::io(parent))?;
        }
        std::fs::File::create(path).map_err(Error::io(path))?;
        CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(std::io::Error::from)
            .map_err(Error::io(path))
    }
}
