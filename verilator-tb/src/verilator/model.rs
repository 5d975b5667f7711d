//! A running model: its ports, evaluation and time.

use super::error::{Error, Result};
use super::library::{Instance, Loaded, Start};
use super::ports::{Direction, PortInfo};
use std::ffi::{c_void, CStr};
use std::path::PathBuf;
use std::sync::Arc;

/// Handle of a port, valid for every model of the library it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Port(pub(super) u32);

/// Where a port's bits are in the model's memory.
pub(super) struct Slot {
    pub address: *mut c_void,
    pub width: u32,
    pub input: bool,
}

/// A running instance of a design.
///
/// Verilator's rule: write inputs, [`eval`](Model::eval), read outputs. A rising clock edge is a
/// 0 evaluated and then a 1 evaluated. Dropping the model runs its `final` blocks and closes its
/// wave.
pub struct Model {
    pub(super) loaded: Arc<Loaded>,
    pub(super) instance: Instance,
    pub(super) slots: Vec<Slot>,
    time: u64,
    /// The wave that is being written.
    pub(super) tracing: Option<PathBuf>,
    stopped: Option<String>,
}

// SAFETY: the instance is owned by this value, and the shim names the instance's context to
// Verilator's thread-local state in every call.
unsafe impl Send for Model {}

impl Model {
    pub(super) fn new(loaded: Arc<Loaded>, start: Start) -> Result<Model> {
        let (reset, seed) = start.verilator();
        // SAFETY: plain values in, a new instance or null out.
        let instance = unsafe { (loaded.api.new)(reset, seed) };
        if instance.is_null() {
            return Err(Error::Load {
                top: loaded.top.clone(),
                reason: "Verilator cannot make an instance of it".into(),
            });
        }
        let mut addresses = vec![std::ptr::null_mut(); loaded.ports.len()];
        // SAFETY: the shim fills as many addresses as its port table has entries.
        unsafe { (loaded.api.addresses)(instance, addresses.as_mut_ptr()) };
        let slots = loaded
            .ports
            .iter()
            .zip(addresses)
            .map(|(port, address)| Slot {
                address,
                width: port.width,
                input: port.direction == Direction::Input,
            })
            .collect();
        Ok(Model {
            loaded,
            instance,
            slots,
            time: 0,
            tracing: None,
            stopped: None,
        })
    }

    /// Name of the top module.
    pub fn top(&self) -> &str {
        &self.loaded.top
    }

    /// Ports of the top module in its order.
    pub fn ports(&self) -> &[PortInfo] {
        &self.loaded.ports
    }

    /// Name, direction and width of a port.
    pub fn info(&self, port: Port) -> &PortInfo {
        &self.loaded.ports[port.0 as usize]
    }

    /// The port of this name.
    pub fn port(&self, name: &str) -> Result<Port> {
        match self.loaded.index.get(name) {
            Some(&index) => Ok(Port(index)),
            None => Err(Error::UnknownPort {
                top: self.loaded.top.clone(),
                port: name.to_owned(),
                nearest: self.nearest(name),
            }),
        }
    }

    /// The input of this name.
    pub fn input(&self, name: &str) -> Result<Port> {
        self.port_towards(name, Direction::Input)
    }

    /// The output of this name.
    pub fn output(&self, name: &str) -> Result<Port> {
        self.port_towards(name, Direction::Output)
    }

    fn port_towards(&self, name: &str, wanted: Direction) -> Result<Port> {
        let port = self.port(name)?;
        let actual = self.info(port).direction;
        if actual == wanted {
            return Ok(port);
        }
        Err(Error::WrongDirection {
            top: self.loaded.top.clone(),
            port: name.to_owned(),
            actual,
            wanted,
        })
    }

    /// Up to three names that differ in less than half of their letters.
    fn nearest(&self, name: &str) -> Vec<String> {
        let mut ranked: Vec<(usize, &String)> = self
            .loaded
            .ports
            .iter()
            .map(|port| (strsim::damerau_levenshtein(name, &port.name), &port.name))
            .filter(|(distance, other)| 2 * distance < name.len().max(other.len()))
            .collect();
        ranked.sort();
        let close = ranked.iter().take(3);
        close.map(|(_, name)| name.to_string()).collect()
    }

    /// Settles the design after inputs changed.
    ///
    /// Fails if it does not settle (a combinational loop) or stops itself (`$fatal`, `$stop`);
    /// such a model stays stopped.
    #[inline]
    pub fn eval(&mut self) -> Result<()> {
        // SAFETY: the instance is alive. A stopped one is never evaluated again.
        if self.stopped.is_none() && unsafe { (self.loaded.api.eval)(self.instance) } {
            return Ok(());
        }
        Err(self.stop())
    }

    /// The design has reached `$finish`.
    pub fn finished(&self) -> bool {
        // SAFETY: the instance is alive.
        unsafe { (self.loaded.api.finished)(self.instance) }
    }

    /// Simulation time in nanoseconds: of `$time` and of the wave.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Sets the time; it never runs on its own.
    #[inline]
    pub fn set_time(&mut self, time: u64) {
        self.time = time;
        // SAFETY: the instance is alive.
        unsafe { (self.loaded.api.time)(self.instance, time) };
    }

    pub(super) fn check(&mut self, succeeded: bool) -> Result<()> {
        if succeeded {
            Ok(())
        } else {
            Err(self.stop())
        }
    }

    #[cold]
    fn stop(&mut self) -> Error {
        // SAFETY: the instance is alive; the text is copied before the next call changes it.
        let text = unsafe { CStr::from_ptr((self.loaded.api.error)(self.instance)) };
        let text = self
            .stopped
            .get_or_insert_with(|| text.to_string_lossy().into_owned());
        Error::Stopped {
            top: self.loaded.top.clone(),
            time: self.time,
            message: text.clone(),
        }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // Nobody is left to tell about a failure of these.
        let _ = self.trace_close();
        // SAFETY: the instance is alive, and gone after the second call.
        unsafe {
            if self.stopped.is_none() {
                (self.loaded.api.run_final)(self.instance);
            }
            (self.loaded.api.delete)(self.instance);
        }
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model")
            .field("top", &self.loaded.top)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}
