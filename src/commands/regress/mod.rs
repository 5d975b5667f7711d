//! `fantree regress`: the cases of a plan in parallel; failures shrunk, with waves, each in a folder.

#[cfg(feature = "mpi")]
mod ranks;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{bail, Context, Result};
use fantree_gen::output;
use fantree_tb::coverage::{files, merge, Exclusions, Report};
use fantree_tb::regress::{
    cases, json, junit, plan, write_whole, Case, Crew, Limits, Plan, Progress, Record, Regression,
    Shape, Simulator, Stopped, Summary, Terms, Threads, Worker,
};
use indicatif::{HumanDuration, ProgressBar};

use super::{coverage, progress, sim, table, Outcome};

#[derive(clap::Args)]
pub struct Args {
    /// Plan (TOML).
    #[arg(default_value = "tests/regression.toml")]
    plan: PathBuf,
    /// Folder of the journal, the reports and the failures.
    #[arg(long, value_name = "DIR", default_value = "build/regress")]
    out: PathBuf,
    /// The first seed; those of the other cases follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Cases at a time; as many as there are cores by default.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Only cases whose name or command has this text.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// At most so many cases of each test.
    #[arg(long, value_name = "NUMBER")]
    first: Option<usize>,
    /// List the cases with their commands, and run none.
    #[arg(long)]
    list: bool,
    /// Start anew; else what was done of the same cases by the same program is not done again.
    #[arg(long)]
    fresh: bool,
    /// Start no further case after one has failed.
    #[arg(long, overrides_with = "keep_going")]
    fail_fast: bool,
    /// Run all cases, whatever the plan says.
    #[arg(long, overrides_with = "fail_fast")]
    keep_going: bool,
    /// Seconds after which no further case is started; else those of the plan.
    #[arg(long, value_name = "SECONDS")]
    time_budget: Option<u64>,
    /// Seconds after which a case counts as hanging; else those of the plan.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// Count what the cases cover, and hold it against the plan's thresholds; takes 2.4 times the time.
    #[arg(long)]
    coverage: bool,
    /// An option of `fantree sim` for all cases, whatever the plan says; `true` for one without a value.
    #[arg(long = "sim-option", value_name = "NAME=VALUE", value_parser = option)]
    sim_options: Vec<(String, String)>,
}

/// Reads `NAME=VALUE`.
fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("legal is NAME=VALUE")?;
    Ok((name.into(), value.into()))
}

pub fn run(args: &Args) -> Result<Outcome> {
    match ranks() {
        1 => lead(args, |worker| {
            Ok(Box::new(Threads::new(jobs(args), worker)))
        }),
        #[cfg(feature = "mpi")]
        _ => ranks::run(args),
        #[cfg(not(feature = "mpi"))]
        ranks => bail!(
            "this program was built without MPI, and cannot be one of {ranks} ranks: \
             run scripts/setup-mpi.sh, then cargo build --release --features mpi"
        ),
    }
}

/// How many ranks a launcher of MPI has started, as it says in the environment.
fn ranks() -> usize {
    let sizes = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];
    let size = sizes.iter().find_map(|name| std::env::var(name).ok());
    size.and_then(|size| size.parse().ok()).unwrap_or(1)
}

/// Runs a regression with a crew.
fn lead(args: &Args, crew: impl FnOnce(Worker) -> Result<Box<dyn Crew>>) -> Result<Outcome> {
    let program = std::env::current_exe().context("cannot find the program itself")?;
    let simulator = sim::simulator(program.clone());
    let plan = Plan::load(&args.plan, &simulator)?;
    let cases = chosen(args, &plan, &simulator)?;
    if args.list {
        let print = |case: &Case| println!("{}: {}", case.id, case.command());
        cases.iter().for_each(print);
        return Ok(Outcome::Passed);
    }
    let terms = Terms {
        out: args.out.clone(),
        timeout: args.timeout.unwrap_or(plan.timeout),
        coverage: args.coverage,
    };
    let regression = Regression::open(&terms, cases, &program, args.fresh)?;
    let (all, done) = regression.counts();
    if done > 0 {
        println!("{done} of {all} cases were done before; --fresh does them again");
    }
    let covered = terms.covered();
    let mut crew = crew(Worker { simulator, terms })?;
    let budget = args.time_budget.or(plan.time_budget);
    let limits = Limits {
        time_budget: budget.map(Duration::from_secs),
        fail_fast: args.fail_fast || plan.fail_fast && !args.keep_going,
    };
    let bar = progress::counted("cases", all);
    let summary = regression.run(&mut *crew, limits, &mut |progress| show(&bar, &progress))?;
    bar.finish_and_clear();
    let results = [
        ("results.json", json(&plan.file, &summary)?),
        ("junit.xml", junit(&summary)?),
    ];
    for (name, text) in results {
        write_whole(&args.out.join(name), &text)?;
    }
    print(&summary, &plan, &args.out);
    let passed = summary.failures().next().is_none();
    let reached = !args.coverage || is_covered(&covered, &plan.coverage, &args.out)?;
    Ok(if passed && reached {
        Outcome::Passed
    } else {
        Outcome::Failed
    })
}

/// The cases of the plan that are asked for.
fn chosen(args: &Args, plan: &Plan, simulator: &Simulator) -> Result<Vec<Case>> {
    for (name, value) in &args.sim_options {
        if !simulator.options().contains(&name.as_str()) {
            let known = simulator.options().join(", ");
            bail!(
                "--sim-option {name}={value}: `fantree sim` has no such option; legal are {known}"
            );
        }
        if let Err(legal) = simulator.check_value(name, value) {
            bail!("--sim-option {name}={value}: legal is {legal}");
        }
    }
    let shape = Shape {
        seed: args.seed,
        options: args.sim_options.iter().cloned().collect::<BTreeMap<_, _>>(),
    };
    let mut cases = cases(plan, &shape, simulator)?;
    if let Some(first) = args.first {
        cases.retain(|case| case.id.number < first);
    }
    if let Some(text) = &args.only {
        cases.retain(|case| case.id.to_string().contains(text) || case.command().contains(text));
    }
    if cases.is_empty() {
        bail!("no case of {} is asked for", plan.file);
    }
    Ok(cases)
}

fn jobs(args: &Args) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    args.jobs.map_or(cores, usize::from)
}

/// Reports what the cases have covered together; whether it is what the plan asks for.
fn is_covered(runs: &Path, wanted: &plan::Coverage, out: &Path) -> Result<bool> {
    let exclusions = match &wanted.exclusions {
        Some(file) => Exclusions::load(file)?,
        None => Exclusions::default(),
    };
    let merged = merge(&[runs.into()])?;
    let report = Report::new(&merged, &exclusions);
    let folder = out.join("coverage/report");
    output::replace(&folder, &files(&merged, &report))?;
    coverage::print(&report, &folder);
    let problems = report.problems(&wanted.goals);
    problems.iter().for_each(|problem| eprintln!("{problem}"));
    Ok(problems.is_empty())
}

fn show(bar: &ProgressBar, progress: &Progress) {
    bar.set_position(progress.done as u64);
    let doing = progress.doing.join(", ");
    bar.set_message(match progress.failed {
        0 => doing,
        failed => format!("{failed} FAILED; {doing}"),
    });
}

fn print(summary: &Summary, plan: &Plan, out: &Path) {
    let mut lines = table::lined(["test", "cases", "passed", "failed", "not run", "seconds"]);
    for test in &plan.tests {
        let of_test = summary
            .cases
            .iter()
            .filter(|(case, _)| case.id.test == test.name);
        let records: Vec<Option<&Record>> = of_test.map(|(_, record)| record.as_ref()).collect();
        let run: Vec<&Record> = records.iter().copied().flatten().collect();
        let passed = run.iter().filter(|record| record.outcome.passed()).count();
        let seconds: f64 = run.iter().map(|record| record.outcome.seconds).sum();
        lines.add_row([
            test.name.clone(),
            records.len().to_string(),
            passed.to_string(),
            (run.len() - passed).to_string(),
            (records.len() - run.len()).to_string(),
            format!("{seconds:.1}"),
        ]);
    }
    println!("{lines}");
    print_failures(summary);
    let failed = summary.failures().count();
    let not_run = summary.not_run();
    println!(
        "{} cases: {} passed, {failed} failed, {not_run} not run; {}",
        summary.cases.len(),
        summary.cases.len() - failed - not_run,
        HumanDuration(Duration::from_secs_f64(summary.seconds)),
    );
    match summary.stopped {
        Some(Stopped::Budget) => println!("stopped by the time budget; the same command goes on"),
        Some(Stopped::Failure) => println!("stopped by a failure; --keep-going runs the others"),
        None => (),
    }
    println!("results in {}: results.json, junit.xml", out.display());
}

fn print_failures(summary: &Summary) {
    if summary.failures().next().is_none() {
        return;
    }
    let mut lines = table::lined(["failed", "check", "first violation"]);
    for (case, Record { outcome, .. }) in summary.failures() {
        let first_line = outcome.text().lines().next().unwrap_or_default();
        lines.add_row([&case.id.to_string(), outcome.check(), first_line]);
    }
    println!("{lines}");
    println!("repeat with:");
    for (case, record) in summary.failures() {
        let autopsy = record.autopsy.as_ref();
        let command = autopsy.map_or(case.command(), |autopsy| autopsy.command.clone());
        println!("  {:16} {command}", case.id.to_string());
        if let Some(autopsy) = autopsy.filter(|autopsy| autopsy.wave) {
            let save_file = autopsy.folder.join("wave.gtkw");
            println!("  {:16} {}", "", super::wave::open_command(&save_file));
        }
    }
    println!();
}
