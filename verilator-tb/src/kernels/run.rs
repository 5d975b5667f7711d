//! Running kernels, and shrinking those that fail.

use super::generate::GROUP;
use super::program::{Alter, Failure, FailureKind, Outcome, Request};
use super::project::{Error, Program, Project};
use super::shrink::shrink;
use super::source::source;
use super::tree::Design;
use std::collections::BTreeMap;

/// Cycles that kernels run together with others.
const CYCLES: usize = 40;
/// Cycles that a failing kernel runs: in other company it sees other input.
const CYCLES_ALONE: usize = 400;
/// Kernels of one project; more are run one project after the other.
const PROJECT: usize = 6 * GROUP;
/// Smaller kernels that are tried at once.
const BATCH: usize = 16;
/// Failures that are shrunk; the others are most often the same.
const MOST_SHRUNK: usize = 3;

/// Which kernels to run.
#[derive(Debug, Clone)]
pub struct Plan {
    pub seed: u64,
    /// Numbers of the kernels.
    pub kernels: std::ops::Range<usize>,
    /// A change of the Verilog, to see that faults are found.
    pub alter: Option<Alter>,
    /// Name of the project's directory.
    pub project: String,
    /// The command that repeats a kernel of this number.
    pub repeat: fn(u64, usize) -> String,
}

/// What came of a plan.
#[derive(Debug)]
pub struct Summary {
    pub kernels: usize,
    /// Kernels that failed, with their numbers; the first ones are shrunk.
    pub failures: Vec<Report>,
}

/// A kernel that failed.
#[derive(Debug)]
pub struct Report {
    pub kernel: usize,
    /// The smallest design found that fails in the same way.
    pub design: Design,
    pub failure: Failure,
    /// How to repeat it.
    pub repeat: String,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Failure {
            kind,
            text,
            verilog,
        } = &self.failure;
        writeln!(f, "kernel {}: {kind}\n{text}", self.kernel)?;
        writeln!(f, "--- the kernel, shrunk\n{}", source(&self.design))?;
        writeln!(f, "--- its Verilog\n{verilog}")?;
        write!(f, "--- repeat\n{}", self.repeat)
    }
}

/// Runs the kernels of a plan.
pub fn run(plan: &Plan) -> Result<Summary, Error> {
    let mut failing = vec![];
    let numbers: Vec<usize> = plan.kernels.clone().collect();
    for numbers in numbers.chunks(PROJECT) {
        let kernels: Vec<(usize, Design)> = numbers
            .iter()
            .map(|&n| (n, super::generate::design(plan.seed, n)))
            .collect();
        let runner = Runner {
            project: Project::open(&plan.project)?,
            plan,
            cycles: if numbers.len() == 1 {
                CYCLES_ALONE
            } else {
                CYCLES
            },
        };
        let mut outcomes = runner.outcomes(&kernels)?;
        for (kernel, design) in kernels {
            if let Some(Outcome::Fails(failure)) = outcomes.remove(&kernel) {
                failing.push((kernel, design, failure));
            }
        }
    }
    let mut failures = vec![];
    for (kernel, design, failure) in failing {
        // What rustc refuses is the generator's fault, and rustc names the line.
        let shrinks = failure.kind != FailureKind::NotCompiled && failures.len() < MOST_SHRUNK;
        let (design, failure) = match shrinks {
            true => smallest(plan, design, failure)?,
            false => (design, failure),
        };
        failures.push(Report {
            kernel,
            design,
            failure,
            repeat: (plan.repeat)(plan.seed, kernel),
        });
    }
    Ok(Summary {
        kernels: plan.kernels.len(),
        failures,
    })
}

/// The smallest design found that fails in the same way.
fn smallest(plan: &Plan, design: Design, failure: Failure) -> Result<(Design, Failure), Error> {
    let runner = Runner {
        project: Project::open(&format!("{}-shrink", plan.project))?,
        plan,
        cycles: CYCLES_ALONE,
    };
    let mut last = failure.clone();
    let mut fails = |designs: &[Design]| {
        let kernels: Vec<(usize, Design)> = designs.iter().cloned().enumerate().collect();
        let outcomes = runner.outcomes(&kernels)?;
        let same = |outcome: &Outcome| match outcome {
            Outcome::Fails(found) if found.kind == failure.kind => Some(found.clone()),
            _ => None,
        };
        let found = outcomes
            .iter()
            .find_map(|(kernel, outcome)| Some((*kernel, same(outcome)?)));
        Ok(found.map(|(kernel, found)| {
            last = found;
            kernel
        }))
    };
    let design = shrink(design, BATCH, &mut fails)?;
    Ok((design, last))
}

/// Runs designs in a project.
struct Runner<'a> {
    project: Project,
    plan: &'a Plan,
    cycles: usize,
}

impl Runner<'_> {
    fn outcomes(&self, kernels: &[(usize, Design)]) -> Result<BTreeMap<usize, Outcome>, Error> {
        let sources: Vec<(usize, String)> = kernels
            .iter()
            .map(|(n, design)| (*n, source(design)))
            .collect();
        // Compiling and running use all processors, but no group is divided: its kernels share widths.
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
        let share = sources.len().div_ceil(processors).next_multiple_of(GROUP);
        let programs: Vec<&[(usize, String)]> = sources.chunks(share).collect();
        let (built, refused) = self.project.build(&programs)?;
        let run = |(program, kernels): (&Program, &&[(usize, String)])| {
            let numbers = kernels.iter().map(|(number, _)| *number);
            let numbers: Vec<usize> = numbers.filter(|n| !refused.contains_key(n)).collect();
            program.run(&Request {
                bundles: numbers.chunks(GROUP).map(<[usize]>::to_vec).collect(),
                seed: self.plan.seed,
                cycles: self.cycles,
                alter: self.plan.alter.clone(),
            })
        };
        let run = &run;
        let mut all: BTreeMap<usize, Outcome> = std::thread::scope(|scope| {
            let threads: Vec<_> = built
                .iter()
                .zip(&programs)
                .map(|pair| scope.spawn(move || run(pair)))
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread.join().expect("running a program does not panic")
            };
            threads.into_iter().map(join).collect::<Result<Vec<_>, _>>()
        })?
        .into_iter()
        .flatten()
        .collect();
        all.extend(refused.into_iter().map(|(kernel, text)| {
            let failure = Failure {
                kind: FailureKind::NotCompiled,
                text,
                verilog: String::new(),
            };
            (kernel, Outcome::Fails(failure))
        }));
        Ok(all)
    }
}
