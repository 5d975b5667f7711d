//! `fantree formal`: proves the harnesses' claims, and shows the run that breaks one.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{bail, ensure, Context, Result};
use fantree_formal::{all, Claim, Method, Proof, Trace, Verdict};
use serde_json::{json, Value};

use super::{progress, table, Outcome};

/// Where runs that break a claim are left, a folder a proof.
const FOLDER: &str = "build/formal";

#[derive(clap::Args)]
pub struct Args {
    /// Proofs to run, by name or by what their names begin with: `fifo`, `fifo-5`; all of them without any.
    names: Vec<String>,
    /// List the proofs instead.
    #[arg(long)]
    list: bool,
    /// Leave out those that take more than a few seconds.
    #[arg(long)]
    fast: bool,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
}

/// A claim and what became of it.
struct Row {
    proof: String,
    subject: &'static str,
    sizes: String,
    claim: Claim,
    verdict: Verdict,
    seconds: f64,
    /// Where the run is that breaks it.
    run: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Outcome> {
    let proofs = chosen(args)?;
    if args.list {
        list(&proofs, args.json);
        return Ok(Outcome::Passed);
    }
    let mut rows = Vec::new();
    // A line comes as soon as its claim is settled: the next may take minutes.
    let show = |row: &Row| {
        if !args.json {
            print(row);
        }
    };
    if !args.json {
        println!(
            "{}",
            line("proof", "claim", "how long", "seconds", "verdict")
        );
    }
    for proof in &proofs {
        check(proof, &mut rows, show).with_context(|| proof.name.clone())?;
    }
    if args.json {
        println!("{:#}", Value::from_iter(rows.iter().map(to_json)));
    }
    let good = rows.iter().all(|row| row.verdict.is_good());
    Ok(if good {
        Outcome::Passed
    } else {
        Outcome::Failed
    })
}

fn chosen(args: &Args) -> Result<Vec<Proof>> {
    let mut proofs = all();
    let is_named = |proof: &Proof, name: &str| {
        let rest = proof.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    for name in &args.names {
        if !proofs.iter().any(|proof| is_named(proof, name)) {
            let names: Vec<&str> = proofs.iter().map(|proof| proof.name.as_str()).collect();
            bail!(
                "there is no proof `{name}`; the proofs are {}",
                names.join(", ")
            );
        }
    }
    proofs.retain(|proof| {
        let named = args.names.is_empty() || args.names.iter().any(|name| is_named(proof, name));
        named && (proof.is_fast || !args.fast)
    });
    ensure!(
        !proofs.is_empty(),
        "none of the proofs {} is a fast one",
        args.names.join(", ")
    );
    Ok(proofs)
}

/// Checks all claims of a proof, showing which.
fn check(proof: &Proof, rows: &mut Vec<Row>, show: impl Fn(&Row)) -> Result<()> {
    let folder = Path::new(FOLDER).join(&proof.name);
    if folder.exists() {
        // Runs of an earlier time would be taken for this one's.
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let spinner = progress::spinner(proof.name.clone());
    let circuit = proof.circuit()?;
    for claim in proof.claims() {
        spinner.set_message(format!("{}: {}", proof.name, in_words(&claim.name)));
        let start = Instant::now();
        let verdict = claim.check(&circuit)?;
        let seconds = start.elapsed().as_secs_f64();
        let run = match &verdict {
            Verdict::Violated(trace) => Some(write_run(&folder, &claim.name, trace)?),
            _ => None,
        };
        let row = Row {
            proof: proof.name.clone(),
            subject: proof.subject,
            sizes: proof.sizes.clone(),
            claim,
            verdict,
            seconds,
            run,
        };
        spinner.suspend(|| show(&row));
        rows.push(row);
    }
    spinner.finish_and_clear();
    Ok(())
}

/// Leaves a run as a wave and as a table, whose path is returned.
fn write_run(folder: &Path, claim: &str, trace: &Trace) -> Result<PathBuf> {
    let write = || {
        fs::create_dir_all(folder)?;
        trace.write_vcd(BufWriter::new(File::create(
            folder.join(format!("{claim}.vcd")),
        )?))?;
        let table = folder.join(format!("{claim}.txt"));
        fs::write(&table, trace.table())?;
        Ok::<_, std::io::Error>(table)
    };
    write().with_context(|| format!("cannot write in {}", folder.display()))
}

fn in_words(name: &str) -> String {
    name.replace('_', " ")
}

fn list(proofs: &[Proof], as_json: bool) {
    if as_json {
        let entries = proofs.iter().map(|proof| {
            json!({ "proof": proof.name, "block": proof.subject, "sizes": proof.sizes, "fast": proof.is_fast })
        });
        println!("{:#}", Value::from_iter(entries));
        return;
    }
    let mut table = table::lined(["proof", "block", "sizes", "fast"]);
    for proof in proofs {
        let fast = if proof.is_fast { "fast" } else { "" };
        table.add_row([proof.name.as_str(), proof.subject, &proof.sizes, fast]);
    }
    println!("{table}");
}

fn method_in_words(row: &Row) -> String {
    match (&row.verdict, row.claim.method) {
        (Verdict::Reached(cycles), _) => format!("in {cycles} cycles"),
        (_, Method::Unbounded) => "for ever".into(),
        (_, Method::Bounded(cycles)) => format!("for {cycles} cycles"),
    }
}

fn verdict_in_words(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Reached(_) => "reached",
        Verdict::Violated(_) => "FAILED",
        Verdict::NotReached => "NOT REACHED",
        Verdict::Undecided => "UNDECIDED",
    }
}

fn line(proof: &str, claim: &str, how_long: &str, seconds: &str, verdict: &str) -> String {
    format!("{proof:16} {claim:26} {how_long:13} {seconds:>8} {verdict}")
}

fn print(row: &Row) {
    let (claim, how_long) = (in_words(&row.claim.name), method_in_words(row));
    let seconds = format!("{:.1}", row.seconds);
    let verdict = verdict_in_words(&row.verdict);
    println!("{}", line(&row.proof, &claim, &how_long, &seconds, verdict));
    if let (Verdict::Violated(trace), Some(run)) = (&row.verdict, &row.run) {
        println!("{}{}", trace.table(), run.display());
    }
}

fn to_json(row: &Row) -> Value {
    let cycles = match (&row.verdict, row.claim.method) {
        (Verdict::Reached(cycles), _) => Some(*cycles),
        (_, Method::Bounded(cycles)) => Some(cycles),
        (_, Method::Unbounded) => None,
    };
    json!({
        "proof": row.proof,
        "block": row.subject,
        "sizes": row.sizes,
        "claim": row.claim.name,
        "unbounded": cycles.is_none(),
        "cycles": cycles,
        "seconds": row.seconds,
        "verdict": verdict_in_words(&row.verdict),
        "run": row.run,
    })
}
