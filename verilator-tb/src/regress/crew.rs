//! Who does the jobs: threads of this process, or processes elsewhere.

use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::Arc;
use std::thread;

use anyhow::{Context, Result};

use super::schedule::{Job, Report};
use super::worker::Worker;

/// Some workers, numbered from 0.
pub trait Crew {
    fn size(&self) -> usize;

    /// Gives a job to a worker who has none.
    fn start(&mut self, worker: usize, job: Job) -> Result<()>;

    /// Waits for the next report, of whomever.
    fn wait(&mut self) -> Result<(usize, Report)>;
}

/// Workers in this process.
pub struct Threads {
    jobs: Vec<Sender<Job>>,
    reports: Receiver<(usize, Report)>,
}

impl Threads {
    pub fn new(count: usize, worker: Worker) -> Self {
        let worker = Arc::new(worker);
        let (report, reports) = channel();
        let start = |number| {
            let (job, jobs) = channel();
            let (worker, report) = (Arc::clone(&worker), report.clone());
            thread::spawn(move || {
                for job in jobs {
                    // Nobody listens any more once the regression has ended.
                    let _ = report.send((number, worker.work(&job)));
                }
            });
            job
        };
        Self {
            jobs: (0..count).map(start).collect(),
            reports,
        }
    }
}

impl Crew for Threads {
    fn size(&self) -> usize {
        self.jobs.len()
    }

    fn start(&mut self, worker: usize, job: Job) -> Result<()> {
        let sent = self.jobs[worker].send(job);
        sent.with_context(|| format!("worker {worker} has ended"))
    }

    fn wait(&mut self) -> Result<(usize, Report)> {
        self.reports.recv().context("all workers have ended")
    }
}
