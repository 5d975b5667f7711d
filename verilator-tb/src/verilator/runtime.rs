//! Verilator's run-time library and a precompiled header of it, built once for all models.
//!
//! Parsing Verilator's headers takes three times as long as compiling a small model, so the
//! precompiled header is what makes hundreds of small models affordable.

use super::cache::{key, Entry};
use super::command::{compiler_command, run};
use super::error::{Error, Result};
use super::tools::{Family, Tools};
use super::Stage;
use std::fs;
use std::path::{Path, PathBuf};

/// Flags of every translation unit; a precompiled header demands that they agree.
///
/// Hidden symbols keep two models in one process apart. Verilator's own `vl_fatal` and
/// `vl_finish` end the process, so the shim brings others.
const FLAGS: &[&str] = &[
    "-std=gnu++17",
    "-O1",
    "-fPIC",
    "-fvisibility=hidden",
    "-w",
    "-DVL_USER_FATAL",
    "-DVL_USER_FINISH",
    "-DVM_COVERAGE=1",
    "-DVM_TRACE=1",
    "-DVM_TRACE_FST=1",
];

const HEADERS: &str = "#include \"verilated.h\"
#include \"verilated_cov.h\"
#include \"verilated_fst_c.h\"
#include <exception>
#include <memory>
#include <string>
";

/// The objects and the header to build models with.
pub(super) struct Runtime {
    include: PathBuf,
    header: PathBuf,
    family: Family,
    pub objects: Vec<PathBuf>,
}

impl Runtime {
    /// Builds what is missing. `units` are the names of the run-time files a model asks for,
    /// as Verilator lists them.
    pub fn prepare(
        cache: &Path,
        tools: &Tools,
        include: &Path,
        units: &[String],
        progress: &mut dyn FnMut(Stage),
    ) -> Result<Runtime> {
        let main_header = include.join("verilated.h");
        let changed = fs::metadata(&main_header)
            .and_then(|data| data.modified())
            .map_err(Error::io(&main_header))?;
        let name = key(&[
            &tools.verilator_version,
            &tools.compiler_version,
            &FLAGS.join(" "),
            HEADERS,
            &include.display().to_string(),
            // A precompiled header is refused once the headers are newer.
            &format!("{changed:?}"),
        ]);
        let entry = Entry::lock(cache, &format!("runtime-{name}"), &mut || {
            progress(Stage::Waiting)
        })?;
        entry.touch();
        let mut runtime = Runtime {
            include: include.to_owned(),
            header: entry.path("verilated_all.h"),
            family: tools.family,
            objects: vec![],
        };
        let precompiled = entry.path("verilated_all.h.gch");
        if !precompiled.is_file() {
            progress(Stage::Runtime);
            fs::write(&runtime.header, HEADERS).map_err(Error::io(&runtime.header))?;
            compile_aside(&runtime, tools, &runtime.header, &precompiled, true)?;
        }
        for unit in units {
            let object = entry.path(&format!("{unit}.o"));
            if !object.is_file() {
                progress(Stage::Runtime);
                let source = include.join(format!("{unit}.cpp"));
                compile_aside(&runtime, tools, &source, &object, false)?;
            }
            runtime.objects.push(object);
        }
        Ok(runtime)
    }

    /// Arguments for a translation unit that starts with the precompiled header.
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = self.plain_arguments();
        match self.family {
            Family::Clang => {
                arguments.push("-include-pch".into());
                arguments.push(format!("{}.gch", self.header.display()));
            }
            Family::Gcc => {
                arguments.push("-include".into());
                arguments.push(self.header.display().to_string());
            }
        }
        arguments
    }

    fn plain_arguments(&self) -> Vec<String> {
        let mut arguments: Vec<String> = FLAGS.iter().map(|flag| flag.to_string()).collect();
        match self.family {
            // Deep expressions of generated code pass clang's default of 256 brackets.
            Family::Clang => arguments.push("-fbracket-depth=8192".into()),
            // Otherwise g++ shares statics of templates between models, whatever their visibility.
            Family::Gcc => arguments.push("-fno-gnu-unique".into()),
        }
        arguments.push(format!("-I{}", self.include.display()));
        arguments.push(format!("-I{}", self.include.join("vltstd").display()));
        arguments
    }
}

fn compile_aside(
    runtime: &Runtime,
    tools: &Tools,
    source: &Path,
    result: &Path,
    header: bool,
) -> Result<()> {
    let aside = result.with_extension("new");
    let mut command = compiler_command(tools);
    command.args(runtime.plain_arguments());
    if header {
        command.args(["-x", "c++-header"]);
    } else {
        command.arg("-c");
    }
    command.arg(source).arg("-o").arg(&aside);
    let log = result.with_extension("log");
    run(
        command,
        &tools.compiler,
        "Verilator's run-time library",
        &log,
    )?;
    fs::rename(&aside, result).map_err(Error::io(result))
}
