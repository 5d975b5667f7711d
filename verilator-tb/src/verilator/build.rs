//! From Verilog text to a shared object: Verilator, compiler, linker, each only if needed.

use super::cache::{self, key, write_atomically, Entry};
use super::command::{compiler_command, run};
use super::error::{Error, Result};
use super::library::Library;
use super::ports::{declared, Declared, Direction};
use super::runtime::Runtime;
use super::tools::Tools;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const SHIM: &str = include_str!("shim.cpp");
const MODEL: &str = "model.so";
const CPP: &str = "cpp";

/// Generated C++ above this size is compiled in several translation units at once; below, parsing
/// headers again would cost more than it gains.
const BYTES_FOR_ONE_UNIT: u64 = 2 << 20;

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
    fn arguments(self) -> &'static [&'static str] {
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
        // The arguments below and the run-time library's.
        include_str!("build.rs"),
        include_str!("runtime.rs"),
    ]);
    let entry = Entry::lock(cache, &name, &mut || progress(Stage::Waiting))?;
    entry.touch();
    let cached = entry.path(MODEL).is_file();
    if !cached {
        Build {
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
    let path = entry.path("report.json");
    let text = fs::read(&path).map_err(Error::io(&path))?;
    let mut report: BuildReport = serde_json::from_slice(&text)
        .map_err(std::io::Error::from)
        .map_err(Error::io(&path))?;
    report.cached = cached;
    Ok(report)
}

struct Build<'a> {
    cache: &'a Path,
    tools: &'a Tools,
    source: &'a Source<'a>,
    options: &'a Options,
    entry: &'a Entry,
}

impl Build<'_> {
    fn run(&self, progress: &mut dyn FnMut(Stage)) -> Result<()> {
        let start = Instant::now();
        let cpp = self.entry.path(CPP);
        let _ = fs::remove_dir_all(&cpp); // of an interrupted build
        progress(Stage::Verilating);
        self.verilate(&cpp)?;
        let generated = Generated::read(&cpp)?;
        self.write_shim(&cpp)?;
        let runtime = Runtime::prepare(
            self.cache,
            self.tools,
            &generated.include,
            &generated.runtime,
            progress,
        )?;
        progress(Stage::Compiling);
        let units = generated.units();
        let objects = self.compile(&cpp, &units, &runtime)?;
        let linked = self.entry.path("model.new");
        self.link(&objects, &runtime, &linked)?;
        let report = BuildReport {
            build_seconds: start.elapsed().as_secs_f64(),
            cpp_bytes: generated.bytes,
            library_bytes: fs::metadata(&linked).map_err(Error::io(&linked))?.len(),
            cached: false,
        };
        let text = serde_json::to_vec(&report).expect("numbers always serialize");
        write_atomically(&self.entry.path("report.json"), &text)?;
        fs::remove_dir_all(&cpp).map_err(Error::io(&cpp))?;
        // Last, as this file completes the entry.
        let model = self.entry.path(MODEL);
        fs::rename(&linked, &model).map_err(Error::io(&model))
    }

    fn verilate(&self, cpp: &Path) -> Result<()> {
        let verilog = self.entry.path(&format!("{}.v", self.source.top));
        write_atomically(&verilog, self.source.verilog.as_bytes())?;
        let mut command = Command::new(&self.tools.verilator);
        command
            .args(["--cc", "--prefix", "Vmodel", "-O3"])
            .args(["--top-module", self.source.top])
            // What has no reset starts as `Start` says when the model is made, not when compiled.
            .args(["--x-initial", "unique", "--x-assign", "unique"])
            .args(["--timescale", "1ns/1ns"])
            // Warnings are for the lint step: here they would only hide errors.
            .args(["-Wno-fatal", "-Wno-lint", "-Wno-style"])
            .args(self.options.coverage.arguments())
            .args(&self.options.arguments);
        if self.options.trace {
            command.args(["--trace-fst", "--trace-structs"]);
        }
        command.arg("--Mdir").arg(cpp).arg(&verilog);
        let log = self.entry.path("verilator.log");
        run(command, "Verilator", self.source.top, &log)
    }

    fn write_shim(&self, cpp: &Path) -> Result<()> {
        let header = cpp.join("Vmodel.h");
        let text = fs::read_to_string(&header).map_err(Error::io(&header))?;
        let ports = declared(&text, self.source.top)?;
        let table: String = ports.iter().map(port_line).collect();
        for (name, text) in [("ports.inc", table.as_str()), ("shim.cpp", SHIM)] {
            let path = cpp.join(name);
            fs::write(&path, text).map_err(Error::io(&path))?;
        }
        Ok(())
    }

    fn compile(&self, cpp: &Path, units: &[Unit], runtime: &Runtime) -> Result<Vec<PathBuf>> {
        let compile = |index: usize, unit: &Unit| {
            let source = cpp.join(format!("unit{index}.cpp"));
            let object = source.with_extension("o");
            fs::write(&source, &unit.text).map_err(Error::io(&source))?;
            let mut command = compiler_command(self.tools);
            command
                .args(runtime.arguments())
                .args(self.options.trace.then_some("-DFANTREE_TRACE"))
                .args((self.options.coverage != Coverage::None).then_some("-DFANTREE_COVERAGE"))
                .arg("-I")
                .arg(cpp)
                .arg("-c")
                .arg(&source)
                .arg("-o")
                .arg(&object);
            let log = self.entry.path(&format!("compile{index}.log"));
            run(command, &self.tools.compiler, self.source.top, &log)?;
            Ok(object)
        };
        let compile = &compile;
        std::thread::scope(|scope| {
            let running: Vec<_> = units
                .iter()
                .enumerate()
                .map(|(index, unit)| scope.spawn(move || compile(index, unit)))
                .collect();
            running
                .into_iter()
                .map(|unit| unit.join().expect("compiling does not panic"))
                .collect()
        })
    }

    fn link(&self, objects: &[PathBuf], runtime: &Runtime, result: &Path) -> Result<()> {
        let mut command = compiler_command(self.tools);
        command
            .arg("-shared")
            // Each model keeps its own copy of the run-time library's variables.
            .args(["-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL"])
            // A missing symbol is an error here, not in the middle of a run.
            .arg("-Wl,-z,defs")
            .args(objects)
            .args(&runtime.objects)
            .args(["-lz", "-pthread", "-latomic", "-o"])
            .arg(result);
        let log = self.entry.path("link.log");
        run(command, &self.tools.compiler, self.source.top, &log)
    }
}

fn port_line(declared: &Declared) -> String {
    let Declared { port, member } = declared;
    let input = u32::from(port.direction == Direction::Input);
    let name = port.name.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "FANTREE_PORT(\"{name}\", {input}, {}, {member})\n",
        port.width
    )
}

/// A translation unit.
struct Unit {
    text: String,
    bytes: u64,
}

/// What Verilator wrote.
struct Generated {
    /// Files of the model, with their sizes.
    files: Vec<(String, u64)>,
    /// Names of the run-time files it needs.
    runtime: Vec<String>,
    /// Directory of the run-time files.
    include: PathBuf,
    bytes: u64,
}

impl Generated {
    /// Reads the makefiles that Verilator leaves for the C++ build.
    fn read(cpp: &Path) -> Result<Generated> {
        let text = |name: &str| {
            let path = cpp.join(name);
            fs::read_to_string(&path).map_err(Error::io(&path))
        };
        let classes = text("Vmodel_classes.mk")?;
        let mut generated = Generated {
            files: vec![],
            runtime: vec![],
            include: PathBuf::new(),
            bytes: 0,
        };
        let mut section = "";
        for line in classes.lines() {
            if let Some((variable, _)) = line.split_once("+=") {
                section = variable.trim();
                continue;
            }
            let name = line.trim().trim_end_matches('\\').trim();
            if name.is_empty() || !line.starts_with([' ', '\t']) {
                continue;
            }
            if section.starts_with("VM_GLOBAL") {
                generated.runtime.push(name.to_owned());
            } else {
                let file = format!("{name}.cpp");
                let path = cpp.join(&file);
                let bytes = fs::metadata(&path).map_err(Error::io(&path))?.len();
                generated.bytes += bytes;
                generated.files.push((file, bytes));
            }
        }
        let makefile = text("Vmodel.mk")?;
        let root = makefile
            .lines()
            .find_map(|line| line.strip_prefix("VERILATOR_ROOT = "))
            .unwrap_or_default();
        generated.include = Path::new(root).join("include");
        Ok(generated)
    }

    /// Divides the files over translation units of about the same size.
    fn units(&self) -> Vec<Unit> {
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
        let count = if self.bytes > BYTES_FOR_ONE_UNIT {
            processors
        } else {
            1
        };
        let mut units: Vec<Unit> = (0..count)
            .map(|_| Unit {
                text: String::new(),
                bytes: 0,
            })
            .collect();
        let mut files = self.files.clone();
        // The largest first, each to the unit with the least so far.
        files.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        for (file, bytes) in files {
            let unit = units
                .iter_mut()
                .min_by_key(|unit| unit.bytes)
                .expect("at least one unit");
            unit.text += &format!("#include \"{file}\"\n");
            unit.bytes += bytes;
        }
        units[0].text += "#include \"shim.cpp\"\n";
        units
    }
}
