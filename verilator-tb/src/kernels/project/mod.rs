//! A cargo project of kernels: programs that emit and run them.

mod manifest;

use super::program::{Outcome, Request};
use manifest::manifest;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Why kernels were not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("cargo cannot build the kernels:\n{0}")]
    Build(String),
    #[error("the program of kernels stopped ({status}):\n{text}")]
    Stopped { status: String, text: String },
}

/// A project in `build/kernels`, built with the profile and into the target directory of this program.
pub struct Project {
    name: String,
    workspace: PathBuf,
    directory: PathBuf,
    target: Target,
    _lock: File,
}

/// A program of a project.
pub struct Program {
    path: PathBuf,
    workspace: PathBuf,
}

/// The kernels of one program: their numbers and their sources.
pub type Sources<'a> = &'a [(usize, String)];

/// Where cargo builds, and how.
struct Target {
    directory: PathBuf,
    release: bool,
}

impl Target {
    /// Those of this program, which is in `target/debug/deps` if it is a test.
    fn current(workspace: &Path) -> Target {
        let program = std::env::current_exe().unwrap_or_default();
        let is_profile = |path: &&Path| path.ends_with("debug") || path.ends_with("release");
        match program.ancestors().find(is_profile) {
            Some(profile) => Target {
                directory: profile.parent().unwrap_or(profile).to_owned(),
                release: profile.ends_with("release"),
            },
            None => Target {
                directory: workspace.join("target"),
                release: false,
            },
        }
    }
}

impl Project {
    /// The project of this name; nobody else uses it until it is dropped.
    pub fn open(name: &str) -> Result<Project, Error> {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let workspace = workspace.canonicalize().map_err(at(&workspace))?;
        let directory = workspace.join("build/kernels").join(name);
        let source = directory.join("src");
        fs::create_dir_all(&source).map_err(at(&source))?;
        let path = directory.join("lock");
        let lock = File::create(&path).map_err(at(&path))?;
        lock.lock().map_err(at(&path))?;
        Ok(Project {
            name: format!("kernels-{name}"),
            target: Target::current(&workspace),
            workspace,
            directory,
            _lock: lock,
        })
    }

    /// Builds a program of each list; what rustc refuses is left out and told, by number.
    pub fn build(
        &self,
        programs: &[Sources],
    ) -> Result<(Vec<Program>, BTreeMap<usize, String>), Error> {
        let names: Vec<String> = (0..programs.len())
            .map(|at| format!("{}-{at}", self.name))
            .collect();
        self.write_manifest(&names)?;
        for (kernel, text) in programs.iter().copied().flatten() {
            self.write(&format!("src/k{kernel}.rs"), text)?;
        }
        let mut refused = BTreeMap::new();
        loop {
            for (name, kernels) in names.iter().zip(programs) {
                let numbers = kernels.iter().map(|(kernel, _)| *kernel);
                let text = main(numbers.filter(|kernel| !refused.contains_key(kernel)));
                self.write(&format!("src/{name}.rs"), &text)?;
            }
            let errors = self.cargo()?;
            if errors.is_empty() {
                break;
            }
            refused.extend(errors);
        }
        let profile = if self.target.release {
            "release"
        } else {
            "debug"
        };
        let program = |name: &String| Program {
            path: self.target.directory.join(profile).join(name),
            workspace: self.workspace.clone(),
        };
        Ok((names.iter().map(program).collect(), refused))
    }

    fn write_manifest(&self, programs: &[String]) -> Result<(), Error> {
        let text = manifest(&self.workspace, &self.name, programs).map_err(at(&self.workspace))?;
        self.write("Cargo.toml", &text)?;
        // The versions of the workspace; cargo adds the package itself.
        let lock = self.workspace.join("Cargo.lock");
        let lock = fs::read_to_string(&lock).map_err(at(&lock))?;
        if self.write("versions", &lock)? {
            self.write("Cargo.lock", &lock)?;
        }
        Ok(())
    }

    /// Writes a file unless it is there like that; whether it was written.
    fn write(&self, name: &str, text: &str) -> Result<bool, Error> {
        let path = self.directory.join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(false);
        }
        fs::write(&path, text).map_err(at(&path))?;
        Ok(true)
    }

    /// Runs cargo; the errors of the kernels that have some, all at once.
    fn cargo(&self) -> Result<BTreeMap<usize, String>, Error> {
        let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
        let mut command = Command::new(cargo);
        command
            .current_dir(&self.directory)
            .args(["build", "--quiet", "--offline", "--message-format", "short"])
            .args(self.target.release.then_some("--release"))
            .env("CARGO_TARGET_DIR", &self.target.directory);
        let output = command.output().map_err(at(Path::new("cargo")))?;
        if output.status.success() {
            return Ok(BTreeMap::new());
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let mut errors: BTreeMap<usize, String> = BTreeMap::new();
        for line in text.lines().collect::<BTreeSet<_>>() {
            let file = line
                .strip_prefix("src/k")
                .and_then(|rest| rest.split_once(".rs:"));
            let kernel = file.and_then(|(number, _)| number.parse().ok());
            if let (Some(kernel), true) = (kernel, line.contains("error")) {
                let _ = writeln!(errors.entry(kernel).or_default(), "{line}");
            }
        }
        match errors.is_empty() {
            true => Err(Error::Build(text.into_owned())),
            false => Ok(errors),
        }
    }
}

impl Program {
    /// Runs kernels, and tells what came of each.
    pub fn run(&self, request: &Request) -> Result<BTreeMap<usize, Outcome>, Error> {
        let argument = serde_json::to_string(request).expect("a request is plain text");
        let mut command = Command::new(&self.path);
        command.arg(argument).current_dir(&self.workspace);
        let output = command.output().map_err(at(&self.path))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let outcomes: Result<BTreeMap<_, _>, _> = text
            .lines()
            .map(serde_json::from_str::<(usize, Outcome)>)
            .collect();
        match outcomes {
            Ok(outcomes) if output.status.success() => Ok(outcomes),
            _ => Err(Error::Stopped {
                status: output.status.to_string(),
                text: String::from_utf8_lossy(&output.stderr).into_owned(),
            }),
        }
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    |source| Error::Io {
        path: path.to_owned(),
        source,
    }
}

/// The main file of a program of these kernels.
fn main(kernels: impl Iterator<Item = usize>) -> String {
    let (mut modules, mut list) = (String::new(), String::new());
    for kernel in kernels {
        let _ = writeln!(modules, "mod k{kernel};");
        let _ = writeln!(list, "        ({kernel}, || Box::new(k{kernel}::make())),");
    }
    format!("#![allow(warnings)]\n\n{modules}\nfn main() {{\n    fantree_tb::kernels::serve(&[\n{list}    ]);\n}}\n")
}
