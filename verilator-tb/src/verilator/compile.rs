//! Running Verilator, compiler and linker.

use super::build::{BuildReport, Coverage, Options, Source, Stage};
use super::cache::{write_atomically, Entry};
use super::command::{compiler_command, run};
use super::error::{Error, Result};
use super::generated::{Generated, Unit};
use super::ports::{declared, Declared, Direction};
use super::runtime::Runtime;
use super::tools::Tools;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The C interface of a model.
pub(super) const SHIM: &str = include_str!("shim.cpp");
/// The file that completes an entry.
pub(super) const MODEL: &str = "model.so";
/// How the build went.
pub(super) const REPORT: &str = "report.json";
const CPP: &str = "cpp";

/// A build of one model into its cache entry.
pub(super) struct Compilation<'a> {
    pub cache: &'a Path,
    pub tools: &'a Tools,
    pub source: &'a Source<'a>,
    pub options: &'a Options,
    pub entry: &'a Entry,
}

impl Compilation<'_> {
    /// Runs all tools; the entry is complete once this returns.
    pub fn run(&self, progress: &mut dyn FnMut(Stage)) -> Result<()> {
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
        self.link(&objects, &runtime, &generated.libraries, &linked)?;
        let report = BuildReport {
            build_seconds: start.elapsed().as_secs_f64(),
            cpp_bytes: generated.bytes,
            library_bytes: fs::metadata(&linked).map_err(Error::io(&linked))?.len(),
            cached: false,
        };
        let text = serde_json::to_vec(&report).expect("numbers always serialize");
        write_atomically(&self.entry.path(REPORT), &text)?;
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
            fs::write(&source, unit.text()).map_err(Error::io(&source))?;
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

    fn link(
        &self,
        objects: &[PathBuf],
        runtime: &Runtime,
        libraries: &[&str],
        result: &Path,
    ) -> Result<()> {
        let mut command = compiler_command(self.tools);
        command
            .arg("-shared")
            // Each model keeps its own copy of the run-time library's variables.
            .args(["-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL"])
            // A missing symbol is an error here, not in the middle of a run.
            .arg("-Wl,-z,defs")
            .args(objects)
            .args(&runtime.objects)
            .args(libraries)
            .args(["-pthread", "-latomic", "-o"])
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
