//! The C++ that Verilator wrote for a model, and its division into translation units.

use super::error::{Error, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Generated C++ above this size is compiled in several translation units at once; below, parsing
/// headers again would cost more than it gains.
const BYTES_FOR_ONE_UNIT: u64 = 2 << 20;

/// Stands before code that does not run in each cycle. It is half of all: optimising it costs more than it gains.
const WITHOUT_OPTIMISATION: &str = "#if defined(__clang__)
#pragma clang optimize off
#else
#pragma GCC optimize(\"O0\")
#endif
";

/// A translation unit.
#[derive(Default)]
pub(super) struct Unit {
    fast: String,
    slow: String,
    cost: u64,
}

impl Unit {
    /// C++ to compile.
    pub fn text(&self) -> String {
        format!("{}{WITHOUT_OPTIMISATION}{}", self.fast, self.slow)
    }
}

/// A file of C++.
struct File {
    name: String,
    bytes: u64,
    /// Runs when a model is made or a wave begins, not in each cycle.
    slow: bool,
}

impl File {
    /// Time to compile, relative to others.
    fn cost(&self) -> u64 {
        if self.slow {
            self.bytes / 4
        } else {
            self.bytes
        }
    }
}

/// What Verilator wrote.
pub(super) struct Generated {
    /// Files of the model.
    files: Vec<File>,
    /// Names of the run-time files it needs.
    pub runtime: Vec<String>,
    /// Directory of the run-time files.
    pub include: PathBuf,
    /// Compression for waves.
    pub libraries: Vec<&'static str>,
    /// Size of all files.
    pub bytes: u64,
}

impl Generated {
    /// Reads the makefiles that Verilator leaves for the C++ build.
    pub fn read(cpp: &Path) -> Result<Generated> {
        let text = |name: &str| {
            let path = cpp.join(name);
            fs::read_to_string(&path).map_err(Error::io(&path))
        };
        let classes = text("Vmodel_classes.mk")?;
        let mut generated = Generated {
            files: vec![],
            runtime: vec![],
            include: PathBuf::new(),
            libraries: vec![],
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
                let name = format!("{name}.cpp");
                let path = cpp.join(&name);
                let bytes = fs::metadata(&path).map_err(Error::io(&path))?.len();
                generated.bytes += bytes;
                let slow = section.ends_with("_SLOW");
                generated.files.push(File { name, bytes, slow });
            }
        }
        let makefile = text("Vmodel.mk")?;
        let root = makefile
            .lines()
            .find_map(|line| line.strip_prefix("VERILATOR_ROOT = "))
            .unwrap_or_default();
        generated.include = Path::new(root).join("include");
        if generated
            .runtime
            .iter()
            .any(|unit| unit == "verilated_fst_c")
        {
            generated.libraries.push("-lz");
            let rules = generated.include.join("verilated.mk");
            let rules = fs::read_to_string(&rules).map_err(Error::io(&rules))?;
            // Since Verilator 5.04x.
            if rules.contains("-llz4") {
                generated.libraries.push("-llz4");
            }
        }
        Ok(generated)
    }

    /// Divides the files over translation units that take about the same time.
    pub fn units(&self) -> Vec<Unit> {
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
        let count = if self.bytes > BYTES_FOR_ONE_UNIT {
            processors
        } else {
            1
        };
        let mut units: Vec<Unit> = (0..count).map(|_| Unit::default()).collect();
        let mut files: Vec<&File> = self.files.iter().collect();
        // The largest first, each to the unit with the least so far.
        files.sort_by(|a, b| (b.cost(), &a.name).cmp(&(a.cost(), &b.name)));
        for file in files {
            let unit = units
                .iter_mut()
                .min_by_key(|unit| unit.cost)
                .expect("at least one unit");
            let text = if file.slow {
                &mut unit.slow
            } else {
                &mut unit.fast
            };
            *text += &format!("#include \"{}\"\n", file.name);
            unit.cost += file.cost();
        }
        units[0].fast += "#include \"shim.cpp\"\n";
        units
    }
}
