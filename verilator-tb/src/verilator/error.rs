//! What can go wrong between Verilog text and a running model.

use std::path::{Path, PathBuf};

/// Failure of a build or of a running model; the text says what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A program is not installed or not in `PATH`.
    #[error(
        "`{program}` cannot be run ({reason}): install Debian package `{package}`, \
         or name another one in the environment variable {variable}"
    )]
    ToolMissing {
        program: String,
        reason: String,
        package: &'static str,
        variable: &'static str,
    },
    /// Verilator or the C++ compiler refused its input.
    #[error("{tool} failed on `{top}`:\n{messages}\nfull log: {}", log.display())]
    Rejected {
        tool: String,
        top: String,
        messages: String,
        log: PathBuf,
    },
    /// The top module has a port the bridge cannot drive.
    #[error("port `{port}` of `{top}` is an inout: only inputs and outputs can be driven")]
    InoutPort { top: String, port: String },
    /// The compiled model cannot be loaded.
    #[error("the compiled model of `{top}` cannot be loaded: {reason}")]
    Load { top: String, reason: String },
    /// No port has this name.
    #[error("`{top}` has no port `{port}`{}", suggestion(.nearest))]
    UnknownPort {
        top: String,
        port: String,
        nearest: Vec<String>,
    },
    /// The port exists, but points the other way.
    #[error("port `{port}` of `{top}` is an {actual}, not an {wanted}")]
    WrongDirection {
        top: String,
        port: String,
        actual: super::Direction,
        wanted: super::Direction,
    },
    /// The model was built without what is asked of it.
    #[error("the model of `{top}` was built without {feature}: set it in `Options`")]
    NotBuilt { top: String, feature: &'static str },
    /// The model stopped itself: no convergence, `$fatal`, a failed assertion, a full disk.
    #[error("the model of `{top}` stopped at time {time}: {message}")]
    Stopped {
        top: String,
        time: u64,
        message: String,
    },
    /// What is there is a folder, a device or the like.
    #[error("{} is no file that a wave could be written to", path.display())]
    NoPlaceForWave { path: PathBuf },
    /// A wave was written, but not all of it is there.
    #[error("the wave {} could not be written whole: is the disk full?", path.display())]
    WaveCut { path: PathBuf },
    /// Reading or writing a file.
    #[error("cannot read or write {}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// Result of this module.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// For `map_err` on file operations.
    pub(super) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
        move |source| Error::Io {
            path: path.to_owned(),
            source,
        }
    }
}

fn suggestion(nearest: &[String]) -> String {
    if nearest.is_empty() {
        return String::new();
    }
    format!("; nearest: {}", nearest.join(", "))
}
