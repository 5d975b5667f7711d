//! From Verilog text to a loaded library, by way of the cache.

use super::cache::{self, key, Entry};
use super::compile::{Compilation, MODEL, REPORT, SHIM};
use super::error::{Error, Result};
use super::library::Library;
use super::tools::Tools;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// A design in Verilog.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Name of the top module.
    pub top: &'a str,
    /// All modules.
    pub verilog: &'a str,
}

/// What a model is built with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Can write FST waves. Costs a few percent of speed even while none is written.
    pub trace: bool,
    /// Coverage points in the model.
    pub coverage: Coverage,
    /// Further arguments of Verilator.
    pub arguments: Vec<String>,
}

/// Coverage points in a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Coverage {
    /// None.
    #[default]
    None,
    /// `cover property` points: free.
    User,
    /// Lines and branches, and user points: 2.4 × the run time.
    Line,
    /// All of the above and every bit's toggles: 10 × the time to compile and to run.
    Toggle,
}

impl Coverage {
    /// Verilator's arguments.
    pub(super) fn arguments(self) -> &'static [&'static str] {
        match self {
            Coverage::None => &[],
            Coverage::User => &["--coverage-user"],
            Coverage::Line => &["--coverage-user", "--coverage-line"],
            Coverage::Toggle => &["--coverage-user", "--coverage-line", "--coverage-toggle"],
        }
    }
}

/// What a build is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Another process or thread builds the same thing.
    Waiting,
    /// Verilator turns Verilog into C++.
    Verilating,
    /// Verilator's run-time library is compiled, once for all models.
    Runtime,
    /// The model's C++ is compiled.
    Compiling,
}

impl std::fmt::Display for Stage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stage::Waiting => "waiting for another build of the same model",
            Stage::Verilating => "Verilator: Verilog to C++",
            Stage::Runtime => "compiling Verilator's run-time library",
            Stage::Compiling => "compiling the model",
        })
    }
}

/// How a library came to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BuildReport {
    /// Seconds the build took when it was done.
    pub build_seconds: f64,
    /// Bytes of C++ that Verilator generated.
    pub cpp_bytes: u64,
    /// Bytes of the shared object.
    pub library_bytes: u64,
    /// The library came from the cache; `build_seconds` is then of the past.
    #[serde(skip)]
    pub cached: bool,
}

/// Builds the design, or takes it from the cache.
pub fn build(source: &Source, options: &Options) -> Result<Library> {
    build_with(source, options, &mut |_| {})
}

/// [`build`] that tells each stage as it starts: a large design takes minutes.
pub fn build_with(
    source: &Source,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Library> {
    build_in(
        &cache::directory(),
        Tools::of_process()?,
        source,
        options,
        progress,
    )
}

pub(super) fn build_in(
    cache: &Path,
    tools: &Tools,
    source: &Source,
    options: &Options,
    progress: &mut dyn FnMut(Stage),
) -> Result<Library> {
    let name = key(&[
        source.top,
        source.verilog,
        &format!("{options:?}"),
        &tools.verilator_version,
        &tools.compiler_version,
        // A program at another path can hide behind the same version text.
        &tools.verilator,
        SHIM,
        // The arguments of the tools, and what they are given.
        include_str!("compile.rs"),
        include_str!("generated.rs"),
        include_str!("runtime.rs"),
    ]);
    let entry = Entry::lock(cache, &name, &mut || progress(Stage::Waiting))?;
    entry.touch();
    let cached = entry.path(MODEL).is_file();
    if !cached {
        Compilation {
            cache,
            tools,
            source,
            options,
            entry: &entry,
        }
        .run(progress)?;
    }
    let report = report(&entry, cached)?;
    Library::load(&entry.path(MODEL), source.top, options, report)
}

fn report(entry: &Entry, cached: bool) -> Result<BuildReport> {
    let path = entry.path(REPORT);
    let text = fs::read(&path).map_err(Error::io(&path))?;
    let mut report: BuildReport = serde_json::from_slice(&text)
        .map_err(std::io::Error::from)
        .map_err(Error::io(&path))?;
    report.cached = cached;
    Ok(report)
}
