//! A compiled design in memory, and the C interface of its shared object.

use super::build::{BuildReport, Coverage, Options};
use super::error::{Error, Result};
use super::model::Model;
use super::ports::{Direction, PortInfo};
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void, CStr};
use std::path::Path;
use std::sync::Arc;

/// Values of registers and memories before a reset sets them, and of inputs before the first
/// write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// All zeros.
    Zeros,
    /// All ones.
    Ones,
    /// Random from a seed: shows what a reset forgets, and inputs that a bench never drives.
    Random(u64),
}

impl From<u64> for Start {
    fn from(seed: u64) -> Start {
        Start::Random(seed)
    }
}

impl Start {
    /// Verilator's reset mode and seed.
    pub(super) fn verilator(self) -> (c_int, c_int) {
        match self {
            Start::Zeros => (0, 1),
            Start::Ones => (1, 1),
            Start::Random(seed) => {
                // 31 bits, and 0 would mean a seed from the clock.
                let folded = (seed ^ (seed >> 31) ^ (seed >> 62)) & 0x7fff_ffff;
                (
                    2,
                    if folded == 0 {
                        0x7fff_ffff
                    } else {
                        folded as c_int
                    },
                )
            }
        }
    }
}

/// A compiled design: makes any number of independent models.
#[derive(Clone)]
pub struct Library {
    loaded: Arc<Loaded>,
    report: BuildReport,
}

impl Library {
    pub(super) fn load(
        path: &Path,
        top: &str,
        options: &Options,
        report: BuildReport,
    ) -> Result<Library> {
        let loaded = Loaded::open(path, top, options).map_err(|failure| Error::Load {
            top: top.to_owned(),
            reason: failure.to_string(),
        })?;
        Ok(Library {
            loaded: Arc::new(loaded),
            report,
        })
    }

    /// A new model, with a seed for random values at the start or with another [`Start`].
    pub fn model(&self, start: impl Into<Start>) -> Result<Model> {
        Model::new(Arc::clone(&self.loaded), start.into())
    }

    /// Ports of the top module in its order.
    pub fn ports(&self) -> &[PortInfo] {
        &self.loaded.ports
    }

    /// How the library was built.
    pub fn report(&self) -> &BuildReport {
        &self.report
    }
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library")
            .field("top", &self.loaded.top)
            .field("report", &self.report)
            .finish_non_exhaustive()
    }
}

/// A pointer to the shim's `Instance`.
pub(super) type Instance = *mut c_void;

/// The shim's functions. Plain pointers: `Loaded` keeps the shared object they point into.
pub(super) struct Api {
    pub new: unsafe extern "C" fn(c_int, c_int) -> Instance,
    pub addresses: unsafe extern "C" fn(Instance, *mut *mut c_void),
    pub eval: unsafe extern "C" fn(Instance) -> bool,
    pub time: unsafe extern "C" fn(Instance, u64),
    pub finished: unsafe extern "C" fn(Instance) -> bool,
    pub error: unsafe extern "C" fn(Instance) -> *const c_char,
    pub run_final: unsafe extern "C" fn(Instance) -> bool,
    pub delete: unsafe extern "C" fn(Instance),
    pub trace: Option<TraceApi>,
    pub coverage_write: Option<unsafe extern "C" fn(Instance, *const c_char) -> bool>,
}

/// The part of the shim that only traced models have.
#[derive(Clone, Copy)]
pub(super) struct TraceApi {
    pub open: unsafe extern "C" fn(Instance, *const c_char) -> bool,
    pub dump: unsafe extern "C" fn(Instance) -> bool,
    pub close: unsafe extern "C" fn(Instance) -> bool,
}

/// A loaded shared object.
pub(super) struct Loaded {
    pub top: String,
    pub ports: Vec<PortInfo>,
    pub index: HashMap<String, u32>,
    pub api: Api,
    _object: libloading::Library,
}

#[repr(C)]
struct RawPort {
    name: *const c_char,
    input: u32,
    width: u32,
}

impl Loaded {
    fn open(
        path: &Path,
        top: &str,
        options: &Options,
    ) -> std::result::Result<Loaded, libloading::Error> {
        // SAFETY: the object was built by this module from `shim.cpp`, which declares exactly
        // these functions; its initialisers are those of Verilator's run-time library.
        unsafe {
            let object = libloading::Library::new(path)?;
            macro_rules! function {
                ($name:literal) => {
                    *object.get(concat!("fantree_", $name, "\0").as_bytes())?
                };
            }
            let trace = if options.trace {
                Some(TraceApi {
                    open: function!("trace_open"),
                    dump: function!("trace_dump"),
                    close: function!("trace_close"),
                })
            } else {
                None
            };
            let coverage_write = if options.coverage != Coverage::None {
                Some(function!("coverage_write"))
            } else {
                None
            };
            let api = Api {
                new: function!("new"),
                addresses: function!("addresses"),
                eval: function!("eval"),
                time: function!("time"),
                finished: function!("finished"),
                error: function!("error"),
                run_final: function!("final"),
                delete: function!("delete"),
                trace,
                coverage_write,
            };
            let table: unsafe extern "C" fn() -> *const RawPort = function!("ports");
            let ports = read_ports(table());
            let index = (0..).zip(&ports).map(|(at, port)| (port.name.clone(), at));
            Ok(Loaded {
                top: top.to_owned(),
                index: index.collect(),
                ports,
                api,
                _object: object,
            })
        }
    }
}

/// # Safety
/// `raw` starts an array that ends with a null name.
unsafe fn read_ports(mut raw: *const RawPort) -> Vec<PortInfo> {
    let mut ports = vec![];
    while !(*raw).name.is_null() {
        ports.push(PortInfo {
            name: CStr::from_ptr((*raw).name).to_string_lossy().into_owned(),
            direction: if (*raw).input != 0 {
                Direction::Input
            } else {
                Direction::Output
            },
            width: (*raw).width,
        });
        raw = raw.add(1);
    }
    ports
}
