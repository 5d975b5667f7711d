//! The inside of a program of kernels: emits them, runs them in bundles, and tells what came of each.

use super::bundle::{owner, Bundle, Make};
use super::lint;
use super::outcome::{Alter, Failure, FailureKind, Outcome, Request};
use crate::lockstep::{self, run_icarus, Lockstep, Recording};
use fantree_gen::Design;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::Write;
use std::rc::Rc;

/// Name of a bundle's Verilog module.
const TOP: &str = "bundle";
/// Name of the module of a kernel alone.
const ALONE: &str = "top";

/// The `main` of a program of kernels: takes a [`Request`] as its argument and prints an [`Outcome`] for each kernel,
/// both as JSON.
///
/// # Panics
/// If the argument is missing or no request.
pub fn serve(kernels: &[(usize, Make)]) {
    let argument = std::env::args()
        .nth(1)
        .expect("a request is the first argument");
    let request: Request = serde_json::from_str(&argument).expect("the argument is a request");
    let mut server = Server {
        kernels: kernels.iter().copied().collect(),
        request: &request,
        designs: BTreeMap::new(),
        failures: BTreeMap::new(),
    };
    for bundle in &request.bundles {
        server.emit(bundle);
        server.examine(bundle.clone());
    }
    let mut output = std::io::stdout().lock();
    for kernel in request.bundles.concat() {
        let outcome = match server.failures.remove(&kernel) {
            Some(failure) => Outcome::Fails(failure),
            None => Outcome::Agrees,
        };
        let line = serde_json::to_string(&(kernel, outcome)).expect("an outcome is plain text");
        writeln!(output, "{line}").expect("standard output is open");
    }
}

struct Server<'a> {
    kernels: BTreeMap<usize, Make>,
    request: &'a Request,
    designs: BTreeMap<usize, Design>,
    failures: BTreeMap<usize, Failure>,
}

/// Why a bundle failed, and through which kernel, if that is known.
struct Fault {
    kernel: Option<usize>,
    kind: FailureKind,
    text: String,
}

impl Server<'_> {
    /// Emits each kernel alone: what cannot be emitted would take its bundle along.
    fn emit(&mut self, kernels: &[usize]) {
        for &kernel in kernels {
            let mut block = self.kernels[&kernel]();
            block.connect_all();
            match fantree_gen::emit(&*block, ALONE) {
                Ok(design) => {
                    self.designs.insert(kernel, design);
                }
                Err(error) => self.fail(kernel, FailureKind::NotEmitted, error.to_string()),
            }
        }
    }

    fn fail(&mut self, kernel: usize, kind: FailureKind, text: String) {
        let verilog = self
            .designs
            .get(&kernel)
            .map_or(String::new(), Design::to_verilog);
        let verilog = altered(&self.request.alter, verilog);
        let failure = Failure {
            kind,
            text,
            verilog,
        };
        self.failures.entry(kernel).or_insert(failure);
    }

    /// Runs kernels as one bundle, again as long as some fails: one that differs is not compared any more, so that the
    /// Verilog stays as it is built; one that cannot run is left out. Where it is not known who fails, halves are tried.
    fn examine(&mut self, mut kernels: Vec<usize>) {
        loop {
            kernels.retain(|kernel| self.failures.get(kernel).is_none_or(|f| f.kind.differs()));
            let Some(&first) = kernels.first() else {
                return;
            };
            let Err(fault) = self.run(&kernels) else {
                return;
            };
            match fault.kernel {
                Some(kernel) => self.fail(kernel, fault.kind, fault.text),
                None if kernels.len() == 1 => self.fail(first, fault.kind, fault.text),
                None => {
                    let right = kernels.split_off(kernels.len() / 2);
                    self.examine(kernels);
                    return self.examine(right);
                }
            }
        }
    }

    fn run(&mut self, kernels: &[usize]) -> Result<(), Fault> {
        let recording = self.lockstep(kernels)?;
        self.lint(kernels, &recording);
        run_icarus(&recording).map_err(|error| fault(error, None))?;
        Ok(())
    }

    fn lockstep(&self, kernels: &[usize]) -> Result<Recording, Fault> {
        let makes: Vec<(usize, Make)> = kernels.iter().map(|k| (*k, self.kernels[k])).collect();
        let culprit = Rc::new(Cell::new(None));
        let alter = self.request.alter.clone();
        let differing: Vec<usize> = self.failures.keys().copied().collect();
        let bench = Lockstep::new(TOP, || Bundle::new(&makes, culprit.clone()))
            .seed(self.request.seed)
            .cycles(self.request.cycles)
            .alter(move |text| altered(&alter, text))
            .ignore(move |output| owner(output).is_some_and(|kernel| differing.contains(&kernel)))
            .without_wave();
        match bench.run() {
            Ok(report) => Ok(report.recording),
            Err(error) => Err(fault(error, culprit.get())),
        }
    }

    /// Notes the kernels whose Verilog a linter complains about: alone, as a bundle's modules are everybody's.
    fn lint(&mut self, kernels: &[usize], recording: &Recording) {
        if said(recording.verilog(), TOP).is_empty() {
            return;
        }
        for &kernel in kernels {
            let verilog = altered(&self.request.alter, self.designs[&kernel].to_verilog());
            let said = said(&verilog, ALONE);
            if !said.is_empty() {
                self.fail(kernel, FailureKind::Linted, said);
            }
        }
    }
}

/// What linters say, a line each.
fn said(verilog: &str, top: &str) -> String {
    match lint::findings(verilog, top) {
        Ok(findings) => findings.join("\n"),
        Err(error) => error.to_string(),
    }
}

fn altered(alter: &Option<Alter>, verilog: String) -> String {
    match alter {
        Some(alter) => alter.apply(&verilog),
        None => verilog,
    }
}

fn fault(error: lockstep::Error, culprit: Option<usize>) -> Fault {
    use lockstep::Error;
    let text = error.to_string();
    let (kernel, kind) = match error {
        Error::Mismatch(mismatch) => {
            let kind = match mismatch.simulator {
                "Icarus" => FailureKind::Icarus,
                _ => FailureKind::Verilator,
            };
            (owner(&mismatch.port), kind)
        }
        Error::Emit { .. } | Error::Ports(_) => (None, FailureKind::NotEmitted),
        Error::Rust { .. } => (culprit, FailureKind::NotSimulated),
        Error::Verilator(_) | Error::Icarus { .. } => (None, FailureKind::NotBuilt),
    };
    Fault { kernel, kind, text }
}
